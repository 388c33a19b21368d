"""Backups night after night: dated files in a folder, of which the last ones are kept.

The data folder notes when the last backup was made, so that `gistmark check --deploy` can say when
there has been none for long.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from django.utils import timezone

from gistmark.errors import GistmarkError
from gistmark.runtime.files import write_text
from gistmark.web.config.storage.backups.backup import make_backup

_NOTE = "last-backup"
_NAME = "gistmark-{:%Y-%m-%dT%H%M%S}.backup"
_DATED = re.compile(r"gistmark-\d{4}-\d\d-\d\dT\d{6}\.backup")


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
