"""Whether a metric orders summaries and systems as people do, ties included.

acc_eq (Deutsch, Foster and Freitag 2023, "Ties Matter"): the share of pairs of summaries of one
document that metric and people order alike, a tie in both counting as alike, as a mean over
documents. Metrics hardly ever tie, so differences up to a threshold count as ties; the threshold
that fits best, one for all documents, is searched among all differences of the metric. Fitted on
the same documents it flatters: the cross-validated value takes each document's from others.

SPA, whether a metric is as sure as people of each pair of systems, stands in `soft_accuracy`.

Neither starts at zero or at a half: where people tie often, a metric that calls everything a tie is
often right. `chance` is what a metric gets that has nothing to do with people: one whose values are
dealt out anew within each document, its threshold fitted again, or for SPA among the systems.

`accuracy_differences` compares metrics by both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import Layout, layout_of
from gistmark.analysis.correlation.soft_accuracy import (
    draw_signs,
    gaps_between,
    soft_accuracies,
    soft_chance,
    sureness,
)
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import (
    FEWEST_SYSTEMS,
    Over,
    Resampling,
    too_few_draws,
    usual_over,
)
from gistmark.analysis.resampling.jackknife import (
    DOCUMENTS,
    Estimate,
    estimated,
    mean_estimated,
    means_without,
    systems_of,
)
from gistmark.analysis.studies.records import Accuracy
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

ACC_EQ, CROSS_VALIDATED, SPA = "acc_eq", "acc_eq_cross_validated", "spa"
FOLDS = 5
LEAST_SYSTEMS = 3
"""With two systems SPA rests on a single pair."""
_KEPT = 40
_DEALS, _FEWEST_DEALS = 50, 10
_DEALT = 120_000
"""With many pairs their values are dealt out fewer times, until about this many were dealt."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of summaries of one document: the differences, the document and the two systems.

    Only summaries with both values take part; a document with fewer than two has no pairs. The
    pairs of a document stand together.
    """

    metric: Float64
    people: Float64
    documents: Int64
    lefts: Int64
    rights: Int64

    @cached_property
    def weights(self) -> Float64:
        """What a pair adds to the mean over documents."""
        counts = np.bincount(self.numbers)
        weights: Float64 = 1.0 / (counts[self.numbers] * len(counts))
        return weights

    @cached_property
    def numbers(self) -> Int64:
        """The document of each pair, counted from 0 among those that have pairs, in order."""
        return np.cumsum(np.diff(self.documents, prepend=self.documents[:1]) != 0)

    @cached_property
    def order(self) -> Int64:
        """The pairs by the size of the metric's difference."""
        return np.argsort(np.abs(self.metric))

    @cached_property
    def systems(self) -> Int64:
        """The systems that have pairs, in order."""
        return np.unique(np.append(self.lefts, self.rights))

    @cached_property
    def last_of_size(self) -> Int64:
        """Where, in `order`, the last pair of each size stands: what may be a threshold."""
        return np.append(
            np.flatnonzero(np.diff(np.abs(self.metric)[self.order])), len(self.order) - 1
        )

    def alike(self, threshold: float | Float64) -> Bool:
        """Whether metric and people order each pair alike, small differences being ties."""
        ties = np.abs(self.metric) <= threshold
        same = np.sign(self.metric) == np.sign(self.people)
        alike: Bool = np.where(ties, self.people == 0, same & (self.people != 0))
        return alike

    def by_document(self, threshold: float) -> Float64:
        """The accuracy within each document."""
        return np.bincount(self.numbers, self.alike(threshold)) / np.bincount(self.numbers)

    def without_systems(self, thresholds: float | Float64) -> Float64:
        """Documents × systems: the accuracy in a document without the pairs of a system."""
        alike = self.alike(thresholds).astype(np.float64)
        return quotient(self._left_out(alike), self._left_out(np.ones(len(alike))))

    def _left_out(self, values: Float64) -> Float64:
        """Documents × systems: the sum over a document's pairs less those of a system."""
        documents, size = self.numbers[-1] + 1, int(self.rights.max()) + 1
        kept: Float64 = np.zeros((documents, size))
        kept += np.bincount(self.numbers, values)[:, None]
        for systems in (self.lefts, self.rights):
            sums = np.bincount(self.numbers * size + systems, values, documents * size)
            kept -= sums.reshape(documents, size)
        return kept[:, self.systems]

    def threshold(self, kept: Bool | None = None) -> float:
        """The smallest of the thresholds with the best accuracy, over all or the kept pairs."""
        order = self.order
        weights = self.weights[order] if kept is None else (self.weights * kept)[order]
        metric, people = self.metric[order], self.people[order]
        sizes = np.abs(metric)
        agree = metric * people > 0
        gains = np.cumsum(weights * ((people == 0) * 1.0 - agree))
        candidates, values = sizes[self.last_of_size], gains[self.last_of_size]
        if candidates[0] > 0:
            candidates, values = np.append(0.0, candidates), np.append(0.0, values)
        best = np.flatnonzero(values >= values.max() - 1e-12)[0]
        return float(candidates[best])


