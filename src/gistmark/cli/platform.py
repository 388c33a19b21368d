"""What the commands of the platform share: the data folder, and starting Django in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

Command = Callable[..., None]


def on_platform(command: Command) -> Command:
    """Give a command the option `--data`, and start the platform before it runs.

    The innermost decorator; models may be imported in the command, not above it.
    """

    @wraps(command)
    def started(*args: Any, data: Path | None, **options: Any) -> None:
        start_platform(data)
        command(*args, **options)

    return data_option(started)


def data_option(command: Command) -> Command:
    """The option `--data` alone."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="The data folder; by default what GISTMARK_DATA says, or gistmark-data.",
    )(command)


def start_platform(data: Path | None) -> None:
    """Load Django and bring the database up to date."""
    from gistmark.web.config.start import start

    start(data)
