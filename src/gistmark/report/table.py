"""`Table`: the table that every writer renders, so that all of them show the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol

from gistmark.analysis.findings import words
from gistmark.analysis.findings.words import DASH, show_count, show_estimate, show_number, show_p

Kind = Literal["text", "code", "number", "p", "count", "rank", "estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, the bounds of its 95 % interval as far as they are known, and a remark."""

    value: float
    low: float | None = None
    high: float | None = None
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that is not defined, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Label:
    """A name with a code for programs and words for people."""

    code: str
    words: str


Cell = str | int | float | Estimate | Missing | Label | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `key` names it in files for programs, `title` on pages for people."""

    key: str
    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Table:
    """A named table of cells in full precision; `best` are the (row, column) indices to emphasise.

    The first `keys` columns name a row. Before each row of `rules` people see a line. `empty` is
    the sentence that stands in place of a table without rows; pages show a `whole` table to the
    end, however long, because no file beside them holds the rest.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    empty: str = "There is nothing to show here."
    best: frozenset[tuple[int, int]] = field(default=frozenset())
    whole: bool = False
    keys: int = 1
    rules: frozenset[int] = field(default=frozenset())

    def __post_init__(self) -> None:
        assert all(len(row) == len(self.columns) for row in self.rows), self.name

    @cached_property
    def reasons(self) -> dict[str, int]:
        """Why values are missing or partial: each reason and the number of its footnote."""
        result = (remark(cell) for row in self.rows for cell in row)
        distinct = dict.fromkeys(reason for reason in result if reason)
        return {reason: number for number, reason in enumerate(distinct, start=1)}

    @property
    def numbers(self) -> int:
        """How many columns hold numbers."""
        return sum(column.kind not in ("text", "code") for column in self.columns)

    def head(self, limit: int) -> Table:
        """The first rows only."""
        return self if self.whole else self.select(rows=range(min(limit, len(self.rows))))

    def select(
        self, *, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None
    ) -> Table:
        """Some rows and columns, in their order, with their emphasised cells and their lines."""
        rows = range(len(self.rows)) if rows is None else rows
        columns = range(len(self.columns)) if columns is None else columns
        new_row = {old: new for new, old in enumerate(rows)}
        new_column = {old: new for new, old in enumerate(columns)}
        return replace(
            self,
            columns=[self.columns[column] for column in columns],
            rows=[[self.rows[row][column] for column in columns] for row in rows],
            best=frozenset(
                (new_row[row], new_column[column])
                for row, column in self.best
                if row in new_row and column in new_column
            ),
            rules=frozenset(
                new for old, new in new_row.items()
                if new and any(rows[new - 1] < rule <= old for rule in self.rules)
            ),
            keys=sum(column < self.keys for column in columns),
        )  # fmt: skip

    def parts(self, max_columns: int) -> list[Table]:
        """Split into pieces of `max_columns` columns, each after the columns that name the row.

        A table with no more columns of numbers than that stays whole.
        """
        keys, total = range(self.keys), len(self.columns)
        starts = range(self.keys, total, max_columns) if self.numbers > max_columns else ()
        pieces = [
            self.select(columns=[*keys, *range(start, min(start + max_columns, total))])
            for start in starts
        ]
        return pieces or [self]


def without_gaps(table: Table) -> Table:
    """The table as people read it: columns and rows without a single value are named in its note.

    A table in which nothing has a value has no rows left: its sentence says why.
    """
    columns = [k for k in range(len(table.columns)) if not all(_is_blank(r[k]) for r in table.rows)]
    numeric = [k for k, column in enumerate(table.columns) if column.kind not in ("text", "code")]
    rows = [
        k for k, row in enumerate(table.rows)
        if not numeric or not all(_is_blank(row[column]) for column in numeric)
    ]  # fmt: skip
    if (len(rows), len(columns)) == (len(table.rows), len(table.columns)):
        return table
    if not rows:
        why = "; ".join(reason.rstrip(".") for reason in table.reasons)
        empty = f"{table.title}: no value is defined{f' ({why})' if why else ''}."
        return replace(table, rows=(), empty=empty, best=frozenset(), rules=frozenset())
    gaps = [
        _describe_gap(column.title, [row[k] for row in table.rows])
        for k, column in enumerate(table.columns) if k not in columns
    ]  # fmt: skip
    gaps += [
        _describe_gap(_row_name(table, row), [row[column] for column in numeric])
        for k, row in enumerate(table.rows) if k not in rows
    ]  # fmt: skip
    note = f"Left out, because no value is defined: {words.listed(gaps, most=12)}."
    remaining = table.select(rows=rows, columns=columns)
    return replace(remaining, note=" ".join(filter(None, (table.note, note))))


def _is_blank(cell: Cell) -> bool:
    return cell is None or cell == "" or isinstance(cell, Missing)


def _row_name(table: Table, row: Sequence[Cell]) -> str:
    cells = zip(row[: table.keys], table.columns, strict=False)
    return ", ".join(show_cell(cell, column.kind) for cell, column in cells if not _is_blank(cell))


def _describe_gap(name: str, cells: Iterable[Cell]) -> str:
    """The name of a row or column that is left out, and the reason if there is only one."""
    reasons = {cell.reason.rstrip(".") for cell in cells if isinstance(cell, Missing)}
    return f"{name} ({reasons.pop()})" if len(reasons) == 1 else name


def show_cell(cell: Cell, kind: Kind) -> str:
    """The text of a cell; a missing value is a dash, whose footnote the writer adds."""
    if cell is None or isinstance(cell, Missing):
        return DASH
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Label):
        return cell.words
    if isinstance(cell, Estimate):
        return show_estimate(cell.value, cell.low, cell.high)
    if kind == "p":
        return show_p(cell)
    if kind == "rank":
        return f"{cell:g}"
    return show_count(cell) if isinstance(cell, int) else show_number(cell)


def cell_value(
    value: float | None,
    reason: str | None = None,
    *,
    low: float | None = None,
    high: float | None = None,
) -> Cell:
    """A value with its interval as a cell, or why there is none."""
    if value is None or not math.isfinite(value):
        return Missing(reason) if reason else None
    return Estimate(float(value), low, high, reason)


class Estimated(Protocol):
    """A record of a study with a value, its interval, and why it may have none."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def reason(self) -> str | None: ...


def estimate_cell(record: Estimated) -> Cell:
    """The value of a record with its interval as a cell, or why there is none."""
    return cell_value(record.value, record.reason, low=record.low, high=record.high)


def statistic_cell(code: str) -> Label:
    """A statistic that pages show in words and files keep as it is."""
    return Label(code, words.statistic(code))


def best_per_column(
    rows: Sequence[Sequence[Cell]], columns: Iterable[int]
) -> frozenset[tuple[int, int]]:
    """The cells with the highest values of some columns; ties share the stress."""
    result: set[tuple[int, int]] = set()
    for column in columns:
        values = {index: number(row[column]) for index, row in enumerate(rows)}
        present = [value for value in values.values() if value is not None]
        if len(present) > 1:
            result |= {(index, column) for index, value in values.items() if value == max(present)}
    return frozenset(result)


def number(cell: Cell) -> float | None:
    """The number in a cell, for sorting and for programs."""
    if isinstance(cell, Estimate):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None


def remark(cell: Cell) -> str | None:
    """Why a cell has no value, or a remark on the one that it has."""
    if isinstance(cell, Missing):
        return cell.reason
    return cell.remark if isinstance(cell, Estimate) else None
