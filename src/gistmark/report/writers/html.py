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
)

ROWS = 200
"""A page shows no more rows of one table; the CSV file has them all."""

_STACKED = 5
"""With so many columns of estimates, intervals stand under their values."""

_TALL = 25
"""A table with more rows scrolls in a window of its own."""

_SHORT = 40
"""Texts up to this length are not broken."""


def html_table(table: Table, *, limit: int = ROWS, titled: bool = True) -> str:
    """The table in a scrolling region, its note, and why values are missing.

    A table that is not `titled` stands under its title already; its caption is for screen readers.
    """
    if not table.rows:
        return f'<p class="absent">{escape(table.empty)}</p>'
    shown = table.head(limit)
    label = escape(table.title, quote=True)
    estimates = sum(column.kind == "estimate" for column in table.columns)
    kind = ' class="stacked"' if estimates >= _STACKED else ""
    tall = " tall" if len(shown.rows) > _TALL else ""
    hidden = "" if titled else ' class="unseen"'
    return (
        f'<div class="table" id="table-{escape(table.name, quote=True)}">'
        f'<div class="scroll{tall}" role="region" aria-label="{label}" tabindex="0">'
        f"<table{kind}><caption{hidden}><span>{escape(table.title)}</span></caption>"
        f"<thead><tr>{_head(shown)}</tr></thead><tbody>{_body(shown)}</tbody></table></div>"
        f"{_after(table, shown)}</div>"
    )


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
        "<tr>"
        + "".join(
            _cell(table, cell, column.kind, place, (line, place) in table.best)
            for place, (cell, column) in enumerate(zip(row, table.columns, strict=True))
        )
        + "</tr>"
        for line, row in enumerate(table.rows)
    )


def _cell(table: Table, cell: Cell, kind: Kind, place: int, best: bool) -> str:
    if place == 0 and kind in ("text", "code"):
        return f'<th scope="row" class="{_class(cell, kind)}">{_content(table, cell, kind)}</th>'
    value = number(cell)
    sort = "" if value is None else f' data-value="{value!r}"'
    content = _content(table, cell, kind)
    stressed = f"<strong>{content}</strong>" if best else content
    return f'<td class="{_class(cell, kind)}"{sort}>{stressed}</td>'


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


def _after(table: Table, shown: Table) -> str:
    parts = []
    if len(shown.rows) < len(table.rows):
        parts.append(
            f"The first {len(shown.rows):,} of {len(table.rows):,} rows; "
            f'all are in <a href="tables/{table.name}.csv">tables/{table.name}.csv</a>.'
        )
    if table.note:
        parts.append(escape(table.note))
    notes = [f"<sup>{mark}</sup> {escape(reason)}" for reason, mark in table.reasons.items()]
    return "".join(f'<p class="note">{text}</p>' for text in (*parts, *notes))
