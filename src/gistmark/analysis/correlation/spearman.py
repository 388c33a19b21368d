"""Spearman's correlation, plain, weighted, and after an exchange of members, compiled.

A bootstrap resample is a row in which each member counts a whole number of times: drawing members
with replacement is the same as giving each the number of times it was drawn. Weights do not change
the order of the values, so a row is sorted once, and every resample takes one pass over the sorted
members.

For a permutation test the members of two rows are sorted together once. However they are
exchanged, each of the new rows is then in order along that one sorted list, so no permutation
sorts anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gistmark.analysis.correlation.coefficients import (
    Bool,
    Coefficient,
    Float64,
    Int64,
    fresh_rows,
    t_test_p,
)
from gistmark.analysis.correlation.pearson import product_moment
from gistmark.analysis.data.arithmetic import (
    Sorting,
    average_ranks,
    quotient,
    sort_rows,
    sorted_together,
)
from gistmark.runtime.compiled import compiled


class Spearman(Coefficient):
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

    def prepare(self, x: Float64, y: Float64) -> SpearmanPairs:
        return SpearmanPairs(sort_rows(x), sort_rows(y), fresh_rows(y))

    def each(self, x: Float64, y: Float64, weights: Float64) -> Float64:
        rows = sorted_together(*(values.reshape(-1, values.shape[-1]) for values in (x, y)))
        return spearman_each(*rows, weights).reshape(x.shape[:2])

    def swapped(self, first: Float64, second: Float64, y: Float64, swaps: Bool) -> Float64:
        rows = sorted_together(np.concatenate([first, second], axis=1), y)
        return spearman_swaps(*rows, swaps)


SPEARMAN = Spearman()


@dataclass(frozen=True)
class SpearmanPairs:
    """Pairs of sorted rows; `fresh[r]` is False where row r of y is the one before it."""

    x: Sorting
    y: Sorting
    fresh: Bool

    def under(self, weights: Float64) -> Float64:
        """Spearman's rho under each set of weights."""
        orders = (self.x.order, self.x.starts, self.y.order, self.y.starts)
        return spearman_resamples(*orders, self.fresh, self.x.counts, weights)


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
    values = np.empty((weights.shape[0], x_order.shape[0]))
    ranks = np.empty(weights.shape[1])
    for draw in range(weights.shape[0]):
        weight = weights[draw]
        y_spread = 0.0
        for row in range(x_order.shape[0]):
            count = counts[row]
            if fresh[row]:
                y_spread = weighted_ranks(y_order[row], y_starts[row], count, weight, ranks)
            values[draw, row] = _spearman(
                x_order[row], x_starts[row], count, weight, ranks, y_spread
            )
    return values


@compiled
def spearman_each(
    x_order: Int64, x_starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, weights: Float64
) -> Float64:
    """Spearman's rho of every pair of rows, each block of rows under weights of its own.

    With B sets of weights, the first of B equal blocks of rows goes with the first set, and so on.
    """
    rows = x_order.shape[0]
    values = np.empty(rows)
    ranks = np.empty(weights.shape[1])
    for row in range(rows):
        weight = weights[row * weights.shape[0] // rows]
        y_spread = weighted_ranks(y_order[row], y_starts[row], counts[row], weight, ranks)
        values[row] = _spearman(x_order[row], x_starts[row], counts[row], weight, ranks, y_spread)
    return values


@compiled
def spearman_swaps(
    order: Int64, starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, swaps: Bool
) -> Float64:
    """Permutations × 2 × groups: Spearman's rho of both rows with y after each exchange.

    `order` sorts both rows of a group together, the second row's members being numbered on from
    the first's; `counts` is the number of members; `swaps` says which of them are exchanged.
    """
    permutations, groups, size = swaps.shape
    values = np.empty((permutations, 2, groups))
    ranks, once, swap = np.empty(size), np.ones(size), np.empty(size)
    members, lasts = np.empty(2 * size, np.int64), np.empty(2 * size, np.int64)
    seconds = np.empty(2 * size)
    for group in range(groups):
        count = counts[group]
        spread = weighted_ranks(y_order[group], y_starts[group], count, once, ranks)
        _lay_out(order[group], starts[group], count, size, members, seconds, lasts)
        for permutation in range(permutations):
            for member in range(size):
                swap[member] = 1.0 if swaps[permutation, group, member] else 0.0
            first, second = _both_spearman(members, seconds, lasts, count, swap, ranks, spread)
            values[permutation, 0, group] = first
            values[permutation, 1, group] = second
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
    order: Int64, starts: Bool, count: int, weight: Float64, ranks: Float64, y_spread: float
) -> float:
    below, tied, shared, products, ties = 0.0, 0.0, 0.0, 0.0, 0.0
    for position in range(count):
        if starts[position]:
            products += (below + (tied + 1.0) / 2.0) * shared
            below += tied
            ties += tied * tied * tied - tied
            tied, shared = 0.0, 0.0
        tied += weight[order[position]]
        shared += ranks[order[position]]
    products += (below + (tied + 1.0) / 2.0) * shared
    below += tied
    ties += tied * tied * tied - tied
    x_spread = below * below * below - below - ties
    if x_spread <= 0.0 or y_spread <= 0.0:
        return np.nan
    middle = below * (below + 1.0) * (below + 1.0) / 4.0
    return float(12.0 * (products - middle) / np.sqrt(x_spread * y_spread))


@compiled
def _both_spearman(
    members: Int64, seconds: Float64, lasts: Int64, count: int, swap: Float64, ranks: Float64,
    y_spread: float,
) -> tuple[float, float]:  # fmt: skip
    """One pass over the sorted list. A tie of one, the usual case, takes no branch."""
    below, other_below, products, other_products = 0.0, 0.0, 0.0, 0.0
    ties, other_ties, position = 0.0, 0.0, 0
    while position < 2 * count:
        last = lasts[position]
        tied, other_tied, shared, other_shared = 0.0, 0.0, 0.0, 0.0
        for step in range(position, last):
            member = members[step]
            in_other = abs(seconds[step] - swap[member])
            tied += 1.0 - in_other
            other_tied += in_other
            shared += (1.0 - in_other) * ranks[member]
            other_shared += in_other * ranks[member]
        products += (below + (tied + 1.0) / 2.0) * shared
        other_products += (other_below + (other_tied + 1.0) / 2.0) * other_shared
        below += tied
        other_below += other_tied
        ties += tied * tied * tied - tied
        other_ties += other_tied * other_tied * other_tied - other_tied
        position = last
    return (
        _rho(products, below, ties, y_spread),
        _rho(other_products, other_below, other_ties, y_spread),
    )


@compiled
def _lay_out(
    order: Int64, starts: Bool, count: int, size: int, members: Int64, seconds: Float64,
    lasts: Int64,
) -> None:  # fmt: skip
    """Each sorted member, whether it is the second row's, and where its tie ends."""
    last = 2 * count
    for position in range(2 * count - 1, -1, -1):
        seconds[position] = 1.0 if order[position] >= size else 0.0
        members[position] = order[position] % size
        lasts[position] = last
        if starts[position]:
            last = position


@compiled
def _rho(products: float, count: float, ties: float, y_spread: float) -> float:
    x_spread = count * count * count - count - ties
    if x_spread <= 0.0 or y_spread <= 0.0:
        return np.nan
    middle = count * (count + 1.0) * (count + 1.0) / 4.0
    return float(12.0 * (products - middle) / np.sqrt(x_spread * y_spread))
