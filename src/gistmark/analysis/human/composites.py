"""HS1, HS2 and HS3: one human score per summary out of several dimensions.

After Ranpara's thesis on evaluation metrics for summarisation (EMFoS). Each dimension's mean is
brought to 0..1 by (x - low) / (high - low); then, over all dimensions but the overall one,

    HS1   equal weights
    HS2   weights = softmax of the row sums of the dimensions' correlation matrix, the diagonal
          included: a dimension that goes along with the others counts for more
    HS3   the overall dimension by itself
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.coefficients import correlate
from gistmark.analysis.data.arithmetic import exact_ties
from gistmark.analysis.human import HumanScores, dimension_means
from gistmark.errors import UsageError, unknown_name
from gistmark.records import Rating

Float64 = NDArray[np.float64]

Scale = tuple[float, float]

_OVERALL_NAMES = ("overall", "overallquality", "subjectivescore")
_OWN_SCALE = 0.25
"""A dimension whose highest rating is at most this share of the top of all has its own scale."""


@dataclass(frozen=True)
class Composites:
    """HS1 to HS3 with all that went into them.

    `scores.reasons` says why one of them could not be made, where somebody may look for it: with
    two or more dimensions besides the overall one, or with an overall dimension that was named.
    """

    scores: HumanScores
    overall: str | None
    scales: Mapping[str, Scale]
    weights: Mapping[str, float]
    coefficient: str


def composite_scores(
    ratings: Sequence[Rating],
    *,
    overall: str | None = None,
    scales: Mapping[str, Scale] | None = None,
    coefficient: str = "pearson",
) -> Composites:
    """HS1, HS2 (with weights by `coefficient`) and HS3 of every summary.

    Without `overall`, a dimension called overall, overall quality or subjectiveScore is it.
    Dimensions that `scales` leaves out get the lowest and highest rating in the data. A summary
    that lacks a dimension has no HS1 and HS2. An overall dimension without any other is no
    composite, unless it was named.
    """
    means = dimension_means(ratings)
    named = overall is not None
    if overall is None:
        overall = guess_overall(means.names)
    elif overall not in means.names:
        raise unknown_name("dimension", overall, means.names)
    bounds = guess_scales(ratings) | _checked(scales or {}, means.names)
    measures = [name for name in means.names if name != overall]
    normal = {name: _normalised(means.of(name), bounds[name]) for name in means.names}
    matrix = np.array([normal[name] for name in measures]).reshape(len(measures), len(means.units))
    weights, reasons = _weights(measures, matrix, coefficient)
    rows: dict[str, Float64] = {}
    if len(measures) >= 2:
        rows["HS1"] = np.full(len(measures), 1.0 / len(measures)) @ matrix
    if weights:
        rows["HS2"] = np.array([weights[name] for name in measures]) @ matrix
    if overall is not None and (named or measures):
        rows["HS3"] = normal[overall]
    elif overall is None:
        reasons["HS3"] = "no dimension is the overall one"
    if not named and len(measures) < 2:
        reasons = {}
    scores = _scores(means, measures, overall, rows, reasons)
    return Composites(scores, overall, bounds, weights, coefficient)


def guess_scales(ratings: Sequence[Rating]) -> dict[str, Scale]:
    """The lowest and highest rating of all dimensions, which are taken to share one scale.

    A dimension whose ratings stay far below the others' (yes/no beside 1 to 5, 1 to 5 beside 1 to
    100) has a scale of its own.
    """
    scales: dict[str, Scale] = {}
    for rating in ratings:
        low, high = scales.get(rating.dimension, (rating.value, rating.value))
        scales[rating.dimension] = (min(low, rating.value), max(high, rating.value))
    top = max((high for _, high in scales.values()), default=0.0)
    shared = [scale for scale in scales.values() if scale[1] > _OWN_SCALE * top]
    if not shared:
        return scales
    common = (min(low for low, _ in shared), max(high for _, high in shared))
    return {name: common if scale in shared else scale for name, scale in scales.items()}


def guess_overall(dimensions: Sequence[str]) -> str | None:
    """The dimension that its name gives away as the overall judgement."""
    plain = {name: "".join(filter(str.isalnum, name)).lower() for name in dimensions}
    matches = (name for usual in _OVERALL_NAMES for name in dimensions if plain[name] == usual)
    return next(matches, None)


def _checked(scales: Mapping[str, Scale], dimensions: Sequence[str]) -> dict[str, Scale]:
    for name, (low, high) in scales.items():
        if name not in dimensions:
            raise unknown_name("dimension", name, dimensions)
        if not low < high:
            raise UsageError(f"The scale of {name} must go up, but is {low:g} to {high:g}.")
    return dict(scales)


def _normalised(values: Float64, scale: Scale) -> Float64:
    low, high = scale
    if low == high:
        return np.where(np.isnan(values), np.nan, 0.0)
    return (values - low) / (high - low)


def _weights(
    measures: Sequence[str], matrix: Float64, coefficient: str
) -> tuple[dict[str, float], dict[str, str]]:
    """w_i = exp(s_i) / sum exp(s_j), with s_i = sum over j of r_ij and r_ii = 1."""
    if len(measures) < 2:
        reason = "there are fewer than two dimensions besides the overall one"
        return {}, {"HS1": reason, "HS2": reason}
    sums = np.zeros(len(measures))
    for row, values in enumerate(matrix):
        result = correlate(np.delete(matrix, row, axis=0), values, coefficient)
        if np.isnan(result.values).any():
            other = [name for name in measures if name != measures[row]]
            undefined = other[int(np.argmax(np.isnan(result.values)))]
            reason = f"the correlation of {measures[row]} and {undefined} is not defined"
            return {}, {"HS2": reason}
        sums[row] = 1.0 + result.values.sum()
    powers = np.exp(sums - sums.max())
    return dict(zip(measures, (powers / powers.sum()).tolist(), strict=True)), {}


def _scores(
    means: HumanScores,
    measures: Sequence[str],
    overall: str | None,
    rows: Mapping[str, Float64],
    reasons: Mapping[str, str],
) -> HumanScores:
    counts = [
        means.counts[[means.names.index(str(name)) for name in used]].sum(axis=0)
        for used in ([overall] if row == "HS3" else list(measures) for row in rows)
    ]
    shape = (len(rows), len(means.units))
    return HumanScores(
        units=means.units,
        names=tuple(rows),
        values=exact_ties(np.array(list(rows.values())).reshape(shape)),
        counts=np.array(counts, dtype=np.int64).reshape(shape),
        reasons=reasons,
    )
