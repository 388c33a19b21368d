"""`--columns`, `--system-name`, `--on-duplicate`: how a command reads its CORPUS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.corpus.checks import OnDuplicate
    from gistmark.corpus.formats import ReadOptions

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

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
    help="What counts where an annotator rated the same dimension of a summary twice.",
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
    """`document=src,summary=output`; a role that comes again has several columns."""
    found: dict[str, str | list[str]] = {}
    for part in (part for text in texts for part in text.split(",")):
        role, equals, name = part.partition("=")
        if not role.strip() or not equals or not name:
            raise UsageError(f"--columns: write ROLE=NAME,ROLE=NAME,..., not {part!r}.")
        role, earlier = role.strip(), found.get(role.strip())
        several = [earlier] if isinstance(earlier, str) else earlier
        found[role] = name if several is None else [*several, name]
    return found
