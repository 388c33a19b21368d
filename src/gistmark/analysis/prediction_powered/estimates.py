"""Every system's mean and every difference of two, by people alone and with a helper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.data.weights import UNWEIGHTED, Weights
from gistmark.analysis.human import HumanScores
from gistmark.analysis.prediction_powered.helpers import Helper, helper_of, predictions
from gistmark.analysis.prediction_powered.means import (
    Population,
    Sample,
    by_people,
    spread_of,
    with_metric,
)
from gistmark.analysis.prediction_powered.sampling import NOT_RANDOM, picked
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.resampling.means import MeanSpread, typical_variance
from gistmark.analysis.resampling.significance import correct
from gistmark.runtime.seeds import generator

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
    for: documents `beyond` the corpus, or the `corpus` alone. `caution` says why not to rely on an
    estimate: the helper itself tells judged documents from the others, so they are no random
    sample; or values are nearly all the same, for the system that varies most too, so that an
    interval may be too narrow.
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
    caution: str | None


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
    why the judged documents are no random sample at all, and then stands for all numbers. Where
    nothing is known of how they were chosen, the helper's own values are asked.
    """
    helping = helper_of(measures, helper)
    is_scored = ~np.isnan(measures.oriented[list(helping.rows)].sum(axis=0))
    units = [unit for unit, has in zip(measures.units, is_scored, strict=True) if has]
    if not units:
        return ()
    layout = layout_of(units)
    layout.check_distinct()
    metrics = layout.cube(measures.at(units, oriented=True)[list(helping.rows)])
    documents = weights.of_documents(layout.document_names)
    people = layout.cube(human.at(units))
    predicted = [predictions(metrics, judged, generator(seed, "helper")) for judged in people]
    sampled = np.array([not weights.sample or name in weights.sample
                      for name in layout.document_names])  # fmt: skip
    cautions = _cautions(helping.name, predicted, people, sampled)
    scored = ~np.isnan(metrics.sum(axis=0))
    return tuple(
        record
        for name, judged, values, caution in zip(
            human.names, people, predicted, cautions, strict=True
        )
        for record in _all(
            _Setting(name, helping, population, documents, reason, caution),
            layout.system_names, values, judged, scored,
        )
    )  # fmt: skip


def _cautions(
    helper: str, predicted: Sequence[Float64], people: Float64, sampled: Bool
) -> Iterator[str | None]:
    """What the helper says of the documents judged for each human score, among those sampled."""
    tests = [
        picked(values[sampled], ~np.isnan(judged[sampled]))
        for values, judged in zip(predicted, people, strict=True)
    ]
    for (z, _), p in zip(tests, correct([p for _, p in tests], "holm"), strict=True):
        if p is None or p >= SIGNIFICANT:
            yield None
            continue
        side = "higher" if z > 0 else "lower"
        yield (
            f"{NOT_RANDOM}: by {helper} their summaries rank {side} than those of other documents "
            f"({'p < 0.001' if p < 0.001 else f'p = {p:.3f}'}), so the estimates may be wrong"
        )


@dataclass(frozen=True)
class _Case:
    """One mean or difference: its names and values, or why it has no estimate."""

    names: tuple[str, str]
    n: int
    extra: int
    sample: Sample | None
    reason: str | None


def _all(
    setting: _Setting,
    systems: tuple[str, ...],
    metric: Float64,
    judged: Float64,
    scored: Bool,
) -> Iterator[Powered]:
    """Means first, then differences; what nobody judged has no record."""
    means = [
        _case(setting, (system, ""), judged[:, k], metric[:, k], scored[:, k])
        for k, system in enumerate(systems)
        if not np.isnan(judged[:, k]).all()
    ]
    differences = [
        _case(setting, (systems[i], systems[j]), judged[:, i] - judged[:, j],
              metric[:, i] - metric[:, j], scored[:, i] & scored[:, j])
        for i, j in combinations(range(len(systems)), 2)
        if not np.isnan(judged[:, i] - judged[:, j]).all()
    ]  # fmt: skip
    yield from _estimates(setting, means)
    yield from _estimates(setting, differences)


