"""Content units in a browser: written, merged, made the second stage, marked and exported."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

import gistmark
from browser.platform import PHONE, Person, prepared, violations
from gistmark.corpus import Corpus
from gistmark.records import Document, Summary
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import change_protocol
from web.factories import make_user

pytestmark = pytest.mark.timeout(240)

REFERENCE = "A painter found a crack in the bridge, which was closed at once."
CORPUS = Corpus(
    documents=(Document("bridge", ("The bridge at Port Ennick was closed on Tuesday.",)),),
    summaries=(
        Summary("bridge", "gold", REFERENCE, reference=True),
        Summary("bridge", "zqleadqz", "A crack was found and the bridge was closed."),
        Summary("bridge", "zqterseqz", "Nothing happened."),
    ),
)


def visitor(chromium: Any, server: str, people: list[Person], user: Any, **options: Any) -> Person:
    person = Person(chromium, server, user, **options)
    people.append(person)
    person.enter()
    return person


def fields(page: Any) -> list[str]:
    return page.locator(".unit textarea").evaluate_all("all => all.map(each => each.value)")


def submit(page: Any) -> None:
    page.get_by_role("button", name="Submit").click()
    page.locator(".done-message").wait_for()


def write_by_keyboard(person: Person, axe: Any) -> None:
    """Units typed, split, joined, moved, undone, warned about, and there after a reload."""
    page, keys = person.page, person.page.keyboard
    page.get_by_label("Unit 1", exact=True).focus()
    keys.insert_text("There is a crack in the bridge")
    keys.press("Enter")
    keys.insert_text("A painter found the crack The bridge was closed")
    for _ in range(len("The bridge was closed")):
        keys.press("ArrowLeft")
    keys.press("Enter")
    whole = ["There is a crack in the bridge", "A painter found the crack", "The bridge was closed"]
    assert fields(page) == whole
    keys.press("Backspace")
    assert fields(page)[1:] == ["A painter found the crack The bridge was closed"]
    keys.press("Control+z")
    keys.press("Control+z")
    keys.press("Control+y")
    assert fields(page) == whole
    page.get_by_label("Unit 3", exact=True).focus()
    keys.press("Alt+ArrowUp")
    assert fields(page) == [whole[0], whole[2], whole[1]]
    keys.press("Alt+ArrowDown")
    keys.press("End")
    keys.press("Enter")
    keys.type("the bridge, was CLOSED!")
    assert page.get_by_role("button", name="Submit").is_disabled()
    page.get_by_role("link", name=re.compile("Two content units say the same")).wait_for()
    page.get_by_text("This says the same as unit 3.").wait_for()
    assert violations(axe, page) == []
    keys.press("Control+A")
    keys.press("Delete")
    keys.type("crack")
    page.get_by_label("Unit 1", exact=True).focus()
    page.get_by_text("This is very short.").wait_for()
    page.get_by_role("button", name="Delete unit 4").dblclick()
    assert fields(page) == whole
    person.saved()
    page.reload()
    page.locator(".foot").wait_for()
    assert fields(page) == whole


def write_by_touch(person: Person, axe: Any) -> None:
    page = person.page
    page.get_by_label("Unit 1", exact=True).fill("A painter found a crack, the bridge was closed")
    page.get_by_role("button", name="Split unit 1 in two").tap()
    assert fields(page) == ["A painter found a crack,", "the bridge was closed"]
    page.get_by_role("button", name="Move unit 2 up").tap()
    page.get_by_role("button", name="Add a unit").tap()
    page.keyboard.insert_text("It was closed at once\nIt was done by the town")
    assert fields(page)[2:] == ["It was closed at once", "It was done by the town"]
    page.get_by_role("button", name="Delete unit 4").tap()
    page.get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Delete unit 4").tap()
    width = "document.documentElement.scrollWidth - window.innerWidth"
    assert page.evaluate(width) <= 0
    assert violations(axe, page) == []


def merge(manager: Person, key: str, axe: Any) -> None:
    """The proposal is corrected: a unit dropped, one reworded, one weighed, one assigned anew."""
    page = manager.page
    page.goto(f"{manager.server}/campaigns/{key}/units/")
    page.get_by_role("link", name="bridge").click()
    page.locator("#merged .unit").first.wait_for()
    assert violations(axe, page) == []
    texts = page.locator("#merged textarea").evaluate_all("all => all.map(each => each.value)")
    assert texts == [
        "There is a crack in the bridge", "A painter found the crack", "The bridge was closed",
        "It was closed at once",
    ]  # fmt: skip
    weights = page.locator("#merged input").evaluate_all("all => all.map(each => each.value)")
    assert weights == ["1", "2", "2", "1"]
    page.get_by_role("button", name="Merge unit 4 into unit 3").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Drop unit 4").click()
    page.get_by_label("Unit 3", exact=True).fill("The bridge was closed at once.")
    page.get_by_label("Weight of unit 3").fill("3")
    page.get_by_label("Merged unit of: It was closed at once").select_option("unit 3")
    page.get_by_role("button", name="Add a unit").click()
    page.get_by_label("Unit 4", exact=True).fill("the bridge was closed, at once")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("says the same as unit 3").wait_for()
    page.get_by_role("button", name="Drop unit 4").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("The units of bridge are saved.").wait_for()
    weights = page.locator("#merged input").evaluate_all("all => all.map(each => each.value)")
    assert weights == ["1", "2", "3"]
    page.get_by_role("link", name="All documents").click()
    page.get_by_role("button", name="Make the second stage").wait_for()
    assert violations(axe, page) == []
    page.get_by_label("Name").fill("Bridge, marked")
    page.get_by_role("button", name="Make the second stage").click()
    page.get_by_text("The second stage is a draft now.").wait_for()
    assert violations(axe, page) == []


def mark(person: Person, states: bool) -> None:
    """The first unit by mouse, the others by keys, from wherever one is on the page."""
    page, keys = person.page, person.page.keyboard
    stated = "crack was found" in page.locator(".passage.summary .text").inner_text()
    assert page.locator(".unit-text").all_inner_texts() == [
        "There is a crack in the bridge", "A painter found the crack",
        "The bridge was closed at once.",
    ]  # fmt: skip
    name = "Yes" if stated else "No"
    page.locator(".unit").first.get_by_text(name, exact=True).click()
    page.locator("h2:visible").focus()
    keys.press("n")
    keys.press("1" if stated and states else "2")
    page.get_by_text("3 of 3 units are marked.").wait_for()
    person.saved()
    page.reload()
    page.locator(".foot").wait_for()
    assert page.locator(".unit input:checked").count() == 3
    keys.press("Enter")
    page.wait_for_timeout(500)


def test_units_are_written_merged_marked_and_scored(
    chromium: Any, server: str, people: list[Person], axe: Any, tmp_path: Path
):
    campaign, ann = prepared("content-units", corpus=CORPUS, judges=2)
    ben = make_user("annotator")
    add_member(campaign, ben)
    give_consent(campaign, ben)
    for user, options, write in ((ann, {}, write_by_keyboard), (ben, PHONE, write_by_touch)):
        person = visitor(chromium, server, people, user, **options)
        person.campaign = campaign
        person.take_task()
        write(person, axe)
        submit(person.page)
    manager = visitor(chromium, server, people, campaign.owner)
    manager.trouble_is_meant = True  # two units of one wording are refused
    merge(manager, campaign.key, axe)

    stage = Campaign.objects.exclude(pk=campaign.pk).get()
    quick = {"judges": 2, "minimum_seconds": 0, "checks": {"too_fast": "off"}}
    change_protocol(stage, quick, manager.user)
    start(stage, manager.user)
    for user, states in ((ann, True), (ben, False)):
        add_member(stage, user)
        give_consent(stage, user)
        person = visitor(chromium, server, people, user)
        person.campaign = stage
        while (task := next_task(stage, user)) is not None:
            person.task = task
            person.open_task()
            mark(person, states)
            if not Submission.objects.filter(task__campaign=stage).exists():
                assert violations(axe, person.page) == []  # the others look the same
            submit(person.page)

    page = manager.page
    page.goto(f"{server}/campaigns/{stage.key}/")
    page.get_by_role("region", name="Systems by content units (mean)").wait_for()
    page.get_by_text("Agreement is the share of marks").wait_for()
    with page.expect_download() as download:
        page.evaluate(f"location.assign('/campaigns/{stage.key}/export/folder/')")
    folder = tmp_path / "export"
    download.value.save_as(tmp_path / "export.zip")
    zipfile.ZipFile(tmp_path / "export.zip").extractall(folder)
    corpus = gistmark.load(folder)
    assert len(corpus.presence) == 2 * 2 * 3
    study = gistmark.study(corpus)
    # The units weigh 1, 2 and 3. The first is stated for both annotators, the second for none, and
    # the third for one of the two: (1 + 3 / 2) / 6 for the one summary, 0 for the other.
    scores = {each.system: each.value for each in study.human_scores}
    assert scores == {"zqleadqz": pytest.approx(2.5 / 6), "zqterseqz": 0.0}
    kappa = [each for each in study.agreement if each.statistic == "cohen-kappa"]
    # Six marks: both say yes once, both no four times, and they differ once. Observed 5/6, by
    # chance (2/6 * 1/6) + (4/6 * 5/6) = 22/36, so (30/36 - 22/36) / (14/36) = 8/14.
    assert [each.value for each in kappa] == [pytest.approx(8 / 14)]
