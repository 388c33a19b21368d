"""The designer of protocols: a study from nothing, its preview, and all of it by keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser.designing import ask, design, save
from browser.platform import Person, sample, violations
from gistmark.judgements import starting_protocol
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import create_campaign
from web.factories import make_user

pytestmark = pytest.mark.timeout(180)


def at_design(chromium: Any, server: str, people: list[Person], **options: Any) -> Person:
    """A manager at the design of a campaign that asks nothing yet."""
    person = Person(chromium, server, make_user("manager"), **options)
    people.append(person)
    person.enter()
    person.campaign = create_campaign(
        owner=person.user, name="Own", protocol=starting_protocol("form"), corpus=sample()
    )
    person.page.goto(f"{server}/campaigns/{person.campaign.key}/design/")
    return person


def stored(campaign: Campaign) -> dict[str, Any]:
    return dict(Campaign.objects.get(pk=campaign.pk).protocol)


def test_a_study_is_designed_from_nothing_previewed_and_saved(
    chromium: Any, server: str, people: list[Person], axe: Any
):
    person = at_design(chromium, server, people)
    page = person.page
    design(page)
    seen = page.frame_locator(".frames iframe:not(.is-loading)")
    seen.locator("legend", has_text="please choose 2").wait_for()
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/h-scratch/designer/wide.png")
    save(page)
    card = ask(page, "Likert scale", "", "")
    page.locator(".block-head").nth(3).click()
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/h-scratch/designer/faults.png", full_page=True)
    page.get_by_role("button", name="Add a block").click()
    page.screenshot(path="/tmp/h-scratch/designer/menu.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 800})
    page.screenshot(path="/tmp/h-scratch/designer/narrow.png", full_page=True)
    assert violations(axe, page) == []
