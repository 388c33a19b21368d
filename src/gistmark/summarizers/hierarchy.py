"""A tree of nuggets, as the hierarchical systems build it and `--explain` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gistmark.summarizers.candidates import Sentence


@dataclass(frozen=True, slots=True)
class Node:
    """A node with its nuggets (sentences or parts of them), the most central first.

    `label` says what holds the node together, such as its frequent words; `relevance` is the mean
    of its nuggets' and those below.
    """

    nuggets: tuple[Sentence, ...]
    relevance: float
    label: str = ""
    children: tuple[Node, ...] = ()

    @property
    def size(self) -> int:
        """The number of nuggets here and below."""
        return len(self.nuggets) + sum(child.size for child in self.children)

    def depth_first(self) -> Iterator[Node]:
        """This node and all below, a child's own children before the next child."""
        yield self
        for child in self.children:
            yield from child.depth_first()

    def breadth_first(self) -> Iterator[Node]:
        """This node and all below, level by level."""
        level = [self]
        while level:
            yield from level
            level = [child for node in level for child in node.children]
