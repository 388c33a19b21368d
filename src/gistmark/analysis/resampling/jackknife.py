"""Intervals and tests of a mean over documents and over pairs of systems, by Student's t.

Documents are a sample, and so are systems where they are enough: then a value is to hold for other
systems too. It is a mean over documents of means over pairs of systems, that is a U-statistic of
the systems (Hoeffding 1948), whose variance is that of leaving them out one by one (Arvesen 1969,
"Jackknifing U-Statistics"):

    variance over systems    (S - 1) / S sum (u_s - mean u)^2, with u_s the value without system s
    variance over documents  as the caller has it, for a mean the variance over D documents / D

Their sum counts what a document and a system have in common twice, so it is cautious; t has one
degree of freedom less than there are systems or documents, whichever are fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.resampling.bootstrap import FEWEST_SYSTEMS
from gistmark.analysis.resampling.student import student_p, student_quantile

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

DOCUMENTS, BOTH = "documents", "documents and systems"
"""What an interval or a test holds for: other documents, or other systems too."""

ALIKE = "it does not vary, so nothing tells how far it may be off"
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Estimate:
    """A value with its interval at 95 % and the two-sided p of its being zero.

    `over` is `DOCUMENTS` or `BOTH`. Without spread there is no interval, and p is 1 for zero.
    """

    value: float
    low: float | None
    high: float | None
    p: float | None
    over: str
    reason: str | None = None


def estimated(
    value: float, variance: float, documents: int, without: Float64 | None = None
) -> Estimate:
    """From the variance over documents, and the values without each system where these count."""
    over, count = DOCUMENTS, documents
    if without is not None and len(without) >= FEWEST_SYSTEMS:
        over, count = BOTH, min(documents, len(without))
        spread = (without - without.mean()) ** 2
        variance += float(spread.sum()) * (len(without) - 1) / len(without)
    if count < 2:
        return Estimate(value, None, None, None, over, "one document says nothing about others")
    error = sqrt(variance)
    if error <= _ROUNDING:
        p = 1.0 if abs(value) <= _ROUNDING else None
        return Estimate(value, None, None, p, over, ALIKE)
    half = student_quantile(count - 1) * error
    p = float(student_p(value / error, count - 1))
    return Estimate(value, value - half, value + half, p, over)


def mean_estimated(within: Float64, without: Float64 | None = None) -> Estimate:
    """The mean over documents; `without` is documents × systems, each value without a system.

    NaN is a document that has no value without that system.
    """
    n = len(within)
    variance = float(within.var(ddof=1)) / n if n > 1 else 0.0
    if without is not None:
        there = ~np.isnan(without)
        without = quotient(np.where(there, without, 0.0).sum(axis=0), there.sum(axis=0))
        without = without[~np.isnan(without)]
    return estimated(float(within.mean()), variance, n, without)


def means_without(values: Float64) -> Float64:
    """The mean over all pairs of systems without those of each, from values in triangular order."""
    size = systems_of(len(values))
    left, right = np.triu_indices(size, 1)
    sums = np.bincount(left, values, size) + np.bincount(right, values, size)
    means: Float64 = (values.sum() - sums) / (len(values) - size + 1)
    return means


def systems_of(pairs: int) -> int:
    """How many systems have this many pairs."""
    return round((1 + sqrt(1 + 8 * pairs)) / 2)
