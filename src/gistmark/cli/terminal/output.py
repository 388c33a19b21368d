"""What the commands print: tables, leaderboards, findings, signatures, notes and warnings."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from gistmark.errors import Problem

if TYPE_CHECKING:
    from gistmark.analysis import Study
    from gistmark.analysis.studies.records import Finding, Rank
    from gistmark.scoring import Leaderboard, Scores
    from gistmark.summarizers.summaries import Failure

_METRICS_A_TABLE = 6
_MOST_NOTES = 20
_NAMED = 5
_MOST_SYSTEMS = 30
_INDENT = "  "
_NARROWEST = 40
_WIDTH = 200
"""The width of a table that folds its cells where there is no terminal."""
_UNLIMITED = 100_000
_LEGEND = (
    "Systems that share a letter cannot be told apart; those that share none differ significantly."
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table on the terminal: its title, and how its cells stand."""

    title: str
    right: bool = False
    folds: bool = False


def print_table(
    columns: Sequence[Column | str],
    rows: Iterable[Sequence[object]],
    *,
    rules: Collection[int] | None = None,
) -> None:
    """Print rows under the titles of their columns.

    A table with a column that folds fits the terminal; any other is as wide as its cells, for
    programs that read it. With `rules`, lines stand under the titles and after the rows of these
    indexes.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    described = [Column(each) if isinstance(each, str) else each for each in columns]
    table = Table(
        box=None if rules is None else box.HORIZONTALS,
        show_edge=False,
        pad_edge=False,
        header_style="bold",
    )
    for column in described:
        table.add_column(
            Text(column.title),
            justify="right" if column.right else "left",
            no_wrap=not column.folds,
            overflow="fold",
        )
    for index, row in enumerate(rows):
        table.add_row(*(Text(str(cell)) for cell in row), end_section=index in (rules or ()))
    if any(column.folds for column in described):
        console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    else:
        console = Console(width=_UNLIMITED)
    with console.capture() as capture:
        console.print(table)
    # Not click.echo, which writes UTF-8 even where the terminal has no such characters.
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in capture.get().splitlines())
    sys.stdout.flush()


def print_json(value: object) -> None:
    """Print what `--json` promises."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_leaderboard(board: Leaderboard) -> None:
    """A table with a row per system, broken into several when there are many metrics."""
    head, *body = board.rows()
    for start in range(1, len(head), _METRICS_A_TABLE):
        chosen = slice(start, start + _METRICS_A_TABLE)
        metrics = (Column(name, right=True, folds=True) for name in head[chosen])
        print_table([head[0], *metrics], [(row[0], *row[chosen]) for row in body])
        click.echo()


def print_signatures(signatures: Mapping[str, str]) -> None:
    """A line for each metric: its name as given, and all that its values depend on."""
    for name, signature in signatures.items():
        click.echo(f"{name}: {signature}")


def without_values(scores: Scores) -> dict[str, str]:
    """The metrics that have no value for any summary, and why; none if that is all of them."""
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


def print_findings(study: Study, *, written: bool) -> None:
    """The findings, the leading ranking, and on standard error the data notes.

    `written` says whether there is a study.json in which a reader finds what is cut short here.
    """
    from gistmark.analysis.findings.headline import leading_ranking

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    paragraphs = [_paragraph(finding, width) for finding in study.findings]
    if paragraphs:
        click.echo(("\n\n" if terminal else "\n").join(paragraphs) + "\n")
    ranking = leading_ranking(study.findings, study.ranking)
    if ranking:
        _print_ranking(ranking, "study.json has all" if written else "--json prints all")
        click.echo()
    for note in study.notes:
        click.echo(f"note: {note.about}: {note.text}", err=True)


def announce_notes(notes: Sequence[Problem]) -> None:
    """Harmless oddities of the data, on standard error."""
    for note in notes[:_MOST_NOTES]:
        click.echo(f"note: {note}", err=True)
    if len(notes) > _MOST_NOTES:
        click.echo(f"note: ... and {len(notes) - _MOST_NOTES} more", err=True)


def announce_failures(failures: Iterable[Failure], done: str) -> None:
    """What could not be done, on standard error."""
    for line in failure_lines(failures, done):
        click.echo(f"warning: {line}", err=True)


def failure_lines(failures: Iterable[Failure], done: str) -> list[str]:
    """For each system and reason, which documents could not be `done`, such as summarised."""
    groups: dict[tuple[str, str], list[str]] = {}
    for failure in failures:
        groups.setdefault((failure.system, failure.reason), []).append(failure.document)
    return [
        f"{system}: {counted_documents(len(ids))} could not be {done} ({_some(ids)}): {reason}"
        for (system, reason), ids in groups.items()
    ]


def counted_documents(count: int) -> str:
    """A number of documents in words, such as `1 document`."""
    return f"{count:,} document{'s' if count != 1 else ''}"


def _some(ids: list[str]) -> str:
    more = f", and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print warnings as plain lines instead of Python's way; those for developers are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for kind in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)
        warnings.showwarning = lambda message, *_, **__: click.echo(f"warning: {message}", err=True)
        yield


def _paragraph(finding: Finding, width: int | None) -> str:
    """The text, then the detail, both wrapped with a hanging indent; without a width one line."""
    if width is None:
        return f"{finding.text} {finding.detail}".rstrip()
    wrapper = textwrap.TextWrapper(
        max(width, _NARROWEST), subsequent_indent=_INDENT,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    text = [click.style(line, bold=True) for line in wrapper.wrap(finding.text)]
    wrapper.initial_indent = _INDENT
    return "\n".join([*text, *wrapper.wrap(finding.detail)])


def _print_ranking(ranking: Sequence[Rank], everything: str) -> None:
    """A row per system, with a rule where everyone above differs from everyone below."""
    from gistmark.analysis.findings.words import DASH, show_count, show_estimate
    from gistmark.analysis.ranking.letters import is_line_between, show_letters

    shown = ranking[:_MOST_SYSTEMS]
    columns = (
        Column("Rank", right=True), Column("System", folds=True), Column("Value [95 %]"),
        Column("Letters"), Column("n", right=True),
    )  # fmt: skip
    rows = [
        (
            DASH if record.rank is None else f"{record.rank:g}",
            record.system,
            show_estimate(record.value, record.low, record.high),
            show_letters(record.letters) or DASH,
            show_count(record.n),
        )
        for record in shown
    ]
    clusters = [*(record.cluster for record in shown), None]
    rules = {i for i in range(len(shown)) if is_line_between(clusters[i], clusters[i + 1])}
    first = ranking[0]
    kind = first.dimension
    if first.by not in ("units", "spans"):
        kind = f"{first.by} {'of' if first.by in ('ratings', 'comparisons') else 'by'} "
        kind += first.dimension
    click.echo(f"Systems by {kind} ({first.method}):")
    print_table(columns, rows, rules=rules)
    if len(ranking) > len(shown):
        click.echo(f"… and {len(ranking) - len(shown):,} more ({everything})")
    _print_remarks(ranking)


def _print_remarks(ranking: Sequence[Rank]) -> None:
    """How to read the letters, and why some systems have no rank or no letters."""
    from gistmark.analysis.findings import words

    if sum(record.letters is not None for record in ranking) > 1:
        click.echo(_LEGEND)
    reasons: dict[str, list[str]] = {}
    for record in ranking:
        if record.reason is not None:
            reasons.setdefault(record.reason, []).append(record.system)
    for reason, systems in reasons.items():
        everyone = len(systems) == len(ranking)
        remark = words.sentence(reason) if everyone else f"{words.listed(systems)}: {reason}"
        click.echo(f"{remark}.")
