"""How far two annotators of one summary differ in a dimension, as shares of its scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.columns import Float64, Int64
from gistmark.analysis.human.composites import Scale
from gistmark.records import Rating


@dataclass(frozen=True)
class Differences:
    """The absolute difference of every two ratings of a summary in one dimension, by two people.

    `first` and `second` are the indices of the two ratings, `dimensions` and `documents` numbers in
    the order of first appearance, `units` those of summaries, `raters` those of the two people in
    this dimension; `sizes` are shares of the scale.
    """

    first: Int64
    second: Int64
    dimensions: Int64
    documents: Int64
    units: Int64
    raters: Int64
    sizes: Float64

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, rows: NDArray[np.bool_]) -> Differences:
        """Some of the differences; numbers stay."""
        return Differences(*(getattr(self, field.name)[rows] for field in fields(self)))


def differences_of(ratings: Sequence[Rating], scales: Mapping[str, Scale]) -> Differences:
    """All differences; 0 where a scale is a single point.

    Two ratings by one person, in two campaigns, are none.
    """
    dimensions = _numbers([rating.dimension for rating in ratings])
    documents = _numbers([rating.document for rating in ratings])
    units = _numbers([(rating.document, rating.system) for rating in ratings])
    annotators = _numbers([rating.annotator for rating in ratings])
    groups: dict[tuple[int, int], list[int]] = {}
    for index, key in enumerate(zip(units.tolist(), dimensions.tolist(), strict=True)):
        groups.setdefault(key, []).append(index)
    pairs = [np.array(group)[_pairs(len(group))] for group in groups.values()]
    first, second = np.concatenate([np.zeros((2, 0), dtype=np.int64), *pairs], axis=1)
    kept = annotators[first] != annotators[second]
    first, second = first[kept], second[kept]
    count = int(annotators.max(initial=0)) + 1
    lower = np.minimum(annotators[first], annotators[second])
    upper = np.maximum(annotators[first], annotators[second])
    values = np.array([rating.value for rating in ratings], dtype=np.float64)
    bounds = (scales[rating.dimension] for rating in ratings)
    widths = np.array([high - low if high > low else 1.0 for low, high in bounds])
    return Differences(
        first, second, dimensions[first], documents[first], units[first],
        raters=(dimensions[first] * count + lower) * count + upper,
        sizes=np.abs(values[first] - values[second]) / widths[first],
    )  # fmt: skip


def _numbers(names: Sequence[object]) -> Int64:
    """The number of each name, in the order of first appearance."""
    number_of = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([number_of[name] for name in names], dtype=np.int64)


@cache
def _pairs(count: int) -> Int64:
    """All pairs of so many members, as two rows of indices."""
    return np.stack(np.triu_indices(count, 1))
