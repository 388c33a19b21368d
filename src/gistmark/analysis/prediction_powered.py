"""People and a metric together: means of systems where people judged only some documents.

PPI++ (Angelopoulos, Duchi and Zrnic 2023): n documents have a human value Y and a metric f, N more
have the metric alone. The metric's mean over the N is corrected by what it gets wrong on the n:

    lambda = cov_n(Y, f) / ((1 + n / N) var_{n + N}(f)), not below 0
    estimate = lambda mean_N(f) + mean_n(Y - lambda f)
    error^2 = lambda^2 var_N(f) / N + var_n(Y - lambda f) / n

It is unbiased whatever the metric is worth, if the judged documents are a random sample of all; a
metric that goes with people narrows the interval. `lambda` also brings a metric to people's scale,
so above it is bounded only where the metric is a prediction on that scale already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.human import HumanScores
from gistmark.analysis.measures import Measures
from gistmark.analysis.resampling.bootstrap import CONFIDENCE

Float64 = NDArray[np.float64]

LEAST = 8
"""With fewer judged documents than this nothing is estimated."""


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """An estimate with its standard error; `tuning` is lambda, how far the metric is trusted."""

    value: float
    error: float
    tuning: float


@dataclass(frozen=True, slots=True)
class Powered:
    """A system's mean, or the difference of two systems, by people alone and with a metric's help.

    `right` is empty for a mean. `classical` is by the `n` judged documents alone, `value` with the
    metric on `extra` more. `equivalent` is how many judged documents people alone would need for
    an interval as narrow. Intervals are at 95 %, by Student's t with n - 1 degrees of freedom.
    """

    human: str
    helper: str
    left: str
    right: str
    value: float | None
    low: float | None
    high: float | None
    classical: float | None
    classical_low: float | None
    classical_high: float | None
    tuning: float | None
    n: int
    extra: int
    equivalent: float | None
    reason: str | None = None


def powered_mean(
    human: Float64, metric: Float64, rest: Float64, *, most: float = inf
) -> PoweredMean:
    """The mean of people's values, with a metric on the same documents and on the rest.

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


def powered_estimates(measures: Measures, helper: str, human: HumanScores) -> tuple[Powered, ...]:
    """Every system's mean and every difference of two, for each human score."""
    row = measures.row(helper)
    known = measures.oriented[row]
    units = [unit for unit, value in zip(measures.units, known, strict=True) if value == value]
    if not units:
        return ()
    layout = layout_of(units)
    layout.check_distinct()
    metric = layout.cube(measures.at(units, oriented=True)[row])
    records: list[Powered] = []
    for name, judged in zip(human.names, layout.cube(human.at(units)), strict=True):
        about = (name, str(measures.names[row]))
        records += _system_means(about, layout.system_names, metric, judged)
        records += _differences(about, layout.system_names, metric, judged)
    return tuple(records)


def _system_means(
    about: tuple[str, str], systems: tuple[str, ...], metric: Float64, judged: Float64
) -> Iterator[Powered]:
    for column, system in enumerate(systems):
        if not np.isnan(judged[:, column]).all():
            yield _estimate(about, (system, ""), judged[:, column], metric[:, column])


def _differences(
    about: tuple[str, str], systems: tuple[str, ...], metric: Float64, judged: Float64
) -> Iterator[Powered]:
    for left, right in combinations(range(len(systems)), 2):
        gaps = judged[:, left] - judged[:, right]
        if not np.isnan(gaps).all():
            names = (systems[left], systems[right])
            yield _estimate(about, names, gaps, metric[:, left] - metric[:, right])


def _estimate(
    about: tuple[str, str], names: tuple[str, str], human: Float64, metric: Float64
) -> Powered:
    scored = ~np.isnan(metric)
    both = scored & ~np.isnan(human)
    n, extra = int(both.sum()), int((scored & ~both).sum())
    reason = _reason(n, extra)
    if reason is not None:
        nothing = (None,) * 7
        return Powered(*about, *names, *nothing, n, extra, None, reason)
    y, f, rest = human[both], metric[both], metric[scored & ~both]
    powered = powered_mean(y, f, rest)
    alone = float(np.sqrt(y.var() / n))
    # Variances of the population are those of the reference; a sample's are n / (n - 1) larger.
    factor = float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * np.sqrt(n / (n - 1)))
    value, half, mean, wide = powered.value, factor * powered.error, float(y.mean()), factor * alone
    equivalent = n * (alone / powered.error) ** 2 if powered.error > 0 else None
    return Powered(
        *about, *names, value, value - half, value + half, mean, mean - wide, mean + wide,
        powered.tuning, n, extra, equivalent,
    )  # fmt: skip


def _reason(n: int, extra: int) -> str | None:
    if n < LEAST:
        return f"{n} judged documents are too few; {LEAST} are needed"
    if extra == 0:
        return "every document that has scores was judged, so a metric has nothing to add"
    return None
