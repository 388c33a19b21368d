"""Marking errors in a summary: by mouse, by keyboard alone and by touch, in several scripts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from browser.driving import Hand, Keys
from browser.platform import PHONE, AtTask, Person, exported, sample, violations
from gistmark.corpus import Corpus
from gistmark.records import Document, ErrorSpan, Summary

pytestmark = pytest.mark.timeout(120)
DOCUMENT = "On Monday , two bridges were closed -lrb- it 's the rain -rrb- . They `` open '' soon ."
SUMMARY = "Three bridges was closed , 👷 Mr. Lee said -lrb- again -rrb- ."
SHOWN = "Three bridges was closed, 👷 Mr. Lee said (again)."


def about(document: str, summary: str) -> Corpus:
    """One summary of one document."""
    return replace(
        sample(),
        documents=(Document("d", (document,)),),
        summaries=(Summary("d", "zqleadqz", summary),),
        highlights=(),
        questions=(),
        planted=(),
    )


def summary_of(person: Person) -> Any:
    return person.page.locator(".passage.summary")


def document_of(person: Person) -> Any:
    return person.page.locator(".passage.document")


def choose(person: Person, hand: Hand, *names: str) -> None:
    """Say what the open error is."""
    for name in names:
        hand.press(person.page.locator(".errors .kind", has_text=name))


def spans(person: Person) -> list[dict[str, Any]]:
    person.saved()
    return list(person.draft()["items"]["1"]["answers"]["errors"]["spans"])


def submit(person: Person, hand: Hand) -> tuple[ErrorSpan, ...]:
    hand.press(person.page.get_by_role("button", name="Submit"))
    person.page.locator(".done-message").wait_for()
    return exported(person.campaign).spans


def reviewed(person: Person, chromium: Any, people: list[Person]) -> Any:
    """The work as its manager sees it."""
    manager = Person(chromium, person.server, person.campaign.owner)
    people.append(manager)
    manager.enter()
    manager.page.goto(f"{person.server}/campaigns/{person.campaign.key}/work/")
    manager.page.locator(".work-table tbody th a").first.click()
    manager.page.locator(".as-seen .errors li").first.wait_for()
    return manager.page.locator(".as-seen")


def test_errors_are_marked_with_the_mouse_pointed_to_the_document_and_changed(
    at_task: AtTask, axe: Any, chromium: Any, people: list[Person]
):
    person = at_task("error-spans", corpus=about(DOCUMENT, SUMMARY))
    page, hand = person.page, Hand(person)
    summary, document, errors = summary_of(person), document_of(person), page.locator(".errors li")
    assert summary.locator(".words").inner_text() == SHOWN
    hand.mark(summary, 0, 0)
    page.locator(".missing a", has_text="Choose a category for “Three”.").wait_for()
    choose(person, hand, "contradicts")
    page.locator(".missing a", has_text="Choose a severity for “Three”.").wait_for()
    choose(person, hand, "major")
    hand.mark(document, 3, 3)
    assert page.locator(".source-phrase").inner_text() == "two"
    page.get_by_label("Comment (optional)").fill("It is two.")
    page.get_by_role("button", name="Done").click()
    assert document.locator(".word.source").all_inner_texts() == ["two"]
    hand.mark(summary, 0, 2)
    choose(person, hand, "grammar", "minor")
    assert summary.locator(".word.twice").all_inner_texts() == ["Three"]
    hand._drag(summary.locator(".word").nth(2), summary.locator(".word").nth(2))
    page.get_by_role("button", name="Move the open error here").click()
    person.saved()
    page.reload()
    errors.nth(1).wait_for()
    details = [" ".join(each.split()) for each in errors.all_inner_texts()]
    assert [each.split(" ×")[0] for each in details] == [
        "Three contradicts the source major",
        "was grammar minor",
    ]
    assert "In the document: “two” It is two." in details[0]
    hand.mark(summary, 7, 8)
    assert page.locator(".errors .is-open q").inner_text() == "Lee said", "shown as it was written"
    page.get_by_role("button", name="Remove the error: Lee said").click()
    summary.locator(".word").nth(2).click()
    page.get_by_role("button", name="Edit the error").click()
    choose(person, hand, "major")
    page.get_by_label("Something important is missing").check()
    missing = page.locator(".missing-content")
    missing.locator(".kind", has_text="minor").click()
    missing.get_by_role("button", name="Select in the document").click()
    hand.mark(document, 10, 12)
    assert missing.locator(".source-phrase").inner_text() == "the rain)"
    assert page.get_by_label("There are no errors").is_disabled()
    assert violations(axe, page) == []
    hand._slide(page.locator(".slider input"), 40)
    was = SUMMARY.index("was")
    marked = [
        (each.start, each.end, each.category, each.severity, each.comment, each.source_start)
        for each in submit(person, hand)
    ]
    assert marked == [
        (0, 5, "contradicts the source", "major", "It is two.", DOCUMENT.index("two")),
        (was, was + 3, "grammar", "major", None, None),
        (None, None, "omission", "minor", None, DOCUMENT.index("the rain")),
    ]
    seen = reviewed(person, chromium, people)
    assert seen.locator(".word.marked").all_inner_texts() == ["Three", "was"]
    assert seen.locator(".word.source").all_inner_texts() == ["two", "the", "rain", ")"]
    seen.locator(".passage.summary .word").nth(3).click()
    assert seen.locator(".floating:visible").count() == 0
    enabled = "button:enabled:not(.fold), input:enabled, textarea:enabled"
    assert seen.locator(enabled).count() == 0


def test_errors_are_marked_in_arabic_with_the_keyboard_alone(at_task: AtTask):
    text = "أغلقت السلطات ثلاثة جسور يوم الاثنين."
    person = at_task("error-spans", corpus=about("أغلقت السلطات جسرين يوم الاثنين.", text))
    page, keys = person.page, Keys(person)
    summary = summary_of(person).locator(".words")
    keys.reach(summary)
    keys._type("Control+Home", *["ArrowLeft"] * 2, "Shift+ArrowLeft", "Enter")
    assert page.evaluate("document.activeElement.value") == "not in the source"
    keys._type("ArrowDown", "Tab", "Space")
    keys.reach(page.get_by_role("button", name="Select in the document"))
    keys._type("Enter", "ArrowLeft", "ArrowLeft", "Enter")
    assert page.locator(".source-phrase").inner_text() == "جسرين"
    keys._type("Escape")
    assert summary.evaluate("node => node === document.activeElement")
    keys._type("Control+End", "Enter", "Escape")
    page.locator(".errors li").nth(1).wait_for()
    keys._type("Control+End", "Delete")
    assert page.locator(".errors q").all_inner_texts() == ["ثلاثة جسور"]
    start = text.index("ثلاثة")
    assert [(each["start"], each["end"]) for each in spans(person)] == [(start, start + 10)]
    keys.reach(page.locator(".slider input"))
    keys._type("Home", "PageUp")
    [error] = submit(person, keys)
    assert (error.category, error.severity) == ("contradicts the source", "minor")
    assert (error.source_start, error.source_end) == (14, 19)


def test_on_a_phone_no_errors_is_said_and_chinese_is_marked_by_characters(
    at_task: AtTask, axe: Any
):
    text = "三座桥关了，👷李先生说。"
    person = at_task("error-spans", corpus=about("两座桥关了。李先生说。", text), options=PHONE)
    page, hand = person.page, Hand(person)
    hand._slide(page.locator(".slider input"), 60)
    page.locator(".missing a", has_text="Which words of the summary are wrong?").wait_for()
    none = page.get_by_label("There are no errors")
    none.tap()
    page.locator(".missing").wait_for(state="hidden")
    hand.mark(summary_of(person), 0, 2)
    assert page.locator(".errors q").inner_text() == "三座桥"
    assert (none.is_checked(), none.is_disabled()) == (False, True)
    choose(person, hand, "contradicts", "major")
    page.get_by_role("button", name="Select in the document").tap()
    hand.mark(document_of(person), 0, 0)
    assert page.locator(".source-phrase").inner_text() == "两"
    assert violations(axe, page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    [error] = submit(person, hand)
    assert (error.start, error.end, error.source_start, error.source_end) == (0, 3, 0, 1)
