"""Who asks, and what they may see: the same rules as on the pages."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import campaign_for_manager, campaign_for_member
from gistmark.web.campaigns.models import Campaign


def person(request: HttpRequest) -> User:
    """The person whose token was sent."""
    found = getattr(request, "auth", None)
    assert isinstance(found, User), "the API lets nobody in without a token"
    return found


def manager(request: HttpRequest) -> User:
    """The same, if the person may make campaigns."""
    found = person(request)
    if not found.may_manage:
        raise PermissionDenied("Only managers may do this.")
    return found


def managed(request: HttpRequest, key: str) -> Campaign:
    """A campaign that the person manages."""
    return campaign_for_manager(person(request), key)


def joined(request: HttpRequest, key: str) -> Campaign:
    """A campaign that the person takes part in."""
    return campaign_for_member(person(request), key)
