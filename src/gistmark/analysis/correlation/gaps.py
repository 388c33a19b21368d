"""What a difference of a metric between two systems means: how often people agree with it.

For every pair of systems, the metric's means over all summaries differ by some amount, and
people's means over the judged ones say whether the order is right. The curve is the probability
that people agree as a function of the difference, by isotonic regression: a larger difference
never means less. For close systems it is Kendall's tau over the pairs whose difference lies
between two quantiles of all differences, r_SYS-delta(l, u) of Deutsch, Dror and Roth (2022), "Re-
Examining System-Level Correlations of Automatic Summarization Evaluation Metrics": whether a
metric still orders systems that are close.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import Resampling, intervals, resampled_means
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]

BANDS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
POINTS = (0.1, 0.25, 0.5, 0.75, 0.9)
"""The quantiles of the differences at which the curve is given."""
LEAST_PAIRS = 6
"""With fewer pairs of systems (four systems have six) there is no curve."""
RESAMPLES = 300


@dataclass(frozen=True, slots=True)
class GapAgreement:
    """How often people agree with a metric about two systems whose means differ by `difference`.

    `low` and `high` hold 95 % of the bootstrap samples over documents, and the probability itself,
    since samples have more noise than the data; `n` is the number of pairs of systems.
    """

    metric: str
    part: str
    human: str
    difference: float | None
    probability: float | None
    low: float | None
    high: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CloseSystems:
    """Kendall's tau over pairs of systems whose difference is between two quantiles of all."""

    metric: str
    part: str
    human: str
    lower: float
    upper: float
    tau: float | None
    n: int
    reason: str | None = None


def gaps_of(
    measures: Measures, human: HumanScores, name: str, *, seed: int
) -> tuple[tuple[GapAgreement, ...], tuple[CloseSystems, ...]]:
    """Curves and close systems of every measure, against one human score."""
    units = list(measures.units)
    layout = layout_of(units)
    layout.check_distinct()
    people = layout.cube(human.select([name]).at(units))
    judged = ~np.isnan(people[0]).all(axis=0)
    curves: list[GapAgreement] = []
    close: list[CloseSystems] = []
    for label, row in zip(
        measures.names, layout.cube(measures.at(units, oriented=True)), strict=True
    ):
        about = (label.metric, label.part, name)
        metric = row[:, judged]
        curves += _curve(about, metric, people[0][:, judged], seed)
        close += _close(about, metric, people[0][:, judged])
    return tuple(curves), tuple(close)


def _means(table: Float64) -> Float64:
    """The mean of each system over the documents that have it."""
    means: Float64 = resampled_means(table, np.ones((1, len(table)), dtype=np.int16))[0]
    return means


def _pairs(metric: Float64, people: Float64) -> tuple[Float64, Float64]:
    """The size of each pair's difference, and whether people agree with its sign (ties: half)."""
    left, right = np.triu_indices(len(metric), 1)
    gaps, orders = metric[left] - metric[right], people[left] - people[right]
    there = ~np.isnan(gaps + orders) & (gaps != 0)
    agree = 0.5 + 0.5 * np.sign(gaps[there]) * np.sign(orders[there])
    return np.abs(gaps[there]), agree


def _curve(
    about: tuple[str, str, str], metric: Float64, people: Float64, seed: int
) -> Iterator[GapAgreement]:
    sizes, agree = _pairs(_means(metric), _means(people))
    if len(sizes) < LEAST_PAIRS:
        reason = f"{len(sizes)} pairs of systems are too few; {LEAST_PAIRS} are needed"
        yield GapAgreement(*about, None, None, None, None, len(sizes), reason)
        return
    at = np.quantile(sizes, POINTS)
    counts = Resampling(generator(seed, "gaps"), RESAMPLES).draw_documents(len(metric))
    samples = zip(resampled_means(metric, counts), resampled_means(people, counts), strict=True)
    bounds = intervals(np.array([_fitted(*_pairs(*sample), at) for sample in samples]))
    values = _fitted(sizes, agree, at).tolist()
    for difference, value, bound in zip(at.tolist(), values, bounds, strict=True):
        low = None if bound.low is None else min(bound.low, value)
        high = None if bound.high is None else max(bound.high, value)
        yield GapAgreement(*about, difference, value, low, high, len(sizes))


def _fitted(sizes: Float64, agree: Float64, at: Float64) -> Float64:
    """The isotonic curve through the pairs, at some differences."""
    if len(sizes) == 0:
        return np.full(len(at), np.nan)
    order = np.argsort(sizes, kind="stable")
    curve = isotonic_regression(agree[order]).x
    return np.interp(at, sizes[order], curve)


def _close(about: tuple[str, str, str], metric: Float64, people: Float64) -> Iterator[CloseSystems]:
    sizes, agree = _pairs(_means(metric), _means(people))
    for lower, upper in BANDS:
        if len(sizes) < LEAST_PAIRS:
            reason = f"{len(sizes)} pairs of systems are too few; {LEAST_PAIRS} are needed"
            yield CloseSystems(*about, lower, upper, None, len(sizes), reason)
            continue
        low, high = np.quantile(sizes, [lower, upper])
        inside = (sizes >= low) & (sizes <= high)
        tau = float(2 * agree[inside].mean() - 1)
        yield CloseSystems(*about, lower, upper, tau, int(inside.sum()))
