"""`gistmark paper`: a paper's tables recomputed from its released data, beside the print."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.options import PATH, json_option
from gistmark.cli.terminal.output import Column, announce_notes, print_table
from gistmark.cli.terminal.progress import progress_bar
from gistmark.errors import GistmarkError, UsageError

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.papers import Cell, Paper, Release

VARIABLE = "GISTMARK_PAPER_DATA"

_EPILOG = """
\b
Examples:
  gistmark paper emfos --data EMFoS
  gistmark paper emfos --data EMFoS --models CS9,roberta-base -o emfos-recomputed
  gistmark paper dip-sumeval --data paper-data -o dip-recomputed
  gistmark paper blanc --data paper-data --validate --sample 30 -o blanc-validated
"""


@click.command(epilog=_EPILOG)
@click.argument("name", metavar="highres|blanc|dip-sumeval|emfos")
@click.option(
    "--data",
    type=PATH,
    metavar="DIR",
    help="The paper's released data, or a folder with a subfolder of the paper's name; "
    f"by default the environment variable {VARIABLE}.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where pages, tables, figures and a whole study of the data go.",
)
@json_option("Print all values as JSON.")
@click.option(
    "--models",
    metavar="NAME,...",
    help="emfos, blanc: also compute these metrics of its tables, by their names there or by their "
    "models.",
)
@click.option(
    "--scores",
    "scores_file",
    type=PATH,
    metavar="FILE",
    help="emfos, blanc: take metrics of its tables from these scores of `gistmark score`.",
)
@click.option(
    "--validate",
    is_flag=True,
    help="blanc: run the paper's three validation experiments on a sample instead.",
)
@click.option(
    "-m",
    "--metric",
    default="blanc-help",
    show_default=True,
    metavar="SPEC",
    help="With --validate: blanc-help with the options to validate.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    help="With --validate: how many summaries.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="With --validate: which summaries and which random words.",
)
def paper(
    name: str, data: Path | None, output: Path | None, as_json: bool, models: str | None,
    scores_file: Path | None, validate: bool, metric: str, sample: int, seed: int,
) -> None:  # fmt: skip
    """Recompute a paper's tables from its released data.

    Each published value stands beside ours, with a verdict: exact (ours rounds to the print),
    within rounding (it is at most one unit of the last digit away), differs (it is further away),
    not checked (nothing was computed, and why), or no print (a value that the paper does not have).
    """
    from gistmark.papers import paper_named, summary_line
    from gistmark.report.pages.paper import cells_json

    chosen = paper_named(name)
    if not chosen.aliases and (models is not None or scores_file is not None):
        raise UsageError(f"The tables of {chosen.name} need no --models and no --scores.")
    release = chosen.read(_folder(chosen, data))
    corpus = release.corpus
    if not as_json:
        announce_notes(
            [*corpus.notes, *(n for each in release.optional.values() for n in each.notes)]
        )
    if validate:
        if chosen.name != "blanc":
            raise UsageError(f"--validate is for the paper blanc only, not for {chosen.name}.")
        _validate(corpus, output, as_json, metric=metric, sample=sample, seed=seed)
        return
    release = _scored(chosen, release, models, scores_file, quiet=as_json)
    cells = chosen.cells(release)
    if as_json:
        click.echo(cells_json(cells), nl=False)
    else:
        print_cells(cells)
        click.echo(summary_line(cells))
    if output is not None:
        page = _write(chosen, release, cells, output, quiet=as_json)
        click.echo(f"Report: {page}", err=as_json)


def _scored(
    chosen: Paper, release: Release, models: str | None, file: Path | None, *, quiet: bool
) -> Release:
    """The release with scores by the paper's metrics, where it has any."""
    from gistmark.scoring.files import read_scores

    if not chosen.aliases:
        return release
    wanted = [name.strip() for name in (models or "").split(",") if name.strip()]
    scores = None if file is None else read_scores(file)
    with progress_bar("Scoring", quiet=quiet) as progress:
        return chosen.with_scores(release, wanted=wanted, file=scores, progress=progress)


