"""A whole annotation in Arabic and one in Chinese, from log-in to thanks, marks and keys included.

The browser asks for English: the campaign's language counts on its pages, the visitor's choice
on all others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from browser.driving import Hand
from browser.platform import DESKTOP, PHONE, AtTask, Person, prepared, sample, violations
from gistmark.corpus import Corpus
from gistmark.records import Document, Question
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.services.campaigns import change_settings

pytestmark = pytest.mark.timeout(120)
ENGLISH = re.compile(r"\b[A-Za-z]{2,}\b")
INTERFACE = """() => {
  const body = document.body.cloneNode(true);
  const foreign = "[dir=auto], kbd, noscript, script, template, option, .brand, code";
  for (const each of body.querySelectorAll(foreign)) each.remove();
  return body.textContent;
}"""
"""What the platform says itself: no texts of a corpus, a protocol or a person."""


@dataclass(frozen=True)
class Study:
    """A document in a language, what is marked of it, and what the page says in the end."""

    language: str
    name: str
    direction: str
    text: str
    statement: str
    forward: str
    """The key that leads to the next word."""
    phrases: tuple[str, str]
    thanks: str


ARABIC = Study(
    "ar", "العربية", "rtl",
    "افتتح العمال جسرا جديدا فوق النهر يوم الثلاثاء. سيخفف الجسر الزحام عن وسط المدينة.",
    "افتُتح الجسر يوم الثلاثاء.",
    "ArrowLeft", ("العمال جسرا جديدا", "الثلاثاء. سيخفف"), "شكرًا لك، لقد استُلم عملك.",
)  # fmt: skip
CHINESE = Study(
    "zh-hans", "简体中文", "ltr",
    "工人们周二开通了一座新桥。这座桥将缓解市中心的交通拥堵。",
    "新桥在周二开通。",
    "ArrowRight", ("人们周", "了一"), "谢谢，我们已收到您的工作。",
)  # fmt: skip


def corpus_of(study: Study) -> Corpus:
    empty = replace(sample(), summaries=(), highlights=(), planted=())
    document = Document("one", (study.text,), lang=study.language)
    return replace(
        empty, documents=(document,), questions=(Question("one", study.statement, answer=True),)
    )


def looks_right(axe: Any, page: Any, study: Study) -> None:
    """The page is in its language alone, runs in its direction, and axe has nothing to say."""
    root = page.locator("html")
    assert root.get_attribute("lang") == study.language
    assert root.get_attribute("dir") == study.direction
    assert ENGLISH.findall(page.evaluate(INTERFACE)) == []
    assert violations(axe, page) == []


@pytest.mark.parametrize("study", [ARABIC, CHINESE], ids=["Arabic", "Chinese"])
def test_a_document_is_highlighted_in_its_language(
    axe: Any,
    chromium: Any,
    server: str,
    people: list[Person],
    study: Study,
):
    campaign, user = prepared("highlight", consented=False, corpus=corpus_of(study), budget=8)
    change_settings(campaign, None, language=study.language)
    person = Person(chromium, server, user, locale="en-GB")
    people.append(person)
    page = person.page
    page.goto(f"{server}/log-in/")
    page.get_by_label("Language").select_option(label=study.name)
    page.get_by_role("button", name="Choose").click()
    looks_right(axe, page, study)
    person.log_in()
    looks_right(axe, page, study)
    page.goto(f"{server}/work/{campaign.key}/")
    looks_right(axe, page, study)
    page.locator("main button.primary").click()
    screen = page.locator(".screen").first
    screen.wait_for()
    Hand(person).mark(screen, 1, 3)
    mark_by_keys(page, screen, study)
    assert tuple(page.locator(".phrase").all_inner_texts()) == study.phrases
    looks_right(axe, page, study)
    page.locator(".foot button.primary:visible").click()
    Hand(person).reply(page.locator(".screen").last, answer=True)
    page.locator(".foot button.primary:visible").click()
    page.locator(".done").wait_for()
    assert page.locator(".done-message").inner_text() == study.thanks
    looks_right(axe, page, study)
    [submission] = Task.objects.get(campaign=campaign, annotator=user).submissions.all()
    marks = submission.answer["items"]["1"]["highlights"]
    assert tuple(study.text[mark["start"] : mark["end"]] for mark in marks) == study.phrases


def mark_by_keys(page: Any, screen: Any, study: Study) -> None:
    """From the eighth word on, two words, with the keys that the text's direction gives."""
    screen.locator(".words").focus()
    for key in ("Control+Home", *[study.forward] * 7, f"Shift+{study.forward}", "Enter"):
        page.keyboard.press(key)


@pytest.mark.parametrize("options", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_left_and_right_are_sides_of_the_screen_in_every_direction(
    axe: Any,
    at_task: AtTask,
    options: dict[str, Any],
):
    person = at_task("pairwise", options=options)
    change_settings(person.campaign, None, language="ar")
    person.open_task()
    page = person.page
    left, right = (page.locator(f".choice .side-{side}").first for side in ("left", "right"))
    assert left.bounding_box()["x"] < right.bounding_box()["x"]
    one, other = (each.bounding_box() for each in page.locator(".pair .passage").all()[:2])
    assert one["x"] < other["x"] or one["y"] < other["y"]
    page.keyboard.press("ArrowLeft")
    assert left.locator("input").is_checked()
    back, forward = (page.locator(f".foot > button >> nth={index}") for index in (0, 1))
    if options is DESKTOP:
        assert forward.bounding_box()["x"] < back.bounding_box()["x"]
    assert ENGLISH.findall(page.evaluate(INTERFACE)) == []
    assert violations(axe, page) == []


def test_the_weakest_colour_of_a_heat_map_stands_beside_few_marks(at_task: AtTask):
    person = at_task("content-highlight")
    change_settings(person.campaign, None, language="ar")
    person.open_task()
    swatches = person.page.locator(".legend .heat").all()
    edges = [swatch.bounding_box()["x"] for swatch in swatches]
    assert edges == sorted(edges, reverse=True)
