"""From a right password, or the word of a provider, to a session: with a code in between for those
who have a second factor.

Whoever is asked for the code is not logged in yet: the session only remembers for some minutes
whose password was right.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from django.contrib import messages
from django.contrib.auth import login
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import NameTakenError, is_taken
from gistmark.web.accounts.permissions import PersonRequest
from gistmark.web.accounts.sign_in.attempts import (
    count_attempt,
    count_taken_name,
    forget_failures,
    visitor_address,
)
from gistmark.web.accounts.sign_in.devices import MEANS, known_device, note_session, remember_device
from gistmark.web.accounts.sign_in.second_factor import (
    has_second_factor,
    is_due,
    is_with_provider,
    lacks_second_factor,
)
from gistmark.web.interface.pages import errors_on

Means = Literal["password", "provider"]
WAIT = 10 * 60
"""So many seconds a person has for the code after the password."""
_WAITING = "waiting_for_code"
_BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody whose password was right and whose code is still to come."""

    user: User
    target: str
    means: Means


def enter(request: HttpRequest, user: User, target: str, *, means: Means) -> HttpResponse:
    """Log somebody in and lead them to a page; ask for a code before, where they have one."""
    if is_with_provider(means) or not has_second_factor(user):
        return log_in_now(request, user, target, means=means)
    request.session.cycle_key()
    request.session[_WAITING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "since": time.time(),
        "target": target,
        "means": means,
    }
    return redirect("log-in-code")


def waiting_for_code(request: HttpRequest) -> Waiting | None:
    """Who is about to type a code in this browser; nobody, if that took too long."""
    stored = request.session.get(_WAITING)
    if stored is None or not 0 <= time.time() - stored["since"] <= WAIT:
        return None
    user = User.objects.filter(pk=stored["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), stored["hash"]):
        return None
    return Waiting(user, stored["target"], stored["means"])


def log_in_now(request: HttpRequest, user: User, target: str, *, means: Means) -> HttpResponse:
    """Begin the session, with a new key, and lead to a page."""
    device = known_device(request, user)
    request.session.pop(_WAITING, None)
    login(request, user, backend=_BACKEND)
    request.session[MEANS] = means
    note_session(request, user)
    note("logged-in", by=user, name=user.username, means=means)
    if lacks_second_factor(user, means) and not is_due(user):
        until = f"{user.second_factor_due:%-d %B %Y, %H:%M}"
        messages.warning(
            request, f"You need a second factor by {until} (UTC); set it up under Account."
        )
    response = HttpResponseRedirect(target)
    remember_device(response, user, device)
    return response


def refuse_taken_name(request: HttpRequest, name: str) -> None:
    """Say that a name is taken; tries are limited, since the answer reveals who has an account."""
    if is_taken(name):
        count_taken_name(visitor_address(request))
        raise NameTakenError(name)


def safe_target(target: str, request: HttpRequest) -> str:
    """Where to go on: a page of this site that was named, or the start page."""
    allowed = target.startswith("/") and url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed else "/"


def knows_password(request: PersonRequest, form: BaseForm, field: str) -> bool:
    """Whether the password on a form is right; tries are limited, should a session be stolen."""
    name, address = request.user.username, visitor_address(request)
    with errors_on(form):
        attempt = count_attempt(name, address)
        if request.user.check_password(form.cleaned_data[field]):
            attempt.delete()
            forget_failures(name, address)
            return True
        form.add_error(field, gettext("This is not your current password."))
    return False
