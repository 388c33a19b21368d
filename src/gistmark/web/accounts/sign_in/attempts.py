"""Slowing down those who guess passwords, and those who register by the hundred.

Failed log-ins are counted in the database, so that all workers count together: for a name from
one address, for a name from anywhere, and for an address whatever the name. The last two limits
are wide, since a class behind one router shares an address and nobody should be able to lock
somebody else out with a handful of requests. A browser in which somebody has logged in before
(`gistmark.web.accounts.sign_in.devices`) is counted by itself.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from ipaddress import IPv4Address, ip_address, ip_network

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import Attempt
from gistmark.web.accounts.names import name_key

WINDOW = timedelta(minutes=15)
PAIR_LIMIT = 5
NAME_LIMIT = 50
ADDRESS_LIMIT = 100
REGISTRATION_LIMIT = 60
"""So many accounts can be registered from one address in a window: two classes, but no flood."""
TAKEN_LIMIT = 20
"""So many names that are taken can be tried from one address in a window."""
REGISTRATION, TAKEN = "(registration)", "(taken)"
"""These stand in place of a name, which never has brackets."""
_NO_LOG_INS = (REGISTRATION, TAKEN)
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


def count_attempt(name: str, address: str | None, *, device: str | None = None) -> Attempt:
    """Count an attempt before the password is looked at, or raise `TooManyAttemptsError`.

    What is tried at the same moment counts as well, so that nobody gets more guesses by trying in
    parallel. A right guess is followed by `forget_failures`. `device` is a browser in which the
    person has logged in before: it has a limit of its own, so that nobody can lock the person out
    there.
    """
    attempt = note_failure(_of_device(device) if device else name, None if device else address)
    now = timezone.now()
    ends = [end for end in _ends(attempt, now) if end > now]
    if ends:
        attempt.delete()
        raise TooManyAttemptsError(math.ceil((max(ends) - now).total_seconds()))
    return attempt


def note_failure(name: str, address: str | None) -> Attempt:
    """Count an attempt, and forget those that no longer count."""
    Attempt.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    return Attempt.objects.create(name=_plain(name), address=network_of(address))


def count_registration(address: str | None) -> None:
    """Count an account that somebody is about to make, or raise `TooManyAttemptsError`."""
    _count(REGISTRATION, address, REGISTRATION_LIMIT)


def count_taken_name(address: str | None) -> None:
    """Count a try of a taken name, which reveals who has an account, or raise the same error."""
    _count(TAKEN, address, TAKEN_LIMIT)


def forget_failures(name: str, address: str | None = None, *, device: str | None = None) -> None:
    """What a success clears: the failures of this name from this address, or from anywhere."""
    failures = Attempt.objects.filter(name=_plain(name))
    (failures if address is None else failures.filter(address=network_of(address))).delete()
    if device is not None:
        Attempt.objects.filter(name=_plain(_of_device(device))).delete()


def network_of(address: str | None) -> str | None:
    """What visitors are counted by: an IPv4 address, or the /64 network of an IPv6 address.

    A single subscriber has a whole /64, and could come from another address each time.
    """
    if address is None:
        return None
    parsed = ip_address(address)
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)).network_address)


def visitor_address(request: HttpRequest) -> str | None:
    """The address of the visitor, as the proxy reports it where there is one."""
    if settings.BEHIND_PROXY:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if _is_address(forwarded):
            return str(forwarded)
    direct = request.META.get("REMOTE_ADDR", "")
    return direct if _is_address(direct) else None


def _count(kind: str, address: str | None, limit: int) -> None:
    attempt, now = note_failure(kind, address), timezone.now()
    same = Q(name=attempt.name, address=attempt.address)
    reached = _reached(attempt, same, limit, now)
    if reached is not None:
        attempt.delete()
        seconds = math.ceil((reached + WINDOW - now).total_seconds())
        raise TooManyAttemptsError(seconds, registering=True)


def _ends(attempt: Attempt, now: datetime) -> list[datetime]:
    """When each limit that is reached ends: a window after its oldest failure."""
    name, address = attempt.name, attempt.address
    limits = [(Q(name=name, address=address), PAIR_LIMIT), (Q(name=name), NAME_LIMIT)]
    if address is not None:
        limits += [(Q(address=address) & ~Q(name__in=_NO_LOG_INS), ADDRESS_LIMIT)]
    reached = (_reached(attempt, about, limit, now) for about, limit in limits)
    return [at + WINDOW for at in reached if at is not None]


def _reached(attempt: Attempt, about: Q, limit: int, now: datetime) -> datetime | None:
    """When the oldest of so many attempts was made; None where there are fewer without this one."""
    others = Attempt.objects.filter(about, at__gt=now - WINDOW).exclude(pk=attempt.pk)
    return others.order_by("-at").values_list("at", flat=True)[limit - 1 : limit].first()


def _of_device(device: str) -> str:
    return f"(device {device})"


def _plain(name: str) -> str:
    return name_key(name)[:_NAME_LENGTH]


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
