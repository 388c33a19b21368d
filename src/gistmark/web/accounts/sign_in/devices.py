"""The browsers of a person: those that are logged in now, and those that were before.

Each session is listed, and its person can end it. A browser that was logged in before has a signed
cookie that says whose it was; it opens nothing, but log-ins from there have a limit of their own
(`gistmark.web.accounts.sign_in.attempts`), so that strangers cannot lock the person out.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Device, User

COOKIE = "gistmark_device"
MEANS = "logged_in_by"
_AGE = 60 * 60 * 24 * 365
_AGENT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Somebody is logged in: since when, in which browser, and whether it is the one that asks."""

    id: int
    agent: str
    since: datetime
    is_this: bool


def means_of(request: HttpRequest) -> str:
    """How the person of this session logged in: by `password` or by the `provider`."""
    return str(request.session.get(MEANS, "password"))


def note_session(request: HttpRequest, user: User) -> None:
    """List the session of a request among those of its person."""
    if request.session.session_key is None:
        request.session.save()
    agent = request.headers.get("User-Agent", "").replace("\0", "")[:_AGENT_LENGTH]
    Device.objects.get_or_create(
        session=request.session.session_key, defaults={"user": user, "agent": agent}
    )


def open_sessions(request: HttpRequest, user: User) -> list[OpenSession]:
    """Where somebody is logged in, the latest first; what has ended is forgotten."""
    keys = set(user.devices.values_list("session", flat=True))
    live = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    alive = set(live.values_list("session_key", flat=True))
    user.devices.exclude(session__in=alive).delete()
    current = request.session.session_key
    return [
        OpenSession(each.pk, each.agent, each.created_at, each.session == current)
        for each in user.devices.all()
    ]


def end_session(user: User, pk: int) -> bool:
    """End a session of somebody; somebody else's counts as missing."""
    return _end(user, list(user.devices.filter(pk=pk)), by=user) > 0


def end_all_sessions(user: User, *, by: User | None, but: str | None = None) -> int:
    """End all sessions of somebody that are listed, but the one with this key."""
    return _end(user, list(user.devices.exclude(session=but or "")), by=by)


def _end(user: User, devices: list[Device], *, by: User | None) -> int:
    Session.objects.filter(session_key__in=[each.session for each in devices]).delete()
    Device.objects.filter(pk__in=[each.pk for each in devices]).delete()
    if devices:
        note("sessions-ended", by=by, name=user.username, count=len(devices))
    return len(devices)


def known_device(request: HttpRequest, user: User | None) -> str | None:
    """What the browser goes by if this person has logged in with it before."""
    try:
        owner, _, device = _signer().unsign(request.COOKIES.get(COOKIE, "")).partition(".")
    except BadSignature:
        return None
    return device if user is not None and owner == str(user.pk) else None


def remember_device(response: HttpResponse, user: User, device: str | None) -> None:
    """Let the browser know whose it was; each gets a name of its own."""
    value = _signer().sign(f"{user.pk}.{device or secrets.token_hex(16)}")
    response.set_cookie(
        COOKIE,
        value,
        max_age=_AGE,
        httponly=True,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        samesite="Lax",
        path="/log-in/",
    )


def _signer() -> Signer:
    return Signer(salt="gistmark.device")
