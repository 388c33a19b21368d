"""The report as one Markdown file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gistmark.report.figures import Absent, Figure
from gistmark.report.outline import Block, Findings, Folded, Group, Paragraph, Scatter, Section
from gistmark.report.table import Table
from gistmark.report.writers import markdown_table
from gistmark.report.writers.markdown import escape_markdown

_ROWS = 200


def markdown_report(title: str, counts: Mapping[str, int], sections: Sequence[Section]) -> str:
    """All findings, tables and figures; the figures are links into the folder."""
    listed = ", ".join(f"{count:,} {noun}" for noun, count in counts.items())
    lines = [f"# {escape_markdown(title)}", f"{listed}." if listed else "There is no data."]
    for section in sections:
        lines.append(f"## {section.title}")
        lines += [_block(block) for block in section.blocks]
    return "\n\n".join(line.rstrip("\n") for line in lines) + "\n"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return "\n\n".join(map(escape_markdown, text.split("\n\n")))
        case Findings(found):
            return "\n".join(
                f"- **{escape_markdown(finding.text)}** {escape_markdown(finding.detail)}"
                for finding in found
            )
        case Figure():
            return (
                f"![{escape_markdown(block.alt)}](figures/{block.name}.svg)\n\n"
                f"*{escape_markdown(block.title)}.* {escape_markdown(block.caption)}"
            )
        case Absent(_, title, reason):
            return f"*{escape_markdown(title)}* is left out: {escape_markdown(reason)}"
        case Scatter():
            return "The interactive scatter is in [report.html](report.html)."
        case Folded(table):
            return _table(table)
        case Group(_, tables):
            return "\n\n".join(map(_table, tables))
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    cut = table.head(_ROWS)
    more = (
        f"\n\nThe first {_ROWS:,} of {len(table.rows):,} rows; all are in "
        f"[tables/{table.name}.csv](tables/{table.name}.csv)."
        if len(cut.rows) < len(table.rows)
        else ""
    )
    return f"### {escape_markdown(table.title)}\n\n{markdown_table(cut).rstrip()}{more}"
