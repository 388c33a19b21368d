"""What the commands print: leaderboards, signatures, notes, warnings, and progress."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gistmark.errors import Problem

if TYPE_CHECKING:
    from rich.progress import TaskID

    from gistmark.scoring import Leaderboard, Scores
    from gistmark.scoring.run import Progress, Steps

_PATIENCE = 1.0
_INTERVAL = 30.0
"""Seconds between two lines of progress where there is no terminal."""
_COLUMNS = 6
_NOTES = 20


def print_leaderboard(board: Leaderboard) -> None:
    """A table with a row per system, broken into several when there are many metrics."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 200)
    head, *body = board.rows()
    for start in range(1, len(head), _COLUMNS):
        table = Table(box=None, header_style="bold", pad_edge=False)
        table.add_column(head[0], no_wrap=True)
        for name in head[start : start + _COLUMNS]:
            table.add_column(Text(name), justify="right", overflow="fold")
        for row in body:
            table.add_row(*map(Text, (row[0], *row[start : start + _COLUMNS])))
        console.print(table)
        console.print()


def print_signatures(signatures: Mapping[str, str], *, err: bool = False) -> None:
    """A line for each metric: its name as asked, and all that its values depend on."""
    for name, signature in signatures.items():
        click.echo(f"{name}: {signature}", err=err)


def without_values(scores: Scores) -> dict[str, str]:
    """The metrics that have no value for any summary, and why; not told if that is all of them."""
    empty = {
        name: column.why
        for name, column in scores.columns.items()
        if len(column.reasons) == scores.summary_count
    }
    return empty if len(empty) < len(scores.columns) else {}


def with_values(scores: Scores) -> Scores:
    """The same scores without the metrics that have no value for any summary."""
    empty = without_values(scores)
    kept = {name: column for name, column in scores.columns.items() if name not in empty}
    return replace(scores, columns=kept)


def announce_notes(notes: Sequence[Problem]) -> None:
    """Harmless oddities of the data, on standard error."""
    for note in notes[:_NOTES]:
        click.echo(f"note: {note}", err=True)
    if len(notes) > _NOTES:
        click.echo(f"note: ... and {len(notes) - _NOTES} more", err=True)


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print warnings as plain lines instead of Python's way; those for developers are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for kind in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)
        warnings.showwarning = lambda message, *_, **__: click.echo(f"warning: {message}", err=True)
        yield


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
        told = _Interval()

        def tell(step: str, done: int, total: int) -> None:
            if told.is_over():
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
