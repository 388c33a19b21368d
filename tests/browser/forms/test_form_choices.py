"""Questions of a form that are answered by choosing, writing or comparing, as annotators do it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser.annotate.test_annotation_languages import ENGLISH, INTERFACE
from browser.driving import Hand, Keys
from browser.forms.test_forms import FORM
from browser.platform import DESKTOP, PHONE, AtTask, Person, exported, violations
from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.services.campaigns import change_settings

pytestmark = pytest.mark.timeout(120)

BLOCKS = [
    {"type": "show", "what": "pair"},
    {
        "type": "pairwise",
        "name": "better",
        "question": "Which one is better?",
        "ties": True,
        "strength": ["slightly", "clearly"],
    },
    {"type": "pairwise", "name": "shorter", "question": "Which one is shorter?"},
    {
        "type": "choice",
        "name": "genre",
        "question": "What is the text?",
        "options": ["news", "an advert", "بيان صحفي", "a list"],
        "shuffle_options": True,
    },
    {
        "type": "choices",
        "name": "topics",
        "question": "What is it about?",
        "options": ["people", "money", "places"],
        "most": 2,
    },
    {"type": "yes-no", "name": "same", "question": "Do both say the same?"},
    {
        "type": "text",
        "name": "why",
        "question": "What is the difference?",
        "shortest": 4,
        "longest": 12,
        "when": {"question": "same", "values": ["no", "unsure"]},
    },
    {"type": "yes-no", "name": "awake", "question": "Please answer “no” here.", "expected": "no"},
    {
        "type": "choice",
        "name": "length",
        "question": "How long are they?",
        "options": ["too long", "too short"],
        "required": False,
    },
]
OWN = INTERFACE.replace('"[dir=auto]', '".missing, .speaker, [dir=auto]')
"""What the platform says itself; the list of what is missing has the questions in it."""
HANDS = {"mouse": (Hand, DESKTOP), "keys": (Keys, DESKTOP), "touch": (Hand, PHONE)}


def start(at_task: AtTask, **options: Any) -> Person:
    return at_task("overall", blocks=BLOCKS, checks={"attention": "reject"}, **FORM, **options)


def question(page: Any, name: str) -> Any:
    """The fieldset of a question, which may be hidden."""
    index = [block["name"] for block in BLOCKS[1:]].index(name)
    return page.locator(".form-question").nth(index)


def option(page: Any, name: str, value: str) -> Any:
    return question(page, name).locator(f"input[value='{value}']")


def tick(hand: Hand, page: Any, name: str, value: str) -> None:
    """Choose an option: the pointer hits its label, the keyboard the control itself."""
    target = option(page, name, value)
    if not isinstance(hand, Keys):
        hand.press(target.locator(".."))
        return
    if target.get_attribute("type") == "checkbox":
        hand.reach(target)
        hand._type("Space")
        return
    group = question(page, name).locator("input")
    hand.reach(group)
    values = [each.get_attribute("value") for each in group.all()]
    reached = page.evaluate("document.activeElement.value")
    hand._type(
        "Space", *["ArrowDown"] * ((values.index(value) - values.index(reached)) % len(values))
    )


def prefer(hand: Hand, page: Any, name: str, value: str, keys: tuple[str, ...]) -> None:
    if not isinstance(hand, Keys):
        tick(hand, page, name, value)
        return
    hand.reach(question(page, name).locator("input"))
    hand._type(*keys)


def write(hand: Hand, page: Any, name: str, text: str) -> None:
    field = question(page, name).locator("textarea")
    if isinstance(hand, Keys):
        hand.reach(field)
    else:
        hand.press(field)
    page.keyboard.insert_text(text)


def responses(person: Person) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    for each in exported(person.campaign).responses:
        given.setdefault(each.question, []).append(each.value)
    return given


@pytest.mark.parametrize("means", HANDS)
def test_every_question_is_answered_by_any_means(at_task: AtTask, axe: Any, means: str):
    kind, options = HANDS[means]
    person = start(at_task, options={**options, "reads": True})
    page, hand = person.page, kind(person)
    missing = page.locator(".missing a")
    assert missing.count() == 6
    prefer(hand, page, "better", "right-2", ("ArrowRight", "ArrowRight"))
    prefer(hand, page, "shorter", "left", ("ArrowLeft",))
    tick(hand, page, "genre", "an advert")
    for value in ("people", "money", "places"):
        tick(hand, page, "topics", value)
    page.locator(".missing a", has_text="What is it about?: Choose at most 2.").wait_for()
    tick(hand, page, "topics", "money")
    tick(hand, page, "same", "unsure")
    question(page, "why").wait_for()
    assert page.evaluate("document.activeElement.value") == "unsure"
    speaker = page.locator(".speaker")
    assert speaker.inner_text() == "New question: What is the difference?"
    write(hand, page, "why", "🙂🙂🙂")
    page.locator(".missing a", has_text="Write at least 4 characters.").wait_for()
    assert question(page, "why").locator(".counter").inner_text() == "3 characters (4 to 12)"
    write(hand, page, "why", " much too long")
    page.locator(".missing a", has_text="Write at most 12 characters.").wait_for()
    assert speaker.inner_text() == "Write at most 12 characters."
    assert violations(axe, page) == []
    tick(hand, page, "awake", "no")
    tick(hand, page, "length", "too short")
    back = page.get_by_role("button", name="Take the answer back")
    hand.press(back)
    back.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.name") == (
        question(page, "length").locator("input").first.get_attribute("name")
    )
    page.evaluate("scrollTo(0, 0)")
    if isinstance(hand, Keys):
        question(page, "same").locator("input:checked").focus()
        hand._type("ArrowDown")
    else:
        tick(hand, page, "same", "yes")
    question(page, "why").wait_for(state="hidden")
    assert option(page, "same", "yes").is_checked()
    hand.press(page.get_by_role("button", name="Submit"))
    page.locator(".done-message").wait_for()
    assert responses(person) == {
        "genre": ["an advert"], "topics": ["people", "places"], "same": ["yes"],
    }  # fmt: skip
    better, shorter = exported(person.campaign).comparisons
    assert (better.choice, better.strength) == ("right", 2)
    assert (shorter.choice, shorter.strength) == ("left", None)
    assert not any("expected" in text for _, _, text in person.responses)


def test_nothing_is_lost_or_double(at_task: AtTask):
    person = start(at_task)
    person.trouble_is_meant = True
    page, hand = person.page, Hand(person)
    order = [each.get_attribute("value") for each in question(page, "genre").locator("input").all()]
    tick(hand, page, "better", "tie")
    tick(hand, page, "shorter", "right")
    tick(hand, page, "genre", "a list")
    tick(hand, page, "topics", "money")
    tick(hand, page, "topics", "")
    assert not option(page, "topics", "money").is_checked()
    tick(hand, page, "same", "no")
    session = person.context.new_cdp_session(page)
    question(page, "why").locator("textarea").click()
    session.send("Input.imeSetComposition", {"text": "ni", "selectionStart": 2, "selectionEnd": 2})
    session.send("Input.insertText", {"text": "你好，世界"})
    person.saved()
    page.reload()
    page.locator(".foot").wait_for()
    again = [each.get_attribute("value") for each in question(page, "genre").locator("input").all()]
    assert again == order
    assert sorted(order) != order or len(set(order)) == 4
    checked = page.locator(".form input:checked").evaluate_all(
        "(all) => all.map((one) => one.value)"
    )
    assert checked == ["tie", "right", "a list", "", "no"]
    assert question(page, "why").locator("textarea").input_value() == "你好，世界"

    alike = page.evaluate(
        """async (answers) => {
          const { href } = document.querySelector("link[href*='annotate/answer']");
          const { sameMeaning } = await import(href);
          const [one, other] = answers.map((each) => ({ items: { 1: { answers: each } } }));
          return sameMeaning(one, other);
        }""",
        [{"topics": []}, {}],
    )
    assert not alike, "that none applies is more than no answer"

    other = person.open_tab()
    person.open_task(other)
    option(other, "same", "unsure").check()
    person.saved(other)
    person.context.set_offline(True)
    tick(hand, page, "awake", "no")
    person.says("Offline – will retry")
    person.context.set_offline(False)
    page.get_by_role("button", name="Keep what is on this page").click()
    person.saved()
    assert person.draft()["items"]["1"]["answers"] == {
        "better": {"choice": "tie"},
        "shorter": {"choice": "right"},
        "genre": "a list",
        "topics": [],
        "same": "no",
        "why": "你好，世界",
        "awake": "no",
    }
    other.close()
    page.get_by_role("button", name="Submit").dblclick()
    page.locator(".done-message").wait_for()
    assert Submission.objects.filter(task=person.task).count() == 1
    assert responses(person)["topics"] == [""]


def test_the_form_is_in_the_language_of_its_campaign(at_task: AtTask, axe: Any):
    person = start(at_task)
    page = person.page
    words = {"en": "Yes", "de": "Ja", "es": "Sí", "fr": "Oui", "zh-hans": "是", "ar": "نعم"}
    for language, yes in words.items():
        change_settings(person.campaign, None, language=language)
        person.open_task()
        option(page, "same", "no").check()
        option(page, "length", "too long").check()
        question(page, "why").locator("textarea").fill(language)
        person.says(re.compile(r"\d"))
        assert question(page, "same").locator("label").first.inner_text().strip() == yes
        left, right = (option(page, "shorter", side).locator("..") for side in ("left", "right"))
        assert left.bounding_box()["x"] < right.bounding_box()["x"]
        if language in ("ar", "zh-hans"):
            assert ENGLISH.findall(page.evaluate(OWN)) == []
            assert violations(axe, page) == []
    assert page.locator("html").get_attribute("dir") == "rtl"
