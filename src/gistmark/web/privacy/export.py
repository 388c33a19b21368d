"""Everything that is stored about a person, as a ZIP archive of JSON files that people can read.

What would give away the checks of a campaign that still goes on, and what is about others, is left
out; the archive says so, with the reasons.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet
from django.utils import timezone

from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import AuditEntry, User
from gistmark.web.campaigns.models import Campaign, Event
from gistmark.web.privacy import traces
from gistmark.web.privacy.catalogue import PERSONAL, Personal
from gistmark.web.privacy.erasure import rows_of
from gistmark.web.privacy.traces import Words

Rows = list[dict[str, Any]]
_YOU, _OTHER = "you", "somebody else"
_TOLD = ("role", "before", "scope", "days", "count", "uses", "campaign")
"""What an entry of the audit trail is about, without names of others."""


def export_person(user: User, *, by: User | None) -> bytes:
    """The archive of what is stored about somebody; the audit trail notes that it was made."""
    note("data-exported", by=by, name=user.username)
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        files = {name: rows for name, rows in files_of(user) if rows}
        archive.writestr("README.txt", _read_me(user, list(files)))
        for name, rows in files.items():
            text = json.dumps(rows, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
            archive.writestr(f"{name}.json", text + "\n")
    return target.getvalue()


def file_name(user: User) -> str:
    """A name for the archive that fits any file system."""
    return f"gistmark-data-{user.pk}.zip"


def files_of(user: User) -> Iterator[tuple[str, Rows]]:
    """What is stored about somebody, file by file."""
    for personal in PERSONAL:
        yield personal.file, _rows(personal, user)
    yield "audit", [_entry(each, user) for each in _entries(user)]
    yield "events-about-you", _events_about(user)
    yield "log-in-attempts", _dicts(traces.attempts_of(Words(traces.words_of(user), "")), ("at",))


def _rows(personal: Personal, user: User) -> Rows:
    """The rows of a kind; of campaigns that are not closed without what comes later."""
    rows = rows_of(personal, user).order_by("pk")
    if not personal.later:
        return _dicts(rows, personal.shown)
    closed = {f"{personal.campaign}__state": Campaign.State.CLOSED}
    before = _dicts(rows.exclude(**closed), personal.shown) if personal.shown else []
    return before + _dicts(rows.filter(**closed), (*personal.shown, *personal.later))


def _dicts(rows: QuerySet[Any], fields: tuple[str, ...]) -> Rows:
    """The rows, their columns named as people read them: campaign, not campaign__name."""
    if not fields:
        return []
    names = [each.removesuffix("__name").replace("__", "_") for each in fields]
    return [dict(zip(names, row, strict=True)) for row in rows.values_list(*fields)]


def _entries(user: User) -> QuerySet[AuditEntry]:
    names = [user.username, *traces.earlier_names(user)]
    return AuditEntry.objects.filter(Q(name__in=names) | Q(by__in=names)).order_by("pk")


def _entry(entry: AuditEntry, user: User) -> dict[str, Any]:
    names = {user.username, *traces.earlier_names(user)}
    return {
        "at": entry.at,
        "what": entry.verb,
        "by": "" if not entry.by else _YOU if entry.by in names else _OTHER,
        "account": "" if not entry.name else _YOU if entry.name in names else _OTHER,
        "about": {key: value for key, value in entry.about.items() if key in _TOLD},
    }


def _events_about(user: User) -> Rows:
    """What others did in campaigns that names the person."""
    named = Q(about__user=user.username) | Q(about__annotator=user.username)
    events = Event.objects.filter(named).exclude(user=user).order_by("pk")
    return _dicts(events, ("campaign__name", "at", "verb"))


def _read_me(user: User, files: list[str]) -> str:
    lines = [
        f"What Gistmark stores about {user.username}, as of {timezone.now():%Y-%m-%d %H:%M} UTC.",
        "",
        "Each file is a list of what it is named after:",
        *(f"  {name}.json" for name in files),
        "",
        "What the checks of a campaign said about your work is included once it is closed.",
        "Left out:",
        *(f"  {line}" for line in dict.fromkeys(_withheld())),
    ]
    return "\n".join(lines) + "\n"


def _withheld() -> Iterator[str]:
    for personal in PERSONAL:
        for name, reason in personal.withheld.items():
            yield f"{personal.file}: {name.replace('_', ' ')} ({reason})"
        if personal.rest:
            yield f"{personal.file}: everything else ({personal.rest})"
    yield "the corpora, checks, practice and settings of campaigns (not about you)"
