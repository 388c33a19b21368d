"""The orders in which a tree can be read, each of which gives another summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, zip_longest

from gistmark.summarizers.hierarchical.trees import Branch
from gistmark.summarizers.ranking import Float64


def traversals(tree: Branch, relevance: Float64) -> Iterator[list[int]]:
    """Breadth-first, depth-first and in turn through the branches, each in three orders.

    Children are read by falling relevance, by falling size, or as they stand in the document.
    """
    orders: tuple[Callable[[Branch], float], ...] = (
        lambda branch: -float(relevance[list(branch.depth_first())].mean()),
        lambda branch: -len(list(branch.depth_first())),
        lambda branch: min(branch.depth_first()),
    )
    for order in orders:
        sorted_tree = _sorted(tree, order)
        yield list(sorted_tree.breadth_first())
        yield list(sorted_tree.depth_first())
        yield in_turn(sorted_tree)


def in_turn(tree: Branch) -> list[int]:
    """The top, then of each child in turn the next that depth-first finds."""
    rounds = chain.from_iterable(zip_longest(*(child.depth_first() for child in tree.children)))
    return [*tree.members, *(member for member in rounds if member is not None)]


def _sorted(branch: Branch, order: Callable[[Branch], float]) -> Branch:
    children = sorted(branch.children, key=order)
    return Branch(branch.members, [_sorted(child, order) for child in children])
