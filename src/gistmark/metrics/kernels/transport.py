"""Distances between bags of points: how far the mass of one must travel to become the other.

The transportation problem is solved exactly, by a network simplex on the graph of rows and
columns: a spanning tree carries all mass, and an arc that saves work replaces one of the tree
until none does. Masses are whole numbers, so nothing is lost to rounding but in the distances
themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.cancellation import check
from gistmark.compiled import compiled

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


_PAIRS = 16
"""How many pairs are solved before it is checked whether the run was cancelled."""

_COLUMNS = 64
"""How many arcs of a row are looked at together."""


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
        some = slice(start, start + _PAIRS)
        distances_of[some] = solved(words, counts, offsets, points, left[some], right[some])
    return distances_of


@compiled
def solved(
    words: Int64, counts: Int64, offsets: Int64, points: Float64, left: Int64, right: Int64
) -> Float64:
    """The distances of a few pairs of bags."""
    result = np.empty(len(left), dtype=np.float64)
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
        result[pair] = least_work(costs, supply, demand) / (float(whole) * float(other))
    return result


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
    result = np.zeros((len(rows), len(columns)), dtype=np.float64)
    for i in range(len(rows)):
        line = result[i]
        for k in range(size):
            value = points[rows[i], k]
            for j in range(len(columns)):
                line[j] += (value - across[k, j]) ** 2
    return np.sqrt(result)


# The rows of a tree: each node has a parent, mass on the arc to it, whether that arc goes up,
# a depth, and its position among the children of its parent.
PARENT, FLOW, UP, DEPTH, CHILD, NEXT, BEFORE = range(7)


@compiled
def least_work(costs: Float64, supply: Int64, demand: Int64) -> float:
    """The least total of mass times distance that brings all supply to the demand."""
    n, m = costs.shape
    if n == 0:
        return 0.0
    big = (costs.max() + 1.0) * (n + m)
    tree, prices = first_tree(supply, demand, big)
    block = max(int(np.sqrt(n * m)), 10)
    at = 0
    while True:
        entering = cheapest(costs, prices, at, block, 1e-14 * big)
        if entering < 0:
            break
        pivot(entering // m, n + entering % m, tree, prices, costs, big)
        at = (entering + 1) % (n * m)
    total = 0.0
    for node in range(n + m):
        if tree[FLOW, node] > 0:
            total += tree[FLOW, node] * arc_cost(node, tree, costs, big)
    return total


@compiled
def first_tree(supply: Int64, demand: Int64, big: float) -> tuple[Int64, Float64]:
    """All supply goes to a root, and from there to the demand, at a price that nobody pays."""
    n, m = len(supply), len(demand)
    root = n + m
    tree = np.full((7, root + 1), -1)
    prices = np.zeros(root + 1)
    tree[DEPTH, root] = 0
    for node in range(root):
        tree[UP, node] = 1 if node < n else 0
        tree[FLOW, node] = supply[node] if node < n else demand[node - n]
        tree[DEPTH, node] = 1
        prices[node] = -big if node < n else big
        hang(node, root, tree)
    return tree, prices


@compiled
def cheapest(costs: Float64, prices: Float64, at: int, block: int, least: float) -> int:
    """The arc that saves most among the first block, from `at` on, that has any; -1 for none."""
    n, m = costs.shape
    arc, best = -1, -least
    i, j = at // m, at % m
    unseen = n * m
    while unseen > 0:
        left = min(block, unseen)
        unseen -= left
        while left > 0:
            end = min(j + left, m)
            left -= end - j
            column, best = cheapest_in_row(costs[i], prices[n:], prices[i], j, end, best)
            if column >= 0:
                arc = i * m + column
            j = end
            if j == m:
                j = 0
                i = 0 if i + 1 == n else i + 1
        if arc >= 0:
            return arc
    return arc


@compiled
def cheapest_in_row(
    costs: Float64, prices: Float64, own: float, first: int, end: int, best: float
) -> tuple[int, float]:
    """The column that saves more than `best`, and how much; -1 for none.

    Few do. Whether any of several does is one vectorised question, and most answers are no.
    """
    column = -1
    for start in range(first, end, _COLUMNS):
        stop = min(start + _COLUMNS, end)
        several = 0
        for j in range(start, stop):
            several += costs[j] + own - prices[j] < best
        if several == 0:
            continue
        for j in range(start, stop):
            saving = costs[j] + own - prices[j]
            if saving < best:
                best, column = saving, j
    return column, best


@compiled
def pivot(
    source: int, target: int, tree: Int64, prices: Float64, costs: Float64, big: float
) -> None:
    """Let the arc into the tree: mass runs round the cycle until an arc of the tree is empty.

    Of several that empty at once, the last one on the way round from the top leaves, which keeps
    the tree strongly feasible, so the search ends (Cunningham, 1976).
    """
    top = meeting(source, target, tree)
    most, leaving, side = np.iinfo(np.int64).max, -1, 0
    node = source
    while node != top:
        if tree[UP, node] == 1 and tree[FLOW, node] < most:
            most, leaving, side = tree[FLOW, node], node, 1
        node = tree[PARENT, node]
    node = target
    while node != top:
        if tree[UP, node] == 0 and tree[FLOW, node] <= most:
            most, leaving, side = tree[FLOW, node], node, 2
        node = tree[PARENT, node]
    run_round(source, target, top, most, tree)
    if side == 1:
        rehang(source, target, leaving, most, 1, tree)
        reprice(source, tree, prices, costs, big)
    else:
        rehang(target, source, leaving, most, 0, tree)
        reprice(target, tree, prices, costs, big)


@compiled
def meeting(a: int, b: int, tree: Int64) -> int:
    """Where the paths of two nodes to the root meet."""
    while a != b:
        if tree[DEPTH, a] >= tree[DEPTH, b]:
            a = tree[PARENT, a]
        else:
            b = tree[PARENT, b]
    return a


@compiled
def run_round(source: int, target: int, top: int, mass: int, tree: Int64) -> None:
    """Change what flows on the tree's part of the cycle."""
    node = source
    while node != top:
        tree[FLOW, node] += -mass if tree[UP, node] == 1 else mass
        node = tree[PARENT, node]
    node = target
    while node != top:
        tree[FLOW, node] += mass if tree[UP, node] == 1 else -mass
        node = tree[PARENT, node]


