"""Do annotators agree more where they are sure?

A rating is sure if its confidence is at or above the median of its dimension (above it, where
nobody is below). Two measures:

- alpha of the sure ratings and of the others. Each half is a selection of summaries, and alpha
  depends on how far the selected summaries differ, so a lower alpha may come from less spread.
- the mean absolute difference of two ratings of one summary, as a share of the scale, where both,
  one or neither of the two is sure. Who is sure may be strict or lenient as well, so `within` says
  how much more the *same two annotators* differ where neither is sure than where both are: the
  slope of the difference over the share of the two who are not sure, within each two annotators and
  dimension, by least squares.

Intervals are over documents, with these annotators (`agreement.coefficients.intervals`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.coefficients.intervals import (
    Rows,
    over_documents,
    without_interval,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.agreement.ratings import doubt
from gistmark.analysis.confidence.differences import Differences, differences_of
from gistmark.analysis.confidence.means import values_of
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.columns import Float64, Int64, RatingColumns, columns_by_dimension
from gistmark.analysis.human.composites import Scale, guess_scales
from gistmark.analysis.human.scores import HumanScores
from gistmark.records import Rating

Bool = NDArray[np.bool_]
Group = Literal["sure", "unsure", "both", "one", "neither", "unsure - sure", "within"]

DIFFERENCE = "difference"
"""The statistic that is the mean absolute difference of two ratings of one summary."""

WITHIN: Group = "within"

ALL_SURE = "All ratings have the same confidence."

_ROUNDING = 1e-12

_SIZES: tuple[tuple[Group, int], ...] = (("both", 0), ("one", 1), ("neither", 2))
"""How many of the two are not sure."""


@dataclass(frozen=True, slots=True)
class ConfidenceAgreement:
    """How far annotators agree where they are sure of their ratings, and where they are not.

    `statistic` is an alpha, with the `group` `sure`, `unsure` or, the second less the first,
    `unsure - sure`; or `difference`, the mean absolute difference of two ratings as a share of the
    scale, where `both`, `one` or `neither` is sure, and `within`: how much more the same two
    annotators differ where neither is sure than where both are. `dimension` is empty for all
    together. Sure is a confidence from `threshold` on. `low` and `high` bound the value at 95 %
    over other documents, with these annotators; `n` counts summaries (alpha) or pairs of ratings.
    """

    dimension: str
    statistic: str
    group: Group
    threshold: float | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    documents: int
    reason: str | None = None


def confidence_agreement(
    ratings: Sequence[Rating], scales: Mapping[str, Scale] | None = None
) -> list[ConfidenceAgreement]:
    """Agreement of the ratings that have a confidence, in every dimension and in all together."""
    rated = [rating for rating in ratings if rating.confidence is not None]
    if not rated:
        return []
    confidences = values_of(rated, "confidence")
    thresholds = {
        dimension: _threshold(columns.values)
        for dimension, columns in columns_by_dimension(confidences).items()
    }
    sure = np.array([c.value >= thresholds[c.dimension] for c in confidences], dtype=np.bool_)
    bounds = guess_scales(ratings) | dict(scales or {})
    differences = differences_of(rated, bounds)
    records: list[ConfidenceAgreement] = []
    split = np.ones(len(differences), dtype=np.bool_)
    for number, (dimension, columns) in enumerate(columns_by_dimension(rated).items()):
        rows = np.array([rating.dimension == dimension for rating in rated], dtype=np.bool_)
        here = differences.dimensions == number
        if sure[rows].all():
            records += _undefined(dimension, columns)
            split &= ~here
            continue
        threshold = thresholds[dimension]
        records += _alphas(dimension, threshold, columns, sure[rows])
        records += _differences(dimension, threshold, differences.take(here), sure)
    if split.any():
        records[:0] = _differences("", None, differences.take(split), sure)
    return records


def halves_by_confidence(confidence: HumanScores) -> tuple[str, ...]:
    """The summaries whose mean confidence is at or above the median, and the others, as subsets.

    None where all summaries have the same confidence.
    """
    values = confidence.values[~np.isnan(confidence.values)]
    if not len(values) or values.min() == values.max():
        return ()
    threshold = _threshold(values)
    below, scale = float(values[values < threshold].max()), 1.0
    while (short := math.floor(threshold * scale) / scale) <= below:
        scale *= 10.0
    return f"confidence >= {short:.15g}", f"confidence < {short:.15g}"


def _threshold(values: Float64) -> float:
    """From which confidence on a rating is sure: the median, or the next value if it is least."""
    median = float(np.median(values))
    above = values[values > median]
    return float(above.min()) if values.min() == median and len(above) else median


def _undefined(dimension: str, columns: RatingColumns) -> Iterator[ConfidenceAgreement]:
    none = undefined(ALL_SURE)
    for statistic, group in ((f"alpha-{columns.level}", "unsure - sure"), (DIFFERENCE, WITHIN)):
        yield _record(dimension, statistic, group, None, none)  # type: ignore[arg-type]


def _alphas(
    dimension: str, threshold: float, columns: RatingColumns, sure: Bool
) -> Iterator[ConfidenceAgreement]:
    """Alpha of the sure ratings, of the others, and how much higher that of the others is."""
    name = f"alpha-{columns.level}"
    documents = columns.documents[columns.units]
    pairable: dict[Group, Bool] = {"sure": sure, "unsure": ~sure}
    for group, half in pairable.items():
        counts = np.bincount(columns.units[half], minlength=len(columns.unit_names))
        pairable[group] = half & (counts > 1)[columns.units]

    def alpha_of(half: Bool, rows: Rows) -> dict[str, Statistic]:
        kept = rows & half
        return {name: alpha(columns.units[kept], columns.values[kept], columns.level)}

    def difference(rows: Rows) -> dict[str, Statistic]:
        one, other = (alpha_of(half, rows)[name] for half in pairable.values())
        if one.value is None or other.value is None:
            return {name: one if one.value is None else other}
        return {name: Statistic(other.value - one.value, one.n + other.n, least=-np.inf)}

    for group, half in pairable.items():
        result = over_documents(np.where(half, documents, -1), partial(alpha_of, half))[name]
        why = None if result.low is None else doubt(name, columns.take(half), result.documents)
        result = result if why is None else without_interval(result, why)
        yield _record(dimension, name, group, threshold, result)
    both = pairable["sure"] | pairable["unsure"]
    result = over_documents(np.where(both, documents, -1), difference)[name]
    yield _record(dimension, name, "unsure - sure", threshold, result)


def _differences(
    dimension: str, threshold: float | None, differences: Differences, sure: Bool
) -> Iterator[ConfidenceAgreement]:
    """The mean difference by how many of the two are sure, and within the same two annotators."""
    unsure = 2 - sure[differences.first].astype(np.int64) - sure[differences.second]
    for group, count in _SIZES:
        alike = differences.take(unsure == count)
        result = over_documents(alike.documents, partial(_mean, alike.sizes))
        yield _record(dimension, DIFFERENCE, group, threshold, result[DIFFERENCE])
    shares = unsure / 2.0
    telling = _varies(shares, differences.raters)
    shares, differences = shares[telling], differences.take(telling)
    result = over_documents(
        differences.documents,
        lambda rows: _slope(shares[rows], differences.sizes[rows], differences.raters[rows]),
    )
    yield _record(dimension, DIFFERENCE, WITHIN, threshold, result[DIFFERENCE])


def _mean(sizes: Float64, rows: Rows) -> dict[str, Statistic]:
    sizes = sizes[rows]
    if not len(sizes):
        return {DIFFERENCE: undefined("No two annotators of one summary are such a pair.")}
    return {DIFFERENCE: Statistic(float(sizes.mean()), len(sizes), least=0.0)}


def _slope(shares: Float64, sizes: Float64, raters: Int64) -> dict[str, Statistic]:
    """The slope of sizes over shares within each two raters."""
    x, y = _centred(shares, raters), _centred(sizes, raters)
    square = float(x @ x)
    if square <= _ROUNDING:
        why = "No two annotators are sure of some of their common summaries and not of others."
        return {DIFFERENCE: undefined(why)}
    return {DIFFERENCE: Statistic(float(x @ y) / square, len(sizes), least=-np.inf)}


def _centred(values: Float64, raters: Int64) -> Float64:
    """The values less the mean of the same two raters."""
    _, groups = np.unique(raters, return_inverse=True)
    groups = groups.ravel()
    means = quotient(np.bincount(groups, values), np.bincount(groups))
    return values - means[groups]


def _varies(values: Float64, raters: Int64) -> Bool:
    """Where the values of the same two raters are not all the same."""
    _, groups = np.unique(raters, return_inverse=True)
    groups = groups.ravel()
    moving = np.abs(_centred(values, raters)) > _ROUNDING
    return np.bincount(groups, moving)[groups] > 0


def _record(
    dimension: str, statistic: str, group: Group, threshold: float | None, result: Statistic
) -> ConfidenceAgreement:
    return ConfidenceAgreement(
        dimension, statistic, group, threshold, result.value, result.low, result.high, result.n,
        result.documents, result.reason,
    )  # fmt: skip
