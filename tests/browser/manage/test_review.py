"""Reviewing in a browser: by keys, many at once without leaving the page, and adjudication."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from browser.platform import Person
from gistmark.web.annotate.models import Adjudication, Submission, Task
from gistmark.web.annotate.services.comments import add_comment
from gistmark.web.campaigns.models import Campaign
from web.factories import make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db(transaction=True)
FLAG = {"kind": "too_fast", "reason": "The task took 1.0 seconds.", "severity": "flag"}


def manager_of(campaign: Campaign, chromium: Any, server: str, people: list[Person]) -> Person:
    person = Person(chromium, server, campaign.owner)
    people.append(person)
    person.enter()
    person.campaign = campaign
    return person


def go(person: Person, path: str) -> None:
    person.page.goto(f"{person.server}/campaigns/{person.campaign.key}/{path}")


def states(campaign: Campaign) -> list[str]:
    rows = Submission.objects.filter(task__campaign=campaign).order_by("-received_at", "-pk")
    return list(rows.values_list("task__state", flat=True))


def test_work_is_reviewed_by_keys_and_cannot_be_changed(
    chromium: Any, server: str, people: list[Person]
):
    campaign = worked_campaign("pairwise", annotators=2, checks={"too_fast": "off"})
    before = list(Submission.objects.values_list("answer", flat=True))
    person = manager_of(campaign, chromium, server, people)
    page = person.page
    go(person, "work/")
    page.locator(".work-table tbody th a").first.click()
    page.locator(".as-seen .choice").first.wait_for()
    chosen = page.locator(".as-seen input:checked").count()
    assert chosen > 0
    for key in ("ArrowUp", "ArrowDown", "1", "2", "Enter"):
        page.keyboard.press(key)
    page.locator(".as-seen .side").first.click(force=True)
    assert page.locator(".as-seen input:checked").count() == chosen
    assert page.locator(".as-seen input:not(:disabled)").count() == 0
    first = page.url
    page.locator("body").press("j")
    page.wait_for_url(lambda url: url != first)
    page.locator(".as-seen .choice").first.wait_for()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(first)
    page.locator(".as-seen .choice").first.wait_for()
    page.keyboard.press("r")
    page.keyboard.type("Answers at random.")
    page.keyboard.press("Enter")
    page.locator("#said", has_text="The work is rejected").wait_for()
    assert page.url == first
    assert states(campaign)[0] == "rejected"
    page.locator("body").focus()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("a")
    page.locator("#said", has_text="The work is accepted").wait_for()
    page.keyboard.press("u")
    page.locator("#said", has_text="1 acceptance undone.").wait_for()
    assert states(campaign)[0] == "rejected"
    page.keyboard.press("p")
    page.locator("#said", has_text="The work does not count but is paid").wait_for()
    assert states(campaign)[0] == "paid"
    assert list(Submission.objects.values_list("answer", flat=True)) == before


def test_many_are_rejected_and_that_is_undone_without_leaving_the_page(
    chromium: Any, server: str, people: list[Person]
):
    campaign = worked_campaign("likert", annotators=2, corpus=make_corpus(documents=6))
    Submission.objects.update(flags=[FLAG])
    Task.objects.filter(campaign=campaign, state="done").update(flagged=True)
    first = Submission.objects.first()
    add_comment(first.task, first.annotator, uuid4(), text="A comment.")
    before = states(campaign)
    person = manager_of(campaign, chromium, server, people)
    page = person.page
    go(person, "work/?show=undecided")
    count = len(before)
    assert page.locator(".work-table tbody tr").count() == count
    page.locator("#tick-all").click()
    assert page.locator("#scope").inner_text().startswith(f"the {count} that are ticked")
    page.locator("#tick-all").click()
    for number in (0, 1):
        page.locator("input[name=submission]").nth(number).check()
    page.fill("#reason", "Copied.")
    page.evaluate("window.scrollTo(0, 300)")
    position = page.evaluate("window.scrollY")
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    page.get_by_role("button", name="Reject").click()
    page.locator("#said", has_text="2 tasks rejected.").wait_for()
    assert page.locator(".work-table tbody tr").count() == count - 2
    assert page.evaluate("window.scrollY") == position
    assert page.locator("#reason").input_value() == ""
    page.select_option("#scope", "filter")
    page.get_by_role("button", name="Accept").click()
    page.locator("#said", has_text=f"{count - 2} tasks accepted.").wait_for()
    page.get_by_role("button", name=f"Undo: {count - 2} acceptances by you").click()
    page.locator("#said", has_text="acceptances undone.").wait_for()
    page.get_by_role("button", name="Undo: 2 rejections by you").click()
    page.locator("#said", has_text="2 rejections undone.").wait_for()
    assert states(campaign) == before
    assert loads == []
    person.trouble_is_meant = True
    page.get_by_role("button", name="Reject").click()
    page.locator("#said", has_text="A rejection needs a reason.").wait_for()


def test_marks_can_be_read_but_not_made_and_a_disputed_document_is_decided(
    chromium: Any, server: str, people: list[Person]
):
    campaign = worked_campaign("highlight", annotators=2)
    Task.objects.filter(campaign=campaign, state="done").update(flagged=False)
    person = manager_of(campaign, chromium, server, people)
    page = person.page
    go(person, f"work/{Submission.objects.filter(task__campaign=campaign).first().pk}/")
    page.locator(".as-seen .word").first.wait_for()
    marked = page.locator(".as-seen .word.marked").count()
    assert marked > 0
    for word in (0, 5):
        page.locator(".as-seen .word").nth(word).click()
    assert page.locator(".as-seen .word.chosen").count() == 0
    assert page.locator(".as-seen .word.marked").count() == marked
    go(person, "adjudication/?show=all")
    page.locator(".work-table tbody a").first.click()
    page.locator("#own .word").first.wait_for()
    page.locator("#own .word").nth(0).click()
    page.get_by_role("button", name="Mark (", exact=False).click()
    page.fill("#note", "The first word says it all.")
    page.get_by_role("button", name="Store the decision").click()
    page.get_by_text("The decision is stored").wait_for()
    made = Adjudication.objects.get()
    assert (made.by, made.note) == (campaign.owner, "The first word says it all.")
    assert made.answer["highlights"][0]["start"] == 0
    page.locator("#own .word.marked").first.wait_for()
