"""Rankings and best-worst choices in the browser: mouse, keyboard alone and touch."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser.driving import Hand, Keys, forbidden_in, opened_task
from browser.forms.test_forms import FORM
from browser.platform import SIZES, Person, exported, prepared, violations
from gistmark.judgements import Task
from gistmark.records import Response

pytestmark = pytest.mark.timeout(120)

ORDER = {"type": "ranking", "name": "order", "question": "Which tells more?", "ties": True}
ENDS = {"type": "best-worst", "name": "ends", "question": "Which reads best, which worst?"}
SHOWN = [{"type": "show", "what": "document"}, {"type": "show", "what": "summaries"}]


def opened(
    chromium: Any, server: str, people: list[Person], size: str, *questions: dict[str, Any]
) -> Person:
    """Somebody with a task of one set, all four systems of a document."""
    campaign, user = prepared("overall", blocks=[*SHOWN, *questions], items_per_task=1, **FORM)
    person = Person(chromium, server, user, reads=True, **SIZES[size])
    people.append(person)
    person.campaign = campaign
    person.enter()
    person.take_task()
    return person


def order_of(page: Any) -> list[str]:
    """The summaries of a ranking from top to bottom, each with its rank."""
    names = page.locator(".rank-card .grip").evaluate_all(
        "grips => grips.map((each) => each.getAttribute('aria-label'))"
    )
    return [re.sub(r"Summary (\d): rank (\d) of 4(, shared)?", r"\1 at \2", name) for name in names]


def submitted(person: Person, hand: Hand) -> tuple[dict[str, str], Task]:
    """What became of the answer: values by system."""
    _, task, _ = opened_task(person)
    hand.press(person.page.get_by_role("button", name="Submit"))
    person.page.locator(".done-message").wait_for()
    return {each.system or "": each.value for each in exported(person.campaign).responses}, task


def test_a_ranking_by_mouse(chromium: Any, server: str, people: list[Person], axe: Any):
    person = opened(chromium, server, people, "desktop", ORDER)
    page, hand = person.page, Hand(person)
    cards = page.locator(".rank-card")
    page.locator(".missing a", has_text="Which tells more?").wait_for()
    page.get_by_role("button", name="This order is right").dblclick()
    person.saved()
    assert person.draft()["items"]["1"]["answers"] == {"order": [[0], [1], [2], [3]]}
    assert page.locator(".missing a").count() == 0
    page.get_by_role("button", name="Fold all texts").click()
    hand._drag(cards.nth(3).locator(".grip"), cards.nth(0).locator(".grip .dots"))
    assert order_of(page) == ["4 at 1", "1 at 2", "2 at 3", "3 at 4"]
    # A double click never moves the card that came to stand under the pointer.
    page.get_by_role("button", name="Move summary 3 up").dblclick()
    moved = order_of(page)
    assert moved in (
        ["4 at 1", "1 at 2", "3 at 3", "2 at 4"], ["4 at 1", "3 at 2", "1 at 3", "2 at 4"],
    )  # fmt: skip
    if moved[2] == "3 at 3":
        page.get_by_role("button", name="Move summary 3 up").click()
    cards.nth(2).get_by_role("button", name="As good as the one above").click()
    assert order_of(page) == ["4 at 1", "3 at 2", "1 at 2", "2 at 4"]
    assert violations(axe, page) == []
    person.saved()
    page.reload()
    cards.first.wait_for()
    assert sorted(order_of(page)) == ["1 at 2", "2 at 4", "3 at 2", "4 at 1"]
    move_in_two_tabs(person)
    values, task = submitted(person, hand)
    systems = task.entries[0].systems
    assert values == dict(zip(systems, ["2", "1", "2", "4"], strict=True))
    assert forbidden_in(person.responses, task) == []


def move_in_two_tabs(person: Person) -> None:
    """Move summaries in another tab, then, offline, here; and load what the other tab has."""
    page, person.trouble_is_meant = person.page, True
    other = person.open_tab()
    person.open_task(other)
    other.locator(".grip").first.press("End")
    other.get_by_role("button", name="Summary 2: rank").press("1")
    person.saved(other)
    assert sorted(order_of(other)) == ["1 at 2", "2 at 1", "3 at 2", "4 at 4"]
    person.context.set_offline(True)
    page.locator(".grip").first.press("ArrowDown")
    person.says("Offline – will retry")
    person.context.set_offline(False)
    page.get_by_role("button", name="Load the newer version").click()
    page.get_by_role("button", name="Summary 2: rank 1").wait_for()
    assert sorted(order_of(page)) == sorted(order_of(other))
    other.close()


def test_a_ranking_by_keyboard_alone(chromium: Any, server: str, people: list[Person]):
    person = opened(chromium, server, people, "desktop", {**ORDER, "ties": False})
    page, keys = person.page, Keys(person)
    keys.reach(page.get_by_role("button", name="Summary 2: rank"))
    page.keyboard.press("ArrowUp")
    assert order_of(page) == ["2 at 1", "1 at 2", "3 at 3", "4 at 4"]
    speaker = page.locator("[aria-live]", has_text="Summary 2: rank 1 of 4")
    speaker.wait_for(state="attached")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("=")
    assert order_of(page) == ["2 at 1", "1 at 2", "3 at 3", "4 at 4"]
    keys.reach(page.get_by_role("button", name="Summary 4: rank"))
    page.keyboard.press("2")
    keys.reach(page.get_by_role("button", name="Summary 1: rank"))
    page.keyboard.press("End")
    assert order_of(page) == ["2 at 1", "4 at 2", "3 at 3", "1 at 4"]
    values, task = submitted(person, keys)
    assert values == dict(zip(task.entries[0].systems, ["4", "1", "3", "2"], strict=True))


def test_a_ranking_and_a_choice_by_touch(
    chromium: Any, server: str, people: list[Person], axe: Any
):
    person = opened(chromium, server, people, "phone", {**ORDER, "ties": False}, ENDS)
    page, hand = person.page, Hand(person)
    assert page.locator(".rank-card .text:visible").count() == 4
    assert page.locator(".end-card .text:visible").count() == 0
    hand.press(page.get_by_role("button", name="Fold all texts").first)
    hand.press(page.get_by_role("button", name="Move summary 4 up"))
    assert violations(axe, page) == []
    hand.press(page.locator(".end.best").nth(1))
    page.locator(".missing a", has_text="Choose the worst one.").wait_for()
    hand.press(page.locator(".end.worst").nth(1))
    page.locator(".missing a", has_text="Choose the best one.").wait_for()
    hand.press(page.locator(".end.best").nth(3))
    hand.press(page.locator(".end-card .summary-name").nth(0))
    assert page.locator(".end-card .text:visible").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    grips = page.locator(".grip")
    grips.nth(0).scroll_into_view_if_needed()
    drag(page, grips.nth(0).bounding_box(), grips.nth(2).bounding_box())
    assert order_of(page) == ["2 at 1", "4 at 2", "1 at 3", "3 at 4"]
    person.saved()
    page.reload()
    _, task, _ = opened_task(person)
    hand.press(page.get_by_role("button", name="Submit"))
    page.locator(".done-message").wait_for()
    records = exported(person.campaign).responses
    assert by_type(records, task, "ranking") == ["3", "1", "4", "2"]
    assert by_type(records, task, "best-worst") == ["", "worst", "", "best"]


def test_a_choice_by_keyboard_alone(chromium: Any, server: str, people: list[Person]):
    person = opened(chromium, server, people, "desktop", ENDS)
    page, keys = person.page, Keys(person)
    keys.reach(page.get_by_role("radio", name="Best: summary 1"))
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    keys.reach(page.get_by_role("radio", name="Worst: summary"))
    page.keyboard.press("ArrowDown")
    person.saved()
    assert person.draft()["items"]["1"]["answers"] == {"ends": {"best": 1, "worst": 2}}
    page.keyboard.press("ArrowUp")  # past the best one
    page.keyboard.press("ArrowUp")
    page.get_by_role("radio", name="Worst: summary 4", checked=True).wait_for()
    person.saved()
    page.reload()
    page.get_by_role("radio", name="Best: summary 2", checked=True).wait_for()
    values, task = submitted(person, keys)
    assert list(values.values()) == ["", "best", "", "worst"]
    assert list(values) == list(task.entries[0].systems)


def by_type(records: tuple[Response, ...], task: Task, kind: str) -> list[str]:
    values = {each.system: each.value for each in records if each.type == kind}
    return [values[system] for system in task.entries[0].systems]


def drag(page: Any, start: dict[str, float], end: dict[str, float]) -> None:
    """A finger that drags from the middle of one box to just below the middle of another."""
    session = page.context.new_cdp_session(page)
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    height = end["y"] + end["height"] / 2 + 4 - y
    points = [[{"x": x, "y": y + height * step / 8}] for step in range(9)]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[0]})
    for each in points[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": each})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
