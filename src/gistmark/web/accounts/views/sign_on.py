"""Logging in with the provider: there, back again, and an account for somebody new."""

from __future__ import annotations

import logging
import time
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.forms import NewNameForm
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import create_user
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.sign_in import provider, sign_on
from gistmark.web.accounts.sign_in.attempts import (
    TooManyAttemptsError,
    count_registration,
    visitor_address,
)
from gistmark.web.accounts.sign_in.sign_on import (
    CancelledError,
    NotInvitedError,
    ProviderDownError,
    StaleSignOnError,
)
from gistmark.web.accounts.views.entering import enter, refuse_taken_name, safe_target
from gistmark.web.config.environment import Provider
from gistmark.web.config.errors import refuse, status_of
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status

_FLOWS, _NEWCOMER = "sign_on", "sign_on_newcomer"
_MOST_FLOWS = 5
_MINUTES = 10 * 60
_JOINING = ("join", "register")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody whom the provider knows and the platform does not; `role` is empty for those who
    need an invitation."""

    issuer: str
    subject: str
    name: str
    role: str
    since: float


def takes_password_of(user: User) -> bool:
    """Whether somebody may log in with a password."""
    return bool(settings.PASSWORDS_FOR_ALL) or user.is_admin


def only_admins_sentence() -> str:
    """What the others are told."""
    return gettext("Only admins log in with a password here; log in with %(name)s.") % {
        "name": _provider().name
    }


def say_goodbye(request: HttpRequest) -> HttpResponse:
    """The page after logging out, with a link that ends the session at the provider too."""
    onward = request.build_absolute_uri(reverse("log-in"))
    known = _provider()
    context = {"provider": known.name, "address": provider.log_out_address(known, onward)}
    return render(request, "accounts/sign_in/logged_out.html", context)


def ways_in(target: str = "/") -> dict[str, Any]:
    """What a page that lets people in has to know: whether there is a provider, and passwords."""
    known: Provider | None = settings.OIDC
    return {
        "provider": known.name if known else "",
        "sign_on_address": f"{reverse('sign-on')}?{urlencode({'next': target})}",
        "passwords_for_all": settings.PASSWORDS_FOR_ALL,
    }


@never_cache
@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Lead the browser to the provider."""
    target = safe_target(request.GET.get("next", ""), request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(target)
    try:
        return HttpResponseRedirect(_leave(request, target=target))
    except ProviderDownError as error:
        return _failed(request, error)


@never_cache
@require_POST
@require_login
def connect(request: PersonRequest) -> HttpResponse:
    """Lead somebody who is logged in to the provider, to connect the account there.

    Browsers hold the redirects of a form to this site, so a page with a link leads on.
    """
    try:
        address = _leave(request, target=reverse("account"), connects=request.user.pk)
    except ProviderDownError as error:
        return _failed(request, error)
    context = {"address": address, "provider": _provider().name}
    response = render(request, "accounts/sign_in/sign_on_leave.html", context)
    response.headers["Refresh"] = f"0; url={address}"
    return response


@require_POST
@require_login
def disconnect(request: PersonRequest) -> HttpResponse:
    """Forget the account at the provider."""
    with errors_as_messages(request):
        sign_on.disconnect(request.user)
        messages.success(request, gettext("Your account is no longer connected."))
    return redirect("account")


@never_cache
@require_safe
def back(request: HttpRequest) -> HttpResponse:
    """Take what the provider sends with the browser, verify it, and let the person in."""
    try:
        known = _provider()
        flow = _returning(request)
        if "error" in request.GET:
            raise CancelledError(known.name)
        provider.refuse_other_issuer(known, request.GET.get("iss"))
        sent = provider.Flow(flow["state"], flow["nonce"], flow["verifier"])
        claims = provider.exchange(known, sent, request.GET.get("code", ""), _back(request))
        if flow["connects"] is not None:
            return _connected(request, flow["connects"], claims)
        return _let_in(request, known, claims, flow["target"])
    except GistmarkError as error:
        return _failed(request, error)


@never_cache
@require_http_methods(GET_AND_POST)
def new_account(request: HttpRequest) -> HttpResponse:
    """Let somebody whom the provider knows choose a name, and make the account."""
    somebody = newcomer(request)
    if somebody is None or not somebody.role:
        return redirect("log-in")
    posted = request.method == "POST"
    form = NewNameForm(request.POST if posted else None, initial={"name": somebody.name})
    status = form_status(form)
    if form.is_valid():
        try:
            with errors_on(form, "name", kind=UsageError):
                refuse_taken_name(request, form.cleaned_data["name"])
                count_registration(visitor_address(request))
                with transaction.atomic():
                    user = create_user(form.cleaned_data["name"], role=somebody.role)
                    adopt(request, user, somebody)
                return enter(request, user, reverse("home"), means="provider")
        except TooManyAttemptsError as error:
            form.add_error(None, str(error))
            status = 429
    context = {"form": form, "provider": _provider().name}
    return render(request, "accounts/sign_in/sign_on_new.html", context, status=status)


def newcomer(request: HttpRequest) -> Newcomer | None:
    """Whom the provider named in this browser a moment ago, and who has no account yet."""
    stored = request.session.get(_NEWCOMER)
    if settings.OIDC is None or stored is None:
        return None
    return Newcomer(**stored) if 0 <= time.time() - stored["since"] <= _MINUTES else None


def adopt(request: HttpRequest, user: User, somebody: Newcomer) -> None:
    """Connect a new account with the person at the provider whom it was made for."""
    sign_on.connect(user, somebody.issuer, somebody.subject)
    request.session.pop(_NEWCOMER, None)


def _provider() -> Provider:
    known: Provider | None = settings.OIDC
    if known is None:
        raise Http404(gettext("There is no page at this address."))
    return known


def _back(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("sign-on-back"))


def _leave(request: HttpRequest, *, target: str, connects: int | None = None) -> str:
    """The address of the provider; the session remembers what the browser has to come back with."""
    flow = provider.new_flow()
    address = provider.authorization_address(_provider(), flow, _back(request))
    flows = list(request.session.get(_FLOWS, []))[-_MOST_FLOWS + 1 :]
    stored = {**asdict(flow), "target": target, "connects": connects, "since": time.time()}
    request.session[_FLOWS] = [*flows, stored]
    return address


def _returning(request: HttpRequest) -> dict[str, Any]:
    """The flow that comes back; each comes back once, in the browser that began it, in time."""
    flows: list[dict[str, Any]] = list(request.session.get(_FLOWS, []))
    state = request.GET.get("state", "")
    found = next((flow for flow in flows if state and flow["state"] == state), None)
    if found is None:
        raise StaleSignOnError
    request.session[_FLOWS] = [flow for flow in flows if flow is not found]
    if not 0 <= time.time() - found["since"] <= _MINUTES:
        raise StaleSignOnError
    return found


def _connected(request: HttpRequest, pk: int, claims: provider.Claims) -> HttpResponse:
    """Connect the account of whoever began, who has to be logged in still."""
    if not isinstance(request.user, User) or request.user.pk != pk:
        raise StaleSignOnError
    sign_on.connect(request.user, claims.issuer, claims.subject)
    messages.success(
        request, gettext("You can log in with %(name)s from now on.") % {"name": _provider().name}
    )
    return redirect("account")


def _let_in(
    request: HttpRequest, known: Provider, claims: provider.Claims, target: str
) -> HttpResponse:
    user = sign_on.person_of(claims.issuer, claims.subject)
    if user is not None:
        if not user.is_active:
            return refuse(request, 403, gettext("Your account is closed."))
        return enter(request, user, target, means="provider")
    role = known.role_without_invitation(claims.values) or ""
    joins = _name_of(target) in _JOINING
    if not role and not joins:
        raise NotInvitedError
    name = str(claims.values.get("preferred_username") or claims.values.get("nickname") or "")
    request.session.cycle_key()
    request.session[_NEWCOMER] = asdict(
        Newcomer(claims.issuer, claims.subject, name[:150], role, time.time())
    )
    return HttpResponseRedirect(target) if joins else redirect("sign-on-new")


def _name_of(target: str) -> str | None:
    try:
        return resolve(target.partition("?")[0]).url_name
    except Resolver404:
        return None


def _failed(request: HttpRequest, error: GistmarkError) -> HttpResponse:
    """A page with the sentence; the reason, which may help an attacker, goes to the log."""
    reason = getattr(error, "reason", None)
    if reason is not None:
        _LOG.warning("Logging in with the provider failed: %s", reason)
    status = 503 if isinstance(error, ProviderDownError) else status_of(error)
    return refuse(request, status, str(error))
