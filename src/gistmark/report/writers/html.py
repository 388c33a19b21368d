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
"""Abreast, with and without intervals; further columns are folded under the first."""

_STACKED = 5
"""With so many columns of estimates, intervals stand under their values."""

_TALL = 25
"""A table with more rows scrolls in a window of its own."""

_SHORT = 40
"""Texts up to this length are not broken."""


def html_table(table: Table, *, titled: bool = True) -> str:
    """The table in a scrolling region, its note, and why values are missing.

    A table that is not `titled` stands under its title already; its caption is for screen readers.
    """
    clean = without_gaps(table) if table.rows else table
    if not clean.rows:
        return f'<p class="absent">{escape(clean.empty)}</p>'
    intervals = any(column.kind == "estimate" for column in clean.columns)
    first, *rest = clean.parts(_COLUMNS[intervals])
    id = escape(table.name, quote=True)
    further = "".join(
        f"<details><summary>{_span(part)} <small>further columns</small></summary>"
        f"{_scrolling(part.head(ROWS), f'{id}-{number}', titled=False)}</details>"
        for number, part in enumerate(rest, start=2)
    )
    shown = first.head(ROWS)
    return (
        f'<div class="table">{_scrolling(shown, id, titled=titled)}'
        f"{_after(clean, len(shown.rows))}{further}</div>"
    )


def _scrolling(table: Table, id: str, *, titled: bool) -> str:
    """One piece of a table in a region that scrolls, and why values are missing in it."""
    estimates = sum(column.kind == "estimate" for column in table.columns)
    kind = ' class="stacked"' if estimates >= _STACKED else ""
    tall = " tall" if len(table.rows) > _TALL else ""
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


def _span(table: Table) -> str:
    """From which column to which a piece goes."""
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
    """A cell; names and texts run in their own direction."""
    about = f'class="{_class(cell, kind)}"' + (' dir="auto"' if kind == "text" else "")
    if index == 0 and kind in ("text", "code"):
        return f'<th scope="row" {about}>{_content(table, cell, kind)}</th>'
    value = number(cell)
    sort = "" if value is None else f' data-value="{value!r}"'
    content = _content(table, cell, kind)
    stressed = f"<strong>{content}</strong>" if best else content
    return f"<td {about}{sort}>{stressed}</td>"


def _class(cell: Cell, kind: Kind) -> str:
    worded = isinstance(cell, str | Label)
    return f"{kind} short" if worded and len(show_cell(cell, kind)) <= _SHORT else kind


def _content(table: Table, cell: Cell, kind: Kind) -> str:
    reason = remark(cell)
    mark = f"<sup>{table.reasons[reason]}</sup>" if reason else ""
    if isinstance(cell, Missing):
        return f'<abbr title="{escape(cell.reason, quote=True)}">—</abbr>{mark}'
    shown = escape(show_cell(cell, kind))
    if kind in ("text", "code"):
        return f"<code>{shown}</code>" if kind == "code" else shown
    value, _, interval = minus(shown).partition(" ")
    if isinstance(cell, Estimate) and interval:
        return f'{value}{mark} <span class="interval">{interval}</span>'
    return value + mark


def _after(table: Table, shown: int) -> str:
    parts = []
    if shown < len(table.rows):
        parts.append(
            f"The first {shown:,} of {len(table.rows):,} rows; "
            f'all are in <a href="tables/{table.name}.csv">tables/{table.name}.csv</a>.'
        )
    if table.note:
        parts.append(escape(table.note))
    return "".join(f'<p class="note">{text}</p>' for text in parts)
