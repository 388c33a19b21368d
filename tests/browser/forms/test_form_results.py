"""The managers' pages about a form in a real browser: nothing sticks out sideways."""

from __future__ import annotations

from typing import Any

import pytest

from browser.platform import Person, violations
from gistmark.web.results.adjudication import disputed_items
from web.results.test_forms import SUMMARY, simulated

pytestmark = [pytest.mark.timeout(180), pytest.mark.django_db(transaction=True)]


def test_the_results_of_a_form_fit_wide_and_narrow_pages(
    chromium: Any, server: str, people: list[Person], axe: Any
) -> None:
    campaign = simulated(SUMMARY)
    [disputed, *_] = disputed_items(campaign)
    base = f"{server}/campaigns/{campaign.key}"
    person = Person(chromium, server, campaign.owner)
    people.append(person)
    person.enter()
    page = person.page
    for name, path, there in (
        ("dashboard", "/", "#question-1 table"),
        ("document", "/documents/0/", ".means dd"),
        ("adjudicate", f"/adjudication/{disputed.item}/", "#own fieldset, #own [role=group]"),
    ):
        page.goto(f"{base}{path}")
        page.locator(there).first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            inner, outer = page.evaluate(
                "[document.documentElement.scrollWidth, window.innerWidth]"
            )
            assert inner <= outer, (name, width)
        assert violations(axe, page) == [], name
