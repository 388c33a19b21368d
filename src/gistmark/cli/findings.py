"""What a study found out, on the terminal: its findings, and the ranking that leads."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gistmark.analysis import Study
    from gistmark.analysis.records import Finding, Note, Rank

_MOST_SYSTEMS = 30
_INDENT = "  "
_NARROWEST = 40
_LEGEND = (
    "Systems that share a letter cannot be told apart; those that share none differ significantly."
)


def print_findings(found: Study, *, written: bool) -> None:
    """The findings, the leading ranking, and on standard error the data notes.

    `written` says whether there is a study.json in which a reader finds what is cut short here.
    """
    from gistmark.analysis.findings.headline import leading_ranking

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    paragraphs = [_paragraph(finding, width) for finding in found.findings]
    if paragraphs:
        click.echo(("\n\n" if terminal else "\n").join(paragraphs) + "\n")
    ranking = leading_ranking(found.findings, found.ranking)
    if ranking:
        _print_ranking(ranking, "study.json has all" if written else "--json prints all")
        click.echo()
    _print_notes(found.notes)


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
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from gistmark.analysis.ranking.letters import is_line_between, show_letters
    from gistmark.analysis.words import DASH, show_count, show_estimate

    shown = ranking[:_MOST_SYSTEMS]
    table = Table(box=box.HORIZONTALS, show_edge=False, header_style="bold", pad_edge=False)
    table.add_column("Rank", justify="right", no_wrap=True)
    table.add_column("System", overflow="fold")
    table.add_column("Value [95 %]", no_wrap=True)
    table.add_column("Letters", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    for record, below in zip(shown, (*shown[1:], None), strict=True):
        cells = (
            DASH if record.rank is None else f"{record.rank:g}",
            record.system,
            show_estimate(record.value, record.low, record.high),
            show_letters(record.letters) or DASH,
            show_count(record.n),
        )
        line = is_line_between(record.cluster, below.cluster if below else None)
        table.add_row(*map(Text, cells), end_section=line)
    first = ranking[0]
    click.echo(f"Systems by {first.by} of {first.dimension} ({first.method}):")
    Console(width=None if sys.stdout.isatty() else 200).print(table)
    if len(ranking) > len(shown):
        click.echo(f"… and {len(ranking) - len(shown):,} more ({everything})")
    _print_remarks(ranking)


def _print_remarks(ranking: Sequence[Rank]) -> None:
    """How to read the letters, and why some systems have no rank or no letters."""
    from gistmark.analysis import words

    if sum(record.letters is not None for record in ranking) > 1:
        click.echo(_LEGEND)
    reasons: dict[str, list[str]] = {}
    for record in ranking:
        if record.reason is not None:
            reasons.setdefault(record.reason, []).append(record.system)
    for reason, systems in reasons.items():
        everyone = len(systems) == len(ranking)
        said = words.sentence(reason) if everyone else f"{words.listed(systems)}: {reason}"
        click.echo(f"{said}.")


def _print_notes(notes: Iterable[Note]) -> None:
    for note in notes:
        click.echo(f"note: {note.about}: {note.text}", err=True)
