"""Kendall's tau-b, plain and weighted, compiled; a Fenwick tree counts concordant pairs."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from gistmark.analysis.correlation.coefficients import Bool, Float64, Int64
from gistmark.analysis.correlation.ranked import RankCoefficient, SortedPairs
from gistmark.analysis.data.arithmetic import quotient, sort_rows
from gistmark.runtime.compiled import compiled

_EXACT = 33
"""p is exact up to this many pairs without ties, as in scipy."""


class Kendall(RankCoefficient):
    """The surplus of concordant over discordant pairs, corrected for ties (tau-b)."""

    name, label, title = "kendall", "Kendall", "Kendall's tau-b"

    def values(self, x: Float64, y: Float64) -> Float64:
        once = np.ones((1, x.shape[1]))
        values: Float64 = self.prepare(x, y).under(once)[0].clip(-1.0, 1.0)
        return values

    def p_values(self, x: Float64, y: Float64, values: Float64) -> Float64:
        counts = np.count_nonzero(~np.isnan(x), axis=-1)
        sizes = counts.tolist()  # whole numbers of Python, since products of pairs are large
        tests = zip(values, sizes, _ties(x), _ties(y), strict=True)
        return np.array([_p_value(*test) for test in tests])

    def features(self, values: Float64) -> Float64:
        """The sign of the difference of each pair of members."""
        lefts, rights = np.triu_indices(values.shape[-1], 1)
        return np.sign(values[..., lefts] - values[..., rights])

    def deviations(self, values: Float64, counts: Int64) -> Float64:
        """sqrt(0.437 / (n - 4)), Fieller, Hartley and Pearson (1957), widened for few members.

        Their constant is for moderate values of tau and ten members or more. With fewer, or with a
        high tau, intervals are too narrow; as much wider as Student's t with n - 2 degrees of
        freedom is than the normal distribution, they hold the truth (benchmarks/truth.py).
        """
        from scipy.special import ndtri, stdtrit

        wider = stdtrit(np.maximum(counts - 2.0, 1.0), 0.975) / ndtri(0.975)
        return quotient(math.sqrt(0.437) * wider, np.sqrt(np.maximum(counts - 4.0, 0.0)))

    def steps(self, counts: Int64) -> Float64:
        return np.asarray(4.0 / (counts**2.0 - counts))

    def weighted(self, pairs: SortedPairs, weights: Float64) -> Float64:
        return kendall_values(*pairs.arrays, weights)


KENDALL = Kendall()


def _ties(values: Float64) -> list[Int64]:
    """The sizes of the ties of each row."""
    sorting = sort_rows(values)
    return [
        np.diff(np.append(np.flatnonzero(starts[:count]), count))
        for starts, count in zip(sorting.starts, sorting.counts, strict=True)
    ]


def _p_value(tau: float, n: int, x_ties: Int64, y_ties: Int64) -> float:
    """Exact for few pairs without ties, otherwise by the normal distribution (Kendall 1970)."""
    pairs = n * (n - 1) // 2
    tied = [int((ties * (ties - 1)).sum()) // 2 for ties in (x_ties, y_ties)]
    surplus = round(tau * math.sqrt((pairs - tied[0]) * (pairs - tied[1])))
    if tied == [0, 0]:
        fewest = (pairs - abs(surplus)) // 2
        if n <= _EXACT:
            return float(min(1.0, 2.0 * _inversions(n)[fewest]))
        if fewest <= 1:
            return 2.0 * math.exp(-math.lgamma(n + 1 - fewest))
    return math.erfc(abs(surplus) / math.sqrt(2.0 * _surplus_variance(n, x_ties, y_ties)))


def _surplus_variance(n: int, x_ties: Int64, y_ties: Int64) -> float:
    both = [ties.astype(np.float64) for ties in (x_ties, y_ties)]
    twos = [float((t * (t - 1)).sum()) / 2 for t in both]
    threes = [float((t * (t - 1) * (t - 2)).sum()) for t in both]
    fives = [float((t * (t - 1) * (2 * t + 5)).sum()) for t in both]
    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - sum(fives)) / 18 + 2 * twos[0] * twos[1] / m
    return variance + (threes[0] * threes[1] / (9 * m * (n - 2)) if n > 2 else 0.0)


@lru_cache(maxsize=_EXACT)
def _inversions(n: int) -> Float64:
    """The share of the permutations of n things that have at most k inversions, for each k."""
    shares = np.ones(1)
    for size in range(2, n + 1):
        shares = np.convolve(shares, np.full(size, 1.0 / size))
    return np.cumsum(shares)


@compiled
def kendall_values(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, owner: Int64, counts: Int64,
    weights: Float64,
) -> Float64:  # fmt: skip
    """Kendall's tau-b of every pair of rows (columns) under every set of weights.

    Members that were drawn twice tie with themselves in both rows.
    """
    (blocks, draws, size), rows = weights.shape, len(owner)
    values = np.empty((draws, rows))
    dense = np.empty(size, np.int64)
    tree, held = np.empty(size + 1), np.empty(size + 1)
    ranked, levels = -1, 0
    for row in range(rows):
        y, count = owner[row], counts[owner[row]]
        if y != ranked:
            levels = dense_ranks(y_order[y], y_starts[y], count, dense)
            ranked = y
        for draw in range(draws):
            weight = weights[row * blocks // rows, draw]
            values[draw, row] = kendall(
                x_order[row], x_starts[row], count, weight, dense, levels, tree, held
            )
    return values


@compiled
def kendall(
    order: Int64, starts: Bool, count: int, weight: Float64, dense: Int64, levels: int,
    tree: Float64, held: Float64,
) -> float:  # fmt: skip
    """tau-b = (concordant - discordant) / sqrt((pairs - x ties) (pairs - y ties)).

    `held` has the weight at each level of y among the members with smaller x, and the Fenwick
    tree its sums; both are scratch, one longer than there are levels.
    """
    tree[: levels + 1] = 0.0
    held[: levels + 1] = 0.0
    total, surplus, x_ties, first = 0.0, 0.0, 0.0, 0
    for position in range(count + 1):
        if position == count or (starts[position] and position > 0):
            tied = 0.0
            for member in range(first, position):
                if weight[order[member]] > 0.0:
                    _add(tree, held, dense[order[member]], levels, weight[order[member]])
                    tied += weight[order[member]]
            total += tied
            x_ties += tied * (tied - 1.0) / 2.0
            first = position
        if position < count and weight[order[position]] > 0.0:
            level = dense[order[position]]
            smaller = _sum(tree, level - 1)
            larger = total - smaller - held[level]
            surplus += weight[order[position]] * (smaller - larger)
    y_ties = 0.0
    for level in range(1, levels + 1):
        y_ties += held[level] * (held[level] - 1.0) / 2.0
    pairs = total * (total - 1.0) / 2.0
    if pairs <= x_ties or pairs <= y_ties:
        return np.nan
    return float(surplus / np.sqrt(pairs - x_ties) / np.sqrt(pairs - y_ties))


@compiled
def dense_ranks(order: Int64, starts: Bool, count: int, dense: Int64) -> int:
    """Write the number of each member's tie, from 1 up, into `dense`; return the last number."""
    level = 0
    for position in range(count):
        level += starts[position] or position == 0
        dense[order[position]] = level
    return level


@compiled
def _add(tree: Float64, held: Float64, level: int, levels: int, weight: float) -> None:
    held[level] += weight
    while level <= levels:
        tree[level] += weight
        level += level & -level


@compiled
def _sum(tree: Float64, level: int) -> float:
    total = 0.0
    while level > 0:
        total += tree[level]
        level -= level & -level
    return total
