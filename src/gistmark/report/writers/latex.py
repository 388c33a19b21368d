"""Tables as LaTeX with booktabs; long ones as longtable."""

from __future__ import annotations

import re

from gistmark.report.table import Cell, Kind, Table, remark, show_cell

_ROWS = 45
"""More rows than this do not fit on a page."""

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after the end of a row, [ would open an option and * would be one
    "*": "{*}",
    "—": "---",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "…": r"\ldots{}",
}
_PATTERN = re.compile("|".join(re.escape(character) for character in _ESCAPES))


def latex_table(table: Table) -> str:
    """A `table` environment, or a `longtable` where the rows need several pages."""
    long = len(table.rows) > _ROWS
    package = "booktabs, longtable" if long else "booktabs"
    return f"% \\usepackage{{{package}}}\n" + (_long(table) if long else _floating(table))


def escape_latex(text: str) -> str:
    """A text that LaTeX prints as it is."""
    return _PATTERN.sub(lambda found: _ESCAPES[found[0]], " ".join(text.split()))


def _floating(table: Table) -> str:
    lines = [
        r"\begin{table}", r"\centering", _caption(table),
        rf"\begin{{tabular}}{{{_alignment(table)}}}", r"\toprule", _head(table), r"\midrule",
        *_body(table), r"\bottomrule", r"\end{tabular}", *_notes(table), r"\end{table}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _long(table: Table) -> str:
    lines = [
        rf"\begin{{longtable}}{{{_alignment(table)}}}", _caption(table) + r"\\", r"\toprule",
        _head(table), r"\midrule", r"\endhead", *_body(table), r"\bottomrule",
        r"\end{longtable}", *_notes(table),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _caption(table: Table) -> str:
    text = escape_latex(" ".join(filter(None, (f"{table.title}.", table.note))))
    return rf"\caption{{{text}}}\label{{tab:{re.sub('[^a-z0-9]+', '-', table.name)}}}"


def _alignment(table: Table) -> str:
    return "".join("l" if column.kind in ("text", "code") else "r" for column in table.columns)


def _head(table: Table) -> str:
    return _line([escape_latex(column.title) for column in table.columns])


def _body(table: Table) -> list[str]:
    return [
        _line([
            _cell(table, cell, column.kind, (number, place) in table.best)
            for place, (cell, column) in enumerate(zip(row, table.columns, strict=True))
        ])
        for number, row in enumerate(table.rows)
    ]  # fmt: skip


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(table: Table, cell: Cell, kind: Kind, best: bool) -> str:
    shown = escape_latex(show_cell(cell, kind))
    if kind == "code":
        return rf"\texttt{{{shown}}}"
    if kind != "text":
        shown = re.sub(r"(?<![\w.])-(?=\d)", "$-$", shown)
    stressed = rf"\textbf{{{shown}}}" if best else shown
    reason = remark(cell)
    return rf"{stressed}\textsuperscript{{{table.reasons[reason]}}}" if reason else stressed


def _notes(table: Table) -> list[str]:
    return [
        rf"\par\footnotesize\textsuperscript{{{mark}}} {escape_latex(reason)}"
        for reason, mark in table.reasons.items()
    ]
