"""Intervals of means that hold for skewed and nearly constant values too.

By Student's t with the error of `means` times the root of n / f, where f = n - 1 - l degrees of
freedom and l is 1 where lambda was tuned above 0, so that a helper of pure noise is paid for
honestly. Where nearly all summaries of a system are perfect, a sample holds few of the rare bad
ones, and such an interval is too narrow. Two corrections make up for it:

- The other systems of the dimension tell how far values spread. A variance v below their mean m is
  raised to (f v + 4 m) / (f + 4): the moderated variance of Smyth (2004), "Linear Models and
  Empirical Bayes Methods", its prior worth 4 documents, and applied upwards only. Differences of
  two systems are held against all differences, and with a helper against what it leaves of them.
- The end on the side of the long tail moves out by the first term of the Edgeworth expansion of a
  studentised mean (Hall 1992, "On the Removal of Skewness by Transformation"): |g| (1 + 2 t^2) / 6
  errors, with g the skewness over the root of n, of people's values and of what the metric leaves
  of them, whichever is more. The other end stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gistmark.analysis.prediction_powered.means import PoweredMean, Sample
from gistmark.analysis.resampling.bootstrap import CONFIDENCE

Float64 = NDArray[np.float64]

PRIOR = 4
"""How many documents the mean variance of the dimension counts for."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its bounds at 95 %; `half` is half its width before the skew is seen to."""

    value: float
    low: float
    high: float
    half: float


@dataclass(frozen=True, slots=True)
class Spread:
    """What an interval rests on: an estimate, its error, and how far its values lean to a side.

    `skews` are skewnesses over the root of n; `freedom` are the degrees of freedom.
    """

    mean: PoweredMean
    skews: tuple[float, ...]
    n: int
    freedom: int

    @property
    def variance(self) -> float:
        """Of one document: that of the estimate times the number of documents."""
        return self.n * self.n / self.freedom * self.mean.error**2

    def interval(self, typical: float) -> Interval:
        """The interval, where `typical` is the mean variance of the estimates like this one."""
        moderated = max(
            self.variance, (self.freedom * self.variance + PRIOR * typical) / (self.freedom + PRIOR)
        )
        error = float(np.sqrt(moderated / self.n))
        t = float(special.stdtrit(self.freedom, (1 + CONFIDENCE) / 2))
        own = (self.variance / moderated) ** 1.5 if moderated > 0 else 0.0
        moves = [own * skew * (1 + 2 * t**2) / 6 for skew in self.skews]
        down, up = max(0.0, *(-move for move in moves)), max(0.0, *moves)
        value = self.mean.value
        return Interval(value, value - (t + down) * error, value + (t + up) * error, t * error)


def typical_variance(spreads: Sequence[Spread]) -> float:
    """The mean variance of a dimension's estimates of one kind; 0 for a single one."""
    if len(spreads) < 2:
        return 0.0
    return float(np.mean([each.variance for each in spreads]))


def spread_of(mean: PoweredMean, sample: Sample) -> Spread:
    """The spread of an estimate with the metric's help, or without where lambda is 0."""
    k = mean.tuning * sample.size / len(sample.rest)
    skews = [_skew(sample.human, sample.weights)]
    if k > 0:
        skews.append(_skew(sample.human - k * sample.metric, sample.weights))
    return Spread(mean, tuple(skews), sample.n, sample.n - 1 - (1 if k > 0 else 0))


def _skew(values: Float64, weights: Float64 | None) -> float:
    """The skewness of values over the root of their number, as they add up to a weighted mean.

    Positive where the mean is too often too low, because values far above the others are rare.
    """
    n = len(values)
    share = np.full(n, 1 / n) if weights is None else weights / weights.sum()
    parts = share * (values - share @ values)
    square = float(parts @ parts)
    if square <= 1e-24 * float(np.abs(values).max()) ** 2:
        return 0.0
    unbiased = np.sqrt(n * (n - 1)) / (n - 2)
    return float(unbiased * (parts**3).sum() / square**1.5)
