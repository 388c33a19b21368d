"""Crowd workers: from the market to the code, codes of tasks, and what a manager downloads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browser.annotate.test_annotation_looks import CONTRAST, STICKS_OUT
from browser.driving import Hand, do_task
from browser.platform import PHONE, AtTask, Person, sample
from browser.test_pages import WIDE, look
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.crowd.approvals import read_sheet
from gistmark.web.crowd.models import Participant
from web.crowd.arriving import recruiting
from web.crowd.working import batch
from web.factories import make_campaign

pytestmark = pytest.mark.timeout(120)
SELECTED = "String(getSelection())"


def handed_in(at_task: AtTask, **options: Any) -> tuple[Person, str]:
    """Somebody who has handed in a task of a campaign with codes, and its code."""
    person = at_task("overall", **options)
    change_settings(person.campaign, None, completion_codes=True)
    code = completion_code(person.task.pk, person.campaign)
    hand = Hand(person)
    do_task(person, hand)
    person.saved()
    assert code not in person.page.content()
    hand.press(person.page.get_by_role("button", name="Submit"))
    person.page.locator(".done-message").wait_for()
    return person, code


def test_an_annotator_hands_in_and_takes_the_code_along(at_task: AtTask):
    person, code = handed_in(at_task, options=PHONE)
    shown = person.page.locator(".completion-code")
    assert shown.inner_text() == code
    assert shown.is_visible()
    assert person.page.evaluate("window.innerWidth") == 360
    assert not person.page.evaluate(STICKS_OUT)
    assert person.page.evaluate(CONTRAST) == []
    shown.click()
    assert person.page.evaluate(SELECTED) == code

    person.page.goto(f"{person.server}/work/")
    assert person.page.locator(".completion-code").inner_text() == code
    assert person.page.locator(".completion-code").is_visible()
    assert not person.page.evaluate(STICKS_OUT)


def test_without_the_setting_nothing_is_said_about_codes(at_task: AtTask):
    person = at_task("overall")
    hand = Hand(person)
    do_task(person, hand)
    hand.press(person.page.get_by_role("button", name="Submit"))
    person.page.locator(".done-message").wait_for()
    assert not person.page.locator(".completion").is_visible()


def test_a_manager_downloads_the_approvals(
    at_task: AtTask, chromium: Any, people: list[Person], tmp_path: Path
):
    person, code = handed_in(at_task)
    manager = Person(chromium, person.server, person.campaign.owner)
    people.append(manager)
    manager.enter()
    manager.page.goto(f"{person.server}/campaigns/{person.campaign.key}/work/")
    assert manager.page.locator(".work-table .completion-code").inner_text() == code
    manager.page.get_by_text("Approvals for a crowd market").click()
    file = {"name": "batch.csv", "mimeType": "text/csv", "buffer": batch(code.lower(), "ODD")}
    manager.page.locator("input[type=file]").set_input_files(file)
    manager.page.get_by_role("button", name="Fill in the approvals").click()
    manager.page.get_by_text("Row 3: The code ODD is not one of this campaign.").wait_for()
    with manager.page.expect_download() as started:
        manager.page.get_by_role("link", name="Download the file").click()
    target = tmp_path / "approved.csv"
    started.value.save_as(target)
    assert started.value.suggested_filename.endswith("-approvals.csv")
    assert [row[2] for row in read_sheet(target.read_bytes()).rows] == ["x", ""]


def test_a_participant_comes_from_the_market_and_goes_back_with_the_code(
    axe: Any, chromium: Any, server: str, people: list[Person]
):
    campaign = make_campaign(
        "overall", corpus=sample(), minimum_seconds=0, checks={"too_fast": "off"}, judges=3
    )
    recruitment = recruiting(campaign, tasks_per_participant=1)
    query = "PROLIFIC_PID=alice&STUDY_ID=study1&SESSION_ID=s-alice"
    person, stranger = (Person(chromium, server, None) for _ in range(2))
    people += [person, stranger]
    page = person.page
    page.goto(f"{server}/crowd/{recruitment.key}/?{query}")
    assert "alice" not in page.url
    page.get_by_role("button", name="I do not want to take part").wait_for()
    assert look(axe, page, dark=True) == []
    page.set_viewport_size(WIDE)
    page.locator("form button.primary").click()
    page.wait_for_url("**/tasks/*/")
    person.user = Participant.objects.get(pid="alice").user
    person.task = Task.objects.get(annotator=person.user)
    hand = Hand(person)
    do_task(person, hand)
    hand.press(page.get_by_role("button", name="Submit"))
    page.locator(".done-message").wait_for()
    page.get_by_role("link", name="Finish and get the completion code").click()
    code = recruitment.codes["completed"]
    assert page.get_by_label("Your completion code").input_value() == code
    back = page.get_by_role("link", name="Go back to the market with this code")
    assert back.get_attribute("href") == f"https://app.prolific.com/submissions/complete?cc={code}"
    assert look(axe, page, dark=True) == []

    stranger.trouble_is_meant = True
    stranger.page.goto(f"{server}/crowd/{recruitment.key}/?{query}")
    stranger.page.get_by_text("This study was opened in another browser before.").wait_for()
    assert look(axe, stranger.page, dark=True) == []
