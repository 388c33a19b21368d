"""Rank correlations of rows in which each member counts a whole number of times.

A bootstrap resample is such a row: drawing members with replacement is the same as giving each
the number of times it was drawn. Weights do not change the order of the values, so a row is
sorted once, and every resample takes one pass over the sorted places.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def spearman_resamples(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, fresh: Bool, counts: Int64,
    weights: Float64,
) -> Float64:  # fmt: skip
    """Spearman's rho of every pair of rows (columns of the result) under every set of weights.

    `fresh[r]` is False where row r of y is the same as the row before it, whose ranks are then
    used again. With N the sum of the weights and t the weight of each tie:

        rho = (sum w rx ry - N (N + 1)^2 / 4) / sqrt(vx vy),   v = (N^3 - N - sum (t^3 - t)) / 12
    """
    found = np.empty((weights.shape[0], x_order.shape[0]))
    ranks = np.empty(weights.shape[1])
    for draw in range(weights.shape[0]):
        weight = weights[draw]
        y_spread = 0.0
        for row in range(x_order.shape[0]):
            count = counts[row]
            if fresh[row]:
                y_spread = weighted_ranks(y_order[row], y_starts[row], count, weight, ranks)
            found[draw, row] = _spearman(
                x_order[row], x_starts[row], count, weight, ranks, y_spread
            )
    return found


@compiled
def kendall_resamples(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, weights: Float64
) -> Float64:
    """Kendall's tau-b of every pair of rows (columns) under every set of weights.

    Members that were drawn twice tie with themselves in both rows.
    """
    found = np.empty((weights.shape[0], x_order.shape[0]))
    places = np.empty(weights.shape[1], np.int64)
    tree = np.empty(weights.shape[1] + 1)
    held = np.empty(weights.shape[1] + 1)
    for row in range(x_order.shape[0]):
        count = counts[row]
        levels = dense_ranks(y_order[row], y_starts[row], count, places)
        for draw in range(weights.shape[0]):
            found[draw, row] = kendall(
                x_order[row], x_starts[row], count, weights[draw], places, levels, tree, held
            )
    return found


@compiled
def spearman_each(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, weights: Float64
) -> Float64:
    """Spearman's rho of every pair of rows, each block of rows under weights of its own.

    With B sets of weights, the first of B equal blocks of rows goes with the first set, and so on.
    """
    rows = x_order.shape[0]
    found = np.empty(rows)
    ranks = np.empty(weights.shape[1])
    for row in range(rows):
        weight = weights[row * weights.shape[0] // rows]
        y_spread = weighted_ranks(y_order[row], y_starts[row], counts[row], weight, ranks)
        found[row] = _spearman(x_order[row], x_starts[row], counts[row], weight, ranks, y_spread)
    return found


@compiled
def kendall_each(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, weights: Float64
) -> Float64:
    """The same for Kendall's tau-b."""
    rows = x_order.shape[0]
    found = np.empty(rows)
    places = np.empty(weights.shape[1], np.int64)
    tree, held = np.empty(weights.shape[1] + 1), np.empty(weights.shape[1] + 1)
    for row in range(rows):
        weight = weights[row * weights.shape[0] // rows]
        levels = dense_ranks(y_order[row], y_starts[row], counts[row], places)
        found[row] = kendall(
            x_order[row], x_starts[row], counts[row], weight, places, levels, tree, held
        )
    return found


@compiled
def weighted_ranks(
    order: Int64, starts: Bool, count: int, weight: Float64, ranks: Float64
) -> float:
    """Write the average ranks into `ranks`, each times its weight; return N^3 - N - sum t^3 - t."""
    below, tied, first, ties = 0.0, 0.0, 0, 0.0
    for place in range(count + 1):
        if place == count or (starts[place] and place > 0):
            middle = below + (tied + 1.0) / 2.0
            for member in range(first, place):
                ranks[order[member]] = middle * weight[order[member]]
            below += tied
            ties += tied * tied * tied - tied
            tied, first = 0.0, place
        if place < count:
            tied += weight[order[place]]
    return below * below * below - below - ties


@compiled
def _spearman(
    order: Int64, starts: Bool, count: int, weight: Float64, ranks: Float64, y_spread: float
) -> float:
    below, tied, shared, products, ties = 0.0, 0.0, 0.0, 0.0, 0.0
    for place in range(count):
        if starts[place]:
            products += (below + (tied + 1.0) / 2.0) * shared
            below += tied
            ties += tied * tied * tied - tied
            tied, shared = 0.0, 0.0
        tied += weight[order[place]]
        shared += ranks[order[place]]
    products += (below + (tied + 1.0) / 2.0) * shared
    below += tied
    ties += tied * tied * tied - tied
    x_spread = below * below * below - below - ties
    if x_spread <= 0.0 or y_spread <= 0.0:
        return np.nan
    middle = below * (below + 1.0) * (below + 1.0) / 4.0
    return float(12.0 * (products - middle) / np.sqrt(x_spread * y_spread))


@compiled
def dense_ranks(order: Int64, starts: Bool, count: int, places: Int64) -> int:
    """Write the number of each member's tie, from 1 up, into `places`; return the last number."""
    level = 0
    for place in range(count):
        level += starts[place] or place == 0
        places[order[place]] = level
    return level


@compiled
def kendall(
    order: Int64, starts: Bool, count: int, weight: Float64, places: Int64, levels: int,
    tree: Float64, held: Float64,
) -> float:  # fmt: skip
    """tau-b = (concordant - discordant) / sqrt((pairs - x ties) (pairs - y ties)).

    `held` has the weight at each level of y among the members with smaller x, and the Fenwick
    tree its sums; both are scratch with a place more than there are levels.
    """
    tree[: levels + 1] = 0.0
    held[: levels + 1] = 0.0
    total, surplus, x_ties, first = 0.0, 0.0, 0.0, 0
    for place in range(count + 1):
        if place == count or (starts[place] and place > 0):
            tied = 0.0
            for member in range(first, place):
                if weight[order[member]] > 0.0:
                    _add(tree, held, places[order[member]], levels, weight[order[member]])
                    tied += weight[order[member]]
            total += tied
            x_ties += tied * (tied - 1.0) / 2.0
            first = place
        if place < count and weight[order[place]] > 0.0:
            level = places[order[place]]
            smaller = _sum(tree, level - 1)
            larger = total - smaller - held[level]
            surplus += weight[order[place]] * (smaller - larger)
    y_ties = 0.0
    for level in range(1, levels + 1):
        y_ties += held[level] * (held[level] - 1.0) / 2.0
    pairs = total * (total - 1.0) / 2.0
    if pairs <= x_ties or pairs <= y_ties:
        return np.nan
    return float(surplus / np.sqrt(pairs - x_ties) / np.sqrt(pairs - y_ties))


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
