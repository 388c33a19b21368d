"""A likert study from the first draft to its statistics, in a browser, without a shell.

A manager sets it up, looks at it as an annotator does, makes practice, pilots it, starts it,
reviews the work in bulk, adjudicates an item and exports. Three annotators join by a link, qualify
and work.
"""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

import gistmark
from browser.platform import Person
from gistmark.web.campaigns.models import Campaign
from web.factories import PASSWORD, make_user

pytestmark = pytest.mark.slow

DOCUMENTS = {
    "bridge": "The swing bridge closed on Tuesday. A painter had seen a crack in the steel.",
    "ferry": "Ferries run every quarter of an hour. Shopkeepers on the quay fear a lean spring.",
    "school": "The village school has a new roof. Children were taught in the town hall.",
}
NAME = "News, rated"
CLICK = """(groups, points) => groups.forEach(
  (group, number) => group.querySelectorAll("input")[points[Math.floor(number / 3)] - 1].click()
)"""


class Visitor(Person):
    """Somebody who goes by what the pages say."""

    def go(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else f"{self.server}{path}")

    def press(self, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=name).first.click()

    def follow(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).first.click()

    def reads(self, text: str | re.Pattern[str]) -> None:
        self.page.get_by_text(text).first.wait_for()

    def rate(self, points: list[int]) -> None:
        """Rate in every dimension, with confidence and weight: three groups of points for each."""
        self.page.locator(".foot").wait_for()
        groups = self.page.locator(".points")
        assert groups.count() == 3 * len(points)
        groups.evaluate_all(CLICK, points)


def write_corpus(folder: Path, documents: int = 3) -> Path:
    """Two or three documents with two summaries each, in one file."""
    path = folder / "news.jsonl"
    with path.open("w") as stream:
        for id, text in list(DOCUMENTS.items())[:documents]:
            summaries = {"lead": text.split(". ")[0] + ".", "terse": "It is so."}
            stream.write(json.dumps({"id": id, "text": text, "summaries": summaries}) + "\n")
    return path


VARIED = [5, 4, 5, 4, 3, 5, 4, 5, 4, 5, 4]
FLAT = [3] * 11


def test_a_study_is_set_up_piloted_run_reviewed_adjudicated_exported_and_read(
    chromium: Any, server: str, tmp_path: Path
):
    manager = Visitor(chromium, server, make_user("manager"))
    manager.log_in()
    key = set_up(manager, write_corpus(tmp_path))
    look_at_it(manager, key)
    make_practice(manager, key)
    link = invitation(manager, key)
    annotators = [join(chromium, server, link, name) for name in ("bea", "cem", "dan")]
    pilot(manager, key, annotators[0])
    for annotator in annotators[1:]:
        qualify(annotator)
        work(annotator, 4, FLAT if annotator is annotators[2] else VARIED)
    review(manager, key)
    adjudicate(manager, key)
    study(manager, key, tmp_path)
    for person in (manager, *annotators):
        assert person.errors == []
        person.close()


def make_campaign(manager: Visitor, name: str, file: Path, protocol: str) -> str:
    """Make a campaign of a file, with the protocol whose description begins so."""
    manager.go("/campaigns/new/")
    page = manager.page
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("A file of mine").check()
    page.get_by_label("File", exact=False).last.set_input_files(file)
    page.get_by_label(protocol, exact=False).check()
    manager.press("Make the campaign")
    manager.reads("The campaign has been created.")
    return str(Campaign.objects.get().key)


def set_up(manager: Visitor, file: Path) -> str:
    key = make_campaign(manager, NAME, file, "likert: Rate a summary")
    page = manager.page
    manager.go(f"/campaigns/{key}/settings/")
    page.get_by_label("Annotators per item").fill("3")
    page.locator("form", has=page.get_by_label("Annotators per item")).get_by_role(
        "button", name="Save"
    ).click()
    manager.reads("The settings are saved.")
    return key


def look_at_it(manager: Visitor, key: str) -> None:
    manager.go(f"/campaigns/{key}/")
    manager.follow("See as annotator")
    manager.reads("This is a preview.")
    manager.page.get_by_text("I agree, start").click()
    manager.rate(VARIED)
    manager.press("Submit")
    manager.reads(re.compile("would be"))


