"""Every protocol from log-in to the export; some on a phone and with keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser.driving import Hand, Keys, do_task, forbidden_in, opened_task
from browser.platform import SIZES, Person, exported, prepared
from gistmark.judgements import PROTOCOLS

pytestmark = pytest.mark.timeout(120)
OF_THE_PAPERS = tuple(PROTOCOLS.builtin)[:10]
ON_A_PHONE = ("highlight", "pairwise")  # marks by touch, and two texts below each other
WITH_KEYS = ("highlight", "quality", "pairwise")  # marks, scales and choices
THANKS = "Thank you, your work has been received."

LoggedIn = Callable[..., Person]


@pytest.fixture
def logged_in(chromium: Any, server: str, people: list[Person]) -> LoggedIn:
    """Somebody who has just logged in and never seen the campaign."""

    def start(protocol: str, size: str = "desktop") -> Person:
        campaign, user = prepared(protocol, consented=False)
        person = Person(chromium, server, user, reads=True, **SIZES[size])
        people.append(person)
        person.campaign = campaign
        person.log_in()
        return person

    return start


def expected_records(protocol: str, entries: int) -> dict[str, int]:
    """How many records of each kind one task leaves; planted summaries leave none."""
    dimensions = {"likert": 11, "quality": 6, "pairwise": 6, "highlight": 2}.get(protocol)
    if dimensions is None:
        dimensions = 2 if protocol.startswith("content") else 1
    kind = {"highlight": "highlights", "pairwise": "comparisons"}.get(protocol, "ratings")
    more = {"spans": entries} if protocol == "error-spans" else {}
    return {kind: dimensions * entries, **more}


@pytest.mark.parametrize(
    ("protocol", "size"),
    [
        *((protocol, "desktop") for protocol in OF_THE_PAPERS),
        *((protocol, "phone") for protocol in ON_A_PHONE),
    ],
)
def test_a_task_is_done_and_found_in_the_export(logged_in: LoggedIn, protocol: str, size: str):
    person = logged_in(protocol, size)
    page, hand = person.page, Hand(person)
    page.goto(f"{person.server}/work/")
    hand.press(page.get_by_role("button", name="Start next task"))
    hand.press(page.get_by_role("button", name="I agree, start"))
    page.locator(".foot").wait_for()
    person.task, content, _ = opened_task(person)
    do_task(person, hand)
    hand.press(page.get_by_role("button", name="Submit"))
    assert page.locator(".done-message").inner_text() == THANKS

    [submission] = person.submissions()
    assert (submission.verdict, submission.flags) == ("counts", [])
    assert 0 < submission.seconds < 120
    corpus = exported(person.campaign)
    judged = sum(entry.planted is None for entry in content.entries)
    for kind, count in expected_records(protocol, judged).items():
        result = [each for each in getattr(corpus, kind) if each.annotator == person.user.username]
        assert len(result) == count
    assert forbidden_in(person.responses, content) == []
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert inner <= outer


@pytest.mark.parametrize("protocol", WITH_KEYS)
def test_the_keyboard_is_enough(logged_in: LoggedIn, protocol: str):
    person = logged_in(protocol)
    page, keys = person.page, Keys(person)
    keys.press(page.get_by_role("button", name="Start next task"))
    keys.press(page.get_by_role("button", name="I agree, start"))
    page.locator(".foot").wait_for()
    person.task, _, _ = opened_task(person)
    do_task(person, keys)
    keys.press(page.get_by_role("button", name="Submit"))
    assert page.locator(".done-message").inner_text() == THANKS
    assert [submission.verdict for submission in person.submissions()] == ["counts"]
