"""Backups of SQLite, with its own backup interface: consistent while others write."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from gistmark.errors import GistmarkError

MAGIC = b"SQLite format 3\0"


def write(file: Path, empty: Iterable[str]) -> None:
    """Copy the database into a file, without the rows of some tables."""
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(file)) as target:
            connection.connection.backup(target)
            for table in empty:
                target.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608
            target.commit()
            target.execute("VACUUM")  # rows that were deleted leave nothing behind
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise GistmarkError(f"The backup failed: {error}.") from error


def read(file: Path) -> None:
    """Copy a file into the database, in one transaction of SQLite."""
    with closing(_open(file)) as source:
        try:
            connection.ensure_connection()
            source.backup(connection.connection)
        except sqlite3.Error as error:
            raise GistmarkError(f"{file} cannot be restored: {error}.") from error
    connection.close()


@contextmanager
def scratch(file: Path) -> Iterator[dict[str, Any]]:
    """The settings of a copy of the file, in which the backup can be tried out."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "scratch.sqlite3"
        try:
            shutil.copyfile(file, copy)
            with closing(_open(copy)) as source:
                damage = source.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except (OSError, sqlite3.Error) as error:
            raise GistmarkError(f"{file} cannot be restored: {error}.") from error
        if damage != "ok":
            raise GistmarkError(f"{file} is damaged: {damage}.")
        yield connection.settings_dict | {"NAME": str(copy)}


def migrations(file: Path) -> Iterator[tuple[str, str]]:
    """Which migrations had been applied to the database that a file holds."""
    with closing(_open(file)) as source:
        try:
            applied = source.execute("SELECT app, name FROM django_migrations").fetchall()
        except sqlite3.Error:
            return
    yield from applied


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
