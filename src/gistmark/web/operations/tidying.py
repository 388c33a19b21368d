"""What `gistmark tidy` does every day: delete what is out of date."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib.sessions.models import Session
from django.utils import timezone

from gistmark.web.results.exports import forget_exports
from gistmark.web.results.exports.prepared import KEPT


def _sessions() -> int:
    count, _ = Session.objects.filter(expire_date__lt=timezone.now()).delete()
    return count


def _exports() -> int:
    return forget_exports(timezone.now() - KEPT)


CHORES: Mapping[str, Callable[[], int]] = {
    "sessions that had ended": _sessions,
    "exports older than a day": _exports,
}


def tidy() -> dict[str, int]:
    """Do everything once; what was deleted, and how many of each."""
    return {name: chore() for name, chore in CHORES.items()}
