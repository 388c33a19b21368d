"""Whether managers and admins have to have a second factor, and how long they may put it off.

GISTMARK_SECOND_FACTOR=required asks for it. Whoever has none then gets
GISTMARK_SECOND_FACTOR_GRACE days, counted from the first page that they open; after that every page
leads to the one where it is set up. Tokens of the API go on working, and none is made without it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.devices import means_of
from gistmark.web.accounts.sign_in.second_factor.enrolment import has_second_factor
from gistmark.web.config.errors import refuse, wants_json

_ALWAYS_OPEN = ("second-factor", "second-factor-begin", "second-factor-confirm", "log-out")
_SENTENCE = "Managers and admins need a second factor here; set it up under Account first."


def is_required_of(user: User) -> bool:
    """Whether this person has to have a second factor, today or in a few days."""
    return bool(settings.SECOND_FACTOR_REQUIRED) and user.may_manage


def lacks_second_factor(user: User, means: str = "password") -> bool:
    """Whether this person, who logged in by these means, has to set one up."""
    return is_required_of(user) and not is_with_provider(means) and not has_second_factor(user)


def is_with_provider(means: str) -> bool:
    """Whether the provider has asked for a second factor, so that the platform need not."""
    return means == "provider" and settings.OIDC is not None and settings.OIDC.has_second_factor


def is_due(user: User) -> bool:
    """Whether it can no longer be put off; the days begin to count here."""
    if user.second_factor_due is None:
        user.second_factor_due = timezone.now() + timedelta(days=settings.SECOND_FACTOR_GRACE)
        user.save(update_fields=["second_factor_due"])
    return user.second_factor_due <= timezone.now()


class SecondFactorFirst:
    """Leads managers and admins to the second factor that they have put off for too long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        user, match = request.user, request.resolver_match
        if not isinstance(user, User) or not lacks_second_factor(user, means_of(request)):
            return None
        if match is not None and match.url_name in _ALWAYS_OPEN:
            return None
        if not is_due(user):
            return None
        if wants_json(request) or request.path.startswith("/api/"):
            return refuse(request, 403, _SENTENCE)
        return redirect("second-factor")
