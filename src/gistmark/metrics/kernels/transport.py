"""Distances between bags of points: how far the mass of one must travel to become the other.

The transportation problem is solved exactly, by a network simplex on the graph of rows and
columns: a spanning tree carries all mass, and an arc that saves work replaces one of the tree
until none does. Masses are whole numbers, so nothing is lost to rounding but in the distances
themselves.

Looking for such an arc among all would take most of the time. So only a few of each row are
looked at, those that save most by the prices of the moment; when none of them does any more, all
arcs are priced, and those that save join. The last time none does, which proves the solution.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.runtime.cancellation import check
from gistmark.runtime.compiled import compiled

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


_PAIRS = 16
"""How many pairs are solved before it is checked whether the run was cancelled."""

_COLUMNS = 64
"""How many columns of a row are looked at together."""

_ARCS = 16
"""How many arcs of a row join at a time."""


def movers_distances(
    words: Int64, counts: Int64, offsets: Int64, points: Float64, left: Int64, right: Int64
) -> Float64:
    """The distance between the bags `left[i]` and `right[i]`, for all pairs.

    Bag `b` holds `words[offsets[b]:offsets[b + 1]]`, ascending, that many `counts` of each; the
    words are rows of `points`. Each bag is weighted to a total of 1. No bag may be empty.
    """
    distances_of = np.empty(len(left), dtype=np.float64)
    for start in range(0, len(left), _PAIRS):
        check()
        block = slice(start, start + _PAIRS)
        distances_of[block] = solve_pairs(words, counts, offsets, points, left[block], right[block])
    return distances_of


@compiled
def solve_pairs(
    words: Int64, counts: Int64, offsets: Int64, points: Float64, left: Int64, right: Int64
) -> Float64:
    """The distances of a few pairs of bags."""
    result = np.empty(len(left), dtype=np.float64)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        ours, theirs = slice(offsets[a], offsets[a + 1]), slice(offsets[b], offsets[b + 1])
        left_mass, right_mass = counts[ours].sum(), counts[theirs].sum()
        supply, demand = counts[ours] * right_mass, counts[theirs] * left_mass
        cancel_common(words[ours], words[theirs], supply, demand)
        from_words, to_words = words[ours][supply > 0], words[theirs][demand > 0]
        supply, demand = supply[supply > 0], demand[demand > 0]
        if len(supply) < len(demand):
            from_words, to_words = to_words, from_words
            supply, demand = demand, supply
        costs = distances(points, from_words, to_words)
        result[pair] = least_work(costs, supply, demand) / (float(left_mass) * float(right_mass))
    return result


@compiled
def cancel_common(ours: Int64, theirs: Int64, supply: Int64, demand: Int64) -> None:
    """Take off, in place, the mass that both bags have at the same word.

    It can stay where it is: by the triangle inequality no plan that moves it is cheaper.
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
    """Euclidean distances.

    The inner loop runs over columns, so that it is vectorised, few enough to stay in the cache.
    """
    size = points.shape[1]
    result = np.zeros((len(rows), len(columns)), dtype=np.float64)
    across = np.empty((size, _COLUMNS), dtype=np.float64)
    for first in range(0, len(columns), _COLUMNS):
        width = min(_COLUMNS, len(columns) - first)
        for j in range(width):
            for k in range(size):
                across[k, j] = points[columns[first + j], k]
        for i in range(len(rows)):
            line = result[i, first : first + width]
            for k in range(size):
                value = points[rows[i], k]
                for j in range(width):
                    line[j] += (value - across[k, j]) ** 2
    np.sqrt(result, result)
    return result


# The columns of a tree: each node has a parent, mass on the arc to it, whether that arc goes up,
# a depth, and its position among the children of its parent. One more makes a node 64 bytes, which
# is what a processor reads at once.
PARENT, FLOW, UP, DEPTH, CHILD, NEXT, BEFORE = range(7)
_FIELDS = 8


