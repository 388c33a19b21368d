"""A manager sees a draft as its annotators will, and turns a pilot into the real thing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from browser.driving import Hand, do_task
from browser.platform import Person, exported, sample
from gistmark.web.annotate.models import Draft, Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.timeout(120)
AT_ANY_PACE: dict[str, Any] = {"minimum_seconds": 0, "checks": {"too_fast": "off"}}
WIDTHS = (390, 1280)


@pytest.fixture
def manager(chromium: Any, server: str, people: list[Person]) -> Any:
    """The owner of a campaign at a browser."""

    def enter(campaign: Campaign, width: int = 1280) -> Person:
        person = Person(chromium, server, campaign.owner, viewport={"width": width, "height": 800})
        people.append(person)
        person.enter()
        person.page.goto(f"{server}/campaigns/{campaign.key}/")
        return person

    return enter


def draft(protocol: str, **changes: Any) -> Campaign:
    return make_campaign(protocol, running=False, corpus=sample(), **changes)


def preview(person: Person) -> Any:
    """Follow the tab to the first task; what is stored in the browser is none of ours."""
    page = person.page
    page.get_by_role("link", name="See as annotator").click()
    page.get_by_text("This is a preview.").wait_for()
    page.get_by_role("link", name="I agree, start").click()
    page.locator(".foot").wait_for()
    return page


def assert_nothing_is_kept(page: Any) -> None:
    assert page.evaluate("Object.keys(localStorage)") == []
    assert not Task.objects.exists()
    assert not Draft.objects.exists()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert inner <= outer


def test_a_likert_draft_is_previewed_and_judged_on_a_narrow_screen(manager: Any):
    campaign = draft("likert", minimum_seconds=60, checks={"too_fast": "reject"})
    person = manager(campaign, width=390)
    page, hand = preview(person), Hand(person)
    assert "zq" in page.locator(".preview-answers").inner_text()
    for group in page.locator(".points").all():
        hand.press(group.locator(".point").nth(2))
    hand.press(page.get_by_role("button", name="Submit"))
    verdict = page.locator(".verdict")
    verdict.wait_for()
    assert "It would be rejected, because:" in verdict.inner_text()
    assert "the minimum is 60 for each of its items" in verdict.inner_text()
    assert "The annotator would read" in verdict.inner_text()
    page.get_by_role("link", name="Next task").click()
    page.get_by_text("Task 2 of").wait_for()
    page.locator(".foot").wait_for()
    assert page.locator(".verdict").count() == 0
    assert_nothing_is_kept(page)


def test_a_pairwise_draft_says_which_system_stands_where(manager: Any):
    person = manager(draft("pairwise", **AT_ANY_PACE))
    page, hand = preview(person), Hand(person)
    answers = page.locator(".preview-answers li")
    entries = answers.all_inner_texts()
    assert all("left: zq" in each and "right: zq" in each for each in entries)
    for number in range(len(entries)):
        screen = page.locator(".screen").nth(number)
        for choice in range(screen.locator(".choice").count()):
            hand.choose(screen, choice, "left" if (number + choice) % 2 else "right")
        if number < len(entries) - 1:
            hand.press(page.get_by_role("button", name="Next", exact=True))
    hand.press(page.get_by_role("button", name="Submit"))
    page.get_by_text("It would be accepted.").wait_for()
    assert_nothing_is_kept(page)


def test_a_highlight_draft_that_lacks_statements_is_shown_without(manager: Any):
    corpus = replace(sample(), questions=())
    campaign = make_campaign("highlight", running=False, corpus=corpus, **AT_ANY_PACE)
    person = manager(campaign)
    page, hand = preview(person), Hand(person)
    assert "lacks an approved True/False statement" in page.locator(".preview").inner_text()
    hand.mark(page.locator(".screen").first, 1, 5)
    hand.press(page.get_by_role("button", name="Submit"))
    page.get_by_text("It would be accepted.").wait_for()
    assert_nothing_is_kept(page)


def test_a_pilot_is_turned_into_the_real_thing(
    manager: Any, chromium: Any, server: str, people: list[Person]
):
    annotator = make_user("annotator")
    campaign = draft("pairwise", annotators=(annotator,), judges=2, **AT_ANY_PACE)
    give_consent(campaign, annotator)
    page = manager(campaign).page
    page.get_by_role("link", name="Pilot it first").click()
    page.get_by_label("Annotators").fill("1")
    page.get_by_label("Tasks for each").fill("2")
    page.get_by_role("button", name="Start the pilot").click()
    page.get_by_text("The pilot runs.").wait_for()

    worker = Person(chromium, server, annotator)
    people.append(worker)
    worker.campaign = campaign
    worker.enter()
    worker.take_task()
    do_task(worker, Hand(worker))
    worker.page.get_by_role("button", name="Submit").click()
    worker.page.locator(".done-message").wait_for()
    before = exported(campaign).comparisons

    page.get_by_role("link", name="End the pilot").click()
    page.get_by_text("1 of 1 have begun").wait_for()
    page.get_by_role("button", name="Keep this work and start").click()
    page.get_by_text("The campaign runs, and the work of the pilot counts.").wait_for()
    assert page.get_by_text("This is a pilot.").count() == 0
    assert Submission.objects.count() == 1
    assert exported(campaign).comparisons == before
    worker.page.get_by_role("button", name="Next task").click()
    worker.page.locator(".foot").wait_for()
