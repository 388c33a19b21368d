"""`gistmark import` and `gistmark export`: between other tools' formats and corpus folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from gistmark.cli.terminal.options import (
    PATH,
    corpus_options,
    force_option,
    json_option,
    refuse_existing,
)
from gistmark.cli.terminal.output import print_json
from gistmark.corpus import Corpus, load, save
from gistmark.corpus.folder import is_corpus_folder, refuse_other_folder
from gistmark.corpus.formats import FORMATS, ReadOptions, Writer, read
from gistmark.errors import GistmarkError, UsageError

_FOLDER = "folder"
"""The format that has a mark for machines."""
_ONE = {
    "documents": "document",
    "systems": "system",
    "summaries": "summary",
    "references": "reference",
    "ratings": "rating",
    "comparisons": "comparison",
    "highlights": "highlight",
    "questions": "question",
    "planted": "planted",
    "content units": "content unit",
    "presence marks": "presence mark",
    "error annotations": "error annotation",
    "answers": "answer",
    "sampled documents": "sampled document",
    "turns": "turn",
    "machines": "machine",
    "conditions": "condition",
}


class _FormatCommand(click.Command):
    """A command whose help lists the formats; they are imported when the help is shown."""

    writers_only = False

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Formats"):
            formatter.write_dl(list(_described(self.writers_only)))
        super().format_epilog(ctx, formatter)


class _ExportCommand(_FormatCommand):
    writers_only = True


@click.command(
    "import",
    cls=_FormatCommand,
    epilog="Example: gistmark import summeval model_annotations.jsonl my-corpus",
)
@click.argument("format")
@click.argument("source", type=PATH)
@click.argument("corpus", type=PATH)
@corpus_options
@force_option("Replace the corpus folder if there is one.")
@json_option("Print the counts and notes as JSON.")
def import_(
    format: str, source: Path, corpus: Path, reading: ReadOptions, force: bool, as_json: bool
) -> None:
    """Turn SOURCE, another tool's data in FORMAT, into the folder CORPUS.

    If anything is wrong with the data, everything that is wrong is shown with file and line, and
    nothing is written. What is odd or left out is shown as a note.
    """
    reader = FORMATS.get(format)
    refuse_other_folder(corpus)
    if is_corpus_folder(corpus) and not force:
        raise UsageError(f"{corpus} is a corpus already; --force replaces it.")
    with FORMATS.naming_plugin(format, passing=(OSError,)):
        loaded = _corpus(read(reader, source, reading))
    save(loaded, corpus)
    facts = {"format": format, "source": str(source), "corpus": str(corpus)}
    _report(f"Read {source} into {corpus}: {_describe(loaded)}.", loaded, facts, (), as_json)


@click.command(
    cls=_ExportCommand,
    epilog="Example: gistmark export my-corpus csv summaries.csv",
)
@click.argument("corpus", type=PATH)
@click.argument("format")
@click.argument("target", type=PATH)
@corpus_options
@force_option()
@json_option("Print the counts and notes as JSON.")
def export(
    corpus: Path, format: str, target: Path, reading: ReadOptions, force: bool, as_json: bool
) -> None:
    """Write CORPUS to TARGET, a file or a folder, in another tool's FORMAT.

    What the format cannot hold is listed, one sentence for each kind. Only a folder keeps the
    judgements of machines (machines.csv); elsewhere they could not be told from people's.
    """
    writer = FORMATS.get(format)
    if not isinstance(writer, Writer):
        raise UsageError(f"The format {format!r} can be read, but not written.")
    refuse_existing(target, force=force)
    loaded = load(corpus, **reading)
    before = _stamps(target)
    with FORMATS.naming_plugin(format, passing=(OSError,)):
        held = loaded if format == _FOLDER else loaded.by_people()
        losses = tuple(writer.write(held, target))
    if len(held.machines) < len(loaded.machines):
        names = ", ".join(machine.annotator for machine in loaded.machines)
        losses += (f"Left out: judgements by machines ({names}), which the format cannot mark.",)
    kept = len(before.items() & _stamps(target).items())
    if kept:
        losses += (f"Not changed: other files in {target} ({kept:,}).",)
    facts = {"corpus": str(corpus), "format": format, "target": str(target)}
    sentence = f"Wrote {corpus} to {target} as {format}. The corpus has {_describe(loaded)}."
    _report(sentence, loaded, facts, losses, as_json)


def _corpus(read: object) -> Corpus:
    """The corpus that a format has read; a plugin may return something else."""
    if not isinstance(read, Corpus):
        raise TypeError(f"read returned {type(read).__name__}, not a Corpus")
    return read


def _described(writers_only: bool) -> Iterator[tuple[str, str]]:
    """The names and descriptions of the formats; a plugin that fails is described by its error."""
    for name in FORMATS:
        try:
            format = FORMATS.get(name)
        except GistmarkError as error:
            yield name, str(error)
            continue
        if isinstance(format, Writer) or not writers_only:
            yield name, format.description


def _stamps(target: Path) -> dict[Path, tuple[int, int]]:
    """The files in a folder, each with what changes when it is replaced."""
    files = (path for path in target.rglob("*") if path.is_file()) if target.is_dir() else ()
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def _describe(corpus: Corpus) -> str:
    """The count of each kind; names that only number the summaries are not counted as systems."""
    counts = corpus.counts()
    counts["systems"] -= len(corpus.anonymous_systems)
    shown = ((noun if n != 1 else _ONE[noun], n) for noun, n in counts.items() if n)
    return ", ".join(f"{n:,} {noun}" for noun, n in shown)


def _report(
    sentence: str, corpus: Corpus, facts: dict[str, str], losses: Sequence[str], as_json: bool
) -> None:
    notes = [*map(str, corpus.notes), *losses]
    if as_json:
        report: dict[str, Any] = {**facts, "counts": corpus.counts(), "notes": notes}
        print_json(report)
        return
    click.echo(sentence)
    for note in notes:
        click.echo(f"Note: {note}")
