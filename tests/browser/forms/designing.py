"""Designing a form in the browser, as a manager does: from nothing, block by block."""

from __future__ import annotations

import re
from typing import Any

POINTS = ("awful", "bad", "fair", "good", "excellent")
DIMENSIONS = {
    "style": "How is the style?",
    "truth": "Is everything true?",
    "use": "Of how much use is it?",
}


def add(page: Any, title: str) -> Any:
    """Add a block by its title in the menu; returns its card."""
    page.get_by_role("button", name="Add a block").click()
    exactly = page.locator(".add-title", has_text=re.compile(f"^{title}$"))
    page.locator(".add-entry", has=exactly).click()
    return page.locator(".block").nth(page.locator(".block").count() - 1)


def ask(page: Any, title: str, name: str, question: str) -> Any:
    """Add a question; returns its card."""
    card = add(page, title)
    card.get_by_label("Question", exact=True).fill(question)
    card.get_by_label("Name in the data").fill(name)
    return card


def close(card: Any) -> None:
    card.locator(".block-head").click()


def design(page: Any) -> None:
    """Three Likert dimensions, free text after a low one, error spans, and an attention check."""
    for title in ("Document", "One summary"):
        close(add(page, title))
    for name, question in DIMENSIONS.items():
        card = ask(page, "Likert scale", name, question)
        for number, label in enumerate(POINTS, start=1):
            card.get_by_label(str(number), exact=True).fill(label)
        close(card)
    card = ask(page, "Likert scale", "care", "This checks whether you read: please choose 2.")
    card.get_by_label("Attention check").check()
    card.get_by_label("The right answer").select_option("2")
    close(card)
    card = ask(page, "Free text", "why", "What is wrong with the style?")
    card.get_by_label("Asked only after an answer").check()
    card.get_by_label("After the answer to").select_option("style")
    for value in ("1", "2"):
        card.get_by_label(value, exact=True).check()
    close(card)
    close(ask(page, "Error spans", "errors", "Mark every error."))


def save(page: Any) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".design-status", has_text=re.compile("^Saved.$")).wait_for()
