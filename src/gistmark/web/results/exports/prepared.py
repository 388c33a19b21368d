"""Exports that are written beside the requests, by one process at a time, and then fetched.

Whoever asks for an export waits a moment for it; one that takes longer is fetched later, by its
number. It is written again only where something has changed since, and is deleted after a day. A
process that ends while it writes leaves the export waiting, and whoever looks next goes on with it.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.models import JSONField, Model, QuerySet
from django.http import FileResponse
from django.utils import timezone

from gistmark._version import __version__
from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Adjudication, Comment, Decision, Submission, Task
from gistmark.web.annotate.outcomes import counting
from gistmark.web.campaigns.models import Campaign, Consent, Membership, Unit
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError, NotFoundError
from gistmark.web.config.server.threads import run_beside
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.results.exports.files import export_to, suggested_name
from gistmark.web.results.exports.formats import demand_served, export_format
from gistmark.web.results.exports.material import Choices
from gistmark.web.results.models import Export

KEPT = timedelta(days=1)
"""So long an export can be fetched."""
_PENDING = (Export.State.WAITING, Export.State.RUNNING)
_PAUSE = 0.2
_ORPHANED = 3600
"""A file that belongs to no export is deleted after so many seconds; a younger one may be new."""
_UNTOLD = frozenset({"claimed_at", "opened_at", "lease_ends_at"})
"""Columns of tasks that no export has, and that change whenever somebody works."""
_MISTAKE = "Something went wrong on the server; the error is in its log."
_LOG = logging.getLogger(__name__)


def request_export(campaign: Campaign, format: str, choices: Choices, *, wait: float) -> Export:
    """The export, ready or failed; or on its way, where it takes longer than so many seconds."""
    demand_served(export_format(format), protocol_of(campaign))
    export, is_new = Export.objects.get_or_create(
        campaign=campaign,
        format=format,
        choices=",".join(name for name, chosen in asdict(choices).items() if chosen),
        defaults={"requested_at": timezone.now()},
    )
    if not is_new:
        ended = Export.objects.filter(pk=export.pk).exclude(state__in=_PENDING)
        ended.update(state=Export.State.WAITING, done=0, requested_at=timezone.now())
    return look_at(export, wait=wait)


def look_at(export: Export, *, wait: float = 0.0) -> Export:
    """The export as it is after so many seconds at the most; a lost one is begun again."""
    pk, ends = export.campaign_id, time.monotonic() + wait
    _refresh(export)
    if export.state in _PENDING:
        run_beside(_lock_name(pk), lambda: _write_pending(pk), wait=wait)
        _refresh(export)
    while export.state in _PENDING and time.monotonic() < ends:
        time.sleep(_PAUSE)
        _refresh(export)
    return export


def _refresh(export: Export) -> None:
    export.refresh_from_db(from_queryset=Export.objects.select_related("campaign"))


def export_of(campaign: Campaign, number: int) -> Export:
    """The campaign's export of this number."""
    export = Export.objects.filter(campaign=campaign, pk=number).first()
    if export is None:
        raise NotFoundError(f"There is no export {number}; exports are kept for a day.")
    return export


def choices_of(export: Export) -> Choices:
    """What an export has beside accepted work under pseudonyms."""
    return Choices(**{name: True for name in export.choices.split(",") if name})


def download(export: Export, by: User) -> FileResponse:
    """A response that streams the file from the disk."""
    if export.state == Export.State.FAILED:
        raise ConflictError(export.problem)
    if export.state != Export.State.READY:
        raise ConflictError("The export is still being written; try again in a moment.")
    try:
        stream = _path(export.file).open("rb")
    except OSError:
        raise ConflictError("The file of this export is gone; ask for it again.") from None
    record(export.campaign, by, "exported", format=export.format, **asdict(choices_of(export)))
    return FileResponse(
        stream,
        as_attachment=True,
        filename=export.name,
        content_type="application/octet-stream",
    )


def forget_exports(before: datetime | None = None) -> int:
    """Delete exports that were asked for before a time, or all, with their files; how many."""
    exports = Export.objects.exclude(state=Export.State.RUNNING)
    if before is not None:
        exports = exports.filter(requested_at__lt=before)
    count, _ = exports.delete()
    known = set(Export.objects.values_list("file", flat=True))
    for path in settings.EXPORTS_FOLDER.glob("*"):
        with suppress(OSError):
            old = before is None or time.time() - path.stat().st_mtime > _ORPHANED
            if path.name not in known and old:
                path.unlink()
    return count


