"""A question type that somebody adds: a class, a line in the catalogue, and one ES module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from browser.platform import AtTask
from gistmark.judgements import PROTOCOLS, QUESTION_TYPES
from gistmark.web.annotate.services import accepted_results
from judgements.yes_no import YesNoAnswer

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def yes_no(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The lines in the catalogues, and the folder with the module."""
    monkeypatch.setitem(QUESTION_TYPES._builtin, "yes-no", "judgements.yes_no:YesNo")
    monkeypatch.setitem(PROTOCOLS._builtin, "usable", "judgements.yes_no:PROTOCOL")
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, Path(__file__).parent / "static"]
    finders.get_finder.cache_clear()
    yield
    finders.get_finder.cache_clear()


@pytest.mark.usefixtures("yes_no")
def test_a_new_question_type_is_answered_saved_and_submitted_on_the_page(at_task: AtTask):
    person = at_task("usable", items_per_task=1)
    page = person.page
    assert page.locator(".screen h2").inner_text() == "Yes or no?"
    assert page.locator(".missing li").count() == 2
    page.get_by_label("Yes, it is").first.check()
    person.saved()
    assert person.draft()["items"]["1"]["replies"] == {"usable": True}
    person.open_task()
    assert page.get_by_label("Yes, it is").first.is_checked()
    assert page.locator(".missing li").all_inner_texts() == ["Is everything in it true?"]
    page.get_by_label("No", exact=True).last.check()
    page.get_by_role("button", name="Submit").click()
    page.locator(".done").wait_for()
    [result] = accepted_results(person.campaign)
    answer = result.answer.items["1"]
    assert isinstance(answer, YesNoAnswer)
    assert answer.replies == {"usable": True, "true": False}
