"""Slowing down those who guess passwords, and those who register by the hundred.

Failed log-ins are counted in the database, so that all workers count together: for a name from
one address, for a name from anywhere, and for an address whatever the name. The last two limits
are wide, since a class behind one router shares an address and nobody should be able to lock
somebody else out with a handful of requests.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import Attempt

WINDOW = timedelta(minutes=15)
PAIR_LIMIT = 5
NAME_LIMIT = 50
ADDRESS_LIMIT = 100
REGISTRATION_LIMIT = 60
"""So many accounts can be registered from one address in a window: two classes, but no flood."""
REGISTRATION = "(registration)"
"""Stands in place of a name, which never has brackets."""
_NAME_LENGTH = 150


class TooManyAttemptsError(GistmarkError):
    """Somebody tried something too often; `seconds` is how long they have to wait."""

    def __init__(self, seconds: int, *, registering: bool = False) -> None:
        self.seconds = seconds
        minutes = max(1, math.ceil(seconds / 60))
        wait = ngettext("a minute", "%(count)s minutes", minutes) % {"count": minutes}
        sentence = (
            gettext("There were too many registrations from your address; try again in %(wait)s.")
            if registering
            else gettext("There were too many failed attempts; try again in %(wait)s.")
        )
        super().__init__(sentence % {"wait": wait})


def refuse_guessing(name: str, address: str | None) -> None:
    """Raise `TooManyAttemptsError` where a limit is reached."""
    now = timezone.now()
    ends = [end for end in _ends(_plain(name), address, now) if end > now]
    if ends:
        raise TooManyAttemptsError(math.ceil((max(ends) - now).total_seconds()))


def note_failure(name: str, address: str | None) -> None:
    """Count an attempt, and forget those that no longer count."""
    Attempt.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    Attempt.objects.create(name=_plain(name), address=address)


def count_registration(address: str | None) -> None:
    """Count an account that somebody is about to make, or raise `TooManyAttemptsError`."""
    now = timezone.now()
    recent = Attempt.objects.filter(name=REGISTRATION, address=address, at__gt=now - WINDOW)
    oldest = recent.order_by("-at").values_list("at", flat=True)
    reached = oldest[REGISTRATION_LIMIT - 1 : REGISTRATION_LIMIT].first()
    if reached is not None:
        seconds = math.ceil((reached + WINDOW - now).total_seconds())
        raise TooManyAttemptsError(seconds, registering=True)
    note_failure(REGISTRATION, address)


def forget_failures(name: str, address: str | None = None) -> None:
    """What a success clears: the failures of this name from this address, or from anywhere."""
    failures = Attempt.objects.filter(name=_plain(name))
    (failures if address is None else failures.filter(address=address)).delete()


def visitor_address(request: HttpRequest) -> str | None:
    """The address of the visitor, as the proxy reports it where there is one."""
    if settings.BEHIND_PROXY:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if _is_address(forwarded):
            return str(forwarded)
    direct = request.META.get("REMOTE_ADDR", "")
    return direct if _is_address(direct) else None


def _ends(name: str, address: str | None, now: datetime) -> list[datetime]:
    """When each limit that is reached ends: a window after its oldest failure."""
    log_ins = Attempt.objects.exclude(name=REGISTRATION)
    recent = log_ins.filter(at__gt=now - WINDOW).order_by("-at")
    limits = [(Q(name=name), NAME_LIMIT)]
    if address is not None:
        limits += [(Q(name=name, address=address), PAIR_LIMIT), (Q(address=address), ADDRESS_LIMIT)]
    else:
        limits += [(Q(name=name, address__isnull=True), PAIR_LIMIT)]
    oldest = (
        recent.filter(about).values_list("at", flat=True)[limit - 1 : limit].first()
        for about, limit in limits
    )
    return [at + WINDOW for at in oldest if at is not None]


def _plain(name: str) -> str:
    return name.strip().casefold()[:_NAME_LENGTH]


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return False
    return True