@compiled
def rehang(node: int, onto: int, leaving: int, flow: int, up: int, tree: Int64) -> None:
    """Hang the branch below the leaving arc by `node` onto another, turning the path between."""
    while True:
        old_parent, old_flow, old_up = tree[PARENT, node], tree[FLOW, node], tree[UP, node]
        unhang(node, tree)
        hang(node, onto, tree)
        tree[FLOW, node], tree[UP, node] = flow, up
        if node == leaving:
            return
        onto, flow, up, node = node, old_flow, 1 - old_up, old_parent


@compiled
def reprice(top: int, tree: Int64, prices: Float64, costs: Float64, big: float) -> None:
    """Prices and depths of a branch anew, parents before children."""
    node = top
    while True:
        parent = tree[PARENT, node]
        cost = arc_cost(node, tree, costs, big)
        prices[node] = prices[parent] + (-cost if tree[UP, node] == 1 else cost)
        tree[DEPTH, node] = tree[DEPTH, parent] + 1
        if tree[CHILD, node] >= 0:
            node = tree[CHILD, node]
            continue
        while node != top and tree[NEXT, node] < 0:
            node = tree[PARENT, node]
        if node == top:
            return
        node = tree[NEXT, node]


@compiled
def arc_cost(node: int, tree: Int64, costs: Float64, big: float) -> float:
    """The cost of the arc between a node and its parent."""
    n, m = costs.shape
    parent = tree[PARENT, node]
    if parent == n + m:
        return big
    return float(costs[node, parent - n] if node < n else costs[parent, node - n])


@compiled
def hang(node: int, parent: int, tree: Int64) -> None:
    """Make a node the first child of another."""
    first = tree[CHILD, parent]
    tree[PARENT, node], tree[NEXT, node], tree[BEFORE, node] = parent, first, -1
    if first >= 0:
        tree[BEFORE, first] = node
    tree[CHILD, parent] = node


@compiled
def unhang(node: int, tree: Int64) -> None:
    """Take a node out of its parent's children."""
    before, after = tree[BEFORE, node], tree[NEXT, node]
    if before >= 0:
        tree[NEXT, before] = after
    else:
        tree[CHILD, tree[PARENT, node]] = after
    if after >= 0:
        tree[BEFORE, after] = before
