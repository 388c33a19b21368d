"""Joining a campaign without an invitation, where its managers allow that."""

from __future__ import annotations

from django.db import transaction
from django.http import Http404

from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import create_user
from gistmark.web.accounts.permissions import with_key
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services import add_member


def campaign_to_register_for(key: str) -> Campaign:
    """The campaign of this key, if it is open to everybody; else there is no such page."""
    open_ones = Campaign.objects.filter(registration_open=True).exclude(state=Campaign.State.CLOSED)
    found = with_key(open_ones, key)
    if found is None:
        raise Http404("There is no campaign here that one can register for.")
    return found


def register_as_new(campaign: Campaign, *, name: str, password: str) -> User:
    """Make an annotator's account and let it take part."""
    with transaction.atomic():
        user = create_user(name, password=password)
        add_member(campaign, user, Membership.Role.ANNOTATOR)
    return user


def register_as_known(campaign: Campaign, user: User) -> None:
    """Let somebody take part who has an account; those who do so already keep their role."""
    with transaction.atomic():
        if not user.memberships.filter(campaign=campaign).exists():
            add_member(campaign, user, Membership.Role.ANNOTATOR)
