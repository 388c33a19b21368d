"""`Cell`: one value of a paper beside the same value computed here, and a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Verdict = Literal["exact", "within rounding", "not reproducible", "no print"]
Source = Literal["print", "recomputed"]

UNEXPLAINED = "The paper does not say enough to tell why the values differ."


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table or figure.

    `published` is what the paper has, with `decimals` digits behind the point, and `value` what
    its released data give. `source` is `print` where the paper itself has the number, and
    `recomputed` where it is shown as a colour or a bar: `published` is then what another program
    found in the same data. `why` says what is to be known, always for what is not reproducible.
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
    if verdict == "not reproducible" and not why:
        why = UNEXPLAINED
    return Cell(table, row, column, published, value, decimals, verdict, why, source)


def verdict_on(published: float | None, value: float | None, decimals: int) -> Verdict:
    """How a recomputed value stands to the print.

    `exact`: it rounds to the print. `within rounding`: it differs by at most one unit of the last
    printed digit. `no print`: there is nothing to hold it against. `not reproducible`: it differs
    by more, or there is none.
    """
    if value is None:
        return "not reproducible"
    if published is None:
        return "no print"
    printed = Decimal(f"{published:.{decimals}f}")
    if Decimal(f"{value:.{decimals}f}") == printed:
        return "exact"
    unit = Decimal(1).scaleb(-decimals)
    return "within rounding" if abs(Decimal(value) - printed) <= unit else "not reproducible"


Printed = Mapping[str, Sequence[float | None]]
"""A printed table: the values of each row; None where the print has none."""


def lacking(
    table: str, columns: Sequence[str], printed: Printed, decimals: int, why: str
) -> Iterator[Cell]:
    """The cells of a printed table for which there is nothing to compute from."""
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
