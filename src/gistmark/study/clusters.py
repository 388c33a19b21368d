"""Significance clusters: runs of neighbours in a ranking that cannot be told apart.

Systems are put in order, each is tested against the next, the p values are corrected by Holm,
and a new cluster begins where two neighbours differ significantly. The tests are permutation
tests over documents: if two systems were equally good, their names could be exchanged within any
document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gistmark.study.bradley_terry import PENALTY, Wins, fit
from gistmark.study.corrections import correct
from gistmark.study.draws import CHUNK, Resampling
from gistmark.study.significance import permutation_p

Float64 = NDArray[np.float64]

SIGNIFICANT = 0.05

NeighbourTest = Callable[[int, int], float | None]
"""The p of the difference between two systems, by number; None if it cannot be tested."""


def clusters(values: Float64, test: NeighbourTest) -> list[int | None]:
    """The cluster of each system, 1 for the best; None for a system without a value.

    Neighbours that cannot be tested, for want of a common document, are not told apart.
    """
    order = [int(place) for place in np.argsort(-values, kind="stable")]
    order = [place for place in order if not np.isnan(values[place])]
    p_values = correct([test(one, other) for one, other in pairwise(order)], "holm")
    found: list[int | None] = [None] * len(values)
    cluster = 1
    for place, p in zip(order, [None, *p_values], strict=False):
        cluster += p is not None and p < SIGNIFICANT
        found[place] = cluster
    return found


def cell_test(cells: Float64, resampling: Resampling) -> NeighbourTest:
    """A test of means over documents: in each, the difference changes its sign by a coin."""

    def test(one: int, other: int) -> float | None:
        gaps = cells[:, one] - cells[:, other]
        gaps = gaps[~np.isnan(gaps)]
        if not len(gaps):
            return None
        permuted = _signed_sums(gaps, resampling) / len(gaps)
        return permutation_p(float(gaps.mean()), permuted)

    return test


def strength_test(wins: Wins, resampling: Resampling, penalty: float = PENALTY) -> NeighbourTest:
    """A test of Bradley-Terry strengths: two systems exchange names in documents by a coin."""
    total = wins.tables.sum(axis=0)
    values = fit(total[None], penalty)[0]

    def test(one: int, other: int) -> float | None:
        names = _exchanged(len(total), one, other)
        moved = wins.tables[:, names][:, :, names] - wins.tables
        coins = resampling.rng.integers(0, 2, size=(resampling.resamples, len(moved)))
        tables = total + np.tensordot(coins.astype(np.float64), moved, axes=1)
        permuted = fit(tables, penalty)
        gap = float(values[one] - values[other])
        return permutation_p(gap, permuted[:, one] - permuted[:, other])

    return test


def _signed_sums(gaps: Float64, resampling: Resampling) -> Float64:
    """The sum of the gaps with signs by a coin, as often as asked."""
    rows = max(1, CHUNK // len(gaps))
    coins = (
        resampling.rng.integers(0, 2, size=(min(rows, resampling.resamples - start), len(gaps)))
        for start in range(0, resampling.resamples, rows)
    )
    return np.concatenate([(2.0 * part - 1.0) @ gaps for part in coins])


def _exchanged(size: int, one: int, other: int) -> Sequence[int]:
    names = list(range(size))
    names[one], names[other] = other, one
    return names
