"""Joining without an invitation, only where a campaign allows it."""

from __future__ import annotations

import pytest
from django.http import Http404

from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services import close
from gistmark.web.campaigns.services.invitations import (
    campaign_to_register_for,
    register_as_known,
    register_as_new,
)
from web.factories import PASSWORD, make_campaign

pytestmark = pytest.mark.django_db


def open_campaign(**options) -> Campaign:
    campaign = make_campaign(**options)
    Campaign.objects.filter(pk=campaign.pk).update(registration_open=True)
    campaign.refresh_from_db()
    return campaign


def test_registration_is_off_by_default():
    campaign = make_campaign()
    for key in (campaign.key, "nonsense", "", "\0"):
        with pytest.raises(Http404):
            campaign_to_register_for(key)


def test_a_closed_campaign_takes_nobody():
    campaign = open_campaign()
    assert campaign_to_register_for(campaign.key) == campaign
    close(campaign, campaign.owner)
    with pytest.raises(Http404):
        campaign_to_register_for(campaign.key)


def test_somebody_new_becomes_an_annotator_and_takes_part():
    campaign = open_campaign()
    user = register_as_new(campaign, name="ada", password=PASSWORD)
    assert user.role == "annotator"
    assert Membership.objects.get(user=user).role == "annotator"


def test_somebody_known_takes_part_once_and_keeps_the_role(annotator):
    campaign = open_campaign()
    register_as_known(campaign, annotator)
    register_as_known(campaign, annotator)
    register_as_known(campaign, campaign.owner)
    roles = set(Membership.objects.values_list("user", "role"))
    assert roles == {(annotator.pk, "annotator"), (campaign.owner.pk, "manager")}
