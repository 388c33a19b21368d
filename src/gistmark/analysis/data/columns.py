"""Ratings and comparisons of one dimension as columns of numbers, ready for statistics.

A unit is what was rated: a summary, named by its document and system. An annotator who rated in
several campaigns counts as one rater per campaign where that is needed to keep two ratings of the
same unit apart. A pair is two summaries of one document, and a vote says which of them won.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import quotient
from gistmark.records import Comparison, Rating

Int64 = NDArray[np.int64]

Float64 = NDArray[np.float64]

Unit = tuple[str, str]

Level = Literal["nominal", "ordinal", "interval", "ratio"]

MOST_POINTS = 11
"""A scale of whole numbers with at most this many points is taken as ordinal (Likert)."""


@dataclass(frozen=True)
class RatingColumns:
    """Ratings of one dimension: value `values[k]` was given to unit `units[k]` by `raters[k]`."""

    dimension: str
    unit_names: tuple[Unit, ...]
    rater_names: tuple[str, ...]
    units: Int64
    raters: Int64
    values: Float64

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: NDArray[np.bool_]) -> RatingColumns:
        """Some of the ratings; units and raters keep their numbers."""
        return replace(
            self, units=self.units[rows], raters=self.raters[rows], values=self.values[rows]
        )

    @cached_property
    def documents(self) -> Int64:
        """The number of the document of each unit."""
        numbers = _numbers(document for document, _ in self.unit_names)
        return _array(numbers[document] for document, _ in self.unit_names)

    @cached_property
    def matrix(self) -> Float64:
        """A row per unit, a column per rater, NaN where nobody rated."""
        table = np.full((len(self.unit_names), len(self.rater_names)), np.nan)
        table[self.units, self.raters] = self.values
        return table

    @cached_property
    def level(self) -> Level:
        """The level of measurement that the values suggest: few whole numbers are ordinal."""
        whole = bool(np.all(self.values == np.round(self.values)))
        few = len(self.values) > 0 and np.ptp(self.values) < MOST_POINTS
        return "ordinal" if whole and few else "interval"

    @cached_property
    def unit_means(self) -> Float64:
        """The mean value of each unit."""
        counts = np.bincount(self.units, minlength=len(self.unit_names))
        sums = np.bincount(self.units, weights=self.values, minlength=len(self.unit_names))
        return quotient(sums, counts)


def columns_by_dimension(ratings: Iterable[Rating]) -> dict[str, RatingColumns]:
    """The ratings of each dimension, in order of first appearance."""
    groups: dict[str, list[Rating]] = {}
    for rating in ratings:
        groups.setdefault(rating.dimension, []).append(rating)
    return {dimension: _rating_columns(dimension, group) for dimension, group in groups.items()}


def _rating_columns(dimension: str, ratings: list[Rating]) -> RatingColumns:
    units: dict[Unit, int] = {}
    raters: dict[str, int] = {}
    cells = [(rating.document, rating.system) for rating in ratings]
    names = _rater_names(ratings, cells)
    return RatingColumns(
        dimension=dimension,
        units=np.array(
            [units.setdefault((r.document, r.system), len(units)) for r in ratings], dtype=np.int64
        ),
        raters=np.array([raters.setdefault(name, len(raters)) for name in names], dtype=np.int64),
        values=np.array([rating.value for rating in ratings], dtype=np.float64),
        unit_names=tuple(units),
        rater_names=tuple(raters),
    )


def _rater_names(
    judgements: Sequence[Rating] | Sequence[Comparison], cells: Sequence[object]
) -> list[str]:
    """The annotator of each judgement, with the campaign where somebody judged a cell twice."""
    names = [judgement.annotator for judgement in judgements]
    if len(set(zip(names, cells, strict=True))) == len(names):
        return names
    return [
        f"{judgement.annotator} ({judgement.campaign})"
        if judgement.campaign
        else judgement.annotator
        for judgement in judgements
    ]


TIE = 0.5
"""The value of a vote for neither of two: half a win for each."""

LEFT_WINS = {"left": 1.0, "right": 0.0, "tie": TIE}
"""The share of a win that each choice gives the left summary; the right one has the rest."""


@dataclass(frozen=True)
class VoteColumns:
    """Comparisons of one dimension: in vote k, `annotators[k]` judged the pair `pairs[k]`.

    A pair is two systems' summaries of one document, in the order in which they first stood left
    and right; `values[k]` is 1 where the first of them was chosen, 0 where the second was, and
    `TIE` where neither. Later votes on the same two that were shown the other way round are turned
    to this order. `left[k]` says the same of the left one.
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
    values: Float64
    left: Float64

    def __len__(self) -> int:
        return len(self.pairs)

    def take(self, rows: NDArray[np.bool_]) -> VoteColumns:
        """Some of the votes; pairs and annotators keep their numbers."""
        return replace(
            self, pairs=self.pairs[rows], annotators=self.annotators[rows],
            values=self.values[rows], left=self.left[rows],
        )  # fmt: skip

    @cached_property
    def counts(self) -> tuple[Int64, Int64, Int64]:
        """For each pair, the votes for its first system, for its second, and for neither."""
        count = len(self.pair_documents)
        first, second, neither = (
            np.bincount(self.pairs[self.values == value], minlength=count) for value in (1, 0, TIE)
        )
        return first, second, neither


def votes_by_dimension(comparisons: Iterable[Comparison]) -> dict[str, VoteColumns]:
    """The comparisons of each dimension, in order of first appearance."""
    groups: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        groups.setdefault(comparison.dimension, []).append(comparison)
    return {dimension: _vote_columns(dimension, group) for dimension, group in groups.items()}


def _vote_columns(dimension: str, votes: list[Comparison]) -> VoteColumns:
    documents = _numbers(vote.document for vote in votes)
    systems = _numbers(name for vote in votes for name in (vote.left, vote.right))
    cells = [(vote.document, frozenset((vote.left, vote.right))) for vote in votes]
    names = _rater_names(votes, cells)
    annotators = _numbers(names)
    pairs: dict[tuple[str, str, str], int] = {}
    indices, values = [], []
    for vote in votes:
        turned = (vote.document, vote.right, vote.left) in pairs
        key = (vote.document, *((vote.right, vote.left) if turned else (vote.left, vote.right)))
        indices.append(pairs.setdefault(key, len(pairs)))
        won = LEFT_WINS[vote.choice]
        values.append(1.0 - won if turned else won)
    return VoteColumns(
        dimension=dimension,
        document_names=tuple(documents),
        system_names=tuple(systems),
        annotator_names=tuple(annotators),
        pair_documents=_array(documents[document] for document, _, _ in pairs),
        pair_first=_array(systems[first] for _, first, _ in pairs),
        pair_second=_array(systems[second] for _, _, second in pairs),
        pairs=_array(indices),
        annotators=_array(annotators[name] for name in names),
        values=np.array(values, dtype=np.float64),
        left=np.array([LEFT_WINS[vote.choice] for vote in votes], dtype=np.float64),
    )


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: index for index, name in enumerate(dict.fromkeys(names))}


def _array(numbers: Iterable[int]) -> Int64:
    return np.fromiter(numbers, dtype=np.int64)
