"""`Table`: what every writer renders, so that all of them show the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from gistmark.report.numbers import DASH, show_count, show_estimate, show_number, show_p

Kind = Literal["text", "code", "number", "p", "count", "estimate"]


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
    """A name that people see in words and programs as it is."""

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
    """A named table of cells in full precision; `best` are the (row, column) places to stress.

    `empty` is the sentence that stands in place of a table without rows; pages show a `whole` table
    to the end, however long, because no file beside them holds the rest.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    empty: str = "There is nothing to show here."
    best: frozenset[tuple[int, int]] = field(default=frozenset())
    whole: bool = False

    def __post_init__(self) -> None:
        assert all(len(row) == len(self.columns) for row in self.rows), self.name

    @cached_property
    def reasons(self) -> dict[str, int]:
        """Why values are missing or partial: each reason and the number of its footnote."""
        found = (remark(cell) for row in self.rows for cell in row)
        distinct = dict.fromkeys(reason for reason in found if reason)
        return {reason: place for place, reason in enumerate(distinct, start=1)}

    def head(self, limit: int) -> Table:
        """The first rows only."""
        if self.whole:
            return self
        kept = frozenset(place for place in self.best if place[0] < limit)
        return replace(self, rows=self.rows[:limit], best=kept)


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


def best_per_column(
    rows: Sequence[Sequence[Cell]], columns: Iterable[int]
) -> frozenset[tuple[int, int]]:
    """The places of the highest values of some columns; ties share the stress."""
    found: set[tuple[int, int]] = set()
    for column in columns:
        values = {place: number(row[column]) for place, row in enumerate(rows)}
        there = [value for value in values.values() if value is not None]
        if len(there) > 1:
            found |= {(place, column) for place, value in values.items() if value == max(there)}
    return frozenset(found)


def number(cell: Cell) -> float | None:
    """The number in a cell, for sorting and for programs."""
    if isinstance(cell, Estimate):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None


def remark(cell: Cell) -> str | None:
    """Why a cell has no value, or what is to be known about the one that it has."""
    if isinstance(cell, Missing):
        return cell.reason
    return cell.remark if isinstance(cell, Estimate) else None