def pairs_of(metric: Float64, people: Float64) -> Pairs:
    """The pairs of two tables of documents × systems; NaN is missing."""
    left, right = np.triu_indices(metric.shape[1], 1)
    one, other = metric[:, left] - metric[:, right], people[:, left] - people[:, right]
    there = ~(np.isnan(one) | np.isnan(other))
    documents, columns = np.nonzero(there)
    return Pairs(one[there], other[there], documents, left[columns], right[columns])


def accuracies(
    measures: Measures,
    human: HumanScores,
    *,
    seed: int,
    resamples: int,
    over: Over | None = None,
) -> tuple[Accuracy, ...]:
    """acc_eq, fitted and cross-validated, and SPA of every measure with every human score."""
    units = [unit for unit in measures.units if unit in human.positions]
    layout = layout_of(units)
    if not units:
        return ()
    layout.check_distinct()
    beyond = beyond_systems(layout, over)
    metrics = layout.cube(measures.at(units, oriented=True))
    people = layout.cube(human.at(units))
    soft = SoftTables(seed, resamples, beyond)
    records: list[Accuracy] = []
    for name, table in zip(measures.names, metrics, strict=True):
        for score, judged in zip(human.names, people, strict=True):
            about = (name.metric, name.part, score)
            records += _tied(about, table, judged, seed, beyond)
            records.append(soft.record(about, table, judged))
    return tuple(records)


def beyond_systems(layout: Layout, over: Over | None) -> bool:
    """Whether intervals and tests are for other systems too, unless for documents alone."""
    return usual_over(layout) == "both" and over != "documents"


@dataclass(frozen=True, eq=False)
class Shares:
    """The accuracy within documents, and documents × systems: without the pairs of a system."""

    within: Float64
    without: Float64


@dataclass(frozen=True, eq=False)
class Tied:
    """The accuracy in each of some documents: by one threshold, and by those of others."""

    documents: Int64
    systems: Int64
    fitted: Shares
    validated: Shares | None
    threshold: float


def tied_accuracy(pairs: Pairs, seed: int) -> Tied:
    """acc_eq of pairs that are not all equal; cross-validated where documents are enough."""
    documents = np.unique(pairs.documents)
    threshold = pairs.threshold()
    fitted = Shares(pairs.by_document(threshold), pairs.without_systems(threshold))
    folds = _folds(len(documents), seed)
    if folds is None:
        return Tied(documents, pairs.systems, fitted, None, threshold)
    outside = np.empty(len(documents))
    thresholds = np.empty(len(pairs.documents))
    fold_of_pair = folds[pairs.numbers]
    for fold in range(FOLDS):
        best = pairs.threshold(fold_of_pair != fold)
        outside[folds == fold] = pairs.by_document(best)[folds == fold]
        thresholds[fold_of_pair == fold] = best
    validated = Shares(outside, pairs.without_systems(thresholds))
    return Tied(documents, pairs.systems, fitted, validated, threshold)


def _folds(documents: int, seed: int) -> Int64 | None:
    """The fold of each document; None where they are too few to fit a threshold on others."""
    if documents < 2 * FOLDS:
        return None
    return generator(seed, "folds").permutation(documents) % FOLDS


def undefined(pairs: Pairs) -> str | None:
    """Why these pairs have no acc_eq."""
    if len(pairs.metric) == 0:
        return "no document has two summaries with both values"
    if not pairs.metric.any():
        return "the metric gives all summaries of a document the same value"
    return None


def _tied(
    about: tuple[str, str, str], metric: Float64, people: Float64, seed: int, beyond: bool
) -> Iterator[Accuracy]:
    pairs = pairs_of(metric, people)
    n = len(np.unique(pairs.documents))
    if (reason := undefined(pairs)) is not None:
        yield Accuracy(*about, ACC_EQ, None, None, None, None, n, reason)
        return
    tied = tied_accuracy(pairs, seed)
    chance, validated_chance = _chance(pairs, people, seed)
    yield _record(about, ACC_EQ, tied.fitted, tied.threshold, chance, beyond)
    if tied.validated is None:
        reason = f"{n} documents are too few to fit the threshold on others"
        yield Accuracy(*about, CROSS_VALIDATED, None, None, None, None, n, reason)
        return
    yield _record(about, CROSS_VALIDATED, tied.validated, None, validated_chance, beyond)


