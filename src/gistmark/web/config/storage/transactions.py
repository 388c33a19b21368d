"""Working beside others: transactions that are tried again, and locks that all processes share.

Rows are locked in one order, to avoid deadlocks: a membership, then the campaign, then batches by
their number. Should the database break a transaction off all the same, it is run once more; nothing
of it was stored.

A shared lock is for work that one process should do at a time. With PostgreSQL it is an advisory
lock, with SQLite the lock of a file beside the database. Either ends with the process that holds
it, so none is left behind.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 4
_PAUSE = 0.05
"""At most so many seconds pass before the second try, twice as many before the third; at least
half as many, so that whoever waited for the rows is awake and has them."""
_BROKEN_OFF = {"40001", "40P01"}
"""What PostgreSQL calls a transaction that others made impossible, and one in a deadlock."""


def retried(service: Callable[P, T]) -> Callable[P, T]:
    """Run a service in a transaction, and again where the database broke that off.

    Inside another transaction it runs once: only the outermost can begin anew. Arguments are used
    again, so none may be an iterator.
    """

    @wraps(service)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        last = 0 if connection.in_atomic_block else _TRIES - 1
        for attempt in range(last):
            try:
                with transaction.atomic():
                    return service(*args, **kwargs)
            except OperationalError as error:
                if not was_broken_off(error):
                    raise
                time.sleep(random.uniform(0.5, 1) * _PAUSE * 2**attempt)  # noqa: S311
        with transaction.atomic():
            return service(*args, **kwargs)

    return run


def was_broken_off(error: BaseException) -> bool:
    """Whether the database ended a transaction that may well succeed when it is tried again."""
    return getattr(error.__cause__, "sqlstate", None) in _BROKEN_OFF


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the database did not answer, or could not do what it would do at another time."""
    return isinstance(error, (OperationalError, InterfaceError))


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
