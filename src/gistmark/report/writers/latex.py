r"""Tables as LaTeX with booktabs that fit a page: cut into pieces by width, long ones longtable.

The width is that of the text block of `article` at 10 points, 345 points, and the type `\small`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gistmark.analysis.findings.words import show_interval
from gistmark.report.table import (
    Cell,
    Column,
    Estimate,
    Table,
    remark,
    show_cell,
    without_gaps,
)

ROWS = 500
"""A LaTeX file has no more rows of a table; the CSV file has them all."""

_PAGE_ROWS = 32
"""More rows than this do not fit on a page."""

_WIDTH = 345.0
_SIZES = {"small": 4.8, "footnotesize": 4.4, "scriptsize": 4.1}
"""The sizes of type, and how wide a character is in each, in points."""

_GAP = 8.0
_LONGEST = 22
"""A text with more characters is broken into lines."""

_SPLIT = {"estimate": 2, "any": 8}
"""A table with more columns of intervals, or of numbers at all, is split where it is too wide."""

_TITLE = 14
"""Titles of columns are broken at about this many characters, if their cells are not wider."""

_GREEK = {
    "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "λ": "lambda", "μ": "mu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega",
}  # fmt: skip
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
    "×": r"$\times$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "…": r"\ldots{}",
    "’": "'",
    "“": "``",
    "”": "''",
    **{letter: rf"$\{name}$" for letter, name in _GREEK.items()},
}
_PATTERN = re.compile("|".join(re.escape(character) for character in _ESCAPES))
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_SEAM = "\x1e"
_UNBROKEN = re.compile(rf"[^\s{_SEAM}]{{14}}(?=[^\s{_SEAM}])")
_BREAK = r"\allowbreak{}"


@dataclass(frozen=True)
class _Layout:
    """The width of a column in points; `lines` says that its texts are broken into lines."""

    points: float
    lines: bool = False


@dataclass(frozen=True)
class _Fit:
    """The size of type at which a table fits the page, and its columns."""

    size: str
    layouts: Sequence[_Layout]

    @property
    def width(self) -> float:
        return sum(layout.points for layout in self.layouts)


def latex_table(table: Table) -> str:
    """A `table` environment, or a `longtable` where the rows need several pages.

    A wide table becomes several, each with the columns that name the rows. Where it is wide, a
    column that says the same in every row goes into the caption. Without rows it is a comment.
    """
    clean = without_gaps(table) if table.rows else table
    if not clean.rows:
        return f"% {' '.join(clean.empty.split())}\n"
    visible = _move_constant_texts(clean.head(ROWS))
    if len(visible.rows) < len(clean.rows):
        limit_note = f"The first {ROWS:,} of {len(clean.rows):,} rows; all are in {table.name}.csv."
        visible = replace(visible, note=" ".join(filter(None, (visible.note, limit_note))))
    pieces = list(_split_by_width(_intervals_below(visible)))
    environments = [
        _environment(piece, number, len(pieces)) for number, piece in enumerate(pieces, 1)
    ]
    text = "\n".join(environments)
    return f"% \\usepackage{{array, booktabs, longtable}}\n{_engine_comment(text)}{text}"


def escape_latex(text: str) -> str:
    """A text that LaTeX prints as it is, on one line."""
    clean = _CONTROL.sub("?", " ".join(text.split()))
    return _PATTERN.sub(lambda result: _ESCAPES[result[0]], clean)


def _engine_comment(text: str) -> str:
    """A comment on how to compile the table if pdfLaTeX lacks some of its letters."""
    foreign = any(ord(character) > 0x17F for character in text)
    note = "% Compile with LuaLaTeX or XeLaTeX and a font that has every letter of this table.\n"
    return note if foreign else ""


def _move_constant_texts(table: Table) -> Table:
    """If the table is too wide, move texts that are the same in all rows to its note."""
    if len(table.rows) < 2 or _natural_fits(table, "small")[0].width <= _WIDTH:
        return table
    constant_columns = [
        k for k, column in enumerate(table.columns)
        if k and column.kind == "text" and len({show_cell(r[k], "text") for r in table.rows}) == 1
    ]  # fmt: skip
    sentences = [
        f"{table.columns[k].title}: {show_cell(table.rows[0][k], 'text')}."
        for k in constant_columns
    ]
    narrowed = table.select(
        columns=[k for k in range(len(table.columns)) if k not in constant_columns]
    )
    return replace(narrowed, note=" ".join(filter(None, (table.note, *sentences))))


def _intervals_below(table: Table) -> Table:
    """If there are many columns of intervals, put the intervals into rows below the values."""
    estimates = [k for k, column in enumerate(table.columns) if column.kind == "estimate"]
    if len(estimates) <= _SPLIT["estimate"]:
        return table
    rows: list[list[Cell]] = []
    for row in table.rows:
        values = [replace(c, low=None, high=None) if isinstance(c, Estimate) else c for c in row]
        below: list[Cell] = ["" for _ in row]
        for k in estimates:
            cell = row[k]
            below[k] = show_interval(cell.low, cell.high) if isinstance(cell, Estimate) else ""
        rows += [values, below]
    return replace(
        table,
        rows=rows,
        best=frozenset((2 * row, column) for row, column in table.best),
        rules=frozenset(2 * row for row in table.rules),
    )


def _split_by_width(table: Table) -> Iterator[Table]:
    """Split the table into pieces as wide as the page, each with the columns that name the rows.

    A table of many numbers is split rather than set in the smallest type with broken names.
    """
    estimates = sum(column.kind == "estimate" for column in table.columns)
    is_split = estimates > _SPLIT["estimate"] or table.numbers > _SPLIT["any"]
    fit = _natural_fits(table, "footnotesize")[0] if is_split else _narrowest_fit(table)
    widths = [layout.points for layout in fit.layouts]
    keys = list(range(table.keys))
    columns = list(keys)
    for column in range(table.keys, len(table.columns)):
        full = sum(widths[k] for k in (*columns, column)) > _WIDTH
        if full and len(columns) > len(keys):
            yield table.select(columns=columns)
            columns = list(keys)
        columns.append(column)
    yield table.select(columns=columns)


def _environment(table: Table, number: int, total: int) -> str:
    fit = _fit_to_page(table)
    layouts = fit.layouts
    columns = "".join(map(_alignment, table.columns, layouts))
    titles = [_title(column, layouts[k], fit.size) for k, column in enumerate(table.columns)]
    head = _latex_row(titles)
    part = f" (part {number} of {total})" if total > 1 else ""
    label = re.sub("[^a-z0-9]+", "-", table.name) + (f"-{number}" if number > 1 else "")
    sentences = " ".join(filter(None, (f"{table.title}{part}.", table.note if number == 1 else "")))
    caption = rf"\caption{{{escape_latex(sentences)}}}\label{{tab:{label}}}"
    body = list(_body(table, layouts))
    notes = [
        rf"\par\footnotesize\textsuperscript{{{mark}}} {escape_latex(reason)}"
        for reason, mark in table.reasons.items()
    ]
    type_ = rf"\{fit.size}\setlength{{\tabcolsep}}{{4pt}}"
    if len(table.rows) > _PAGE_ROWS:
        lines = [
            rf"{{{type_}", rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}", caption + r"\\",
            r"\toprule", head, r"\midrule", r"\endfirsthead", r"\toprule", head, r"\midrule",
            r"\endhead", r"\bottomrule", r"\endfoot", *body, r"\end{longtable}", *notes, r"\par}",
        ]  # fmt: skip
    else:
        lines = [
            r"\begin{table}", r"\centering", caption, type_,
            rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule", head, r"\midrule", *body,
            r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _fit_to_page(table: Table) -> _Fit:
    """Choose the largest type in which the table fits; in the smallest, narrow the texts."""
    fits = _natural_fits(table, *_SIZES)
    fit = next((fit for fit in fits if fit.width <= _WIDTH), None)
    return _widen_texts(fit) if fit else _narrow_texts(table, fits[-1])


def _natural_fits(table: Table, *sizes: str) -> list[_Fit]:
    """The natural width of each column, in types of these sizes."""
    characters = [_characters(table, index) for index in range(len(table.columns))]
    fits = []
    for size in sizes:
        layouts = []
        for column, count in zip(table.columns, characters, strict=True):
            lines = column.kind in ("text", "code") and count > _LONGEST
            points = (_LONGEST if lines else count) * _SIZES[size] + _GAP
            layouts.append(_Layout(points, lines))
        fits.append(_Fit(size, layouts))
    return fits


def _widen_texts(fit: _Fit) -> _Fit:
    """Widen the columns of long texts until the table fills the page."""
    long = sum(layout.lines for layout in fit.layouts)
    return _Fit(fit.size, [
        replace(layout, points=layout.points + (_WIDTH - fit.width) / long)
        if layout.lines else layout
        for layout in fit.layouts
    ])  # fmt: skip


def _narrowest_fit(table: Table) -> _Fit:
    """The smallest type, with texts as narrow as their longest word."""
    size = list(_SIZES)[-1]
    layouts = []
    for index, column in enumerate(table.columns):
        text = column.kind in ("text", "code")
        characters = _longest_word(table, index) if text else _characters(table, index)
        layouts.append(_Layout(characters * _SIZES[size] + _GAP, lines=text))
    return _Fit(size, layouts)


def _narrow_texts(table: Table, natural: _Fit) -> _Fit:
    """Narrow the columns of texts, none below its narrowest, until the table fits the page."""
    narrowest = _narrowest_fit(table)
    gains = [
        wish.points - low.points
        for wish, low in zip(natural.layouts, narrowest.layouts, strict=True)
    ]
    share = min(max(_WIDTH - narrowest.width, 0.0) / max(sum(gains), 1.0), 1.0)
    return _Fit(narrowest.size, [
        _Layout(low.points + share * gain, lines=True) if gain > 0 and low.lines
        else replace(low, lines=False)
        for low, gain in zip(narrowest.layouts, gains, strict=True)
    ])  # fmt: skip


def _longest_word(table: Table, index: int) -> int:
    """The most characters of a column that `_breakable` keeps together."""
    column = table.columns[index]
    texts = (column.title, *(show_cell(row[index], column.kind) for row in table.rows))
    words = (word for text in dict.fromkeys(texts) for word in _insert_seams(text).split())
    return max((len(piece) for word in words for piece in word.split(_SEAM)), default=1)


def _characters(table: Table, index: int) -> int:
    """The length of the longest cell of a column, or of its title as it will be broken."""
    column = table.columns[index]
    cells = (len(show_cell(row[index], column.kind)) + bool(remark(row[index]))
             for row in table.rows)  # fmt: skip
    return max((*cells, *map(len, textwrap.wrap(column.title, _TITLE))))


def _alignment(column: Column, layout: _Layout) -> str:
    if layout.lines:
        return rf">{{\raggedright\arraybackslash}}p{{{layout.points - _GAP:.0f}pt}}"
    return "l" if column.kind in ("text", "code") else "r"


def _title(column: Column, layout: _Layout, size: str) -> str:
    """The title of a column, broken where its cells are narrower."""
    if layout.lines:
        return _breakable(column.title)
    width = max(_TITLE, int((layout.points - _GAP) / _SIZES[size]))
    lines = [escape_latex(line) for line in textwrap.wrap(column.title, width)]
    if len(lines) < 2:
        return "".join(lines)
    side = "l" if column.kind in ("text", "code") else "r"
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}" + r"\\ ".join(lines) + r"\end{tabular}"


def _body(table: Table, layouts: Sequence[_Layout]) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        if number in table.rules:
            yield r"\midrule"
        yield _latex_row([
            _cell(table, cell, table.columns[k], layouts[k], (number, k) in table.best)
            for k, cell in enumerate(row)
        ])  # fmt: skip


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(table: Table, cell: Cell, column: Column, layout: _Layout, best: bool) -> str:
    text = show_cell(cell, column.kind)
    latex = _breakable(text) if layout.lines else escape_latex(text)
    if column.kind == "code":
        return rf"\texttt{{{latex}}}"
    if column.kind != "text":
        latex = re.sub(r"(?<![\w.])-(?=\d)", "$-$", latex)
    emphasised = rf"\textbf{{{latex}}}" if best else latex
    reason = remark(cell)
    return rf"{emphasised}\textsuperscript{{{table.reasons[reason]}}}" if reason else emphasised


def _breakable(text: str) -> str:
    """A text whose long words may be broken: after signs, else anywhere."""
    return _BREAK.join(map(escape_latex, _insert_seams(text).split(_SEAM)))


def _insert_seams(text: str) -> str:
    """Insert a seam wherever a line may end within a word."""
    clean = _CONTROL.sub("?", " ".join(text.split()))
    seamed = re.sub(r"([_\-./:|,=+])(?=\S)", rf"\1{_SEAM}", clean)
    return _UNBROKEN.sub(lambda run: f"{run[0]}{_SEAM}", seamed)
