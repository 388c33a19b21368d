"""Normalised mean rank of systems, as in DIP-SumEval's Figure 5.

Within each document the n systems are ranked by score, 1 for the best, ties averaged; a rank
becomes (n - rank) / (n - 1), which is 1 for the best of a document and 0 for the worst; and a
system's value is the mean over its documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.human import HumanScores
from gistmark.analysis.layout import layout_of
from gistmark.analysis.quotients import quotient
from gistmark.analysis.ties import average_ranks

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

METHOD = "normalised mean rank"


@dataclass(frozen=True)
class MeanRanks:
    """A value per system (NaN without a document), and the number of documents behind it."""

    systems: tuple[str, ...]
    values: Float64
    n: Int64


def mean_ranks(human: HumanScores, name: str) -> MeanRanks:
    """The normalised mean rank of every system by one human score."""
    layout = layout_of(human.units)
    cells = normalised_ranks(layout.cube(human.of(name)))
    there = ~np.isnan(cells)
    n = there.sum(axis=0)
    return MeanRanks(layout.system_names, quotient(np.sum(cells, axis=0, where=there), n), n)


def normalised_ranks(cells: Float64) -> Float64:
    """Documents × systems: (n - rank) / (n - 1) within each document.

    A document with fewer than two systems ranks nobody and is NaN.
    """
    ranks = average_ranks(-cells)
    n = np.count_nonzero(~np.isnan(cells), axis=1)[:, None]
    return quotient(n - ranks, n - 1, np.broadcast_to(n > 1, cells.shape))
