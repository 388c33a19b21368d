"""`gistmark check --deploy`: all checks of an installation, in one list.

Some need no database: settings, folders, keys, the clock, the disk. The others are about what it
holds: its tables, its people, its secrets.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from gistmark.web.accounts.models import SecondFactor, User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.start import pending_migrations
from gistmark.web.config.storage.backups import last_backup
from gistmark.web.config.storage.encryption import unreadable_secrets
from gistmark.web.config.storage.folder import DATABASE_FILE, ENCRYPTION_FILE, SECRET_FILE

_LOCAL = {"localhost", "127.0.0.1", "[::1]"}
_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "fuse.s3fs", "glusterfs"}
_LEAST_FREE = 1024**3
_EARLIEST = 1_767_225_600
"""The first second of 2026: this version was written later, so no right clock shows less."""
_MOST_WORKERS = 4
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be where others use the platform.

    `name` stays the same from version to version, for programs that read it.
    """

    name: str
    what: str
    why: str
    how: str

    def __str__(self) -> str:
        return f"{self.what} {self.why} {self.how}"


def deployment_findings(*, workers: int, backup_days: int) -> list[Finding]:
    """Everything that is unsafe where others use the platform; nothing is changed."""
    folder = settings.DATA_FOLDER
    findings = [*installation_findings(settings, os.environ, folder, now=time.time())]
    findings += worker_findings(workers, settings.DATABASES["default"]["ENGINE"])
    try:
        pending = pending_migrations()
        findings += migration_findings(pending)
        if not pending:
            now = timezone.now()
            findings += stored_findings(settings, folder, now=now, backup_days=backup_days)
    except DatabaseError as error:
        why = str(error).strip().splitlines()[0]
        findings.append(
            Finding(
                "database",
                f"The database cannot be used: {why}.",
                "Without it nobody can do anything.",
                "Look whether it runs, and whether DATABASE_URL is right.",
            )
        )
    return findings


def installation_findings(
    settings: Any, environment: Mapping[str, str], folder: Path | None, *, now: float
) -> Iterator[Finding]:
    """What is unsafe, by the settings, the environment and the data folder."""
    yield from _of_settings(settings, environment)
    if folder is not None:
        yield from _of_files(folder)
        yield from _of_disk(folder, settings.DATABASES["default"]["ENGINE"])
    if now < _EARLIEST:
        yield Finding(
            "clock",
            "The clock of this machine is wrong by months or years.",
            "Leases, invitations and second factors go by it.",
            "Switch on a time service, such as systemd-timesyncd or chrony.",
        )


def _of_settings(settings: Any, environment: Mapping[str, str]) -> Iterator[Finding]:
    if settings.DEBUG:
        yield Finding(
            "debug",
            "Django's DEBUG is on.",
            "Every error shows visitors the source and the settings.",
            "Use gistmark.web.config.settings as they are.",
        )
    if not settings.SECURE_SSL_REDIRECT:
        yield Finding(
            "https",
            "HTTPS is off.",
            "Passwords and sessions travel so that others on the way can read them.",
            "Put a proxy with TLS in front and set GISTMARK_HTTPS=yes.",
        )
    hosts = set(settings.ALLOWED_HOSTS)
    if hosts <= _LOCAL:
        yield Finding(
            "hosts",
            "No public host name is set.",
            "The platform answers on this machine only, and links in invitations lead here.",
            "Set GISTMARK_HOSTS to the name that people type, such as rate.example.org.",
        )
    if "*" in hosts:
        yield Finding(
            "any-host",
            "GISTMARK_HOSTS allows every host name.",
            "A forged Host header ends up in the links that people are sent.",
            "Name the hosts one by one.",
        )
    if not environment.get("GISTMARK_DATA"):
        yield Finding(
            "data-folder",
            "GISTMARK_DATA is not set.",
            "The data folder is then gistmark-data in whatever folder the command was started in.",
            "Set it to a folder of its own, such as /var/lib/gistmark.",
        )
    if settings.MAIL is not None:
        yield from _of_mail(settings)


def _of_mail(settings: Any) -> Iterator[Finding]:
    if settings.MAIL.tls == "none" and settings.MAIL.host not in _LOCAL:
        yield Finding(
            "mail-encryption",
            f"Mails go to {settings.MAIL.host} unencrypted.",
            "Invitations and links for lost passwords can be read on the way.",
            "Set GISTMARK_SMTP_TLS to starttls or tls.",
        )
    if not settings.ADDRESS:
        yield Finding(
            "mail-address",
            "GISTMARK_ADDRESS is not set, but mails are sent.",
            "Links in digests lead to the first host name, with a guess at the rest.",
            "Set it to the address that people type, such as https://rate.example.org.",
        )


def _of_files(folder: Path) -> Iterator[Finding]:
    mode = _mode(folder)
    if mode is not None and mode & 0o077:
        yield Finding(
            "folder-permissions",
            f"Others on this machine may look into {folder}.",
            "It holds the keys, and with SQLite everything that people entered.",
            f"Run chmod 700 {folder}.",
        )
    for name in (SECRET_FILE, ENCRYPTION_FILE, DATABASE_FILE):
        mode = _mode(folder / name)
        if mode is not None and mode & 0o077:
            yield Finding(
                "file-permissions",
                f"Others on this machine may read {folder / name}.",
                "Whoever has it can act as anybody, or read everything.",
                f"Run chmod 600 {folder / name}.",
            )


def _of_disk(folder: Path, engine: str) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    if free < _LEAST_FREE:
        yield Finding(
            "disk",
            f"The disk of {folder} has {free // 1024**2} MB left.",
            "When it is full, nothing that annotators submit can be stored.",
            "Free some space, or move the data folder to a larger disk.",
        )
    if "sqlite" in engine and file_system(folder, _mounts()) in _NETWORK:
        yield Finding(
            "network-folder",
            f"The SQLite database lies in {folder}, which is a folder of the network.",
            "Locks do not hold there, and the database can be destroyed.",
            "Move the data folder to a local disk, or use PostgreSQL (DATABASE_URL).",
        )


def worker_findings(workers: int, engine: str) -> Iterator[Finding]:
    """Whether so many processes suit the database."""
    if "sqlite" in engine and workers > _MOST_WORKERS:
        yield Finding(
            "workers",
            f"{workers} processes share one SQLite database.",
            "Only one of them can write at a time, and the others wait.",
            f"Use at most {_MOST_WORKERS}, or PostgreSQL (DATABASE_URL).",
        )


def file_system(folder: Path, mounts: str) -> str:
    """The kind of file system that a folder lies in, by the lines of /proc/mounts."""
    best, kind = "", ""
    for line in mounts.splitlines():
        point, _, rest = line.partition(" ")[2].partition(" ")
        point = point.replace("\\040", " ")
        inside = folder == Path(point) or Path(point) in folder.parents
        if inside and len(point) >= len(best):
            best, kind = point, rest.split(" ")[0]
    return kind


def _mounts() -> str:
    try:
        return Path("/proc/mounts").read_text(encoding="utf-8")
    except OSError:
        return ""


def _mode(path: Path) -> int | None:
    if os.name == "nt":
        return None
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


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
