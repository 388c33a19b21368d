"""One correlation per row at a level: over pooled rows, system means, or document by document.

The levels are those of SacreROUGE (Deutsch and Roth 2020), and one below them:

    annotation   every single rating is a row, all rows pooled
    summary      the systems of one document make a group; the mean over the documents counts
    system       one group, in which each system is represented by its mean over documents
    global       every summary is a row, all rows pooled

A partial correlation is what is left of a correlation when a third column is held constant:

    r_xy.z = (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2))

The same formula serves ranks (Spearman) and pairs (Kendall 1942). Where x or y follows z
perfectly nothing is left, and the value is not defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import (
    LEAST,
    Undefined,
    correlate,
    permutation_p_values,
    t_test,
)
from gistmark.analysis.data.arithmetic import exact_ties, quotient
from gistmark.analysis.data.columns import Unit
from gistmark.errors import UsageError

Bool = NDArray[np.bool_]

Int64 = NDArray[np.int64]

Float64 = NDArray[np.float64]

Level = Literal["annotation", "summary", "system", "global"]


@dataclass(frozen=True)
class Layout:
    """Row k is about document `documents[k]` and system `systems[k]`, numbers into the names."""

    document_names: tuple[str, ...]
    system_names: tuple[str, ...]
    documents: Int64
    systems: Int64

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def systems_recur(self) -> bool:
        """Whether systems summarised two documents or more, as a mean.

        Otherwise their names only number summaries.
        """
        summaries = len(np.unique(self.documents * len(self.system_names) + self.systems))
        return summaries >= 2 * len(self.system_names)

    @property
    def single(self) -> bool:
        """Whether there is one system."""
        return len(self.system_names) == 1

    @cached_property
    def in_order(self) -> bool:
        """Whether the rows are all documents × systems, one after another."""
        cells = len(self.document_names) * len(self.system_names)
        positions = self.documents * len(self.system_names) + self.systems
        return len(self) == cells and bool(np.array_equal(positions, np.arange(cells)))

    def cube(self, values: Float64) -> Float64:
        """Rows of the last axis spread over documents × systems, NaN where there is none."""
        shape = (len(self.document_names), len(self.system_names))
        cells = np.full((*values.shape[:-1], *shape), np.nan)
        cells[..., self.documents, self.systems] = values
        return cells

    def check_distinct(self) -> None:
        """Raise an error if two rows are about the same summary."""
        pairs = self.documents * max(len(self.system_names), 1) + self.systems
        if len(np.unique(pairs)) < len(pairs):
            raise UsageError("Summary and system level need exactly one row per summary.")


def layout_of(units: Sequence[Unit]) -> Layout:
    """The layout of rows that are about these units, in order of first appearance."""
    documents: dict[str, int] = {}
    systems: dict[str, int] = {}
    rows = [
        (documents.setdefault(document, len(documents)), systems.setdefault(system, len(systems)))
        for document, system in units
    ]
    numbers = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return Layout(tuple(documents), tuple(systems), numbers[:, 0], numbers[:, 1])


LEAST_SHARE = 0.5
"""A row with fewer than this share of the most values of any row is not compared with others."""


@dataclass(frozen=True)
class Comparable:
    """Rows that can be compared with each other, and the columns in which all of them have values.

    `counts` says how many values every row has where people have one, of `of` that people have.
    """

    rows: Bool
    columns: Bool
    counts: Int64
    of: int

    def share(self, row: int) -> str:
        """Why a row is not compared with others."""
        scored = f"{self.counts[row]:,} of {self.of:,} summaries"
        return f"was scored on {scored}, too few to be compared"


def comparable(x: Float64, y: Float64) -> Comparable:
    """The rows of x that are compared, beginning with those that have most values.

    Correlations over different summaries are not comparable: over few, or easy ones, they may be
    high by chance. A row joins where it shares half of what the first row has with all others.
    """
    there = ~np.isnan(x) & ~np.isnan(y)
    counts = np.count_nonzero(there, axis=1)
    rows, columns = np.zeros(len(x), np.bool_), ~np.isnan(y)
    of = int(columns.sum())
    for row in np.argsort(-counts, kind="stable"):
        shared = columns & there[row]
        if shared.any() and shared.sum() >= LEAST_SHARE * counts.max():
            rows[row], columns = True, shared
    return Comparable(rows, columns, counts, of)


def differs_in(documents: int, of: int) -> str:
    """Why a row that is nearly always constant is not compared with others at summary level."""
    return f"differs between systems in {documents:,} of {of:,} documents, too few to be compared"


def grouped(level: Level, layout: Layout, values: Float64) -> Float64:
    """Rows × groups × members of the level, from values with a column per summary.

    At system level a missing value leaves its document out of the system's mean, so columns that
    are to be compared must be missing in the same columns (`coefficients.complete_pairs`).
    """
    if level in ("annotation", "global"):
        return values[:, None, :]
    layout.check_distinct()
    cells = layout.cube(values)
    if level == "summary":
        return cells
    return exact_ties(cell_means(cells, np.ones((1, cells.shape[1]))))


def cell_means(cells: Float64, document_weights: Float64) -> Float64:
    """Rows × draws × systems: the weighted mean over the documents that have a value."""
    there = ~np.isnan(cells)
    sums = document_weights @ np.where(there, cells, 0.0)
    counts = document_weights @ there.astype(np.float64)
    return quotient(sums, counts)


PARTIAL_LEAST = 4
"""The fewest complete triples that can have a partial correlation other than 1 or -1."""

_NOTHING = 1e-12


def partial_values(xy: Float64, xz: Float64, yz: Float64) -> Float64:
    """The partial correlations of coefficients that were taken on the same columns."""
    left = (1.0 - xz * xz) * (1.0 - yz * yz)
    defined = left > _NOTHING
    roots = np.sqrt(np.where(defined, left, 1.0))
    return quotient(xy - xz * yz, roots, defined).clip(-1.0, 1.0)


_GROUP_LEAST = 2
"""Within a document two systems are enough, since the mean over many documents counts."""


@dataclass(frozen=True)
class LevelValues:
    """The correlation of each row of x with its row of y at one level; NaN has a reason.

    `n` counts rows (annotation, global), systems (system) or the documents that went into the
    mean (summary). p is that of systems, exact for up to nine of them, and NaN at other levels,
    whose rows are not independent, and for partial tau, whose distribution is not known.
    """

    values: Float64
    p: Float64
    n: Int64
    undefined: tuple[Undefined | None, ...]
    least: int

    def at(self, rows: Sequence[int]) -> LevelValues:
        """Some of the rows."""
        reasons = tuple(self.undefined[row] for row in rows)
        return LevelValues(self.values[rows], self.p[rows], self.n[rows], reasons, self.least)


def correlate_at(
    level: Level,
    x: Float64,
    y: Float64,
    layout: Layout,
    coefficient: str,
    *,
    given: Float64 | None = None,
) -> LevelValues:
    """Correlate each row of x with its row of y, given its row of z.

    All three have a column per row of the layout, and are missing in the same columns.
    """
    least = _GROUP_LEAST if level == "summary" else LEAST
    first, second = grouped(level, layout, x), grouped(level, layout, y)
    rows, groups, size = first.shape
    pairs = first.reshape(rows * groups, size), second.reshape(rows * groups, size)
    outcome = correlate(*pairs, coefficient, least=least, test=False)
    tested = level == "system" and given is None
    p = permutation_p_values(*pairs, outcome.values, coefficient) if tested else outcome.p
    result = LevelValues(outcome.values, p, outcome.n, outcome.undefined, least)
    if given is not None:
        third = grouped(level, layout, given).reshape(pairs[0].shape)
        result = _partial(level, result, *pairs, third, coefficient)
    return result if level != "summary" else _averaged(result, (rows, groups))


def _partial(
    level: Level, plain: LevelValues, x: Float64, y: Float64, z: Float64, coefficient: str
) -> LevelValues:
    xz = correlate(x, z, coefficient, least=plain.least, test=False).values
    yz = correlate(y, z, coefficient, least=plain.least, test=False).values
    values = partial_values(plain.values, xz, yz)
    values[plain.n < PARTIAL_LEAST] = np.nan
    p = t_test(values, np.maximum(plain.n - 3, 1))
    reasons = tuple(
        None if defined else reason or ("few" if count < PARTIAL_LEAST else "given")
        for defined, reason, count in zip(~np.isnan(values), plain.undefined, plain.n, strict=True)
    )
    if level != "system" or not COEFFICIENTS.get(coefficient).partial_t:
        p = np.full(len(p), np.nan)
    return LevelValues(values, p, plain.n, reasons, PARTIAL_LEAST)


def _averaged(groups: LevelValues, shape: tuple[int, ...]) -> LevelValues:
    """The mean over the documents whose correlation is defined."""
    values = groups.values.reshape(shape)
    defined = ~np.isnan(values)
    n = defined.sum(axis=1)
    sums = np.sum(values, axis=1, where=defined)
    means = quotient(sums, n)
    reasons: tuple[Undefined | None, ...] = tuple(None if count else "groups" for count in n)
    return LevelValues(means, np.full(len(n), np.nan), n, reasons, groups.least)
