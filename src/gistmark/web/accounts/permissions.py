"""Who may do what; every view asks here.

What somebody may not even know of is not found (404); what they know of but may not do is not
allowed (403). A campaign is managed by admins, by its owner and by its members with the role
manager, as long as they are managers on the platform; it is known to all its members.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.config.errors import refuse, wants_json

P = ParamSpec("P")


class PersonRequest(HttpRequest):
    """A request of somebody who is logged in."""

    user: User


View = Callable[Concatenate[HttpRequest, P], HttpResponse]
PersonView = Callable[Concatenate[PersonRequest, P], HttpResponse]

NO_CAMPAIGN = "There is no such campaign, or you do not take part in it."


def require_login(view: PersonView[P]) -> View[P]:
    """Send visitors to the log-in page, and scripts a 401."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(cast(PersonRequest, request), *args, **kwargs)
        if wants_json(request):
            return refuse(request, 401, "You are not logged in, or no longer; log in again.")
        return redirect_to_login(request.get_full_path())

    return guarded


def require_manager(view: PersonView[P]) -> View[P]:
    """Let only managers and admins in."""
    return _require(view, lambda user: user.may_manage, "Only managers may see this page.")


def require_admin(view: PersonView[P]) -> View[P]:
    """Let only admins in."""
    return _require(view, lambda user: user.is_admin, "Only admins may see this page.")


def campaigns_managed_by(user: User) -> QuerySet[Campaign]:
    """The campaigns that somebody may change."""
    if user.is_admin:
        return Campaign.objects.all()
    if not user.may_manage:
        return Campaign.objects.none()
    managed = Membership.objects.filter(user=user, role=Membership.Role.MANAGER)
    return Campaign.objects.filter(Q(owner=user) | Q(pk__in=managed.values("campaign")))


def campaigns_known_to(user: User) -> QuerySet[Campaign]:
    """The campaigns that somebody may know of."""
    if user.is_admin:
        return Campaign.objects.all()
    joined = Membership.objects.filter(user=user)
    return Campaign.objects.filter(Q(owner=user) | Q(pk__in=joined.values("campaign")))


def campaign_for_manager(user: User, key: str) -> Campaign:
    """The campaign of this key, for somebody who manages it."""
    found = with_key(campaigns_managed_by(user), key)
    if found is not None:
        return found
    campaign_for_member(user, key)
    raise PermissionDenied("Only the managers of this campaign may do this.")


def campaign_for_member(user: User, key: str) -> Campaign:
    """The campaign of this key, for somebody who takes part in it."""
    found = with_key(campaigns_known_to(user), key)
    if found is None:
        raise Http404(NO_CAMPAIGN)
    return found


def with_key(campaigns: QuerySet[Campaign], key: str) -> Campaign | None:
    """The one of these campaigns that has a key; PostgreSQL cannot be asked for a null byte."""
    return None if "\0" in key else campaigns.filter(key=key).first()


def _require(view: PersonView[P], allowed: Callable[[User], bool], sentence: str) -> View[P]:
    @wraps(view)
    def guarded(request: PersonRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not allowed(request.user):
            raise PermissionDenied(sentence)
        return view(request, *args, **kwargs)

    return require_login(guarded)
