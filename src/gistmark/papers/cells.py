"""`Cell`: one value of a paper beside the same value computed here, and a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Verdict = Literal["exact", "within rounding", "differs", "not checked", "no print"]
Source = Literal["print", "recomputed"]

UNEXPLAINED = "We do not know why the values differ."
UNDEFINED = "The data in the folder give no value."


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table or figure.

    `published` is what the paper prints, with `decimals` digits behind the point, and `value` what
    its released data give. `source` is `print` where the paper itself has the number, and
    `recomputed` where it shows a colour or a bar: the number in `published` is then not the
    paper's, but what another program computed from the same data. `why` says what a reader should
    know; it is never empty where the values differ or the value was not checked.
    """

    table: str
    row: str
    column: str
    published: float | None
    value: float | None
    decimals: int
    verdict: Verdict
    why: str = ""
    source: Source = "print"


def cell(
    table: str,
    row: str,
    column: str,
    published: float | None,
    value: float | None,
    decimals: int,
    *,
    why: str = "",
    source: Source = "print",
) -> Cell:
    """A cell with the verdict that its numbers call for."""
    value = None if value is None or math.isnan(value) else float(value)
    verdict = verdict_on(published, value, decimals)
    why = why or {"differs": UNEXPLAINED, "not checked": UNDEFINED}.get(verdict, "")
    return Cell(table, row, column, published, value, decimals, verdict, why, source)


def verdict_on(published: float | None, value: float | None, decimals: int) -> Verdict:
    """How a recomputed value compares with the print.

    `exact`: it rounds to the print. `within rounding`: it is at most one unit of the last printed
    digit away. `differs`: it is further away. `not checked`: nothing was computed. `no print`: the
    paper has no such value.
    """
    if value is None:
        return "not checked"
    if published is None:
        return "no print"
    printed = Decimal(f"{published:.{decimals}f}")
    if Decimal(f"{value:.{decimals}f}") == printed:
        return "exact"
    unit = Decimal(1).scaleb(-decimals)
    return "within rounding" if abs(Decimal(value) - printed) <= unit else "differs"


Printed = Mapping[str, Sequence[float | None]]
"""A printed table: the values of each row; None where the print has none."""


def unchecked(
    table: str, columns: Sequence[str], printed: Printed, decimals: int, why: str
) -> Iterator[Cell]:
    """The cells of a printed table that are not computed, and why not."""
    for row, values in printed.items():
        for column, published in zip(columns, values, strict=True):
            if published is not None:
                yield cell(table, row, column, published, None, decimals, why=why)


def beside(
    table: str,
    columns: Sequence[str],
    printed: Printed,
    values: Mapping[tuple[str, str], float | None],
    decimals: int,
    *,
    why: str = "",
) -> Iterator[Cell]:
    """The cells of a printed table beside `values`, by row and column; `why` where they differ."""
    for row, row_printed in printed.items():
        for column, published in zip(columns, row_printed, strict=True):
            if published is not None:
                value = values[row, column]
                same = verdict_on(published, value, decimals) == "exact"
                yield cell(
                    table, row, column, published, value, decimals,
                    why="" if same else why,
                )  # fmt: skip
