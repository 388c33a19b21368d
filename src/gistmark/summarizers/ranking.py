"""Ranking sentences by a random walk over a graph of them (PageRank; Brin and Page, 1998)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

_ENOUGH = 1e-10
_STEPS = 1_000
_DIGITS = 12


def walk(step: Callable[[Float64], Float64], size: int, *, damping: float) -> Float64:
    """How much of its time a walker spends at each of the sentences; all together 1.

    `step` takes the shares of the sentences and gives those after one step along the graph. With
    a probability of 1 - `damping` the walker jumps anywhere instead. Ends when all shares
    together change by less than 1e-10, or after 1,000 steps.
    """
    if not size:
        return np.empty(0)
    even: Float64 = np.full(size, 1 / size)
    shares = even
    for _ in range(_STEPS):
        moved = (1 - damping) * even + damping * step(shares)
        change = np.abs(moved - shares).sum()
        shares = moved
        if change < _ENOUGH:
            break
    total = shares.sum()
    return shares / total if total > 0 else shares


def best_first(scores: Float64) -> Int64:
    """The numbers of the scores from the highest on; of equals (to 12 digits) the first first."""
    return np.argsort(-np.round(scores, _DIGITS), kind="stable")
