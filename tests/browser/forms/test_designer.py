"""The designer of protocols: a study from nothing, its preview, and all of it by keyboard."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from browser.forms.designing import DIMENSIONS, POINTS, add, ask, design, save
from browser.platform import Person, sample, violations
from gistmark.judgements import protocol_from, starting_protocol, to_mapping
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import create_campaign
from gistmark.web.campaigns.services.protocols import replace_protocol
from web.api.calling import Caller
from web.factories import make_user

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def person(chromium: Any, server: str, people: list[Person]) -> Person:
    """A manager at the design of a campaign that asks nothing yet."""
    somebody = Person(chromium, server, make_user("manager"))
    people.append(somebody)
    somebody.enter()
    somebody.campaign = create_campaign(
        owner=somebody.user, name="Own", protocol=starting_protocol("form"), corpus=sample()
    )
    address = f"{server}/campaigns/{somebody.campaign.key}/design/"
    somebody.page.goto(address, timeout=30_000)
    return somebody


def stored(campaign: Campaign) -> dict[str, Any]:
    return dict(Campaign.objects.get(pk=campaign.pk).protocol)


def names(page: Any) -> list[str]:
    """What the cards say, in their order."""
    return list(page.locator(".block-name > span:first-child").all_inner_texts())


def test_a_study_is_designed_from_nothing_previewed_and_saved(person: Person, axe: Any):
    page = person.page
    page.get_by_text("Nothing yet").wait_for(state="detached")
    design(page)
    seen = page.frame_locator(".frames iframe:not(.is-loading)")
    asked = seen.locator(".form-question")
    asked.locator("legend", has_text="What is wrong with the style?").wait_for(state="attached")
    assert asked.locator("legend", has_text="What is wrong with the style?").is_hidden()
    asked.first.get_by_text("bad", exact=True).click()
    asked.locator("legend", has_text="What is wrong with the style?").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "IFRAME"
    save(page)
    assert violations(axe, page) == []

    protocol = stored(person.campaign)
    asks = {each["name"]: each for each in protocol["blocks"] if "name" in each}
    assert [each["type"] for each in protocol["blocks"]][:2] == ["show", "show"]
    assert list(asks)[:5] == [*DIMENSIONS, "care", "why"]
    assert asks["style"]["scale"]["labels"] == list(POINTS)
    assert asks["care"]["expected"] == 2
    assert asks["why"]["when"] == {"question": "style", "values": [1, 2]}

    page.get_by_text("The protocol as JSON").click()
    written = page.get_by_label("JSON", exact=True).input_value()
    assert protocol_from(json.loads(written)) == protocol_from(protocol)
    caller = Caller(person.user)
    path = f"/campaigns/{person.campaign.key}/protocol"
    assert caller.call("PUT", path, json.loads(written)).json() == protocol
    page.reload()
    page.locator(".design-status", has_text="Saved.").wait_for()
    assert len(names(page)) == len(protocol["blocks"])

    start(person.campaign, person.user)
    page.reload()
    page.locator(".block-head").nth(2).click()
    assert page.get_by_label("Question", exact=True).is_disabled()
    assert page.get_by_role("button", name="Save").count() == 0
    page.get_by_role("button", name="Make “Own, version 2”").click()
    page.get_by_text("This is a new version of").first.wait_for()
    page.locator(".design-status", has_text="Saved.").wait_for()


def test_every_problem_stands_beside_its_field_and_in_a_list_that_leads_there(
    person: Person, axe: Any
):
    page = person.page
    person.trouble_is_meant = True
    add(page, "One summary")
    first = ask(page, "Likert scale", "same", "How is it?")
    first.get_by_label("Highest").fill("0")
    second = ask(page, "Likert scale", "same", "")
    page.get_by_role("button", name="Save", exact=True).click()
    problems = page.locator(".problems li")
    problems.first.wait_for()
    page.locator(".problems:focus").wait_for()
    assert problems.all_inner_texts() == [
        "Block 2: “Highest” must be above low (1), but is 0.",
        "Block 2: “Name in the data” is used 2 times; names must differ.",
        "Block 3: “Question” is empty.",
    ]
    wrong = first.locator(".field.is-wrong", has=page.get_by_label("Highest"))
    assert "must be above low (1)" in wrong.locator(".errorlist").last.inner_text()
    assert violations(axe, page) == []
    second.locator(".block-head").click()
    problems.filter(has_text="Question").locator("button").click()
    focused = "document.activeElement.closest('[data-path]').dataset.path"
    assert page.evaluate(focused) == "question"
    assert stored(person.campaign)["blocks"] == []
    second.get_by_label("Question", exact=True).fill("Is it good?")
    second.get_by_label("Name in the data").fill("other")
    first.get_by_label("Highest").fill("7")
    page.locator(".problems").wait_for(state="hidden")
    save(page)


def test_blocks_are_added_moved_copied_and_removed_by_keyboard_alone(person: Person):
    page, keys = person.page, person.page.keyboard

    def press(name: str | re.Pattern[str]) -> None:
        page.get_by_role("button", name=name).first.focus()
        keys.press("Enter")

    for title, question in (("Likert scale", "One?"), ("Slider", "Two?"), ("Slider", "Three?")):
        press("Add a block")
        page.locator(".add-entry", has_text=re.compile(f"^{title}")).focus()
        keys.press("Enter")
        keys.type(question)
    assert names(page) == ["One?", "Two?", "Three?"]
    press(re.compile("^Move up: block 3"))
    assert names(page) == ["One?", "Three?", "Two?"]
    keys.press("Enter")
    assert names(page) == ["Three?", "One?", "Two?"]
    assert "Move down: block 1" in page.evaluate("document.activeElement.ariaLabel")
    press(re.compile("^Copy: block 1"))
    assert names(page) == ["Three?", "Three?", "One?", "Two?"]
    press(re.compile("^Remove: block 1"))
    press(re.compile("^Remove: block 1"))
    assert names(page) == ["One?", "Two?"]
    keys.press("Enter")
    press("Undo")
    assert names(page) == ["Three?", "Three?", "One?", "Two?"]
    press("Add a block")
    page.locator(".add-entry", has_text=re.compile("^One summary")).focus()
    keys.press("Enter")
    keys.press("Escape")
    press("Save")
    page.locator(".design-status", has_text=re.compile("^Saved.$")).wait_for()
    kept = [each.get("name") for each in stored(person.campaign)["blocks"]]
    assert kept == ["slider2", "slider3", "likert1", "slider1", None]

    handle, target = page.locator(".handle").nth(4), page.locator(".handle").nth(0)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    to = target.bounding_box()
    page.mouse.move(to["x"] + 5, to["y"] - 5, steps=8)
    page.mouse.up()
    assert names(page)[0] == "One summary"


def test_nothing_is_lost_or_overwritten_without_a_word(person: Person):
    page = person.page
    person.trouble_is_meant = True
    add(page, "One summary")
    ask(page, "Likert scale", "mine", "Mine?")
    warned: list[str] = []
    page.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.accept()))
    page.reload()
    assert warned == ["beforeunload"]
    page.get_by_role("button", name="Bring them back").click()
    assert names(page) == ["One summary", "Mine?"]
    theirs = {**to_mapping(starting_protocol("form")), "about": "Changed elsewhere."}
    replace_protocol(person.campaign, theirs, None)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed after you opened it").wait_for()
    assert stored(person.campaign)["about"] == "Changed elsewhere."
    page.get_by_role("button", name="Save mine instead").click()
    page.locator(".design-status", has_text=re.compile("^Saved.$")).wait_for()
    assert [each.get("name") for each in stored(person.campaign)["blocks"]] == [None, "mine"]
    warned.clear()
    page.reload()
    page.locator(".design-status", has_text="Saved.").wait_for()
    assert (warned, page.get_by_role("button", name="Bring them back").count()) == ([], 0)

    page.get_by_text("The protocol as JSON").click()
    field = page.get_by_label("JSON", exact=True)
    for text, sentence in (("{", "This is not JSON"), ('{"kind": "rating"}', "This is not a form")):
        field.fill(text)
        page.get_by_role("button", name="Use this JSON").click()
        page.get_by_text(sentence).wait_for()
        assert names(page) == ["One summary", "Mine?"]
    pasted = {**stored(person.campaign), "blocks": [{"type": "note", "text": "Pasted."}]}
    field.fill(json.dumps(pasted))
    page.get_by_role("button", name="Use this JSON").click()
    assert names(page) == ["Pasted."]
    save(page)
    assert stored(person.campaign) == pasted