def _validate(
    corpus: Corpus, output: Path | None, as_json: bool, *, metric: str, sample: int, seed: int
) -> None:
    from gistmark.papers.blanc_validation import validate
    from gistmark.report.pages.validation import validation_json, validation_table, write_validation
    from gistmark.report.writers import markdown_table

    with progress_bar("Scoring", quiet=as_json) as progress:
        result = validate(corpus, metric=metric, sample=sample, seed=seed, progress=progress)
    if as_json:
        click.echo(validation_json(result), nl=False)
    else:
        click.echo(markdown_table(validation_table(result)))
        click.echo(f"{result.metric}: {result.signature}")
    if output is not None:
        click.echo(f"Report: {write_validation(result, output)}", err=as_json)


def print_cells(cells: Sequence[Cell]) -> None:
    """A table for each table of the paper; a line per reason for one that was not checked."""
    from gistmark.report.pages.paper import any_value, cells_by_table

    for name, group in cells_by_table(cells).items():
        if any_value(group):
            _print_table(name, group)
        else:
            _print_unchecked(name, group)


def _print_unchecked(name: str, cells: Sequence[Cell]) -> None:
    for why in dict.fromkeys(cell.why for cell in cells):
        count = sum(cell.why == why and cell.published is not None for cell in cells)
        values = f"{count} printed value{'' if count == 1 else 's'} " if count else ""
        click.echo(f"{name}: {values}not checked: {why}")
    click.echo()


def _print_table(name: str, cells: Sequence[Cell]) -> None:
    from gistmark.report.pages.paper import (
        RECOMPUTED,
        compared_sources,
        compared_title,
        compared_values,
        show_value,
    )

    marks, sources = _marks(cells), compared_sources(cells)
    columns = [
        *(Column(title, folds=True) for title in (name, "")),
        *(Column(title, right=True) for title in (*map(compared_title, sources), "Ours")),
        Column("Verdict", folds=True),
    ]
    rows = []
    for cell in cells:
        values = [*compared_values(cell, sources), cell.value]
        shown = [show_value(value, cell.decimals) or "—" for value in values]
        verdict = f"{cell.verdict} {marks.get(cell.why, '')}".rstrip()
        rows.append((cell.row, cell.column, *shown, verdict))
    print_table(columns, rows)
    for why, mark in marks.items():
        click.echo(f"{mark} {why}".lstrip())
    if "recomputed" in sources:
        click.echo(RECOMPUTED)
    click.echo()


def _marks(cells: Sequence[Cell]) -> dict[str, str]:
    """A number for each reason; none where all cells share one."""
    whys = list(dict.fromkeys(cell.why for cell in cells))
    if len(whys) == 1:
        return {why: "" for why in whys if why}
    return {why: f"({number})" for number, why in enumerate(filter(None, whys), start=1)}


def _write(
    chosen: Paper, release: Release, cells: Sequence[Cell], output: Path, *, quiet: bool
) -> Path:
    """The report and the study; on a terminal, in two steps of about the same length."""
    from gistmark.report.pages.paper import write_paper

    with progress_bar("Studying the data", quiet=quiet) as progress:
        if progress is not None:
            progress(0, 2)
        study, scores = chosen.study(release.corpus)
        if progress is not None:
            progress(1, 2)
        return write_paper(chosen, cells, release, study, scores, output)


def _folder(chosen: Paper, data: Path | None) -> Path:
    """The folder that the user names, on the command line or in the environment."""
    from gistmark.papers.paper import expectation

    named = data or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is None:
        raise GistmarkError(
            f"Name the folder with the released data of {chosen.name} by --data or {VARIABLE}; "
            f"expected: {expectation(chosen)}."
        )
    return named
