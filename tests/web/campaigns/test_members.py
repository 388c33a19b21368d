"""Who may see and change which campaign."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from gistmark.web.accounts.people import change_role
from gistmark.web.campaigns.services.members import (
    add_member,
    campaign_for_manager,
    campaign_for_member,
    campaigns_known_to,
    campaigns_managed_by,
)
from web.factories import again, make_campaign, make_user


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    return make_campaign()


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


def test_admins_know_and_manage_every_campaign(admin, campaign):
    assert campaign_for_manager(admin, campaign.key) == campaign
    assert campaign_for_member(admin, campaign.key) == campaign


def test_the_owner_manages_the_campaign(campaign):
    assert campaign_for_manager(campaign.owner, campaign.key) == campaign


def test_a_manager_of_another_campaign_does_not_even_know_of_it(manager, campaign):
    make_campaign(owner=manager)
    for ask in (campaign_for_manager, campaign_for_member):
        with pytest.raises(Http404):
            ask(manager, campaign.key)


def test_a_member_who_annotates_knows_it_but_may_not_manage(annotator, campaign):
    add_member(campaign, annotator)
    assert campaign_for_member(annotator, campaign.key) == campaign
    with pytest.raises(PermissionDenied):
        campaign_for_manager(annotator, campaign.key)


def test_a_member_who_manages_may_manage(manager, campaign):
    add_member(campaign, manager, "manager")
    assert campaign_for_manager(manager, campaign.key) == campaign


def test_a_manager_who_only_annotates_here_may_not_manage(manager, campaign):
    add_member(campaign, manager, "annotator")
    with pytest.raises(PermissionDenied):
        campaign_for_manager(manager, campaign.key)


def test_who_is_no_manager_any_more_manages_nothing(campaign):
    owner = campaign.owner
    change_role(owner, "annotator")
    assert not campaigns_managed_by(owner).exists()
    with pytest.raises(PermissionDenied):
        campaign_for_manager(owner, campaign.key)


@pytest.mark.parametrize("key", ["", "nonsense", "\u0130", "' OR 1=1 --", "a\0"])
def test_a_forged_key_is_not_found(admin, key: str):
    with pytest.raises(Http404):
        campaign_for_manager(admin, key)


def test_lists_hold_each_campaign_once(db):
    manager = make_user("manager")
    campaign = make_campaign(owner=manager)
    make_campaign()
    assert list(campaigns_managed_by(manager)) == [campaign]
    assert list(campaigns_known_to(manager)) == [campaign]


def test_asking_takes_one_query(campaign, manager, django_assert_num_queries):
    add_member(campaign, manager, "manager")
    with django_assert_num_queries(1):
        campaign_for_manager(manager, campaign.key)
