"""Cancelling work in other threads: Ctrl-C reaches the main thread alone.

A run makes a `Cancellation` and its workers follow it. Long loops call `check` between their
steps, such as before each forward pass of a model; where no cancellation is followed it does
nothing.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType


class Cancelled(BaseException):
    """Raised by `check` once the run is cancelled.

    It is not an `Exception`, because a metric that was stopped has not failed.
    """


class Cancellation:
    """Whether a run is to stop, and since when."""

    def __init__(self) -> None:
        self._at: float | None = None

    def cancel(self) -> None:
        """Stop the run; a second call changes nothing."""
        if self._at is None:
            self._at = time.monotonic()

    @property
    def cancelled(self) -> bool:
        return self._at is not None

    @property
    def age(self) -> float:
        """Seconds since the run was cancelled, 0 if it was not."""
        return 0.0 if self._at is None else time.monotonic() - self._at

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Within it, `check` in this thread raises `Cancelled` once the run is cancelled."""
        token = _followed.set(self)
        try:
            yield
        finally:
            _followed.reset(token)


_followed: ContextVar[Cancellation | None] = ContextVar("followed", default=None)


def check() -> None:
    """Stop here if the run that this thread works for is cancelled."""
    cancellation = _followed.get()
    if cancellation is not None and cancellation.cancelled:
        raise Cancelled


@contextmanager
def cancelled_by_interrupt() -> Iterator[Cancellation]:
    """Within it, the first Ctrl-C cancels, and a second one raises `KeyboardInterrupt`.

    Signals reach the main thread alone, and a program that handles them in its own way keeps it:
    there, nothing but the program cancels.
    """
    cancellation = Cancellation()

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        if cancellation.cancelled:
            raise KeyboardInterrupt
        cancellation.cancel()

    usual = signal.default_int_handler
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not usual:
        yield cancellation
        return
    signal.signal(signal.SIGINT, interrupted)
    try:
        yield cancellation
    finally:
        signal.signal(signal.SIGINT, usual)
