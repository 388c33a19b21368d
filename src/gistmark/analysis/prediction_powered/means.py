"""A mean of people's values, with a metric's on the same documents and on more, and its interval.

PPI++ (Angelopoulos, Duchi and Zrnic 2023): n documents have a human value Y and a metric f, N more
have the metric alone. The metric's mean over the N is corrected by what it gets wrong on the n:

    lambda = cov_n(Y, f) / ((1 + n / N) var_{n + N}(f)), not below 0
    estimate = lambda mean_N(f) + mean_n(Y - lambda f)
    error^2 = lambda^2 var_N(f) / N + var_n(Y - lambda f) / n

It is unbiased whatever the metric is worth, if the judged documents are a random sample of all; a
metric that goes with people narrows the interval. `lambda` also brings a metric to people's scale,
so above it is bounded only where the metric is a prediction on that scale already.

What is estimated may be the mean beyond these documents, of all that the corpus stands for, which
the errors above are about; or the mean over the M = n + N documents of the corpus itself. The
estimate is the same: with k = lambda M / N it is mean_M(k f) + mean_n(Y - k f), the regression
estimator of survey sampling, whose error about the corpus is

    error^2 = (1 - n / M) var_n(Y - k f) / n

smaller by the finite-population correction, since documents that were judged need no estimating.

Where documents were chosen with known, unequal probabilities p, judged ones count w = 1 / p
(Hájek): the estimate is mean_M(k f) + sum w (Y - k f) / sum w, and with e = Y - k f less its
weighted mean, error^2 = sum w^2 e^2 / (sum w)^2, about the corpus each term times 1 - p, beyond it
with k^2 var_M(f) / M in addition.

Intervals are by `resampling.means`: differences of two systems are held against all differences,
and with a helper against what it leaves of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.resampling.means import MeanSpread, skewness

Float64 = NDArray[np.float64]

Population = Literal["beyond", "corpus"]
"""What a mean is to hold for: documents beyond the corpus, or those of the corpus alone."""


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """An estimate with its standard error; `tuning` is lambda, how far the metric is trusted."""

    value: float
    error: float
    tuning: float


@dataclass(frozen=True, eq=False)
class Sample:
    """People's values and the metric's on the judged documents, and the metric's on the rest.

    `weights` are one over the probabilities with which judged documents were chosen, or None where
    all were as likely.
    """

    human: Float64
    metric: Float64
    rest: Float64
    weights: Float64 | None = None

    @property
    def n(self) -> int:
        return len(self.human)

    @property
    def size(self) -> int:
        return len(self.human) + len(self.rest)


def powered_mean(
    human: Float64, metric: Float64, rest: Float64, *, most: float = inf
) -> PoweredMean:
    """The mean of people's values beyond these documents, all of which were as likely.

    `most` bounds lambda: 1 for predictions on people's own scale.
    """
    n, extra = len(human), len(rest)
    spread = float(np.var(np.concatenate([metric, rest]), ddof=1))
    covariance = float(np.mean((human - human.mean()) * (metric - metric.mean())))
    best = covariance / ((1 + n / extra) * spread) if spread > 0 else 0.0
    tuning = min(max(best, 0.0), most)
    value = tuning * rest.mean() + (human - tuning * metric).mean()
    error = np.sqrt(tuning**2 * rest.var() / extra + (human - tuning * metric).var() / n)
    return PoweredMean(float(value), float(error), tuning)


def with_metric(sample: Sample, population: Population) -> PoweredMean:
    """The mean with the metric's help; the error is that of the population's variances."""
    if sample.weights is not None:
        return _weighted(sample, sample.weights, population)
    mean = powered_mean(sample.human, sample.metric, sample.rest)
    if population == "beyond":
        return mean
    k = mean.tuning * sample.size / len(sample.rest)
    variance = (sample.human - k * sample.metric).var() / sample.n
    error = np.sqrt((1 - sample.n / sample.size) * variance)
    return PoweredMean(mean.value, float(error), mean.tuning)


def by_people(sample: Sample, population: Population) -> PoweredMean:
    """The mean of the judged documents alone."""
    alone = Sample(sample.human, np.zeros(sample.n), np.zeros(len(sample.rest)), sample.weights)
    return with_metric(alone, population)


def _weighted(sample: Sample, weights: Float64, population: Population) -> PoweredMean:
    share = weights / weights.sum()
    human, metric = sample.human, sample.metric
    centred = metric - share @ metric
    spread = float(share @ centred**2)
    k = max(float(share @ (centred * human)) / spread, 0.0) if spread > 0 else 0.0
    everywhere = np.concatenate([metric, sample.rest])
    wrong = human - k * metric
    value = k * everywhere.mean() + share @ wrong
    squares = share**2 * (wrong - share @ wrong) ** 2
    if population == "corpus":
        variance = float(squares @ (1 - np.minimum(1 / weights, 1.0)))
    else:
        variance = float(squares.sum() + k**2 * everywhere.var() / sample.size)
    return PoweredMean(float(value), float(np.sqrt(variance)), k * len(sample.rest) / sample.size)


def spread_of(mean: PoweredMean, sample: Sample) -> MeanSpread:
    """The spread of an estimate with the metric's help, or without where lambda is 0.

    A tuned lambda costs a degree of freedom, so that a helper of pure noise is paid for honestly.
    The skew is that of people's values, or of what the metric leaves of them if that is more.
    """
    k = mean.tuning * sample.size / len(sample.rest)
    skews = [_skew(sample.human, sample.weights)]
    if k > 0:
        skews.append(_skew(sample.human - k * sample.metric, sample.weights))
    freedom = sample.n - 1 - (1 if k > 0 else 0)
    return MeanSpread(mean.value, mean.error, tuple(skews), sample.n, freedom)


def _skew(values: Float64, weights: Float64 | None) -> float:
    """The skewness of values over the root of their number, as they add up to a weighted mean."""
    share = np.full(len(values), 1 / len(values)) if weights is None else weights / weights.sum()
    parts = share * (values - share @ values)
    if float(parts @ parts) <= 1e-24 * float(np.abs(values).max()) ** 2:
        return 0.0
    return skewness(parts, len(values))