def _write_pending(pk: int) -> None:
    """Write what waits of a campaign, unless another process is at it."""
    with shared_lock(_lock_name(pk), wait=False) as ours:
        if not ours:
            return
        forget_exports(timezone.now() - KEPT)
        waiting = Export.objects.filter(campaign=pk, state__in=_PENDING)
        while export := waiting.select_related("campaign").order_by("requested_at").first():
            _write(export)


def _write(export: Export) -> None:
    """Write one export, or find that the file which is there says the same.

    Who takes part through a crowd market is no part of the fingerprint, and written anew each time.
    """
    found = _fingerprint(export.campaign)
    is_same = export.fingerprint == found and not choices_of(export).participants
    if not is_same or not _path(export.file).is_file():
        _note(export, state=Export.State.RUNNING, total=_count(export), done=0)
        try:
            _replace_file(export, found)
        except GistmarkError as error:
            _note(export, state=Export.State.FAILED, problem=str(error))
            return
        except Exception:
            _LOG.exception("The export %s could not be written.", export.pk)
            _note(export, state=Export.State.FAILED, problem=_MISTAKE)
            return
    _note(export, state=Export.State.READY, problem="", finished_at=timezone.now())


def _replace_file(export: Export, fingerprint: str) -> None:
    folder, choices = settings.EXPORTS_FOLDER, choices_of(export)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    before, name = export.file, secrets.token_hex(16)
    draft = folder / f"{name}.part"

    def progress(done: int) -> None:
        # While rows are read, SQLite may refuse to write; the next report comes soon.
        with suppress(OperationalError):
            _note(export, done=done)

    try:
        export_to(export.campaign, export.format, draft, choices, progress)
        draft.chmod(0o600)
        draft.replace(folder / name)
    finally:
        draft.unlink(missing_ok=True)
    _note(
        export,
        fingerprint=fingerprint,
        file=name,
        name=suggested_name(export.campaign, export.format, choices),
        size=_path(name).stat().st_size,
        done=export.total,
    )
    if before:
        _path(before).unlink(missing_ok=True)


def _note(export: Export, **values: Any) -> None:
    for name, value in values.items():
        setattr(export, name, value)
    Export.objects.filter(pk=export.pk).update(**values)


def _path(file: str) -> Path:
    folder: Path = settings.EXPORTS_FOLDER
    return folder / (file or "none")


def _count(export: Export) -> int:
    chosen = choices_of(export)
    count = counting(export.campaign, undecided=chosen.undecided).count()
    if chosen.machines:
        count += counting(export.campaign, undecided=chosen.undecided, machines=True).count()
    return count


def _lock_name(pk: int) -> str:
    return f"export-{pk}"


def _fingerprint(campaign: Campaign) -> str:
    """What exports depend on: the campaign, its people, their work, and decisions about it."""
    about = Campaign.objects.filter(pk=campaign.pk)
    people = Membership.objects.filter(campaign=campaign).order_by("pk")
    digest = sha256(f"{__version__}:{list(about.values())}".encode())
    columns = ("pk", "user", "user__username", "machine__model", "machine__signature")
    digest.update(repr(list(people.values_list(*columns))).encode())
    for rows in (
        Task.objects.filter(campaign=campaign),
        Submission.objects.filter(task__campaign=campaign),
        Decision.objects.filter(submission__task__campaign=campaign),
        Comment.objects.filter(task__campaign=campaign),
        Adjudication.objects.filter(item__batch__campaign=campaign),
        Consent.objects.filter(membership__campaign=campaign),
        Unit.objects.filter(document__campaign=campaign),
        campaign.questions.all(),
        campaign.planted.all(),
    ):
        for row in _plain_rows(rows):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def _plain_rows(rows: QuerySet[Any]) -> Iterable[tuple[Any, ...]]:
    """Rows without the large columns, which never change once they are there."""
    model: type[Model] = rows.model
    names = [
        field.attname
        for field in model._meta.concrete_fields
        if not isinstance(field, JSONField) and field.attname not in _UNTOLD
    ]
    return rows.order_by("pk").values_list(*names).iterator()
