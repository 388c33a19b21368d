"""Comparisons of one dimension as columns of numbers: who won each pair, by whose vote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.ratings import Float64, Int64
from gistmark.records import Comparison


@dataclass(frozen=True)
class VoteColumns:
    """Comparisons of one dimension: in vote k, `annotators[k]` judged the pair `pairs[k]`.

    A pair is two systems' summaries of one document, in the order in which they first stood left
    and right; `first_won[k]` says whether the first of them was chosen. Later votes on the same
    two that were shown the other way round are turned to this order.
    """

    dimension: str
    document_names: tuple[str, ...]
    system_names: tuple[str, ...]
    annotator_names: tuple[str, ...]
    pair_documents: Int64
    pair_first: Int64
    pair_second: Int64
    pairs: Int64
    annotators: Int64
    first_won: NDArray[np.bool_]
    left_won: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def wins(self) -> tuple[Int64, Int64]:
        """For each pair, the votes for its first and for its second system."""
        count = len(self.pair_documents)
        first = np.bincount(self.pairs[self.first_won], minlength=count)
        return first, np.bincount(self.pairs, minlength=count) - first

    @cached_property
    def values(self) -> Float64:
        """1.0 where the first system was chosen, else 0.0."""
        return self.first_won.astype(np.float64)


def votes_by_dimension(comparisons: Iterable[Comparison]) -> dict[str, VoteColumns]:
    """The comparisons of each dimension, in order of first appearance."""
    groups: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        groups.setdefault(comparison.dimension, []).append(comparison)
    return {dimension: _columns(dimension, group) for dimension, group in groups.items()}


def _columns(dimension: str, votes: list[Comparison]) -> VoteColumns:
    documents = _numbers(vote.document for vote in votes)
    systems = _numbers(name for vote in votes for name in (vote.left, vote.right))
    annotators = _numbers(vote.annotator for vote in votes)
    pairs: dict[tuple[str, str, str], int] = {}
    places, first_won = [], []
    for vote in votes:
        turned = (vote.document, vote.right, vote.left) in pairs
        key = (vote.document, *((vote.right, vote.left) if turned else (vote.left, vote.right)))
        places.append(pairs.setdefault(key, len(pairs)))
        first_won.append((vote.choice == "left") != turned)
    return VoteColumns(
        dimension=dimension,
        document_names=tuple(documents),
        system_names=tuple(systems),
        annotator_names=tuple(annotators),
        pair_documents=_array(documents[document] for document, _, _ in pairs),
        pair_first=_array(systems[first] for _, first, _ in pairs),
        pair_second=_array(systems[second] for _, _, second in pairs),
        pairs=_array(places),
        annotators=_array(annotators[vote.annotator] for vote in votes),
        first_won=np.array(first_won, dtype=bool),
        left_won=np.array([vote.choice == "left" for vote in votes], dtype=bool),
    )


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _array(numbers: Iterable[int]) -> Int64:
    return np.fromiter(numbers, dtype=np.int64)
