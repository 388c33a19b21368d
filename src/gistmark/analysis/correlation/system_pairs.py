"""Pairs of systems: is a metric as sure as people of them, and what does a difference mean?

SPA (Thompson and others 2024, "Soft Pairwise Accuracy"): for each pair of systems, p is the share
of random sign flips over documents whose summed difference is at least the observed one; SPA is 1
minus the mean distance of the metric's p from people's. One set of flips serves all pairs and both
sides.

Resampling does not flip signs again in every draw: there the sum of flipped differences d is taken
as normal with variance sum d^2, which the flips approach with the number of documents. An interval
has the variance over draws of documents (their percentiles would lie too low: a draw adds noise to
both sides) and, where it is to hold for other systems, that of leaving systems out. For these
systems alone two metrics are tested by the permutation of Deutsch, Dror and Roth (2021) over
documents: standardised, they exchange all scores of a document by the toss of a coin.

Gaps: for every pair of systems, the metric's means over all summaries differ by some amount, and
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
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import ndtr

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import (
    FEWEST_SYSTEMS,
    Counts,
    Resampling,
    intervals,
    resampled_means,
    too_few_draws,
    toss_coins,
)
from gistmark.analysis.resampling.jackknife import (
    DOCUMENTS,
    Estimate,
    estimated,
    means_without,
    systems_of,
)
from gistmark.analysis.resampling.significance import permutation_p
from gistmark.runtime.compiled import compiled
from gistmark.runtime.seeds import generator

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

FLIPS = 1_000
LEAST_SYSTEMS = 3
"""With two systems SPA rests on a single pair."""
_KEPT = 40

_TABLE = ndtr(np.linspace(-6.0, 6.0, 3073))
"""The normal distribution function in steps of 1/256, for the many values of permutations."""
_STEP, _END = 256.0, 6.0
_FEW_HITS = 10
_NOTHING = 1e-6
"""Less than this, in squared standard deviations of a metric, is rounding."""

BANDS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
POINTS = (0.1, 0.25, 0.5, 0.75, 0.9)
"""The quantiles of the differences at which the curve is given."""
LEAST_PAIRS = 6
"""With fewer pairs of systems (four systems have six) there is no curve."""
RESAMPLES = 300


def soft_pairwise_accuracies(
    metrics: Float64, people: Float64, rng: np.random.Generator
) -> Float64:
    """SPA of several metrics, metrics × systems × documents, with people, on the same sign flips.

    Nothing is missing in any of the tables.

    >>> import numpy as np
    >>> from gistmark.analysis.correlation.system_pairs import soft_pairwise_accuracies
    >>> people, metric = np.array([[1, 2, 3], [2, 3, 4]]), np.array([[2, 2, 4], [1, 3, 5]])
    >>> soft_pairwise_accuracies(metric[None], people, np.random.default_rng(4)).round(3).tolist()
    [0.872]
    """
    signs = draw_signs(people.shape[1], rng)
    tables = sureness(np.concatenate([people[None], metrics]), signs)
    values: Float64 = 1.0 - np.abs(tables[1:] - tables[0]).mean(axis=1)
    return values


def draw_signs(documents: int, rng: np.random.Generator) -> Float64:
    """Flips × documents."""
    return np.where(rng.integers(0, 2, (FLIPS, documents)) == 1, 1.0, -1.0)


def sureness(values: Float64, signs: Float64) -> Float64:
    """Tables × pairs of systems: the share of flips with at least the observed difference.

    `values` is tables × systems × documents.
    """
    tables, systems, documents = values.shape
    rows = np.ascontiguousarray(values.reshape(-1, documents), dtype=np.float64)
    left, right = np.triu_indices(systems, 1)
    starts = systems * np.arange(tables)[:, None]
    lefts, rights = (starts + left).ravel(), (starts + right).ravel()
    sums = rows.sum(axis=1)
    slack = 1e-9 * np.abs(rows).sum(axis=1).reshape(tables, systems).max(axis=1)
    least = sums[lefts] - sums[rights] - np.repeat(slack, len(left))
    counts = count_reached(rows @ signs.T, lefts, rights, least)
    return counts.reshape(tables, len(left)) / len(signs)


@compiled
def count_reached(flipped: Float64, lefts: Int64, rights: Int64, least: Float64) -> Int64:
    """How many flips (columns) give each pair of rows a difference of at least `least`."""
    counts = np.zeros(len(lefts), np.int64)
    for k in range(len(lefts)):
        left, right, bound = flipped[lefts[k]], flipped[rights[k]], least[k]
        count = 0
        for flip in range(len(left)):
            count += left[flip] - right[flip] >= bound
        counts[k] = count
    return counts


@dataclass(frozen=True, eq=False)
class Gaps:
    """Documents × pairs of systems: the differences of one measure, nothing missing."""

    values: Float64

    @cached_property
    def squares(self) -> Float64:
        return self.values**2

    def resampled(self, counts: Counts) -> Float64:
        """Draws × pairs: how sure the measure is in each draw of documents."""
        weights = counts.astype(np.float64)
        return surely(weights @ self.values, weights @ self.squares)


def gaps_between(table: Float64) -> Gaps:
    """The differences of all pairs of systems, from documents × systems."""
    left, right = np.triu_indices(table.shape[1], 1)
    return Gaps(table[:, left] - table[:, right])


def surely(sums: Float64, squares: Float64) -> Float64:
    """What the share of flips approaches; systems that never differ reach 0 with every flip."""
    sure: Float64 = ndtr(-quotient(sums, np.sqrt(squares), squares > 0))
    return np.where(squares > 0, sure, 1.0)


def soft_accuracies(metric: Float64, people: Float64) -> Float64:
    """1 for each pair of which the two are equally sure, down to 0 where they are opposed."""
    closeness: Float64 = 1.0 - np.abs(metric - people)
    return closeness


def soft_chance(metric: Float64, people: Float64) -> float:
    """The mean SPA over all ways to deal out the metric's values among the systems.

    Each pair of systems then has the metric's sureness of any ordered pair, all as likely; of a
    turned pair it is 1 - p. So it is the mean over all combinations of the two.
    """
    ordered = np.sort(np.append(metric, 1.0 - metric))
    sums = np.append(0.0, np.cumsum(ordered))
    below = np.searchsorted(ordered, people)
    rest = len(ordered) - below
    distances = people * below - sums[below] + sums[-1] - sums[below] - people * rest
    return float(1.0 - distances.mean() / len(ordered))


@dataclass(frozen=True)
class Whole:
    """The documents in which every system has both values, or why these are too few."""

    metric: Float64
    people: Float64
    reason: str | None


def whole_documents(metric: Float64, people: Float64) -> Whole:
    """The part of two tables of documents × systems that SPA is about."""
    systems = ~(np.isnan(metric) | np.isnan(people)).all(axis=0)
    metric, people = metric[:, systems], people[:, systems]
    whole = ~(np.isnan(metric) | np.isnan(people)).any(axis=1)
    reason = None
    if metric.shape[1] < LEAST_SYSTEMS:
        reason = f"{metric.shape[1]} systems are too few; {LEAST_SYSTEMS} are needed"
    elif whole.sum() < 2:
        reason = "fewer than two documents have both values of every system"
    elif np.ptp(metric[whole]) == 0:
        reason = "the metric gives all summaries the same value"
    return Whole(metric[whole], people[whole], reason)


def soft_estimate(closeness: Float64, draws: Float64, documents: int, beyond: bool) -> Estimate:
    """The mean over pairs of systems, or of differences of two metrics, from draws of documents."""
    value = float(closeness.mean())
    systems = systems_of(len(closeness))
    if systems < FEWEST_SYSTEMS:
        reason = f"{systems} systems are too few for an interval; {FEWEST_SYSTEMS} are needed"
        return Estimate(value, None, None, None, DOCUMENTS, reason)
    if (few := too_few_draws(len(draws))) is not None:
        return Estimate(value, None, None, None, DOCUMENTS, few)
    without = means_without(closeness) if beyond else None
    return estimated(value, float(draws.var(ddof=1)), documents, without)


class SoftTables:
    """SPA of many metrics with many human scores: how sure each is, in the data and in draws."""

    def __init__(self, seed: int, resamples: int) -> None:
        self._seed, self._resamples = seed, resamples
        self._sureness: dict[bytes, tuple[Float64, Float64]] = {}

    def sure(self, table: Float64) -> tuple[Float64, Float64]:
        """How sure a table is of each pair, in the data and in draws; the last ones are kept."""
        key = table.tobytes()
        if key not in self._sureness:
            if len(self._sureness) >= _KEPT:
                del self._sureness[next(iter(self._sureness))]
            signs = draw_signs(len(table), generator(self._seed, "flips"))
            resampling = Resampling(generator(self._seed, "draws"), self._resamples)
            resampled = gaps_between(table).resampled(resampling.draw_documents(len(table)))
            self._sureness[key] = sureness(table.T[None], signs)[0], resampled.astype(np.float32)
        return self._sureness[key]


@dataclass(frozen=True, eq=False)
class MetricSums:
    """Sums and squares of a metric's gaps: 2 × pairs of all documents, 2 × permutations × pairs of
    those that are exchanged."""

    totals: Float32
    exchanged: Float32


class Exchanges:
    """Coins for documents, and what each metric's sums are under them."""

    def __init__(self, people: Gaps, permutations: int, rng: np.random.Generator) -> None:
        coins = toss_coins(permutations + 1, len(people.values), rng)
        coins[0] = False
        self.coins = coins.astype(np.float64)
        self.people = surely(people.values.sum(axis=0), people.squares.sum(axis=0))

    def prepare(self, table: Float64) -> MetricSums:
        """A metric's documents × systems, standardised, under all coins."""
        deviation = table.std()
        gaps = gaps_between(table / deviation if deviation > 0 else table)
        exchanged = np.stack([self.coins @ gaps.values, self.coins @ gaps.squares])
        totals = np.stack([gaps.values.sum(axis=0), gaps.squares.sum(axis=0)])
        return MetricSums(totals.astype(np.float32), exchanged.astype(np.float32))

    def p(self, first: MetricSums, second: MetricSums) -> float | None:
        """The two-sided p of the difference of two prepared metrics.

        Few permutations reach a clear difference, and many pairs of metrics would need very many
        to survive a correction; the tail is then that of a normal distribution as wide.
        """
        one = distances(first.totals, first.exchanged, second.exchanged, self.people, _TABLE)
        other = distances(second.totals, second.exchanged, first.exchanged, self.people, _TABLE)
        observed, permuted = float(other[0] - one[0]), other[1:] - one[1:]
        p = permutation_p(observed, permuted)
        if p is None or p * len(permuted) > _FEW_HITS or not permuted.std() > 0:
            return p
        return min(p, float(2.0 * ndtr(-abs(observed) / permuted.std())))


@compiled
def distances(
    totals: Float32, exchanged: Float32, received: Float32, people: Float64, table: Float64
) -> Float64:
    """The mean distance from people, in each permutation, of a metric after an exchange.

    Subtracts the sums and squares of the exchanged documents and adds the other metric's.
    """
    permutations, pairs = exchanged.shape[1:]
    result = np.zeros(permutations)
    for row in range(permutations):
        total = 0.0
        for pair in range(pairs):
            square = totals[1, pair] - exchanged[1, row, pair] + received[1, row, pair]
            sure = 1.0
            if square > _NOTHING:
                z = (exchanged[0, row, pair] - received[0, row, pair] - totals[0, pair]) / np.sqrt(
                    square
                )
                at = min(max((z + _END) * _STEP, 0.0), len(table) - 1.001)
                index = int(at)
                sure = table[index] + (at - index) * (table[index + 1] - table[index])
            total += abs(sure - people[pair])
        result[row] = total / pairs
    return result


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
