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
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmark.analysis.agreement.coefficients.intervals import summed, with_interval
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


def grouped_alpha(groups: Sequence[tuple[Int64, Float64]]) -> Statistic:
    """Nominal alpha of marks (1.0 or 0.0), with an interval over the documents they belong to.

    A group has the units of a document, numbered from 0, and the values that they got.
    """
    units, values, count = [], [], 0
    for numbers, marks in groups:
        units.append(numbers + count)
        values.append(marks)
        count += int(numbers.max()) + 1 if len(numbers) else 0
    result = alpha(np.concatenate(units), np.concatenate(values), "nominal")
    every = [_binary_parts(pairable(numbers, marks)) for numbers, marks in groups]
    parts = np.array([part for part in every if part[1]]).reshape(-1, 3)
    sums = parts.sum(axis=0) - summed(parts)
    ones, n, inner = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        left_out = 1 - (n - 1) * inner / (2 * ones * (n - ones))
    return with_interval(result, left_out, documents=len(parts))


def _binary_parts(marks: Pairable) -> tuple[float, float, float]:
    """Of one group: how many 1s, how many values, and its part of D (see `alpha`)."""
    ones = np.bincount(marks.units, weights=marks.values, minlength=len(marks.sizes))
    unequal = 2 * ones * (marks.sizes - ones) / (marks.sizes - 1)
    return float(ones.sum()), float(len(marks.values)), float(unequal.sum())
