"""Every system's mean and every difference of two, by people alone and with a helper.

Intervals are by Student's t: the standard errors are those of `means` times the root of
n / (n - 1 - l), with n - 1 - l degrees of freedom, l being 1 where lambda was tuned above 0, so
that a helper of pure noise is paid for honestly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.human import HumanScores
from gistmark.analysis.measures import Measures
from gistmark.analysis.prediction_powered.helpers import Helper, helper_of, predictions
from gistmark.analysis.prediction_powered.means import (
    Population,
    PoweredMean,
    Sample,
    by_people,
    with_metric,
)
from gistmark.analysis.resampling.bootstrap import CONFIDENCE
from gistmark.analysis.weights import UNWEIGHTED, Weights
from gistmark.seeds import generator

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]

LEAST = 8
"""With fewer judged documents than this nothing is estimated."""


@dataclass(frozen=True, slots=True)
class Powered:
    """A system's mean, or the difference of two systems, by people alone and with a helper.

    `right` is empty for a mean. `classical` is by the `n` judged documents alone, `value` with the
    helper on `extra` more. `equivalent` is how many judged documents people alone would need for
    an interval as narrow, `saved` how many more than `n` that are: 0 where the helper does not
    narrow the interval by a whole document. `population` says what the intervals, at 95 %, hold
    for: documents `beyond` the corpus, or the `corpus` alone. `caution` says why an interval may be
    too narrow.
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
    saved: int | None = None
    population: Population = "beyond"
    reason: str | None = None
    caution: str | None = None


@dataclass(frozen=True)
class _Setting:
    """What the estimates of one human score have in common."""

    human: str
    helper: Helper
    population: Population
    weights: Float64 | None
    reason: str | None


def powered_estimates(
    measures: Measures,
    helper: str,
    human: HumanScores,
    *,
    population: Population = "beyond",
    weights: Weights = UNWEIGHTED,
    reason: str | None = None,
    seed: int = 0,
) -> tuple[Powered, ...]:
    """Every system's mean and every difference of two, for each human score.

    `weights` are those of documents that were not as likely to be chosen as others; `reason` says
    why the judged documents are no random sample at all, and then stands for all numbers.
    """
    chosen = helper_of(measures, helper)
    known = ~np.isnan(measures.oriented[list(chosen.rows)].sum(axis=0))
    units = [unit for unit, there in zip(measures.units, known, strict=True) if there]
    if not units:
        return ()
    layout = layout_of(units)
    layout.check_distinct()
    metrics = layout.cube(measures.at(units, oriented=True)[list(chosen.rows)])
    documents = weights.of_documents(layout.document_names)
    records: list[Powered] = []
    for name, judged in zip(human.names, layout.cube(human.at(units)), strict=True):
        setting = _Setting(name, chosen, population, documents, reason)
        predicted = predictions(metrics, judged, generator(seed, "helper"))
        scored = ~np.isnan(metrics.sum(axis=0))
        records += _all(setting, layout.system_names, predicted, judged, scored)
    return tuple(records)


def _all(
    setting: _Setting,
    systems: tuple[str, ...],
    metric: Float64,
    judged: Float64,
    scored: Bool,
) -> Iterator[Powered]:
    """Means first, then differences; what nobody judged has no record."""
    for column, system in enumerate(systems):
        if not np.isnan(judged[:, column]).all():
            own = (judged[:, column], metric[:, column], scored[:, column])
            yield _estimate(setting, (system, ""), *own)
    for left, right in combinations(range(len(systems)), 2):
        gaps = judged[:, left] - judged[:, right]
        if not np.isnan(gaps).all():
            names = (systems[left], systems[right])
            both = scored[:, left] & scored[:, right]
            yield _estimate(setting, names, gaps, metric[:, left] - metric[:, right], both)


def _estimate(
    setting: _Setting,
    names: tuple[str, str],
    human: Float64,
    metric: Float64,
    scored: Bool,
) -> Powered:
    both = scored & ~np.isnan(human)
    rest = scored & ~both
    n, extra = int(both.sum()), int(rest.sum())
    about = (setting.human, setting.helper.name, *names)
    reason = setting.reason or _reason(n, extra, setting.helper)
    reason = reason or _shapeless(human[both], metric[scored])
    if reason is not None:
        nothing = (None,) * 7
        return Powered(*about, *nothing, n, extra, None, None, setting.population, reason)
    weights = None if setting.weights is None else setting.weights[both]
    sample = Sample(human[both], metric[both], metric[rest], weights)
    powered, alone = (each(sample, setting.population) for each in (with_metric, by_people))
    factor, wide = _factor(n, 1 if powered.tuning > 0 else 0), _factor(n, 0)
    half, usual = factor * powered.error, wide * alone.error
    equivalent = _equivalent(sample, setting.population, alone, half / wide)
    saved = None if equivalent is None else max(int(equivalent - n + 1e-9), 0)
    return Powered(
        *about, powered.value, powered.value - half, powered.value + half,
        alone.value, alone.value - usual, alone.value + usual,
        powered.tuning, n, extra, equivalent, saved, setting.population, None,
        _skewed(sample, powered.tuning),
    )  # fmt: skip


def _factor(n: int, learnt: int) -> float:
    """From a standard error of the population's variances to half an interval."""
    freedom = n - 1 - learnt
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom) * np.sqrt(n / freedom))


def _equivalent(
    sample: Sample, population: Population, alone: PoweredMean, error: float
) -> float | None:
    """How many judged documents have an interval as narrow as one of this error.

    About the corpus the error of m documents is that of a population times 1 / m - 1 / M.
    """
    if error <= 0 or alone.error <= 0:
        return None
    n, size = sample.n, sample.size
    ratio = (error / alone.error) ** 2
    if population == "corpus":
        return float(1 / (ratio * (1 / n - 1 / size) + 1 / size))
    return float(n / ratio)


def _reason(n: int, extra: int, helper: Helper) -> str | None:
    least = max(LEAST, helper.least)
    if n < least:
        return f"{n} judged documents are too few; {least} are needed"
    if extra == 0:
        return "every document that has scores was judged, so a metric has nothing to add"
    return None


def _skewed(sample: Sample, tuning: float) -> str | None:
    """Cochran's rule (Sampling Techniques, 1977): normal intervals want n > 25 skewness^2.

    It is asked of people's values and of what the metric leaves of them.
    """
    left = sample.human - tuning * sample.size / len(sample.rest) * sample.metric
    wanted = 25 * max(float(stats.skew(values)) ** 2 for values in (sample.human, left))
    if sample.n >= wanted:
        return None
    return (
        "people’s values are so skewed, most being nearly the same, that this many documents make "
        f"intervals too narrow; about {int(np.ceil(wanted)):,} are needed"
    )


def _shapeless(human: Float64, metric: Float64) -> str | None:
    if np.ptp(human) == 0:
        return "all judged documents have the same value, so how far others differ is not known"
    if np.isnan(metric).any():
        return "the metrics' weights cannot be learnt: too few documents have all of them"
    if np.ptp(metric) == 0:
        return "the metric has the same value everywhere, so it has nothing to add"
    return None
