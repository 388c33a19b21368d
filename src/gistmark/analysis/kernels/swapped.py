"""Rank correlations of two rows that have exchanged some of their members.

The members of both rows are sorted together once. However they are exchanged, each of the new
rows is then in order along that one sorted list, so no permutation sorts anything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.kernels.weighted import dense_ranks, kendall, weighted_ranks
from gistmark.compiled import compiled

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def spearman_swaps(
    order: Int64, starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, swaps: Bool
) -> Float64:
    """Permutations × 2 × groups: Spearman's rho of both rows with y after each exchange.

    `order` sorts both rows of a group together, the second row's members being numbered on from
    the first's; `counts` is the number of members; `swaps` tells which of them are exchanged.
    """
    permutations, groups, size = swaps.shape
    found = np.empty((permutations, 2, groups))
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
            found[permutation, 0, group] = first
            found[permutation, 1, group] = second
    return found


@compiled
def swapped_sums(gains: Float64, swaps: Bool) -> Float64:
    """Permutations × systems: what the exchanged cells (documents × systems) gain in all."""
    permutations, documents, systems = swaps.shape
    found = np.zeros((permutations, systems))
    for permutation in range(permutations):
        for document in range(documents):
            for system in range(systems):
                gain = gains[document, system] if swaps[permutation, document, system] else 0.0
                found[permutation, system] += gain
    return found


@compiled
def kendall_swaps(
    order: Int64, starts: Bool, y_order: Int64, y_starts: Bool, counts: Int64, swaps: Bool
) -> Float64:
    """The same for Kendall's tau-b."""
    permutations, groups, size = swaps.shape
    found = np.empty((permutations, 2, groups))
    places = np.empty(size, np.int64)
    tree = np.empty(size + 1)
    held = np.empty(size + 1)
    once = np.ones(size)
    own_order = np.empty(size, np.int64)
    own_starts = np.empty(size, np.bool_)
    for group in range(groups):
        count = counts[group]
        levels = dense_ranks(y_order[group], y_starts[group], count, places)
        for permutation in range(permutations):
            for row in range(2):
                _pick(
                    order[group], starts[group], count, swaps[permutation, group], row == 1,
                    own_order, own_starts,
                )  # fmt: skip
                found[permutation, row, group] = kendall(
                    own_order, own_starts, count, once, places, levels, tree, held
                )
    return found


@compiled
def _both_spearman(
    members: Int64, seconds: Float64, lasts: Int64, count: int, swap: Float64, ranks: Float64,
    y_spread: float,
) -> tuple[float, float]:  # fmt: skip
    """One pass over the sorted list. A tie of one, the usual case, takes no branch."""
    below, other_below, products, other_products = 0.0, 0.0, 0.0, 0.0
    ties, other_ties, place = 0.0, 0.0, 0
    while place < 2 * count:
        last = lasts[place]
        tied, other_tied, shared, other_shared = 0.0, 0.0, 0.0, 0.0
        for step in range(place, last):
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
        place = last
    return (
        _rho(products, below, ties, y_spread),
        _rho(other_products, other_below, other_ties, y_spread),
    )


@compiled
def _lay_out(
    order: Int64, starts: Bool, count: int, size: int, members: Int64, seconds: Float64,
    lasts: Int64,
) -> None:  # fmt: skip
    """The member at each sorted place, whether it is the second row's, and where its tie ends."""
    last = 2 * count
    for place in range(2 * count - 1, -1, -1):
        seconds[place] = 1.0 if order[place] >= size else 0.0
        members[place] = order[place] % size
        lasts[place] = last
        if starts[place]:
            last = place


@compiled
def _rho(products: float, count: float, ties: float, y_spread: float) -> float:
    x_spread = count * count * count - count - ties
    if x_spread <= 0.0 or y_spread <= 0.0:
        return np.nan
    middle = count * (count + 1.0) * (count + 1.0) / 4.0
    return float(12.0 * (products - middle) / np.sqrt(x_spread * y_spread))


@compiled
def _pick(
    order: Int64, starts: Bool, count: int, swap: Bool, second_row: bool, own_order: Int64,
    own_starts: Bool,
) -> None:  # fmt: skip
    """The members of one of the exchanged rows, in order, with the starts of their ties."""
    size = swap.size
    place_of_own = 0
    start = True
    for place in range(2 * count):
        start = start or starts[place]
        second = order[place] >= size
        member = order[place] - size if second else order[place]
        if (second != swap[member]) == second_row:
            own_order[place_of_own] = member
            own_starts[place_of_own] = start
            place_of_own += 1
            start = False