def _record(
    about: tuple[str, str, str], statistic: str, shares: Shares, threshold: float | None,
    chance: float | None, beyond: bool,
) -> Accuracy:  # fmt: skip
    """With the interval of a mean over documents, with the threshold as it is."""
    mean = mean_estimated(shares.within, shares.without if beyond else None)
    return _accuracy(about, statistic, mean, threshold, len(shares.within), chance)


def _accuracy(
    about: tuple[str, str, str], statistic: str, estimate: Estimate, threshold: float | None,
    n: int, chance: float | None,
) -> Accuracy:  # fmt: skip
    low = None if estimate.low is None else max(estimate.low, 0.0)
    high = None if estimate.high is None else min(estimate.high, 1.0)
    return Accuracy(*about, statistic, estimate.value, low, high, threshold, n, estimate.reason,
                    chance, estimate.over)  # fmt: skip


def _chance(pairs: Pairs, people: Float64, seed: int) -> tuple[float, float | None]:
    """acc_eq, fitted and cross-validated, with people's values dealt out anew in each document.

    That is as good as dealing out the metric's, and leaves the order of its differences, along
    which a threshold is searched, as it is. The accuracy without ties plus what those up to a
    threshold gain is summed in folds, so that each may have the best threshold of the others.
    """
    rng = generator(seed, "chance")
    order, last = pairs.order, pairs.last_of_size
    signs, weights = np.sign(pairs.metric[order]), pairs.weights[order]
    smallest = np.abs(pairs.metric[order[0]]) > 0
    folds = _folds(int(pairs.numbers[-1]) + 1, seed)
    fold_of_pair = (np.zeros(len(order), int) if folds is None else folds[pairs.numbers])[order]
    cells = [(pairs.documents[order], systems[order]) for systems in (pairs.lefts, pairs.rights)]
    judged = np.full(people.shape, np.nan)
    for where in cells:
        judged[where] = people[where]
    deals = min(max(_DEALT // len(order), _FEWEST_DEALS), _DEALS)
    fitted, validated = [], []
    for _ in range(deals):
        values = _dealt(judged, rng)
        orders = np.sign(values[cells[0]] - values[cells[1]])
        agree = (orders == signs) & (signs != 0)
        gains = weights * ((orders == 0) * 1.0 - agree)
        parts = np.array([np.cumsum(gains * (fold_of_pair == k))[last] for k in range(FOLDS)])
        if smallest:
            parts = np.concatenate([np.zeros((FOLDS, 1)), parts], axis=1)
        total, base = parts.sum(axis=0), float(weights @ agree)
        fitted.append(base + total.max())
        validated.append(base + sum(part[np.argmax(total - part)] for part in parts))
    return float(np.mean(fitted)), None if folds is None else float(np.mean(validated))


def _dealt(table: Float64, rng: np.random.Generator) -> Float64:
    """The values of each row in random order, NaN where it was."""
    missing = np.isnan(table)
    cells = np.argsort(missing, axis=1, kind="stable")
    turns = np.argsort(np.where(missing, np.inf, rng.random(table.shape)), axis=1)
    dealt = np.empty_like(table)
    np.put_along_axis(dealt, cells, np.take_along_axis(table, turns, axis=1), axis=1)
    return dealt


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

    def __init__(self, seed: int, resamples: int, beyond: bool) -> None:
        self._seed, self._resamples, self._beyond = seed, resamples, beyond
        self._sureness: dict[bytes, tuple[Float64, Float64]] = {}

    def record(self, about: tuple[str, str, str], metric: Float64, people: Float64) -> Accuracy:
        """SPA over the documents in which every system has both values."""
        whole = whole_documents(metric, people)
        count = len(whole.metric)
        if whole.reason is not None:
            return Accuracy(*about, SPA, None, None, None, None, count, whole.reason)
        (one, resampled), (other, judged) = (self.sure(t) for t in (whole.metric, whole.people))
        closeness, draws = soft_accuracies(one, other), soft_accuracies(resampled, judged)
        estimate = soft_estimate(closeness, draws.mean(axis=1), count, self._beyond)
        return _accuracy(about, SPA, estimate, None, count, soft_chance(one, other))

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
