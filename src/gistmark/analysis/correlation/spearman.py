"""Spearman's correlation, plain and weighted, compiled."""

from __future__ import annotations

import numpy as np

from gistmark.analysis.correlation.coefficients import Bool, Float64, Int64, t_test_p
from gistmark.analysis.correlation.pearson import product_moment
from gistmark.analysis.correlation.ranked import RankCoefficient, SortedPairs
from gistmark.analysis.data.arithmetic import average_ranks, quotient
from gistmark.runtime.compiled import compiled


class Spearman(RankCoefficient):
    """Pearson's correlation of the ranks, ties averaged."""

    name, label, title = "spearman", "Spearman", "Spearman"
    williams, partial_t = True, True

    def values(self, x: Float64, y: Float64) -> Float64:
        return product_moment(average_ranks(x), average_ranks(y))

    def p_values(self, x: Float64, y: Float64, values: Float64) -> Float64:
        return t_test_p(x, values)

    def features(self, values: Float64) -> Float64:
        ranks: Float64 = average_ranks(values) - (values.shape[-1] + 1) / 2
        return ranks

    def deviations(self, values: Float64, counts: Int64) -> Float64:
        """sqrt((1 + rho^2 / 2) / (n - 3)), Bonett and Wright (2000)."""
        return quotient(np.sqrt(1.0 + values**2 / 2.0), np.sqrt(np.maximum(counts - 3.0, 0.0)))

    def steps(self, counts: Int64) -> Float64:
        return np.asarray(12.0 / (counts**3.0 - counts))

    def weighted(self, pairs: SortedPairs, weights: Float64) -> Float64:
        return spearman_values(*pairs.arrays, weights)


SPEARMAN = Spearman()


@compiled
def spearman_values(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, owner: Int64, counts: Int64,
    weights: Float64,
) -> Float64:  # fmt: skip
    """Spearman's rho of every pair of rows (columns of the result) under every set of weights.

    With N the sum of the weights and t the weight of each tie:

        rho = (sum w rx ry - N (N + 1)^2 / 4) / sqrt(vx vy),   v = (N^3 - N - sum (t^3 - t)) / 12
    """
    blocks, draws, size = weights.shape
    rows = len(owner) // blocks
    values = np.empty((draws, len(owner)))
    ranks = np.empty(size)
    for block in range(blocks):
        for draw in range(draws):
            weight = weights[block, draw]
            ranked, y_spread = -1, 0.0
            for row in range(block * rows, (block + 1) * rows):
                y, count = owner[row], counts[owner[row]]
                if y != ranked:
                    y_spread = weighted_ranks(y_order[y], y_starts[y], count, weight, ranks)
                    ranked = y
                values[draw, row] = _spearman(
                    x_order, x_starts, row, count, weight, ranks, y_spread
                )
    return values


@compiled
def weighted_ranks(
    order: Int64, starts: Bool, count: int, weight: Float64, ranks: Float64
) -> float:
    """Write the average ranks into `ranks`, each times its weight; return N^3 - N - sum t^3 - t."""
    below, tied, first, ties = 0.0, 0.0, 0, 0.0
    for position in range(count + 1):
        if position == count or (starts[position] and position > 0):
            middle = below + (tied + 1.0) / 2.0
            for member in range(first, position):
                ranks[order[member]] = middle * weight[order[member]]
            below += tied
            ties += tied * tied * tied - tied
            tied, first = 0.0, position
        if position < count:
            tied += weight[order[position]]
    return below * below * below - below - ties


@compiled
def _spearman(
    order: Int64,
    starts: Bool,
    row: int,
    count: int,
    weight: Float64,
    ranks: Float64,
    y_spread: float,
) -> float:
    below, tied, shared, products, ties = 0.0, 0.0, 0.0, 0.0, 0.0
    for position in range(count):
        if starts[row, position]:
            products += (below + (tied + 1.0) / 2.0) * shared
            below += tied
            ties += tied * tied * tied - tied
            tied, shared = 0.0, 0.0
        tied += weight[order[row, position]]
        shared += ranks[order[row, position]]
    products += (below + (tied + 1.0) / 2.0) * shared
    below += tied
    ties += tied * tied * tied - tied
    x_spread = below * below * below - below - ties
    if x_spread <= 0.0 or y_spread <= 0.0:
        return np.nan
    middle = below * (below + 1.0) * (below + 1.0) / 4.0
    return float(12.0 * (products - middle) / np.sqrt(x_spread * y_spread))
