"""Which document and system each row of numbers is about, and how levels group the rows.

The levels are those of SacreROUGE (Deutsch and Roth 2020), and one below them:

    annotation   every single rating is a row, all rows pooled
    summary      the systems of one document make a group; the mean over the documents counts
    system       one group, in which each system is represented by its mean over documents
    global       every summary is a row, all rows pooled
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.quotients import quotient
from gistmark.analysis.ratings import Unit
from gistmark.analysis.ties import exact_ties
from gistmark.errors import UsageError

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

Level = Literal["annotation", "summary", "system", "global"]
LEVELS: tuple[Level, ...] = ("annotation", "summary", "system", "global")

_CROSSED_SYSTEMS = 3
_CROSSED_SHARE = 0.5


@dataclass(frozen=True)
class Layout:
    """Row k is about document `documents[k]` and system `systems[k]`, numbers into the names."""

    document_names: tuple[str, ...]
    system_names: tuple[str, ...]
    documents: Int64
    systems: Int64

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def crossed(self) -> bool:
        """Whether several systems summarised mostly the same documents."""
        cells = len(self.document_names) * len(self.system_names)
        filled = len(np.unique(self.documents * len(self.system_names) + self.systems))
        return len(self.system_names) >= _CROSSED_SYSTEMS and filled >= _CROSSED_SHARE * cells

    @cached_property
    def in_order(self) -> bool:
        """Whether the rows are all documents × systems, one after another."""
        cells = len(self.document_names) * len(self.system_names)
        places = self.documents * len(self.system_names) + self.systems
        return len(self) == cells and bool(np.array_equal(places, np.arange(cells)))

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
            raise UsageError("Summary and system level want one row per summary, not several.")


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


def grouped(level: Level, layout: Layout, values: Float64) -> Float64:
    """Rows × groups × members of the level, from values with a column per summary.

    At system level a missing value leaves its document out of the system's mean, so columns that
    are to be compared must be missing at the same places (`coefficients.complete_pairs`).
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
