"""Locks that all processes of the platform share, for work that one of them should do at a time.

With PostgreSQL they are advisory locks, with SQLite locks of files beside the database. Either
ends with the process that holds it, so none is left behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path


@contextmanager
def shared_lock(name: str, *, wait: bool = True) -> Iterator[bool]:
    """Whether the lock of this name is ours, until the block ends; without `wait`, it may not be.

    A database in memory is this process's own and needs none.
    """
    from django.db import connection

    if connection.vendor == "postgresql":
        with _advisory_lock(name, wait=wait) as ours:
            yield ours
        return
    database = str(connection.settings_dict["NAME"])
    if os.name == "nt" or ":" in database[:5] or not Path(database).parent.is_dir():
        yield True
        return
    with _file_lock(Path(f"{database}.{name}.lock"), wait=wait) as ours:
        yield ours


@contextmanager
def _advisory_lock(name: str, *, wait: bool) -> Iterator[bool]:
    from django.db import connection

    number = int.from_bytes(sha256(f"gistmark:{name}".encode()).digest()[:8], signed=True)
    function = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [number])
        ours = wait or bool(cursor.fetchone()[0])
    try:
        yield ours
    finally:
        if ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [number])


@contextmanager
def _file_lock(path: Path, *, wait: bool) -> Iterator[bool]:
    from fcntl import LOCK_EX, LOCK_NB, flock

    with path.open("wb") as file:
        try:
            flock(file, LOCK_EX if wait else LOCK_EX | LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
