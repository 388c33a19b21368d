"""A question type that somebody adds: a class, a line in the catalogue, and one ES module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from browser.forms.test_forms import FORM
from browser.platform import AtTask, exported
from gistmark.judgements import PROTOCOLS, QUESTION_TYPES
from gistmark.judgements.forms import BLOCK_TYPES
from gistmark.web.annotate.outcomes import accepted_results
from judgements.yes_no import YesNoAnswer

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def own_scripts(settings: Any) -> Iterator[None]:
    """The folder with the modules."""
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, Path(__file__).parent / "static"]
    finders.get_finder.cache_clear()
    yield
    finders.get_finder.cache_clear()


@pytest.fixture
def yes_no(own_scripts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines in the catalogues."""
    monkeypatch.setitem(QUESTION_TYPES._builtin, "yes-no", "judgements.yes_no:YesNo")
    monkeypatch.setitem(PROTOCOLS._builtin, "usable", "judgements.yes_no:PROTOCOL")


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


@pytest.fixture
def traffic_light(own_scripts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line in the catalogue."""
    monkeypatch.setitem(
        BLOCK_TYPES._builtin, "traffic-light", "judgements.traffic_light:TrafficLightBlock"
    )


@pytest.mark.usefixtures("traffic_light")
def test_a_new_type_of_block_is_a_question_of_a_form_like_any_other(at_task: AtTask):
    blocks = [
        {"type": "show", "what": "summary"},
        {"type": "traffic-light", "name": "publish", "question": "May it go out?"},
        {
            "type": "text",
            "name": "why",
            "question": "Why not?",
            "when": {"question": "publish", "values": ["red"]},
        },
    ]
    person = at_task("overall", blocks=blocks, **FORM)
    page = person.page
    missing = page.locator(".missing a")
    assert missing.all_inner_texts() == ["May it go out?"]
    page.get_by_label("amber").check()
    page.locator(".missing a", has_text="May it go out?: Make up your mind.").wait_for()
    page.get_by_label("red").check()
    page.get_by_label("Why not?").fill("It is not true.")
    person.saved()
    person.open_task()
    assert page.get_by_label("red").is_checked()
    page.get_by_role("button", name="Submit").click()
    page.locator(".done").wait_for()
    corpus = exported(person.campaign)
    assert [(each.dimension, each.value) for each in corpus.ratings] == [("publish", 0.0)]
    assert [each.value for each in corpus.responses] == ["It is not true."]