@compiled
def least_work(costs: Float64, supply: Int64, demand: Int64) -> float:
    """The least total of mass times distance that brings all supply to the demand."""
    n, m = costs.shape
    if n == 0:
        return 0.0
    big = (costs.max() + 1.0) * (n + m)
    tree, prices = first_tree(supply, demand, big)
    arcs = np.empty(0, dtype=np.int64)
    while True:
        new_arcs = saving_arcs(costs, prices, 1e-14 * big)
        if len(new_arcs) == 0:
            break
        arcs = np.concatenate((arcs, new_arcs))
        improve(arcs, tree, prices, costs, big)
    total = 0.0
    for node in range(n + m):
        if tree[node, FLOW] > 0:
            total += tree[node, FLOW] * arc_cost(node, tree, costs, big)
    return total


@compiled
def first_tree(supply: Int64, demand: Int64, big: float) -> tuple[Int64, Float64]:
    """A tree that sends all supply to the demand through a root, at a prohibitive price."""
    n, m = len(supply), len(demand)
    root = n + m
    tree = np.full((root + 1, _FIELDS), -1)
    prices = np.zeros(root + 1)
    tree[root, DEPTH] = 0
    for node in range(root):
        tree[node, UP] = 1 if node < n else 0
        tree[node, FLOW] = supply[node] if node < n else demand[node - n]
        tree[node, DEPTH] = 1
        prices[node] = -big if node < n else big
        attach(node, root, tree)
    return tree, prices


@compiled
def saving_arcs(costs: Float64, prices: Float64, least: float) -> Int64:
    """Of each row the arcs that save most, of those that save more than `least`."""
    n, m = costs.shape
    arcs = np.empty(n * _ARCS, dtype=np.int64)
    columns = np.empty(_ARCS, dtype=np.int64)
    count = 0
    for i in range(n):
        for j in columns[: most_saving(costs[i], prices[n:], prices[i], least, columns)]:
            arcs[count] = i * m + j
            count += 1
    return arcs[:count].copy()


@compiled
def most_saving(costs: Float64, prices: Float64, price: float, least: float, columns: Int64) -> int:
    """Fill in the columns of a row that save most, the best first, and say how many they are.

    Few do. Whether any of several does is one vectorised question, and most answers are no.
    """
    savings = np.empty(len(columns))
    limit = -least
    count = 0
    for start in range(0, len(costs), _COLUMNS):
        stop = min(start + _COLUMNS, len(costs))
        several = 0
        for j in range(start, stop):
            several += costs[j] + price - prices[j] < limit
        if several == 0:
            continue
        for j in range(start, stop):
            saving = costs[j] + price - prices[j]
            if saving >= limit:
                continue
            count = min(count + 1, len(columns))
            at = count - 1
            while at > 0 and savings[at - 1] > saving:
                savings[at], columns[at] = savings[at - 1], columns[at - 1]
                at -= 1
            savings[at], columns[at] = saving, j
            if count == len(columns):
                limit = savings[-1]
    return count


