"""Correlations by order: rows are sorted once, then weighted or exchanged, compiled.

A bootstrap resample is a row in which each member counts a whole number of times: drawing members
with replacement is the same as giving each the number of times it was drawn. Weights do not change
the order of the values, so a row is sorted once, and every resample takes one pass over the sorted
members.

For a permutation test the members of two rows are sorted together once. However they are
exchanged, each of the new rows is then in order along that one sorted list, so no permutation
sorts anything.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from gistmark.analysis.correlation.coefficients import (
    Bool,
    Coefficient,
    Float64,
    Int64,
    fresh_rows,
)
from gistmark.analysis.data.arithmetic import Sorting, sort_rows
from gistmark.runtime.compiled import compiled

_EXCHANGED = 32_768
"""So many members are exchanged at a time, which fit into a processor's cache."""


class RankCoefficient(Coefficient):
    """A coefficient that needs nothing but the order of the members of both rows."""

    @abstractmethod
    def weighted(self, pairs: SortedPairs, weights: Float64) -> Float64:
        """Draws × rows: the coefficient of each pair of rows under each set of weights.

        `weights` is blocks × draws × members: with B blocks, the first of B equal parts of the
        rows goes with the first block, and so on.
        """

    def prepare(self, x: Float64, y: Float64) -> SortedPairs:
        return self._sorted(x, y, fresh_rows(y))

    def each(self, x: Float64, y: Float64, weights: Float64) -> Float64:
        draws, rows, size = x.shape
        if rows == 0:
            return np.empty((draws, rows))
        x, y = x.reshape(-1, size), y.reshape(-1, size)
        fresh = fresh_rows(y)
        fresh[::rows] = True  # another draw has other weights
        return self.weighted(self._sorted(x, y, fresh), weights[:, None]).reshape(draws, rows)

    def _sorted(self, x: Float64, y: Float64, fresh: Bool) -> SortedPairs:
        sorting = sort_rows(x)
        people = sort_rows(y[fresh])
        return SortedPairs(self, sorting.order, sorting.starts, people, np.cumsum(fresh) - 1)

    def swapped(self, first: Float64, second: Float64, y: Float64, swaps: Bool) -> Float64:
        permutations, groups, size = swaps.shape
        if groups == 0:
            return np.empty((permutations, 2, groups))
        both, people = sort_rows(np.concatenate([first, second], axis=1)), sort_rows(y)
        piece = min(permutations, max(1, _EXCHANGED // (groups * size)))
        rows = (2 * groups * piece, size + 1)
        orders, starts = np.empty(rows, np.int64), np.empty(rows, np.bool_)
        once = np.ones((1, 1, size))
        values = np.empty((permutations, 2, groups))
        for start in range(0, permutations, piece):
            part = np.ascontiguousarray(swaps[start : start + piece])
            _exchange(both.order, both.starts, people.counts, part, orders, starts)
            owner = np.repeat(np.arange(groups), 2 * len(part))
            result = self.weighted(SortedPairs(self, orders, starts, people, owner), once)
            result = result.reshape(groups, len(part), 2)
            values[start : start + len(part)] = result.transpose(1, 2, 0)
        return values


@dataclass(frozen=True)
class SortedPairs:
    """Rows of x in `order`, each with row `owner` of y, which is missing the same members.

    Rows of x that share a row of y stand together. `order` and `starts` are those of a `Sorting`.
    """

    coefficient: RankCoefficient
    order: Int64
    starts: Bool
    y: Sorting
    owner: Int64

    @property
    def arrays(self) -> tuple[Int64, Bool, Int64, Bool, Int64, Int64]:
        """What a compiled function reads, the number of members of each row of y at the end."""
        y = self.y
        return self.order, self.starts, y.order, y.starts, self.owner, y.counts

    def under(self, weights: Float64) -> Float64:
        """Draws × rows, all rows under the same weights."""
        return self.coefficient.weighted(self, weights[None])


@compiled
def _exchange(
    order: Int64, starts: Bool, counts: Int64, swaps: Bool, orders: Int64, new_starts: Bool
) -> None:
    """Write both rows of each group after each exchange to `orders`, and the starts of their ties.

    `order` sorts both rows of a group together, the second row's members being numbered on from
    the first's; `counts` is the number of members; `swaps` (permutations × groups × members) says
    which of them are exchanged. The rows of a group stand together in `orders`.
    """
    permutations, groups, size = swaps.shape
    members, from_second = np.empty(2 * size, np.int64), np.empty(2 * size, np.bool_)
    flat_orders, flat_starts = orders.reshape(-1), new_starts.reshape(-1)
    width, one = np.uint64(orders.shape[1]), np.uint64(1)  # no index can be below 0: no check
    for group in range(groups):
        count = 2 * counts[group]
        for position in range(count):
            from_second[position] = order[group, position] >= size
            members[position] = order[group, position] % size
        for permutation in range(permutations):
            first = width * np.uint64(2 * (group * permutations + permutation))
            second = first + width
            first_starts, second_starts = True, True
            for position in range(count):
                member = members[position]
                into_second = from_second[position] != swaps[permutation, group, member]
                first_starts |= starts[group, position]
                second_starts |= starts[group, position]
                # Written to both rows, of which one moves on: a branch would be a coin toss.
                flat_orders[first] = flat_orders[second] = member
                flat_starts[first], flat_starts[second] = first_starts, second_starts
                first += one - np.uint64(into_second)
                second += np.uint64(into_second)
                first_starts &= into_second
                second_starts &= not into_second
