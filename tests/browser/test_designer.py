"""The designer of protocols: a study from nothing, its preview, and all of it by keyboard."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

from browser.designing import add, ask, design, save
from browser.platform import SIZES, Person, sample, violations
from gistmark.judgements import protocol_from
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import create_campaign
from gistmark.judgements import starting_protocol
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
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/h-scratch/designer/wide.png", full_page=True)
    save(page)
    assert violations(axe, page) == []