@compiled
def improve(arcs: Int64, tree: Int64, prices: Float64, costs: Float64, big: float) -> None:
    """Let these arcs into the tree, one after another, until none of them saves work."""
    n, m = costs.shape
    sources, targets = arcs // m, n + arcs % m
    lengths = np.array([costs[arc // m, arc % m] for arc in arcs])
    block = 2 * int(np.sqrt(len(arcs))) + 10
    at = 0
    while True:
        entering, at = cheapest(sources, targets, lengths, prices, at, block, 1e-14 * big)
        if entering < 0:
            return
        pivot(sources[entering], targets[entering], tree, prices, costs, big)


@compiled
def cheapest(
    sources: Int64,
    targets: Int64,
    lengths: Float64,
    prices: Float64,
    at: int,
    block: int,
    least: float,
) -> tuple[int, int]:
    """The arc that saves most among the first block, from `at` on, that has any, and the end of
    the block; -1 for none."""
    arc, best = -1, -least
    unseen = len(lengths)
    while unseen > 0 and arc < 0:
        end = min(at + block, len(lengths))
        unseen -= end - at
        for k in range(at, end):
            saving = lengths[k] + prices[sources[k]] - prices[targets[k]]
            if saving < best:
                arc, best = k, saving
        at = 0 if end == len(lengths) else end
    return arc, at


@compiled
def pivot(
    source: int, target: int, tree: Int64, prices: Float64, costs: Float64, big: float
) -> None:
    """Let the arc into the tree: mass runs round the cycle until an arc of the tree is empty.

    Of several that empty at once, the last one on the way round from the top leaves, which keeps
    the tree strongly feasible, so the search ends (Cunningham, 1976).
    """
    top = common_ancestor(source, target, tree)
    most, leaving, side = np.iinfo(np.int64).max, -1, 0
    node = source
    while node != top:
        if tree[node, UP] == 1 and tree[node, FLOW] < most:
            most, leaving, side = tree[node, FLOW], node, 1
        node = tree[node, PARENT]
    node = target
    while node != top:
        if tree[node, UP] == 0 and tree[node, FLOW] <= most:
            most, leaving, side = tree[node, FLOW], node, 2
        node = tree[node, PARENT]
    shift_mass(source, target, top, most, tree)
    if side == 1:
        move_branch(source, target, leaving, most, 1, tree)
        update_prices(source, tree, prices, costs, big)
    else:
        move_branch(target, source, leaving, most, 0, tree)
        update_prices(target, tree, prices, costs, big)


@compiled
def common_ancestor(a: int, b: int, tree: Int64) -> int:
    """Where the paths of two nodes to the root meet."""
    while a != b:
        if tree[a, DEPTH] >= tree[b, DEPTH]:
            a = tree[a, PARENT]
        else:
            b = tree[b, PARENT]
    return a


@compiled
def shift_mass(source: int, target: int, top: int, mass: int, tree: Int64) -> None:
    """Change what flows on the tree's part of the cycle."""
    node = source
    while node != top:
        tree[node, FLOW] += -mass if tree[node, UP] == 1 else mass
        node = tree[node, PARENT]
    node = target
    while node != top:
        tree[node, FLOW] += mass if tree[node, UP] == 1 else -mass
        node = tree[node, PARENT]


@compiled
def move_branch(node: int, onto: int, leaving: int, flow: int, up: int, tree: Int64) -> None:
    """Attach the branch below the leaving arc to `onto` by its `node`, turning the path between."""
    while True:
        old_parent, old_flow, old_up = tree[node, PARENT], tree[node, FLOW], tree[node, UP]
        detach(node, tree)
        attach(node, onto, tree)
        tree[node, FLOW], tree[node, UP] = flow, up
        if node == leaving:
            return
        onto, flow, up, node = node, old_flow, 1 - old_up, old_parent


@compiled
def update_prices(top: int, tree: Int64, prices: Float64, costs: Float64, big: float) -> None:
    """Recompute the prices and depths of a branch, parents before children."""
    node = top
    while True:
        parent = tree[node, PARENT]
        cost = arc_cost(node, tree, costs, big)
        prices[node] = prices[parent] + (-cost if tree[node, UP] == 1 else cost)
        tree[node, DEPTH] = tree[parent, DEPTH] + 1
        if tree[node, CHILD] >= 0:
            node = tree[node, CHILD]
            continue
        while node != top and tree[node, NEXT] < 0:
            node = tree[node, PARENT]
        if node == top:
            return
        node = tree[node, NEXT]


@compiled
def arc_cost(node: int, tree: Int64, costs: Float64, big: float) -> float:
    """The cost of the arc between a node and its parent."""
    n, m = costs.shape
    parent = tree[node, PARENT]
    if parent == n + m:
        return big
    return float(costs[node, parent - n] if node < n else costs[parent, node - n])


@compiled
def attach(node: int, parent: int, tree: Int64) -> None:
    """Make a node the first child of another."""
    first = tree[parent, CHILD]
    tree[node, PARENT], tree[node, NEXT], tree[node, BEFORE] = parent, first, -1
    if first >= 0:
        tree[first, BEFORE] = node
    tree[parent, CHILD] = node


@compiled
def detach(node: int, tree: Int64) -> None:
    """Take a node out of its parent's children."""
    before, after = tree[node, BEFORE], tree[node, NEXT]
    if before >= 0:
        tree[before, NEXT] = after
    else:
        tree[tree[node, PARENT], CHILD] = after
    if after >= 0:
        tree[after, BEFORE] = before
