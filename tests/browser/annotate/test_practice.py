"""Comprehension questions and practice in a browser: passed at the second try, or thanked."""

from __future__ import annotations

from typing import Any

import pytest

from browser.driving import Keys
from browser.platform import PHONE, Person, sample, violations
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.qualification.models import PracticeAnswer, PracticeAttempt
from gistmark.web.qualification.services.plans import replace_practice
from web.factories import make_campaign, make_user
from web.qualification.practising import QUESTIONS

pytestmark = pytest.mark.timeout(180)


SMALLER = {
    "dimensions": [
        {"name": "Focus", "question": "Does it keep to its subject?"},
        {"name": "Structure", "question": "Is it well organised?"},
    ],
    "confidence": None,
    "weight": None,
}
"""Two questions instead of eleven with three parts each."""


def practised(browser: Any, server: str, people: list[Person], **options: Any) -> Person:
    """Somebody at the terms of a likert campaign with two questions and two practice items."""
    user = make_user("annotator")
    campaign = make_campaign(
        "likert", corpus=sample(), annotators=(user,), running=False, **SMALLER
    )
    names = [each.name for each in protocol_of(campaign).dimensions]
    replace_practice(
        campaign,
        {
            "items": [
                {
                    "document": document,
                    "systems": ["zqcarefulqz"],
                    "right": {"ratings": {name: {"value": value} for name in names[:2]}},
                    "reason": f"A good reason for {value}.",
                }
                for document, value in zip(
                    campaign.documents.values_list("name", flat=True)[:2], (2, 4), strict=True
                )
            ],
            "comprehension": QUESTIONS,
            "pass_mark": 75,
        },
        campaign.owner,
    )
    start(campaign, campaign.owner)
    person = Person(browser, server, user, reads=True, **options)
    people.append(person)
    person.campaign = campaign
    person.enter()
    return person


def answer_questions(person: Person, *options: int) -> None:
    for number, option in enumerate(options):
        person.page.locator("fieldset.comprehension").nth(number).locator("label").nth(
            option
        ).click()
    person.page.get_by_role("button", name="Submit my answers").click()


def open_item(person: Person) -> PracticeAnswer:
    person.page.locator(".foot").wait_for()
    pk = int(person.page.url.rstrip("/").rsplit("/", 1)[1])
    return PracticeAnswer.objects.get(pk=pk)


def right_value(answer: PracticeAnswer) -> int:
    return int(next(iter(answer.right["ratings"].values()))["value"])


def do_items(person: Person, *, right: bool, first: bool) -> None:
    """Answer both items by keyboard, and go on from each right answer.

    In the first try no response has a reason before its item is answered.
    """
    keys = Keys(person)
    for _ in range(2):
        answer = open_item(person)
        value = right_value(answer)
        for group in person.page.locator(".points").all():
            keys.reach(group.locator("input"))
            person.page.keyboard.press(str(value if right else 6 - value))
        leaked = [where for where, _, text in person.responses if answer.reason in text]
        assert not (first and leaked)
        keys.press(person.page.get_by_role("button", name="Submit"))
        person.page.get_by_text(answer.reason).wait_for()
        onward = person.page.get_by_role("button", name="Next item").or_(
            person.page.get_by_role("link", name="See the result")
        )
        keys.press(onward)


def test_a_practice_is_passed_at_the_second_try_by_keyboard(axe, chromium, server, people):
    person = practised(chromium, server, people)
    page, keys = person.page, Keys(person)
    page.goto(f"{server}/work/{person.campaign.key}/")
    keys.press(page.get_by_role("button", name="Start"))
    page.get_by_text("You have 2 tries.").wait_for()
    answer_questions(person, 0, 0)
    page.get_by_text("Your last answer to this was not right.").wait_for()
    assert violations(axe, page) == []
    answer_questions(person, 0, 1)
    page.get_by_text("Practice before the first task").wait_for()
    keys.press(page.get_by_role("button", name="Start the practice"))
    open_item(person)
    assert violations(axe, page) == []
    do_items(person, right=False, first=True)
    page.get_by_text("You have 1 more try").wait_for()
    keys.press(page.get_by_role("button", name="Try again"))
    do_items(person, right=True, first=False)
    page.get_by_text("You have qualified.").wait_for()
    assert violations(axe, page) == []
    assert "4 of 4 of your answers are right; the pass mark is 75 %." in page.inner_text("main")
    keys.press(page.get_by_role("button", name="Start with the tasks"))
    page.locator(".foot").wait_for()
    assert "/tasks/" in page.url


def test_a_reload_keeps_what_was_filled_in_and_failing_is_thanked(axe, chromium, server, people):
    person = practised(chromium, server, people, **PHONE)
    page = person.page
    page.goto(f"{server}/work/{person.campaign.key}/")
    page.get_by_role("button", name="Start").tap()
    answer_questions(person, 0, 1)
    for attempt in (1, 2):
        page.get_by_role("button", name="Start the practice" if attempt == 1 else "Try again").tap()
        answer_wrongly(axe, person, reload=attempt == 1)
    page.get_by_text("Thank you for your time and your care.").wait_for()
    assert PracticeAttempt.objects.filter(passed=False).count() == 2
    page.goto(f"{server}/work/")
    page.get_by_text("stayed below the pass mark").wait_for()
    assert not page.get_by_role("button", name="Start next task").count()


def answer_wrongly(axe: Any, person: Person, *, reload: bool) -> None:
    page = person.page
    for number in range(2):
        answer = open_item(person)
        wrong = 6 - right_value(answer)
        for group in page.locator(".points").all():
            group.locator(".point").nth(wrong - 1).tap()
        if reload and number == 0:
            person.saved()
            page.reload()
            page.locator(".foot").wait_for()
            assert page.locator(".point input:checked").count() == page.locator(".points").count()
        page.get_by_role("button", name="Submit").dblclick()
        page.get_by_text(answer.reason).wait_for()
        if reload and number == 0:
            assert violations(axe, page) == []
        page.locator(".practice-answer .primary").tap()


def test_a_manager_gives_the_right_answer_on_the_annotators_controls(chromium, server, people):
    owner = make_user("manager")
    campaign: Campaign = make_campaign(
        "likert", owner=owner, corpus=sample(), running=False, **SMALLER
    )
    person = Person(chromium, server, owner)
    people.append(person)
    person.enter()
    page = person.page
    page.goto(f"{server}/campaigns/{campaign.key}/practice/")
    page.get_by_role("link", name="Add a practice item").click()
    page.fill("textarea[name=reason]", "It leaves the main point out.")
    page.get_by_role("button", name="Go on to the right answer").click()
    page.locator(".foot").wait_for()
    page.locator(".points").first.locator(".point").nth(1).click()
    page.get_by_role("button", name="Save the right answer").click()
    page.get_by_text("It leaves the main point out.").wait_for()
    right = campaign.practice_items.get().right["ratings"]
    assert [each["value"] for each in right.values()] == [2]
