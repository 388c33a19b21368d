"""Intervals at 95 % of means over documents: few documents, skewed and nearly constant values.

All intervals of means rest on this rule: of systems' ratings, units, errors and scores, of option
shares and ranks (ratios, by their linearisation), and of means that a metric helps to estimate.

A bootstrap of few documents is too narrow, and so is Student's t where nearly all summaries of a
system are perfect: a sample holds few of the rare bad ones. The interval is by Student's t with the
error times the root of n / f, where f are the degrees of freedom (n - 1, less what was tuned), and
two corrections make up for skew:

- The other systems of the dimension tell how far values spread. A variance v below their mean m is
  raised to (f v + 4 m) / (f + 4): the moderated variance of Smyth (2004), "Linear Models and
  Empirical Bayes Methods", its prior worth 4 documents, and applied upwards only. The intervals of
  plain means have his f + 4 degrees of freedom, or what all systems have together if that is less.
- The end on the side of the long tail moves out by the first term of the Edgeworth expansion of a
  studentised mean (Hall 1992, "On the Removal of Skewness by Transformation"):
  |g| (1 + 2 t^2) / 6 errors, with g the skewness over the root of n. The other end stays where it
  is.

One document has no interval, and neither has a system whose values are all the same: they do not
tell how far others differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.resampling.bootstrap import NO_INTERVAL, Interval
from gistmark.analysis.resampling.student import student_quantile

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

PRIOR = 4
"""How many documents the mean variance of the dimension counts for."""

Limits = tuple[float, float]
"""The least and the greatest value that there can be."""

EVERYWHERE: Limits = (-np.inf, np.inf)

ONE_DOCUMENT = "one document does not tell how far others differ, so there is no interval"
ALL_EQUAL = "all its values are equal and do not tell how far others differ, so it has no interval"


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """An estimate with its bounds at 95 %; `half` is half its width before the skew is seen to."""

    value: float
    low: float
    high: float
    half: float


@dataclass(frozen=True, slots=True)
class MeanSpread:
    """What an interval rests on: an estimate, its error, and how far its values lean to a side.

    `error` is that of the population's variance; `skews` are skewnesses over the root of n, of
    which the worst counts; `freedom` are the degrees of freedom.
    """

    value: float
    error: float
    skews: tuple[float, ...]
    n: int
    freedom: int

    @property
    def variance(self) -> float:
        """Of one document: that of the estimate times the number of documents."""
        return self.n * self.n / self.freedom * self.error**2

    def interval(self, typical: float, more: int = 0) -> MeanInterval:
        """The interval, where `typical` is the mean variance of the estimates like this one.

        `more` degrees of freedom are those that the others lend it.
        """
        moderated = max(
            self.variance, (self.freedom * self.variance + PRIOR * typical) / (self.freedom + PRIOR)
        )
        error = float(np.sqrt(moderated / self.n))
        t = student_quantile(self.freedom + more)
        own = (self.variance / moderated) ** 1.5 if moderated > 0 else 0.0
        moves = [own * skew * (1 + 2 * t**2) / 6 for skew in self.skews]
        down, up = max(0.0, *(-move for move in moves)), max(0.0, *moves)
        value = self.value
        return MeanInterval(value, value - (t + down) * error, value + (t + up) * error, t * error)


def typical_variance(spreads: Sequence[MeanSpread]) -> float:
    """The mean variance of a dimension's estimates of one kind; 0 for a single one."""
    if len(spreads) < 2:
        return 0.0
    return float(np.mean([spread.variance for spread in spreads]))


def skewness(parts: Float64, n: int) -> float:
    """The skewness over the root of n of what n documents add to an estimate, less its mean.

    Positive where the estimate is too often too low, because values far above the others are rare.
    """
    square = float(parts @ parts)
    if n < 3 or square == 0:
        return 0.0
    return float(np.sqrt(n * (n - 1)) / (n - 2) * (parts**3).sum() / square**1.5)


def mean_intervals(
    cells: Float64, weights: Float64 | None = None, limits: Limits = EVERYWHERE
) -> list[Interval]:
    """The interval of the mean of each column over the documents (rows) that have a value."""
    there = ~np.isnan(cells)
    counts = there.astype(np.float64) if weights is None else there * weights[:, None]
    return ratio_intervals(np.where(there, cells, 0.0) * counts, counts, limits)


def ratio_intervals(sums: Float64, counts: Float64, limits: Limits = EVERYWHERE) -> list[Interval]:
    """The interval of each column's sum over its count, both summed over documents (rows).

    By linearisation: a document adds (sum - ratio count) / all counts.
    """
    counts = np.broadcast_to(counts, sums.shape)
    total = counts.sum(axis=0)
    values = quotient(sums.sum(axis=0), total)
    parts = quotient(sums - values * counts, total)
    # What is left of equal values after rounding is nothing.
    least = 1e-12 * quotient(np.abs(sums), total)
    parts = np.where((counts > 0) & (np.abs(parts) > least), parts, 0.0)
    return estimate_intervals(values, parts, (counts > 0).sum(axis=0), limits)


def estimate_intervals(
    values: Float64,
    parts: Float64,
    n: Int64,
    limits: Limits = EVERYWHERE,
) -> list[Interval]:
    """The intervals of estimates that are held against each other.

    `parts` (documents × estimates) are what documents add to each, less its mean; `n` counts the
    documents behind each.
    """
    spreads: list[MeanSpread | None] = [
        MeanSpread(
            float(values[k]), float(np.sqrt(parts[:, k] @ parts[:, k])),
            (skewness(parts[:, k], int(n[k])),), int(n[k]), int(n[k]) - 1,
        )
        if n[k] > 1 and not np.isnan(values[k])
        else None
        for k in range(len(values))
    ]  # fmt: skip
    defined = [spread for spread in spreads if spread]
    typical, freedom = typical_variance(defined), sum(spread.freedom for spread in defined)
    bounds = []
    for spread in spreads:
        if spread is None or not spread.error:
            bounds.append(NO_INTERVAL)
            continue
        interval = spread.interval(typical, min(PRIOR, freedom - spread.freedom))
        bounds.append(Interval(max(interval.low, limits[0]), min(interval.high, limits[1])))
    return bounds
