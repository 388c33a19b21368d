"""Cancelling: who stops, when, and what a second Ctrl-C does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from gistmark.runtime.cancellation import (
    Cancellation,
    Cancelled,
    cancelled_by_interrupt,
    check,
)


@pytest.fixture
def heeded() -> Iterator[None]:
    """Interrupts as Python has them; whoever started the tests may have had them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_only_who_follows_a_cancelled_run_is_stopped():
    cancellation = Cancellation()
    cancellation.cancel()
    check()
    with cancellation.followed(), pytest.raises(Cancelled):
        check()
    check()


def test_being_cancelled_is_no_failure_that_a_metric_could_catch():
    assert not issubclass(Cancelled, Exception)


def test_other_threads_do_not_follow():
    cancellation = Cancellation()
    cancellation.cancel()
    stopped: list[bool] = []

    def work() -> None:
        check()
        stopped.append(False)

    with cancellation.followed():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert stopped == [False]


@pytest.mark.usefixtures("heeded")
def test_the_first_interrupt_cancels_and_the_second_raises():
    with cancelled_by_interrupt() as cancellation:
        signal.raise_signal(signal.SIGINT)
        assert cancellation.cancelled
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("heeded")
def test_a_program_that_handles_interrupts_itself_keeps_its_way():
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    with cancelled_by_interrupt() as cancellation:
        signal.raise_signal(signal.SIGINT)
    assert heard == [signal.SIGINT]
    assert not cancellation.cancelled


@pytest.mark.usefixtures("heeded")
def test_in_another_thread_nothing_is_installed():
    kept: list[object] = []

    def work() -> None:
        with cancelled_by_interrupt():
            kept.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert kept == [signal.default_int_handler]
