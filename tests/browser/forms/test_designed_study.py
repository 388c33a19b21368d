"""A study of one's own, designed in the browser from nothing, run by three annotators, and read.

Three Likert dimensions, a free-text question that is asked only after a low style, an error-span
question and an attention check; all of it without a shell, but for `gistmark study` at the end.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import gistmark
from browser.driving import Hand
from browser.forms.designing import DIMENSIONS, design, save
from browser.test_whole_study import (
    Visitor,
    download_corpus,
    invitation,
    join,
    make_campaign,
    write_corpus,
)
from gistmark.cli.studies.study import study as command
from web.factories import make_user

pytestmark = pytest.mark.slow

NAME = "Style and errors"
TASKS = 4
"""One for each of two summaries of two documents; every other one has a low style."""
TEXTS = {"bea": "Too short.", "cem": "Es ist zu knapp.", "dan": "قصير جدا"}


def test_a_designed_study_is_previewed_run_exported_and_reported_question_by_question(
    chromium: Any, server: str, tmp_path: Path
):
    manager = Visitor(chromium, server, make_user("manager"))
    manager.log_in()
    key = set_up(manager, write_corpus(tmp_path, documents=2))
    preview(manager, key)
    link = invitation(manager, key)
    annotators = {name: join(chromium, server, link, name) for name in TEXTS}
    manager.go(f"/campaigns/{key}/")
    manager.press("Start the campaign")
    manager.reads(re.compile("runs"))
    for name, annotator in annotators.items():
        work(annotator, name)
    report(download_corpus(manager, key, tmp_path), tmp_path)
    for person in (manager, *annotators.values()):
        assert person.errors == []
        person.close()


def set_up(manager: Visitor, file: Path) -> str:
    key = make_campaign(manager, NAME, file, "Start from nothing")
    manager.go(f"/campaigns/{key}/design/")
    design(manager.page)
    save(manager.page)
    return key


def preview(manager: Visitor, key: str) -> None:
    """As an annotator would see it, who does not read what the attention check says."""
    manager.go(f"/campaigns/{key}/preview/task/")
    fill_in(manager, style=4, care=5, text=None)
    manager.press("Submit")
    manager.reads("It would be flagged")
    manager.reads("The question 'care' of item 1 says to choose '2'")


def fill_in(person: Visitor, *, style: int, care: int, text: str | None) -> None:
    """Answer the form; the first word of the summary is an error."""
    page, hand = person.page, Hand(person)
    page.locator(".foot").wait_for()
    likert = page.locator(".form-likert")
    for number, value in enumerate((style, 4, 3, care)):
        likert.nth(number).locator(".point").nth(value - 1).click()
    if text is not None:
        page.locator(".form-text textarea").fill(text)
    else:
        assert page.locator(".form-text").is_hidden()
    hand.mark(page.locator(".passage.summary"), 0, 0)
    page.locator(".errors .kind", has_text="grammar").click()
    page.locator(".errors .kind", has_text="minor").click()
    page.get_by_role("button", name="Done").click()


def work(annotator: Visitor, name: str) -> None:
    annotator.go("/work/")
    annotator.press("Start next task")
    annotator.press("I agree, start")
    for number in range(TASKS):
        low = number % 2 == 0
        text = TEXTS[name] if low else None
        fill_in(annotator, style=2 if low else 4, care=2, text=text)
        annotator.press("Submit")
        annotator.page.get_by_role("heading", name="Submitted").wait_for()
        if number < TASKS - 1:
            annotator.press("Next task")


def report(root: Path, folder: Path) -> None:
    """Each question in the way that fits it; the attention check is no data."""
    corpus = gistmark.load(root)
    assert {each.dimension for each in corpus.ratings} == set(DIMENSIONS)
    assert len(corpus.ratings) == 3 * TASKS * 3
    assert len({(each.annotator, each.value) for each in corpus.responses}) == len(TEXTS)
    assert sorted(each.value for each in corpus.responses) == sorted(
        [*TEXTS.values()] * (TASKS // 2)
    )
    assert len(corpus.spans) == 3 * TASKS
    assert {(each.category, each.severity) for each in corpus.spans} == {("grammar", "minor")}
    arguments = [str(root), "-o", str(folder / "report"), "--resamples", "20", "-m", "rouge1"]
    command.main(arguments, standalone_mode=False)
    study = json.loads((folder / "report" / "study.json").read_text())
    assert {each["text"] for each in study["texts"]} == set(TEXTS.values())
    assert {each["dimension"] for each in study["agreement"] if each["subject"] == "spans"}
    ranked = {each["dimension"] for each in study["ranking"]}
    assert {*DIMENSIONS, "error score"} <= ranked
    page = (folder / "report" / "report.html").read_text()
    assert all(text in page for text in TEXTS.values())
