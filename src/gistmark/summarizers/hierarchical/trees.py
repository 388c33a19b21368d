"""Trees of sentences: how they are built, shown as nodes, and read in different orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from gistmark.summarizers.extractive.similarity import Float64
from gistmark.summarizers.summarizer import Node, Sentence
from gistmark.text import Profile, words

LABEL_WORDS = 3

_READABLE = Profile(tok="words", stop=True)


@dataclass
class Branch:
    """Numbers of sentences, the most central first, and the branches below."""

    members: list[int]
    children: list[Branch] = field(default_factory=list)

    def breadth_first(self) -> Iterator[int]:
        """The members here and below, level by level."""
        level = [self]
        while level:
            for branch in level:
                yield from branch.members
            level = [child for branch in level for child in branch.children]

    def depth_first(self) -> Iterator[int]:
        """The members here and below, a child's own children before the next child."""
        yield from self.members
        for child in self.children:
            yield from child.depth_first()


def node_of(branch: Branch, nuggets: Sequence[tuple[Sentence, ...]], relevance: Float64) -> Node:
    """The branch as a node; `nuggets` and `relevance` are given for each number.

    A node's relevance is the mean over its sentences and those below, and 0 if there are none.
    """
    members_below = list(branch.depth_first())
    return Node(
        nuggets=tuple(nugget for member in branch.members for nugget in nuggets[member]),
        relevance=float(relevance[members_below].mean()) if members_below else 0.0,
        label=label_of(nugget.text for member in members_below for nugget in nuggets[member]),
        children=tuple(node_of(child, nuggets, relevance) for child in branch.children),
    )


def sentence_node(branch: Branch, candidates: Sequence[Sentence], relevance: Float64) -> Node:
    """The branch as a node whose nuggets are whole sentences."""
    return node_of(branch, [(sentence,) for sentence in candidates], relevance)


def label_of(texts: Iterable[str]) -> str:
    """The most frequent content words, those first that come first; digits alone are no words."""
    counts = Counter(
        word
        for text in texts
        for word in words(text, _READABLE)
        if any(character.isalpha() for character in word)
    )
    return ", ".join(word for word, _ in counts.most_common(LABEL_WORDS))


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
