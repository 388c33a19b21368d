"""Tables and texts as Markdown (GitHub's tables)."""

from __future__ import annotations

import re

from gistmark.report.table import Cell, Kind, Label, Table, remark, show_cell, without_gaps

_COLUMNS = 12
"""More columns go into further grids."""

_SPECIAL = re.compile(r"([\\`*_\[\]|~])")


def markdown_table(table: Table) -> str:
    """The table, its note and the footnotes of missing values."""
    clean = without_gaps(table) if table.rows else table
    if not clean.rows:
        return escape_markdown(clean.empty) + "\n"
    after = [escape_markdown(clean.note)] if clean.note else []
    return "\n\n".join([*map(_grid, clean.parts(_COLUMNS)), *after]) + "\n"


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
    shown = show_cell(cell, kind)
    if kind == "code":
        return f"`{' '.join(shown.split()).replace('`', chr(39)).replace('|', chr(92) + '|')}`"
    escaped = escape_markdown(shown) if isinstance(cell, str | Label) else shown
    stressed = f"**{escaped}**" if best else escaped
    reason = remark(cell)
    return f"{stressed} ({table.reasons[reason]})" if reason else stressed
