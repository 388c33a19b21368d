"""Who calls the API, and what they may see: the same rules as on the pages.

Programs send a token. Pages of the platform send the session's cookie with a CSRF token, as their
forms do, so that no other site can call the API in somebody's name.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from gistmark.web.accounts.models import Token, User
from gistmark.web.accounts.sign_in.credentials import read_token
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import (
    campaign_for_manager,
    campaign_for_member,
)
from gistmark.web.config.errors import CSRF_SENTENCE
from gistmark.web.interface.languages import ENGLISH, use_language

_OWN_WORK = re.compile(
    r"POST /api/campaigns/[^/]+/(next|consent|comprehension|practice/next)"
    r"|(GET|HEAD|PATCH) /api/campaigns/[^/]+/machine"
    r"|(GET|HEAD) /api/campaigns(/[^/]+/(admission|comprehension|consent))?"
    r"|[A-Z]+ (/api)?/(tasks|practice)(/.*)?"
)
"""What a token for one's own tasks may be used for: the work itself, and finding and joining it."""


class Bearer(HttpBearer):
    """`Authorization: Bearer TOKEN`; a token acts as the person who made it, within its scope."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        valid = read_token(token)
        if valid is None:
            return None
        if valid.scope == Token.Scope.READ and request.method not in ("GET", "HEAD"):
            raise PermissionDenied("This token may only read; make another one to change things.")
        if valid.scope == Token.Scope.TASKS and not _OWN_WORK.fullmatch(
            f"{request.method} {request.path}"
        ):
            raise PermissionDenied("This token is for your own tasks only; make another one.")
        return valid.user


class Session(APIKeyCookie):
    """The session of somebody who is logged in; what changes something needs a CSRF token."""

    param_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> User | None:
        user = self.authenticate(request, None)
        if user is not None and check_csrf(request) is not None:
            raise PermissionDenied(gettext(CSRF_SENTENCE))
        return user

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        return request.user if isinstance(request.user, User) else None


def person(request: HttpRequest) -> User:
    """The person whose token or session was sent."""
    user = getattr(request, "auth", None)
    assert isinstance(user, User), "the API lets nobody in without a token or a session"
    return user


def manager(request: HttpRequest) -> User:
    """The same, if the person may make campaigns."""
    user = person(request)
    if not user.may_manage:
        raise PermissionDenied("Only managers may do this.")
    use_language(request, ENGLISH)
    return user


def admin(request: HttpRequest) -> User:
    """The same, if the person is an admin."""
    user = person(request)
    if not user.is_admin:
        raise PermissionDenied("Only admins may do this.")
    use_language(request, ENGLISH)
    return user


def managed(request: HttpRequest, key: str) -> Campaign:
    """A campaign that the person manages."""
    campaign = campaign_for_manager(person(request), key)
    use_language(request, ENGLISH)
    return campaign


def joined(request: HttpRequest, key: str) -> Campaign:
    """A campaign that the person takes part in."""
    campaign = campaign_for_member(person(request), key)
    use_language(request, campaign.language)
    return campaign
