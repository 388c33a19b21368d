"""Krippendorff's alpha for any number of raters, missing values, and four levels of measurement.

Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). With n pairable values, m_u of
them in unit u:

    alpha = 1 - (n - 1) D / E
    D = sum over units u of  1 / (m_u - 1) * sum over ordered pairs (v, w) in u of  delta(v, w)^2
    E = sum over ordered pairs (v, w) of all pairable values of  delta(v, w)^2

Nothing here makes a matrix of distinct values times distinct values but the ratio level:

- nominal: D and E count unequal pairs, from the counts of each value in each unit;
- interval: a sum over pairs is 2 m times a sum of squared deviations from the mean;
- ordinal: delta(c, k) is the difference of the mid-ranks of c and k among all pairable values, so
  it is the interval level on mid-ranks;
- ratio: delta(v, w) = (v - w) / (v + w) is summed over distinct values, block by block.

Intervals are by bootstrap over units (Efron 1979): units are drawn with replacement and alpha is
computed again, on ordinal data with the ranks of the draw. Units that got the same values are
interchangeable, so a draw only says how often each kind of unit occurs: a million five-point
ratings have a few hundred kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gistmark.analysis.agreement.coefficients.statistic import (
    Pairable,
    Statistic,
    Tally,
    encode,
    pairable,
    tally,
    undefined,
)
from gistmark.analysis.data.columns import Float64, Int64, Level
from gistmark.analysis.resampling.bootstrap import CONFIDENCE
from gistmark.analysis.resampling.bootstrap import RESAMPLES as RESAMPLES

MOST_RATIOS = 20_000
"""The ratio level compares every two distinct values; with more of them it is not computed."""

_BLOCK = 1 << 22


def alpha(units: Int64, values: Float64, level: Level) -> Statistic:
    """Krippendorff's alpha: 1 is full agreement, 0 what chance gives, below 0 is worse.

    `values[i]` was given to the unit with number `units[i]`; NaN is a missing value; a unit with
    one value is left out; n is the number of units that remain. Not defined where nothing
    remains (no overlap, one annotator, empty data), where all remaining values are equal, and at
    the ratio level for negative values or more than `MOST_RATIOS` distinct ones.
    """
    ratings = pairable(units, values)
    n = len(ratings.sizes)
    reason = _obstacle(ratings, level)
    if reason is not None:
        return undefined(reason, n)
    if level == "nominal":
        inner, outer = _nominal(tally(ratings))
    elif level == "ratio":
        table = tally(ratings)
        if len(table.distinct) > MOST_RATIOS:
            return undefined(f"More than {MOST_RATIOS:,} distinct values at the ratio level.", n)
        inner, outer = _ratio(table)
    else:
        inner, outer = _squares(ratings, mid_ranks(ratings) if level == "ordinal" else None)
    return Statistic(1.0 - (len(ratings.values) - 1) * inner / outer, n)


def mid_ranks(ratings: Pairable) -> Float64:
    """For each value, the number of smaller ones and half of the equal ones."""
    _, codes = encode(ratings.values)
    totals = np.bincount(codes)
    return (np.cumsum(totals) - totals / 2)[codes]


def ratio_distances(values: Float64, others: Float64) -> Float64:
    """((v - w) / (v + w))^2 for every v and w, 0 where both are 0."""
    sums = values[:, None] + others
    shares = np.divide(
        values[:, None] - others, sums, out=np.zeros(sums.shape, np.float64), where=sums != 0
    )
    return shares * shares


def ratio_disagreements(table: Tally) -> Float64:
    """D at the ratio level for each unit: pairs of cells of one unit, found by their distance."""
    values = np.zeros(len(table.sizes))
    step = 1
    while True:
        same = table.units[step:] == table.units[:-step]
        if not same.any():
            return 2 * values / (table.sizes - 1)
        first, second = np.flatnonzero(same), np.flatnonzero(same) + step
        v, w = table.distinct[table.codes[first]], table.distinct[table.codes[second]]
        pairs = table.counts[first] * table.counts[second]
        weights = pairs * ((v - w) / (v + w)) ** 2
        values += np.bincount(table.units[first], weights=weights, minlength=len(values))
        step += 1


def _obstacle(ratings: Pairable, level: Level) -> str | None:
    if not len(ratings.sizes):
        return "No unit has two ratings."
    if ratings.constant:
        return f"All ratings are {ratings.values[0]:g}: nothing varies."
    if level == "ratio" and ratings.values.min() < 0:
        return "The ratio level has no negative values."
    return None


def _nominal(table: Tally) -> tuple[float, float]:
    """D and E: m_u^2 and n^2 ordered pairs less those of equal values (and each with itself)."""
    sizes, counts, totals = table.sizes, table.counts, table.totals
    unequal = counts * (sizes[table.units] - counts) / (sizes[table.units] - 1)
    n = int(totals.sum())
    return float(unequal.sum()), float(np.sum(totals * (n - totals)))


def _squares(ratings: Pairable, ranks: Float64 | None) -> tuple[float, float]:
    """D = sum of 2 m_u / (m_u - 1) SS_u and E = 2 n SS, SS being the squared deviations."""
    values = ratings.values if ranks is None else ranks
    values = values - values.mean()
    means = np.bincount(ratings.units, weights=values) / ratings.sizes
    within = values - means[ratings.units]
    factors = 2 * ratings.sizes / (ratings.sizes - 1)
    squares = np.bincount(ratings.units, weights=within * within)
    return float(factors @ squares), 2 * len(values) * float(values @ values)


def _ratio(table: Tally) -> tuple[float, float]:
    """D from the cells of each unit, E from blocks of distinct values."""
    totals = table.totals
    rows = max(1, _BLOCK // len(table.distinct))
    outer = 0.0
    for start in range(0, len(table.distinct), rows):
        block = slice(start, start + rows)
        distances = ratio_distances(table.distinct[block], table.distinct)
        outer += float(totals[block] @ (distances @ totals))
    return float(ratio_disagreements(table).sum()), outer


_MOST_COLUMNS = 64
"""With more distinct values, units are hardly ever of the same kind and the table is sparse."""

_MOST_RATIO_VALUES = 2_000

_SampledParts = tuple[Float64, Float64, Float64]
"""For each draw: n, D and E, as `alpha` defines them."""


@dataclass(frozen=True)
class _Kinds:
    """Kinds of units; `kind_of` gives the kind of each unit.

    `table` has a row for each kind: how often it got each distinct value, or at the interval level
    the number of its values, their sum and the sum of their squares.
    """

    table: Any
    sizes: Int64
    disagreements: Float64
    kind_of: Int64
    distinct: Float64


def bootstrapped_alpha(
    units: Int64,
    values: Float64,
    level: Level,
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Statistic:
    """Krippendorff's alpha (see `alpha`) with the middle 95 % of its values over draws of units.

    Draws in which nothing varies have no alpha and are left out. There is no interval where alpha
    is not defined, for a single unit, where fewer than half of the draws have an alpha, or at the
    ratio level for more than 2,000 distinct values.
    """
    result = alpha(units, values, level)
    if result.value is None or result.n < 2:
        return result
    table = tally(pairable(units, values))
    if level == "ratio" and len(table.distinct) > _MOST_RATIO_VALUES:
        return result
    low, high = percentiles(_resampled(_kinds(table, level), level, rng, resamples))
    return replace(result, low=low, high=high)


def grouped_alpha(
    groups: Sequence[tuple[Int64, Float64]], *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Statistic:
    """Nominal alpha of marks (1.0 or 0.0), with an interval by bootstrap over groups of units.

    A group has its units, numbered from 0, and the values that they got; documents are groups
    where the marks of one document are no independent draws.
    """
    units, values, count = [], [], 0
    for own, marks in groups:
        units.append(own + count)
        values.append(marks)
        count += int(own.max()) + 1 if len(own) else 0
    result = alpha(np.concatenate(units), np.concatenate(values), "nominal")
    every = [_binary_parts(pairable(own, marks)) for own, marks in groups]
    parts = np.array([part for part in every if part[1]])
    if result.value is None or len(parts) < 2:
        return result
    low, high = percentiles(
        np.concatenate([_binary_alphas(parts, size, rng) for size in blocks(resamples, len(parts))])
    )
    return replace(result, low=low, high=high)


def _binary_parts(marks: Pairable) -> tuple[float, float, float]:
    """Of one group: how many 1s, how many values, and its part of D (see `alpha`)."""
    ones = np.bincount(marks.units, weights=marks.values, minlength=len(marks.sizes))
    unequal = 2 * ones * (marks.sizes - ones) / (marks.sizes - 1)
    return float(ones.sum()), float(len(marks.values)), float(unequal.sum())


def _binary_alphas(parts: Float64, size: int, rng: np.random.Generator) -> Float64:
    weights = draws(np.arange(len(parts)), len(parts), size, rng)
    ones, n, inner = (weights @ parts).T
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Float64 = 1 - (n - 1) * inner / (2 * ones * (n - ones))
    return result


def percentiles(values: Float64) -> tuple[float, float] | tuple[None, None]:
    """The bounds of the middle 95 % of the values that are finite, if half of them are."""
    finite = values[np.isfinite(values)]
    if len(finite) == 0 or 2 * len(finite) < len(values):
        return None, None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(finite, [tail, 1 - tail])
    return float(low), float(high)


def draws(kind_of: Int64, kinds: int, size: int, rng: np.random.Generator) -> Float64:
    """How often each kind occurs among units drawn with replacement, for `size` draws."""
    units = len(kind_of)
    if 8 * kinds < units:
        shares = np.bincount(kind_of, minlength=kinds) / units
        return rng.multinomial(units, shares, size=size).astype(np.float64)
    picks = kind_of[rng.integers(units, size=(size, units))]
    picks += np.arange(size)[:, None] * kinds
    return np.bincount(picks.ravel(), minlength=size * kinds).reshape(size, kinds).astype(float)


def blocks(total: int, width: int) -> list[int]:
    """How many of `total` draws to make at a time, when each needs `width` numbers."""
    step = max(1, _BLOCK // max(width, 1))
    return [min(step, total - start) for start in range(0, total, step)]


def _resampled(kinds: _Kinds, level: Level, rng: np.random.Generator, resamples: int) -> Float64:
    count = len(kinds.sizes)
    alphas = []
    for size in blocks(resamples, max(count, len(kinds.kind_of), kinds.table.shape[1])):
        weights = draws(kinds.kind_of, count, size, rng)
        totals = np.asarray(weights @ kinds.table)
        n, inner, outer = _SAMPLED_PARTS[level](kinds, weights, totals)
        with np.errstate(invalid="ignore", divide="ignore"):
            alphas.append(1 - (n - 1) * inner / outer)
    return np.concatenate(alphas)


def _kinds(table: Tally, level: Level) -> _Kinds:
    disagreements = _disagreements(table, level)
    moments = _moments(table) if level == "interval" else None
    if len(table.distinct) > _MOST_COLUMNS:
        rows = _sparse(table) if moments is None else moments
        units = np.arange(len(table.sizes))
        return _Kinds(rows, table.sizes, disagreements, units, table.distinct)
    full = np.zeros((len(table.sizes), len(table.distinct)), dtype=np.int32)
    full[table.units, table.codes] = table.counts
    rows, first, kind_of = np.unique(full, axis=0, return_index=True, return_inverse=True)
    rows = rows.astype(np.float64) if moments is None else moments[first]
    return _Kinds(rows, table.sizes[first], disagreements[first], kind_of.ravel(), table.distinct)


def _sparse(table: Tally) -> Any:
    from scipy.sparse import csr_array

    shape = (len(table.sizes), len(table.distinct))
    return csr_array((table.counts.astype(np.float64), (table.units, table.codes)), shape)


def _moments(table: Tally) -> Float64:
    values = (table.distinct - table.distinct.mean())[table.codes]
    sums = np.bincount(table.units, weights=table.counts * values)
    squares = np.bincount(table.units, weights=table.counts * values * values)
    return np.stack([table.sizes, sums, squares], axis=1)


def _disagreements(table: Tally, level: Level) -> Float64:
    """D of each unit alone; on ordinal data it changes with the draw and is left at 0."""
    if level == "ratio":
        return ratio_disagreements(table)
    if level == "ordinal":
        return np.zeros(len(table.sizes))
    sizes = table.sizes[table.units]
    if level == "nominal":
        parts = table.counts * (sizes - table.counts) / (sizes - 1)
        return np.bincount(table.units, weights=parts).astype(np.float64)
    values = table.distinct[table.codes]
    means = np.bincount(table.units, weights=table.counts * values) / table.sizes
    squares = table.counts * (values - means[table.units]) ** 2
    return np.bincount(table.units, weights=2 * sizes / (sizes - 1) * squares).astype(np.float64)


def _sampled_nominal(kinds: _Kinds, weights: Float64, totals: Float64) -> _SampledParts:
    n = totals.sum(axis=1)
    return n, weights @ kinds.disagreements, n * n - (totals * totals).sum(axis=1)


def _sampled_interval(kinds: _Kinds, weights: Float64, totals: Float64) -> _SampledParts:
    """A sum over pairs that is nothing but rounding error is 0: all values are equal."""
    n, sums, squares = totals.T
    outer = 2 * (n * squares - sums * sums)
    outer[outer <= 1e-12 * n * squares] = 0.0
    return n, weights @ kinds.disagreements, outer


def _sampled_ratio(kinds: _Kinds, weights: Float64, totals: Float64) -> _SampledParts:
    distances = ratio_distances(kinds.distinct, kinds.distinct)
    outer = (np.asarray(totals @ distances) * totals).sum(axis=1)
    return totals.sum(axis=1), weights @ kinds.disagreements, outer


def _sampled_ordinal(kinds: _Kinds, weights: Float64, totals: Float64) -> _SampledParts:
    """As interval on the mid-ranks of each draw, which are centred: their mean is n / 2."""
    n = totals.sum(axis=1)
    ranks = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
    squares = ranks * ranks
    sums = np.asarray(kinds.table @ ranks.T)
    pairs = kinds.sizes[:, None] * np.asarray(kinds.table @ squares.T) - sums * sums
    inner = 2 * (weights.T * pairs / (kinds.sizes - 1)[:, None]).sum(axis=0)
    return n, inner, 2 * n * (totals * squares).sum(axis=1)


_SAMPLED_PARTS: dict[Level, Callable[[_Kinds, Float64, Float64], _SampledParts]] = {
    "nominal": _sampled_nominal,
    "ordinal": _sampled_ordinal,
    "interval": _sampled_interval,
    "ratio": _sampled_ratio,
}