def _case(
    setting: _Setting, names: tuple[str, str], human: Float64, metric: Float64, scored: Bool
) -> _Case:
    both = scored & ~np.isnan(human)
    unjudged = scored & ~both
    n, extra = int(both.sum()), int(unjudged.sum())
    reason = setting.reason or _reason(n, extra, setting.helper, metric[scored])
    if reason is not None:
        return _Case(names, n, extra, None, reason)
    weights = None if setting.weights is None else setting.weights[both]
    sample = Sample(human[both], metric[both], metric[unjudged], weights)
    return _Case(names, n, extra, sample, None)


def _estimates(setting: _Setting, cases: Sequence[_Case]) -> Iterator[Powered]:
    """The estimates of one kind, whose spreads are held against each other."""
    population = setting.population
    samples = [case.sample for case in cases if case.sample is not None]
    means = [with_metric(sample, population) for sample in samples]
    helped = [spread_of(mean, sample) for mean, sample in zip(means, samples, strict=True)]
    alone = [spread_of(by_people(sample, population), sample) for sample in samples]
    typical, remaining = typical_variance(alone), typical_variance(helped)
    widest = max(alone, key=lambda spread: spread.variance, default=None)
    estimates = zip(means, helped, alone, strict=True)
    for case in cases:
        about = (setting.human, setting.helper.name, *case.names)
        if case.sample is None or widest is None or widest.variance == 0:
            reason, nothing = case.reason or _EQUAL, (None,) * 7
            yield Powered(*about, *nothing, case.n, case.extra, None, None, population, reason)
            continue
        mean, spread, people = next(estimates)
        # A helper takes off the typical variance what it takes off this one, and not more than
        # it does typically: on few values that differ it is easily tuned too well.
        share = spread.variance / people.variance if people.variance > 0 else 1.0
        interval = spread.interval(max(remaining, share * typical))
        plain = people.interval(typical)
        equivalent = _equivalent(case.sample, population, interval.half / plain.half)
        cautions = filter(None, (setting.caution, _skewed(spread, widest)))
        yield Powered(
            *about, interval.value, interval.low, interval.high, plain.value, plain.low, plain.high,
            mean.tuning, case.n, case.extra, equivalent,
            max(int(equivalent - case.n + 1e-9), 0), population, None, "; ".join(cautions) or None,
        )  # fmt: skip


def _equivalent(sample: Sample, population: Population, ratio: float) -> float:
    """How many judged documents have an interval narrower by this ratio.

    About the corpus the error of m documents is that of a population times 1 / m - 1 / M.
    """
    n, size = sample.n, sample.size
    if population == "corpus":
        return float(1 / (ratio**2 * (1 / n - 1 / size) + 1 / size))
    return float(n / ratio**2)


def _reason(n: int, extra: int, helper: Helper, metric: Float64) -> str | None:
    least = max(LEAST, helper.least)
    if n < least:
        return f"{n} judged documents are too few; {least} are needed"
    if extra == 0:
        return "every document that has scores was judged, so a metric has nothing to add"
    if np.isnan(metric).any():
        return "the metrics' weights cannot be learnt: too few documents have all of them"
    if np.ptp(metric) == 0:
        return "the metric has the same value everywhere, so it has nothing to add"
    return None


_EQUAL = "all judged documents have the same value, so how far others differ is not known"


def _skewed(spread: MeanSpread, widest: MeanSpread) -> str | None:
    """Cochran's rule (Sampling Techniques, 1977): normal intervals want n > 25 skewness^2.

    Asked of these values, and of those that vary most among the estimates of a dimension: where
    they are not skewed, they tell how far the others may spread.
    """
    wanted = [25 * s.n * max(skew**2 for skew in s.skews) for s in (spread, widest)]
    if (spread.n >= wanted[0] and spread.variance > 0) or widest.n >= wanted[1]:
        return None
    return (
        "nearly all of people’s values are the same, even for the system that varies most, so the "
        "interval of this many documents may be too narrow; about "
        f"{int(np.ceil(max(wanted))):,} are needed"
    )
