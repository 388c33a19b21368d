"""Transactions that are tried again where the database broke them off because of others.

Locks are taken in one order, so that nobody waits for each other in a circle: a membership, then
the campaign, then batches by their number. Should the database break a transaction off all the
same, it is run once more; nothing of it was stored.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 4
_PAUSE = 0.05
"""At most so many seconds pass before the second try, twice as many before the third."""
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
                time.sleep(random.uniform(0, _PAUSE * 2**attempt))  # noqa: S311
        with transaction.atomic():
            return service(*args, **kwargs)

    return run


def was_broken_off(error: BaseException) -> bool:
    """Whether the database ended a transaction that may well succeed when it is tried again."""
    return getattr(error.__cause__, "sqlstate", None) in _BROKEN_OFF


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the database did not answer, or could not do what it would do at another time."""
    return isinstance(error, (OperationalError, InterfaceError))
