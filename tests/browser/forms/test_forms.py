"""Composed protocols in the browser: what annotators see of a form, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from browser.driving import Hand
from browser.platform import SIZES, Person, exported, prepared, violations

pytestmark = pytest.mark.timeout(120)

FORM = {"kind": "form", "shows": [], "dimensions": [], "scale": None}
"""What makes a form of a preset; the blocks are each test's."""
SCALE = {"low": 1, "high": 5, "labels": ["awful", "bad", "fair", "good", "excellent"]}
SCALES = [
    {"type": "show", "what": "document"},
    {"type": "note", "text": "First the language."},
    {"type": "show", "what": "summary"},
    {"type": "likert", "name": "style", "question": "How is the style?", "scale": SCALE},
    {
        "type": "slider",
        "name": "effort",
        "question": "How much effort is it to read?",
        "guidance": "Think of the longest sentence.",
        "scale": {"low": 0, "high": 100},
        "when": {"question": "style", "values": [1, 2]},
    },
    {
        "type": "likert",
        "name": "use",
        "question": "Is it of use?",
        "scale": SCALE,
        "confidence": {"form": "points", "low": 1, "high": 3},
        "required": False,
    },
    {
        "type": "slider",
        "name": "more",
        "question": "How much more of it?",
        "scale": {"low": 0, "high": 100, "start": 30},
        "when": {"question": "use", "values": [5]},
    },
]


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_question_is_asked_where_its_condition_is_met(
    chromium: Any, server: str, people: list[Person], axe: Any, size: str
):
    campaign, user = prepared("overall", blocks=SCALES, **FORM)
    person = Person(chromium, server, user, **SIZES[size])
    people.append(person)
    person.campaign = campaign
    person.enter()
    person.take_task()
    page, hand = person.page, Hand(person)
    questions = page.locator(".form-question")
    assert questions.nth(1).is_hidden()
    assert page.locator(".form .note").inner_text() == "First the language."
    hand.press(questions.nth(0).locator(".point").nth(1))
    questions.nth(1).wait_for()
    page.locator(".missing a", has_text="How much effort").wait_for()
    hand._slide(questions.nth(1).locator("input"), 80)
    person.saved()
    page.reload()
    questions.nth(1).locator(".slider-value.set").wait_for()
    hand.press(questions.nth(2).locator(".part-value .point").nth(4))
    page.locator(".missing a", has_text="How sure are you?").wait_for()
    hand.press(questions.nth(2).locator(".part-confidence .point").nth(2))
    assert violations(axe, page) == []
    hand.press(questions.nth(0).locator(".point").nth(3))
    questions.nth(1).wait_for(state="hidden")
    hand.press(page.get_by_role("button", name="Submit"))
    page.locator(".done-message").wait_for()
    ratings = {each.dimension: each for each in exported(campaign).ratings}
    assert {name: (each.value, each.confidence) for name, each in ratings.items()} == {
        "style": (4.0, None),
        "use": (5.0, 3.0),
        "more": (30.0, None),
    }
