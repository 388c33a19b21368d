"""Backups of the database: a file that is whole or not there, and back again.

Each database writes its own format, which keeps everything exactly; after a restore the tables
are brought up to date, so a backup of an earlier version can be restored into a later one.

Backups night after night are dated files in a folder, of which the last ones are kept. The data
folder notes when the last one was made, so that `gistmark check --deploy` can say when there has
been none for long.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.utils import load_backend
from django.utils import timezone

from gistmark.errors import GistmarkError, UsageError
from gistmark.runtime.files import write_text
from gistmark.web.config.start import apply_migrations
from gistmark.web.config.storage import postgres, sqlite

_SCRATCH = "scratch"
_ORIGIN = {(app, "0001_initial") for app in ("accounts", "campaigns", "annotate")}
"""The migrations that every database of the platform has, whatever its version."""
_FORMATS: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgres}
_NOTE = "last-backup"
_NAME = "gistmark-{:%Y-%m-%dT%H%M%S}.backup"
_DATED = re.compile(r"gistmark-\d{4}-\d\d-\d\dT\d{6}\.backup")


def make_backup(file: Path, *, force: bool = False, secrets: bool = False) -> None:
    """Write the database to a file, which nobody else may read; people may go on working.

    Without `secrets`, what opens the account of somebody on a market stays out, encrypted as it is.
    """
    if file.exists() and not force:
        raise UsageError(f"{file} already exists; choose another name, or use --force.")
    if not _holds_something():
        raise UsageError("There is nothing to back up: nobody has an account here yet.")
    with _written_whole(file) as draft:
        _format().write(draft, () if secrets else _secret_tables())


def restore_backup(file: Path, *, force: bool = False) -> None:
    """Replace what the database holds by a backup, wholly or not at all.

    The backup is tried out in a scratch database first: brought up to date, and every table read.
    Where no scratch database can be made, a copy of what is there is put back if that fails.
    """
    kind = _kind(file)
    if kind != connection.vendor:
        raise UsageError(
            f"{file} is a backup of {kind}, but the platform runs on {connection.vendor}."
        )
    if not force and _holds_something():
        raise UsageError("The database is not empty; --force replaces it with the backup.")
    _refuse_later(file, _FORMATS[kind].migrations(file))
    with _FORMATS[kind].scratch(file) as settings:
        if settings is not None:
            _try_out(file, settings)
    if settings is not None:
        _FORMATS[kind].read(file)
        apply_migrations()
    else:
        _replace_or_put_back(file)


def _try_out(file: Path, settings: dict[str, Any]) -> None:
    """Bring a scratch copy up to date and read from every table, or say that it is not ours."""
    scratch = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, _SCRATCH)
    connections[_SCRATCH] = scratch
    try:
        call_command("migrate", database=_SCRATCH, interactive=False, verbosity=0)
        _read_all(_SCRATCH)
    except Exception as error:
        raise _foreign(file, error) from error
    finally:
        scratch.close()
        del connections[_SCRATCH]


def _replace_or_put_back(file: Path) -> None:
    form = _format()
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        form.write(before, ())
        try:
            form.read(file)
            call_command("migrate", interactive=False, verbosity=0)
            _read_all("default")
        except Exception as error:
            form.read(before)
            raise _foreign(file, error) from error


def _read_all(alias: str) -> None:
    """Read a row of every table with all its columns; what lacks one is not the platform's."""
    for model in apps.get_models():
        list(model._default_manager.using(alias).order_by()[:1])


def _foreign(file: Path, error: Exception) -> GistmarkError:
    why = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return GistmarkError(
        f"{file} is not a database of this platform, or it is damaged; nothing was changed. ({why})"
    )


def _format() -> ModuleType:
    return _FORMATS[connection.vendor]


def _kind(file: Path) -> str:
    """Which database wrote a file, by its first bytes."""
    with file.open("rb") as opened:
        start = opened.read(16)
    for name, form in _FORMATS.items():
        if start.startswith(form.MAGIC):
            return name
    raise UsageError(f"{file} is not a backup that `gistmark backup` wrote.")


def _secret_tables() -> list[str]:
    """The tables of models that say of themselves that backups leave them out."""
    stored = set(connection.introspection.table_names())
    left_out = {m._meta.db_table for m in apps.get_models() if not getattr(m, "in_backups", True)}
    return sorted(left_out & stored)


def _holds_something() -> bool:
    """Whether anybody has an account or a campaign."""
    tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in sorted(tables & {"accounts_user", "campaigns_campaign"}):
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return True
    return False


def _refuse_later(file: Path, migrations: Iterable[tuple[str, str]]) -> None:
    """A backup of a later version has tables that this one does not know."""
    applied = set(migrations)
    if not applied >= _ORIGIN:
        raise UsageError(f"{file} holds no data of the platform.")
    loader = MigrationLoader(None)
    unknown = sorted(f"{app}.{name}" for app, name in applied - set(loader.disk_migrations))
    if unknown:
        raise GistmarkError(
            f"{file} was written by a later version of Gistmark ({unknown[0]} is not known "
            "here); install that version first."
        )


@contextmanager
def _written_whole(file: Path) -> Iterator[Path]:
    """A temporary file beside the target, which it replaces once all went well."""
    draft = file.with_name(f".{file.name}.{token_hex(6)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield draft
        with draft.open("rb") as opened:
            os.fsync(opened.fileno())
        draft.replace(file)
    except DatabaseError as error:
        raise GistmarkError(f"The backup failed: {str(error).strip()}") from error
    except OSError as error:
        raise GistmarkError(f"{file} cannot be written: {error.strerror or error}.") from error
    finally:
        draft.unlink(missing_ok=True)


def make_dated_backup(folder: Path, *, keep: int, secrets: bool = False) -> Path:
    """Write a backup named after the time into a folder, and keep so many there; its path.

    Earlier ones are deleted only after the new one is whole. Other files are left alone.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise GistmarkError(f"{folder} cannot be made: {error.strerror or error}.") from error
    made = folder / _NAME.format(timezone.now())
    make_backup(made, force=True, secrets=secrets)
    dated = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name))
    for path in dated[:-keep]:
        path.unlink(missing_ok=True)
    return made


def note_backup(folder: Path) -> None:
    """Note in the data folder that a backup was made just now."""
    write_text(folder / _NOTE, f"{timezone.now().isoformat(timespec='seconds')}\n")


def last_backup(folder: Path) -> datetime | None:
    """When the last backup was made; None where that is not known."""
    try:
        made = datetime.fromisoformat((folder / _NOTE).read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return None
    return made if made.tzinfo is not None else made.replace(tzinfo=UTC)
