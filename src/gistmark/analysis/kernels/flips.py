"""Sign flips of many pairs: how many are as large as what was observed, and what they allow.

Rows of `sums` hold the signed sums of what is compared, one column per choice of signs. Pair k
is about row `lefts[k]` minus row `rights[k]`, or row `lefts[k]` alone where `rights[k]` is -1.
`least` is the observed difference in size, less rounding; `b` the signed sums of the weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

_ONE = 1.0 - 1e-12


@compiled
def count_hits(sums: Float64, lefts: Int64, rights: Int64, least: Float64, b: Float64) -> Int64:
    """How many choices of signs make each pair's difference as large as the observed one."""
    hits = np.zeros(len(lefts), np.int64)
    for k in range(len(lefts)):
        own = b[k if len(b) > 1 else 0]
        count = 0
        for row in range(sums.shape[1]):
            a = sums[lefts[k], row]
            if rights[k] >= 0:
                a -= sums[rights[k], row]
            if abs(a) >= least[k] or abs(own[row]) >= _ONE:
                count += 1
        hits[k] = count
    return hits


@compiled
def interval_bounds(
    sums: Float64, lefts: Int64, rights: Int64, t: Float64, b: Float64, rejected: int
) -> Float64:
    """Pairs × 2: the least and the greatest difference that too few choices of signs rule out.

    With signs s the flipped difference is a - d b when the true one is d: a the signed sum of the
    parts, b that of the weights. It is as large as the observed one, |a - d b| >= |t - d|, for d
    between (t - a) / (1 - b) and (t + a) / (1 + b); for all d where |b| is 1 or more.
    """
    flips = sums.shape[1]
    bounds = np.empty((len(lefts), 2))
    low, high = np.empty(flips), np.empty(flips)
    for k in range(len(lefts)):
        own = b[k if len(b) > 1 else 0]
        for row in range(flips):
            a = sums[lefts[k], row]
            if rights[k] >= 0:
                a -= sums[rights[k], row]
            if abs(own[row]) >= _ONE:
                low[row], high[row] = -np.inf, np.inf
            else:
                one, other = (t[k] - a) / (1.0 - own[row]), (t[k] + a) / (1.0 + own[row])
                low[row], high[row] = min(one, other), max(one, other)
        bounds[k, 0] = np.partition(low, rejected)[rejected]
        bounds[k, 1] = np.partition(high, flips - 1 - rejected)[flips - 1 - rejected]
    return bounds
