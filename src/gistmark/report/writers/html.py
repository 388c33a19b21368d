"""Tables as HTML: captions, scopes, a container of their own that scrolls, footnotes."""

from __future__ import annotations

import re
from html import escape

from gistmark.report.table import (
    Cell,
    Estimate,
    Kind,
    Label,
    Missing,
    Table,
    number,
    remark,
    show_cell,
    without_gaps,
)

ROWS = 500
"""A page shows no more rows of one table; the CSV file has them all."""

_COLUMNS = {True: 8, False: 12}
"""Columns side by side, with and without intervals; further ones are folded under the first."""

_STACKED_FROM = 5
"""From this many columns of estimates on, intervals are printed below their values."""

_SCROLLED_FROM = 25
"""A table with more rows scrolls in a window of its own."""

_SHORT_TEXT = 40
"""Texts up to this length are not broken."""


def html_table(table: Table, *, titled: bool = True) -> str:
    """The table in a scrolling region, its note, and why values are missing.

    A table that is not `titled` stands under its title already; its caption is for screen readers.
    """
    clean = without_gaps(table) if table.rows else table
    if not clean.rows:
        return f'<p class="absent">{escape(clean.empty)}</p>'
    intervals = any(column.kind == "estimate" for column in clean.columns)
    first_part, *further_parts = clean.parts(_COLUMNS[intervals])
    id = escape(table.name, quote=True)
    further = "".join(
        f"<details><summary>{_column_range(part)} <small>further columns</small></summary>"
        f"{_scrolling_region(part.head(ROWS), f'{id}-{number}', titled=False)}</details>"
        for number, part in enumerate(further_parts, start=2)
    )
    first_rows = first_part.head(ROWS)
    return (
        f'<div class="table">{_scrolling_region(first_rows, id, titled=titled)}'
        f"{_notes_below(clean, len(first_rows.rows))}{further}</div>"
    )


def _scrolling_region(table: Table, id: str, *, titled: bool) -> str:
    """One piece of a table in a region that scrolls, and why values are missing in it."""
    estimates = sum(column.kind == "estimate" for column in table.columns)
    kind = ' class="stacked"' if estimates >= _STACKED_FROM else ""
    tall = " tall" if len(table.rows) > _SCROLLED_FROM else ""
    hidden = "" if titled else ' class="unseen"'
    notes = "".join(
        f'<p class="note"><sup>{mark}</sup> {escape(reason)}</p>'
        for reason, mark in table.reasons.items()
    )
    return (
        f'<div class="scroll{tall}" id="table-{id}" role="region" '
        f'aria-label="{escape(table.title, quote=True)}" tabindex="0">'
        f"<table{kind}><caption{hidden}><span>{escape(table.title)}</span></caption>"
        f"<thead><tr>{_head(table)}</tr></thead><tbody>{_body(table)}</tbody></table></div>{notes}"
    )


def _column_range(table: Table) -> str:
    """The titles of the first and the last column of a piece."""
    titles = [column.title for column in table.columns[table.keys :]]
    return escape(titles[0] if not titles[1:] else f"{titles[0]} to {titles[-1]}")


def minus(text: str) -> str:
    """The typographic minus sign before digits."""
    return re.sub(r"(?<![\w.])-(?=\d)", "−", text)


def _head(table: Table) -> str:
    return "".join(
        f'<th scope="col" class="{column.kind}">{escape(column.title)}</th>'
        for column in table.columns
    )


def _body(table: Table) -> str:
    return "\n".join(
        ('<tr class="rule">' if line in table.rules else "<tr>")
        + "".join(
            _cell(table, cell, column.kind, index, (line, index) in table.best)
            for index, (cell, column) in enumerate(zip(row, table.columns, strict=True))
        )
        + "</tr>"
        for line, row in enumerate(table.rows)
    )


def _cell(table: Table, cell: Cell, kind: Kind, index: int, best: bool) -> str:
    """The HTML of a cell; the browser finds the writing direction of each text."""
    attributes = f'class="{_class(cell, kind)}"' + (' dir="auto"' if kind == "text" else "")
    if index == 0 and kind in ("text", "code"):
        return f'<th scope="row" {attributes}>{_content(table, cell, kind)}</th>'
    value = number(cell)
    sort = "" if value is None else f' data-value="{value!r}"'
    content = _content(table, cell, kind)
    emphasised = f"<strong>{content}</strong>" if best else content
    return f"<td {attributes}{sort}>{emphasised}</td>"


def _class(cell: Cell, kind: Kind) -> str:
    is_text = isinstance(cell, str | Label)
    return f"{kind} short" if is_text and len(show_cell(cell, kind)) <= _SHORT_TEXT else kind


def _content(table: Table, cell: Cell, kind: Kind) -> str:
    reason = remark(cell)
    mark = f"<sup>{table.reasons[reason]}</sup>" if reason else ""
    if isinstance(cell, Missing):
        return f'<abbr title="{escape(cell.reason, quote=True)}">—</abbr>{mark}'
    text = escape(show_cell(cell, kind))
    if kind in ("text", "code"):
        return f"<code>{text}</code>" if kind == "code" else text
    value, _, interval = minus(text).partition(" ")
    if isinstance(cell, Estimate) and interval:
        return f'{value}{mark} <span class="interval">{interval}</span>'
    return value + mark


def _notes_below(table: Table, row_count: int) -> str:
    parts = []
    if row_count < len(table.rows):
        parts.append(
            f"The first {row_count:,} of {len(table.rows):,} rows; "
            f'all are in <a href="tables/{table.name}.csv">tables/{table.name}.csv</a>.'
        )
    if table.note:
        parts.append(escape(table.note))
    return "".join(f'<p class="note">{text}</p>' for text in parts)
