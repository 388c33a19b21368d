"""Ratings of one dimension as columns of numbers, ready for statistics.

A unit is what was rated: a summary, named by its document and system. An annotator who rated in
several campaigns counts as one rater per campaign where that is needed to keep two ratings of the
same unit apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.records import Rating

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

Unit = tuple[str, str]
Level = Literal["nominal", "ordinal", "interval", "ratio"]

_MOST_POINTS = 11
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
        few = len(self.values) > 0 and np.ptp(self.values) < _MOST_POINTS
        return "ordinal" if whole and few else "interval"

    @cached_property
    def unit_means(self) -> Float64:
        """The mean value of each unit."""
        counts = np.bincount(self.units, minlength=len(self.unit_names))
        sums = np.bincount(self.units, weights=self.values, minlength=len(self.unit_names))
        means: Float64 = np.full(len(counts), np.nan)
        return np.divide(sums, counts, out=means, where=counts > 0)


def columns_by_dimension(ratings: Iterable[Rating]) -> dict[str, RatingColumns]:
    """The ratings of each dimension, in order of first appearance."""
    groups: dict[str, list[Rating]] = {}
    for rating in ratings:
        groups.setdefault(rating.dimension, []).append(rating)
    return {dimension: _columns(dimension, group) for dimension, group in groups.items()}


def _columns(dimension: str, ratings: list[Rating]) -> RatingColumns:
    units: dict[Unit, int] = {}
    raters: dict[str, int] = {}
    names = _rater_names(ratings)
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


def _rater_names(ratings: list[Rating]) -> list[str]:
    """The annotator of each rating, with the campaign where somebody rated a unit twice."""
    cells = [(rating.document, rating.system, rating.annotator) for rating in ratings]
    if len(set(cells)) == len(cells):
        return [rating.annotator for rating in ratings]
    return [
        f"{rating.annotator} ({rating.campaign})" if rating.campaign else rating.annotator
        for rating in ratings
    ]
