"""Checks of what the database holds: its tables, its people, its secrets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from gistmark.web.accounts.models import SecondFactor, User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.storage.backups import last_backup
from gistmark.web.config.storage.encryption import unreadable_secrets
from gistmark.web.operations.installation import Finding

_NAMED = 5


def stored_findings(
    settings: Any, folder: Path | None, *, now: datetime, backup_days: int
) -> Iterator[Finding]:
    """What is unsafe, by what the database holds; its tables must be up to date."""
    if folder is not None:
        yield from _of_backups(folder, now, backup_days)
    if count := unreadable_secrets():
        yield Finding(
            "encryption-key",
            f"{count} stored secrets cannot be decrypted with the present key.",
            "Second factors, tokens of markets and webhooks do not work without them.",
            "Put the earlier key back, in GISTMARK_ENCRYPTION_KEY or in the file encryption-key.",
        )
    yield from _of_people(settings)
    if names := _listed(Campaign.objects.filter(registration_open=True, state="running")):
        yield Finding(
            "open-registration",
            f"Anybody can register for {names}.",
            "Strangers get an account and see the texts.",
            "If that is not wanted, switch it off in the campaign's settings and invite people.",
        )


def migration_findings(pending: int) -> Iterator[Finding]:
    """Whether the tables are those of this version."""
    if pending:
        yield Finding(
            "migrations",
            f"{pending} changes to the tables of the database have not been made.",
            "The platform makes them when it starts next, which takes a while.",
            "Make a backup, then run gistmark tidy or restart the platform.",
        )


def _of_backups(folder: Path, now: datetime, days: int) -> Iterator[Finding]:
    made = last_backup(folder)
    if made is None or now - made > timedelta(days=days):
        last = (
            "There has been no backup yet" if made is None else f"The last backup is of {made:%F}"
        )
        yield Finding(
            "backups",
            f"{last}.",
            "What annotators did since cannot be brought back if the disk fails.",
            "Run gistmark backup every night; the folder deploy has a timer for that.",
        )


def _of_people(settings: Any) -> Iterator[Finding]:
    protected = SecondFactor.objects.filter(confirmed_at__isnull=False).values("user")
    admins = User.objects.filter(role=User.Role.ADMIN, is_active=True)
    if not admins.exists():
        yield Finding(
            "no-admin",
            "The platform has no admin.",
            "Whoever finds the set-up page with its code becomes one.",
            "Open the address that gistmark serve prints, or run gistmark users add.",
        )
    without = admins.exclude(pk__in=protected)
    count = without.count()
    if count and not settings.SECOND_FACTOR_REQUIRED:
        noun = "admin has" if count == 1 else "admins have"
        yield Finding(
            "second-factor",
            f"{count} {noun} no second factor.",
            "A password that leaks opens the whole platform.",
            "Set one up under Account, or set GISTMARK_SECOND_FACTOR=required for everybody.",
        )


def _listed(campaigns: Any) -> str:
    names = list(campaigns.order_by("name").values_list("name", flat=True)[: _NAMED + 1])
    shown = ", ".join(repr(name) for name in names[:_NAMED])
    return f"{shown} and others" if len(names) > _NAMED else shown
