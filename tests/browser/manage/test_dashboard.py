"""The dashboard in a real browser: many systems on a wide screen and on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from browser.platform import Person
from gistmark.web.campaigns.models import Campaign
from web.factories import make_corpus
from web.results.working import worked_campaign

pytestmark = [pytest.mark.timeout(180), pytest.mark.django_db(transaction=True)]

WIDTHS = (1280, 390)
SYSTEMS = 8


@pytest.fixture
def campaign(server: str) -> Campaign:
    corpus = make_corpus(documents=2, systems=SYSTEMS)
    checks = {"straight_line": "off", "too_fast": "off"}
    return worked_campaign("likert", annotators=1, corpus=corpus, checks=checks)


@pytest.fixture
def page(chromium: Any, server: str, people: list[Person], campaign: Campaign) -> Any:
    """The dashboard before its owner, with the statistics that its script fetched."""
    person = Person(chromium, server, campaign.owner)
    people.append(person)
    person.enter()
    person.page.goto(f"{server}/campaigns/{campaign.key}/")
    person.page.locator(".ranking-fold").first.wait_for()
    return person.page


def sticking_out(page: Any) -> list[int]:
    """The widths of the screen on which the page is wider than that; the last one stays."""
    wrong = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            wrong.append(width)
    return wrong


def test_the_leading_ranking_is_open_and_nothing_sticks_out_sideways(page: Any):
    folds = page.locator(".ranking-fold")
    opened = [fold.evaluate("node => node.open") for fold in folds.all()]
    assert opened == [True] + [False] * (len(opened) - 1)
    assert len(opened) > 1
    assert folds.first.locator("tbody tr").count() == SYSTEMS
    for fold in folds.all()[1:]:
        fold.locator("summary").first.click()
    assert sticking_out(page) == []


def test_what_is_folded_stays_folded_when_the_numbers_are_renewed(page: Any):
    first, second = page.locator(".ranking-fold").first, page.locator(".ranking-fold").nth(1)
    first.locator("summary").first.click()
    second.locator("summary").first.click()
    page.evaluate("document.activeElement.blur()")
    page.evaluate("document.querySelector('[data-part=systems] .finding').textContent = 'old'")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator(".finding", has_text="has the highest").or_(
        page.locator(".finding", has_text="share the highest")
    ).first.wait_for()
    assert not first.evaluate("node => node.open")
    assert second.evaluate("node => node.open")


def test_pairs_are_a_click_away_and_can_be_chosen(page: Any):
    page.get_by_role("link", name="Pair by pair").first.click()
    page.get_by_role("heading", name="Pairs of systems").wait_for()
    assert sticking_out(page) == []
    page.get_by_label("System").select_option("sys3")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**system=sys3**")
    assert page.locator("tbody tr").count() == SYSTEMS - 1
