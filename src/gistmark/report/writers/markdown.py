"""Tables and the whole report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gistmark.report.figures import Absent, Figure
from gistmark.report.outline import Block, Findings, Folded, Group, Paragraph, Scatter, Section
from gistmark.report.table import Cell, Kind, Label, Table, remark, show_cell, without_gaps

_COLUMNS = 12
"""More columns go into further grids."""

_SPECIAL = re.compile(r"([\\`*_\[\]|~])")


def markdown_table(table: Table) -> str:
    """The table, its note and the footnotes of missing values."""
    clean = without_gaps(table) if table.rows else table
    if not clean.rows:
        return escape_markdown(clean.empty) + "\n"
    notes = [escape_markdown(clean.note)] if clean.note else []
    return "\n\n".join([*map(_grid, clean.parts(_COLUMNS)), *notes]) + "\n"


def _grid(table: Table) -> str:
    head = [escape_markdown(column.title) for column in table.columns]
    rule = ["---" if column.kind in ("text", "code") else "---:" for column in table.columns]
    body = [
        [_cell(table, cell, column.kind, (row, index) in table.best)
         for index, (cell, column) in enumerate(zip(cells, table.columns, strict=True))]
        for row, cells in enumerate(table.rows)
    ]  # fmt: skip
    lines = "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *body))
    notes = [f"({mark}) {escape_markdown(reason)}" for reason, mark in table.reasons.items()]
    return "\n\n".join([lines, *notes])


def escape_markdown(text: str) -> str:
    """A text that Markdown shows as it is, on one line."""
    escaped = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cell(table: Table, cell: Cell, kind: Kind, best: bool) -> str:
    text = show_cell(cell, kind)
    if kind == "code":
        return f"`{' '.join(text.split()).replace('`', chr(39)).replace('|', chr(92) + '|')}`"
    escaped = escape_markdown(text) if isinstance(cell, str | Label) else text
    emphasised = f"**{escaped}**" if best else escaped
    reason = remark(cell)
    return f"{emphasised} ({table.reasons[reason]})" if reason else emphasised


_ROWS = 200


def markdown_report(title: str, counts: Mapping[str, int], sections: Sequence[Section]) -> str:
    """All findings, tables and figures; the figures are links into the folder."""
    count_list = ", ".join(f"{count:,} {noun}" for noun, count in counts.items())
    lines = [f"# {escape_markdown(title)}", f"{count_list}." if count_list else "There is no data."]
    for section in sections:
        lines.append(f"## {section.title}")
        lines += [_block(block) for block in section.blocks]
    return "\n\n".join(line.rstrip("\n") for line in lines) + "\n"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return "\n\n".join(map(escape_markdown, text.split("\n\n")))
        case Findings(findings):
            return "\n".join(
                f"- **{escape_markdown(finding.text)}** {escape_markdown(finding.detail)}"
                for finding in findings
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
    first_rows = table.head(_ROWS)
    more = (
        f"\n\nThe first {_ROWS:,} of {len(table.rows):,} rows; all are in "
        f"[tables/{table.name}.csv](tables/{table.name}.csv)."
        if len(first_rows.rows) < len(table.rows)
        else ""
    )
    return f"### {escape_markdown(table.title)}\n\n{markdown_table(first_rows).rstrip()}{more}"