def make_practice(manager: Visitor, key: str) -> None:
    page = manager.page
    manager.go(f"/campaigns/{key}/practice/")
    manager.follow("Add a practice item")
    page.get_by_label("Document").select_option("school")
    page.get_by_label("Summary by").select_option("lead")
    page.get_by_label("Reason").fill("It says what the document says, and no more.")
    page.get_by_label("How many points off still count as right").fill("1")
    manager.press("Go on to the right answer")
    manager.rate(VARIED)
    manager.press(re.compile("^(Submit|Save)"))
    manager.reads("Practice items")
    manager.follow("Add a question")
    page.get_by_label("Question").fill("What do you rate?")
    page.get_by_label("Options, one a line").fill("The document\nThe summary")
    page.get_by_label("Number of the right option").fill("2")
    manager.press("Save")
    manager.reads("What do you rate?")


def invitation(manager: Visitor, key: str) -> str:
    manager.go(f"/campaigns/{key}/people/")
    manager.page.get_by_label("How many people").fill("3")
    manager.press("Make a link")
    return str(manager.page.get_by_label("The link").input_value())


def join(chromium: Any, server: str, link: str, name: str) -> Visitor:
    annotator = Visitor(chromium, server, None)
    annotator.go(link)
    page = annotator.page
    page.get_by_label("Name").fill(name)
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    annotator.press("Make the account")
    page.wait_for_url(lambda url: "/join/" not in url)
    return annotator


def qualify(annotator: Visitor) -> None:
    """Consent, the question about the study, and the practice item."""
    annotator.go("/work/")
    annotator.press("Go on")
    annotator.press("I agree, start")
    annotator.page.get_by_label("The summary").check()
    annotator.press("Submit my answers")
    annotator.press("Start the practice")
    annotator.rate(VARIED)
    annotator.press("Submit")
    annotator.reads("It says what the document says, and no more.")
    annotator.follow("See the result")
    annotator.reads("You have qualified.")


def work(annotator: Visitor, tasks: int, points: list[int]) -> None:
    annotator.press("Start with the tasks")
    for number in range(tasks):
        annotator.rate(points)
        annotator.press("Submit")
        if number < tasks - 1:
            annotator.press("Next task")
    annotator.page.get_by_role("heading", name="Submitted").wait_for()


def pilot(manager: Visitor, key: str, annotator: Visitor) -> None:
    manager.go(f"/campaigns/{key}/pilot/")
    manager.page.get_by_label("Annotators").fill("1")
    manager.press("Start the pilot")
    manager.reads("This is a pilot.")
    qualify(annotator)
    work(annotator, 4, VARIED)
    manager.go(f"/campaigns/{key}/pilot/")
    manager.press("Keep this work and start")
    manager.reads(re.compile("runs"))


def review(manager: Visitor, key: str) -> None:
    """All was done too fast; whoever also gave the same point everywhere is rejected, then not."""
    manager.go(f"/campaigns/{key}/work/?show=undecided")
    page = manager.page
    page.get_by_label("flagged by").select_option("straight_line")
    manager.press("Show")
    page.get_by_label("Decide on", exact=True).select_option("filter")
    page.get_by_label("Why they do not count").fill("The same point everywhere.")
    manager.press("Reject")
    manager.reads("4 tasks rejected.")
    manager.press(re.compile("^Undo: 4 rejections"))
    manager.reads(re.compile("undone"))
    manager.follow("Everything")
    page.get_by_label("Decide on", exact=True).select_option("filter")
    manager.press("Accept")
    manager.reads("12 tasks accepted.")


def adjudicate(manager: Visitor, key: str) -> None:
    """Decide as the first annotator did about what they disagree about most."""
    manager.go(f"/campaigns/{key}/work/")
    manager.follow("Adjudicate what annotators disagree about")
    manager.page.locator("tbody th a").first.click()
    manager.press("As bea did")
    manager.reads(re.compile("^Adjudicated by"))


def download_corpus(manager: Visitor, key: str, folder: Path) -> Path:
    """The folder of the export that the overview offers."""
    manager.go(f"/campaigns/{key}/")
    with manager.page.expect_download() as download:
        manager.press(re.compile("orpus folder"))
    archive = folder / "export.zip"
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(folder / "export")
    (root,) = [path.parent for path in (folder / "export").rglob("ratings.csv")]
    return root


def study(manager: Visitor, key: str, folder: Path) -> None:
    root = download_corpus(manager, key, folder)
    corpus = gistmark.load(root)
    assert len(corpus.ratings) == 3 * 4 * 11
    decisions = (root / "adjudications.csv").read_text().splitlines()
    assert len(decisions) == 1 + 11
    result = gistmark.study(corpus)
    assert any("lead" in finding.text for finding in result.findings)
