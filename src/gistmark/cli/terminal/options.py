"""The options that several commands share.

- `--columns`, `--system-name`, `--on-duplicate`: how a command reads its CORPUS;
- `--device` and `--lang`: where its models run, and the language of its texts;
- `--json` and `--force`: how it prints, and whether it may write over something.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.corpus.formats import ReadOptions
    from gistmark.corpus.schemas.checks import OnDuplicate

Command = TypeVar("Command", bound=Callable[..., object])
Result = TypeVar("Result")

PATH = click.Path(path_type=Path)

_COLUMNS = click.option(
    "--columns",
    multiple=True,
    metavar="ROLE=NAME,...",
    help="Which column of a CSV, TSV, JSONL or Parquet file is the document, system, summary, "
    "text, reference or title; for example document=key,text=src,summary=output,system=model.",
)
_SYSTEM_NAME = click.option(
    "--system-name",
    metavar="NAME",
    help="The system of all summaries in such a file where no column names it.",
)
_ON_DUPLICATE = click.option(
    "--on-duplicate",
    type=click.Choice(["refuse", "first", "last", "mean"]),
    default="refuse",
    show_default=True,
    help="Which rating counts where an annotator rated the same dimension of a summary twice.",
)


def corpus_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Add the options to a command, which gets those that were given as one, `reading`."""

    @wraps(command)
    def with_reading(
        *args: object,
        columns: Sequence[str],
        system_name: str | None,
        on_duplicate: OnDuplicate,
        **others: object,
    ) -> Result:
        reading: ReadOptions = {}
        if columns:
            reading["columns"] = parse_columns(columns)
        if system_name is not None:
            reading["system_name"] = system_name
        if on_duplicate != "refuse":
            reading["on_duplicate"] = on_duplicate
        return command(*args, reading=reading, **others)

    return _COLUMNS(_SYSTEM_NAME(_ON_DUPLICATE(with_reading)))


def parse_columns(texts: Sequence[str]) -> dict[str, str | list[str]]:
    """`document=src,summary=output`; a role that is named again has several columns."""
    columns: dict[str, str | list[str]] = {}
    for part in (part for text in texts for part in text.split(",")):
        role, equals, name = part.partition("=")
        if not role.strip() or not equals or not name:
            raise UsageError(f"--columns: write ROLE=NAME,ROLE=NAME,..., not {part!r}.")
        role, earlier = role.strip(), columns.get(role.strip())
        several = [earlier] if isinstance(earlier, str) else earlier
        columns[role] = name if several is None else [*several, name]
    return columns


def json_option(help: str = "Print as JSON.") -> Callable[[Command], Command]:
    """`--json`, which the command gets as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help)


def force_option(help: str = "Write over TARGET if it is there.") -> Callable[[Command], Command]:
    """`--force`; `refuse_existing` says what happens without it where TARGET is there."""
    return click.option("--force", is_flag=True, help=help)


def refuse_existing(target: Path, *, force: bool) -> None:
    """Raise a `UsageError` where something would be written over without `--force`."""
    taken = any(target.iterdir()) if target.is_dir() else target.exists()
    if taken and not force:
        raise UsageError(f"{target} is there already; --force writes over it.")


def choose_device(name: str, *, needed: bool) -> None:
    """Let models work on a device; if one is needed, it must be on this machine."""
    from gistmark.models.runtime import device

    os.environ["GISTMARK_DEVICE"] = name
    if needed:
        device()


def _check_device(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    if name is None or re.fullmatch(r"cpu|cuda(:\d+)?|mps", name):
        return name
    raise click.BadParameter(f"{name!r} is not one of cpu, cuda, cuda:N, mps.", context, option)


def _check_language(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> str | None:
    """The code of the language; an unknown one is an error before any work is done."""
    from gistmark.text.languages import language

    return None if value is None else language(value).code


device_option = click.option(
    "--device",
    metavar="DEVICE",
    callback=_check_device,
    help="Where models run: cpu, cuda, cuda:N or mps; by default the best available.",
)
language_option = click.option(
    "--lang",
    metavar="CODE",
    callback=_check_language,
    help="The language of all texts, such as de or zh; by default each document's own `lang`.",
)
