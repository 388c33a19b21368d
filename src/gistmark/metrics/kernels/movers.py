"""Distances between bags of points: how far the mass of one must travel to become the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.cancellation import check
from gistmark.compiled import compiled
from gistmark.metrics.kernels.transport import least_work

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


_PAIRS = 16
"""How many pairs are solved before it is checked whether the run was cancelled."""


def movers_distances(
    words: Int64, counts: Int64, offsets: Int64, points: Float64, left: Int64, right: Int64
) -> Float64:
    """The distance between the bags `left[i]` and `right[i]`, for all pairs.

    Bag `b` holds `words[offsets[b]:offsets[b + 1]]`, ascending, that many `counts` of each; the
    words are rows of `points`. Each bag is weighted to a total of 1. No bag may be empty.
    """
    found = np.empty(len(left), dtype=np.float64)
    for start in range(0, len(left), _PAIRS):
        check()
        some = slice(start, start + _PAIRS)
        found[some] = solved(words, counts, offsets, points, left[some], right[some])
    return found


@compiled
def solved(
    words: Int64, counts: Int64, offsets: Int64, points: Float64, left: Int64, right: Int64
) -> Float64:
    """The distances of a few pairs of bags."""
    found = np.empty(len(left), dtype=np.float64)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        ours, theirs = slice(offsets[a], offsets[a + 1]), slice(offsets[b], offsets[b + 1])
        whole, other = counts[ours].sum(), counts[theirs].sum()
        supply, demand = counts[ours] * other, counts[theirs] * whole
        cancel_common(words[ours], words[theirs], supply, demand)
        from_words, to_words = words[ours][supply > 0], words[theirs][demand > 0]
        supply, demand = supply[supply > 0], demand[demand > 0]
        if len(supply) < len(demand):
            from_words, to_words = to_words, from_words
            supply, demand = demand, supply
        costs = distances(points, from_words, to_words)
        found[pair] = least_work(costs, supply, demand) / (float(whole) * float(other))
    return found


@compiled
def cancel_common(ours: Int64, theirs: Int64, supply: Int64, demand: Int64) -> None:
    """Take off, in place, the mass that both bags have at the same word.

    It may stay where it is: by the triangle inequality no plan that moves it is cheaper.
    """
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if ours[i] < theirs[j]:
            i += 1
        elif ours[i] > theirs[j]:
            j += 1
        else:
            shared = min(supply[i], demand[j])
            supply[i] -= shared
            demand[j] -= shared
            i += 1
            j += 1


@compiled
def distances(points: Float64, rows: Int64, columns: Int64) -> Float64:
    """Euclidean distances; the inner loop runs over columns, so that it is vectorised."""
    size = points.shape[1]
    across = np.empty((size, len(columns)), dtype=np.float64)
    for j in range(len(columns)):
        for k in range(size):
            across[k, j] = points[columns[j], k]
    found = np.zeros((len(rows), len(columns)), dtype=np.float64)
    for i in range(len(rows)):
        line = found[i]
        for k in range(size):
            value = points[rows[i], k]
            for j in range(len(columns)):
                line[j] += (value - across[k, j]) ** 2
    return np.sqrt(found)
