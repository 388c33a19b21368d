"""How far a run has come: by a bar on a terminal, elsewhere by a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import TaskID

    from gistmark.scoring.run import Progress, Steps

_PATIENCE = 1.0
"""Seconds before a bar appears."""
_INTERVAL = 30.0
"""Seconds between two lines of progress where there is no terminal."""


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[Progress | None]:
    """Tell how many summaries are done: by a bar on a terminal, elsewhere by a line now and then.

    The bar appears once the work has taken a second, the first line after half a minute.
    """
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield _lines(title)
        return
    with _bar() as show:
        yield lambda done, total: show(title, done, total)


@contextmanager
def steps_bar(title: str, *, quiet: bool = False) -> Iterator[Steps | None]:
    """The same for work in steps that have names: which step it is, and of how many."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        interval = _Interval()

        def tell(step: str, done: int, total: int) -> None:
            if interval.is_over():
                click.echo(f"{title}: {step} (step {done + 1} of {total})", err=True)

        yield tell
        return
    with _bar() as show:
        yield lambda step, done, total: show(f"{title}: {step}", done, total)


@contextmanager
def _bar() -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar with a text, a count and the time that is left."""
    from rich import progress
    from rich.console import Console

    started = time.monotonic()
    columns = (
        progress.SpinnerColumn(), progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn(),
    )  # fmt: skip
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task: TaskID | None = None

        def show(text: str, done: int, total: int | None) -> None:
            nonlocal task
            if task is None and time.monotonic() - started > _PATIENCE:
                task = bar.add_task(text, total=total)
            if task is not None:
                bar.update(task, description=text, completed=done, total=total)

        yield show


def _lines(title: str) -> Progress:
    """Lines such as `Scoring: 1,200 of 5,000 summaries, about 3 min left`."""
    interval = _Interval()

    def tell(done: int, total: int | None) -> None:
        if done == total or not interval.is_over():
            return
        if total is None:
            click.echo(f"{title}: {done:,} summaries", err=True)
            return
        left = in_words(interval.elapsed / done * (total - done))
        click.echo(f"{title}: {done:,} of {total:,} summaries, about {left} left", err=True)

    return tell


class _Interval:
    """Whether it is time for another line."""

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._started

    def is_over(self) -> bool:
        """Whether the last line is long enough ago; if so, the next interval starts."""
        now = time.monotonic()
        if now - self._last < _INTERVAL:
            return False
        self._last = now
        return True


def in_words(seconds: float) -> str:
    """A time to wait, as roughly as it is known: `40 s`, `3 min`, `2 h 10 min`."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
