"""What the commands print: leaderboards, notes, warnings, and progress on a terminal."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gistmark.errors import Problem

if TYPE_CHECKING:
    from rich.progress import TaskID

    from gistmark.scoring import Leaderboard, Scores
    from gistmark.scoring.run import Progress

_PATIENCE = 1.0
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


def without_values(scores: Scores) -> dict[str, str]:
    """The metrics that have no value for any summary, and why; not told if that is all of them."""
    empty = {
        name: "; ".join(sorted(set(column.reasons.values())))
        for name, column in scores.columns.items()
        if len(column.reasons) == len(scores)
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
    """A bar that appears on a terminal once the work has taken a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    started = time.monotonic()
    with Bar(console=Console(stderr=True), transient=True) as bar:
        task: TaskID | None = None

        def advance(done: int, total: int | None) -> None:
            nonlocal task
            if task is None and time.monotonic() - started > _PATIENCE:
                task = bar.add_task(title, total=total)
            if task is not None:
                bar.update(task, completed=done, total=total)

        yield advance
