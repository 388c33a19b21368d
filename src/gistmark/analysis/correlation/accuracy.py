"""Whether a metric orders summaries and systems as people do, ties included.

acc_eq (Deutsch, Foster and Freitag 2023, "Ties Matter"): the share of pairs of summaries of one
document that metric and people order alike, a tie in both counting as alike, as a mean over
documents. Metrics hardly ever tie, so differences up to a threshold count as ties; the threshold
that fits best, one for all documents, is searched among all differences of the metric. Fitted on
the same documents it flatters: the cross-validated value takes each document's from others.

SPA, whether a metric is as sure as people of each pair of systems, stands in `soft_accuracy`.

`accuracy_differences` compares metrics by both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.correlation.soft_accuracy import (
    draw_signs,
    gaps_between,
    soft_interval,
    sureness,
)
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import Counts, Resampling, intervals, resampled_means
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


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of summaries of one document: the differences, and the document of each pair.

    Only summaries with both values take part; a document with fewer than two has no pairs. The
    pairs of a document stand together.
    """

    metric: Float64
    people: Float64
    documents: Int64

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

    def alike(self, threshold: float) -> Bool:
        """Whether metric and people order each pair alike, small differences being ties."""
        ties = np.abs(self.metric) <= threshold
        same = np.sign(self.metric) == np.sign(self.people)
        alike: Bool = np.where(ties, self.people == 0, same & (self.people != 0))
        return alike

    def by_document(self, threshold: float) -> Float64:
        """The accuracy within each document."""
        return np.bincount(self.numbers, self.alike(threshold)) / np.bincount(self.numbers)

    def threshold(self, kept: Bool | None = None) -> float:
        """The smallest of the thresholds with the best accuracy, over all or the kept pairs."""
        order = self.order
        weights = self.weights[order] if kept is None else (self.weights * kept)[order]
        metric, people = self.metric[order], self.people[order]
        sizes = np.abs(metric)
        agree = metric * people > 0
        gains = np.cumsum(weights * ((people == 0) * 1.0 - agree))
        last = np.append(np.flatnonzero(np.diff(sizes)), len(sizes) - 1)
        candidates, values = sizes[last], gains[last]
        if candidates[0] > 0:
            candidates, values = np.append(0.0, candidates), np.append(0.0, values)
        best = np.flatnonzero(values >= values.max() - 1e-12)[0]
        return float(candidates[best])


def pairs_of(metric: Float64, people: Float64) -> Pairs:
    """The pairs of two tables of documents × systems; NaN is missing."""
    left, right = np.triu_indices(metric.shape[1], 1)
    one, other = metric[:, left] - metric[:, right], people[:, left] - people[:, right]
    there = ~(np.isnan(one) | np.isnan(other))
    documents = np.broadcast_to(np.arange(len(metric))[:, None], there.shape)
    return Pairs(one[there], other[there], documents[there].astype(np.int64))


def accuracies(
    measures: Measures, human: HumanScores, *, seed: int, resamples: int
) -> tuple[Accuracy, ...]:
    """acc_eq, fitted and cross-validated, and SPA of every measure with every human score."""
    units = [unit for unit in measures.units if unit in human.positions]
    layout = layout_of(units)
    if not units:
        return ()
    layout.check_distinct()
    metrics = layout.cube(measures.at(units, oriented=True))
    people = layout.cube(human.at(units))
    soft = _SoftTables(seed, resamples)
    records: list[Accuracy] = []
    for name, table in zip(measures.names, metrics, strict=True):
        for score, judged in zip(human.names, people, strict=True):
            about = (name.metric, name.part, score)
            records += _tied(about, pairs_of(table, judged), seed, resamples)
            records.append(soft.record(about, table, judged))
    return tuple(records)


@dataclass(frozen=True, eq=False)
class Tied:
    """The accuracy within each of some documents: by one threshold, and by those of others."""

    documents: Int64
    within: Float64
    outside: Float64 | None
    threshold: float


def tied_accuracy(pairs: Pairs, seed: int) -> Tied:
    """acc_eq of pairs that are not all equal; cross-validated where documents are enough."""
    documents = np.unique(pairs.documents)
    threshold = pairs.threshold()
    within = pairs.by_document(threshold)
    if len(documents) < 2 * FOLDS:
        return Tied(documents, within, None, threshold)
    folds = generator(seed, "folds").permutation(len(documents)) % FOLDS
    outside = np.empty(len(documents))
    fold_of_pair = folds[np.searchsorted(documents, pairs.documents)]
    for fold in range(FOLDS):
        fitted = pairs.threshold(fold_of_pair != fold)
        outside[folds == fold] = pairs.by_document(fitted)[folds == fold]
    return Tied(documents, within, outside, threshold)


def undefined(pairs: Pairs) -> str | None:
    """Why these pairs have no acc_eq."""
    if len(pairs.metric) == 0:
        return "no document has two summaries with both values"
    if not pairs.metric.any():
        return "the metric gives all summaries of a document the same value"
    return None


def _tied(
    about: tuple[str, str, str], pairs: Pairs, seed: int, resamples: int
) -> Iterator[Accuracy]:
    n = len(np.unique(pairs.documents))
    if (reason := undefined(pairs)) is not None:
        yield Accuracy(*about, ACC_EQ, None, None, None, None, n, reason)
        return
    tied = tied_accuracy(pairs, seed)
    counts = Resampling(generator(seed, "accuracy"), resamples).draw_documents(n)
    bounds = _interval(tied.within, counts)
    yield Accuracy(*about, ACC_EQ, float(tied.within.mean()), *bounds, tied.threshold, n)
    if tied.outside is None:
        reason = f"{n} documents are too few to fit the threshold on others"
        yield Accuracy(*about, CROSS_VALIDATED, None, None, None, None, n, reason)
        return
    bounds = _interval(tied.outside, counts)
    yield Accuracy(*about, CROSS_VALIDATED, float(tied.outside.mean()), *bounds, None, n)


def _interval(values: Float64, counts: Counts) -> tuple[float | None, float | None]:
    """The bootstrap interval of a mean over documents, with the threshold as it is."""
    [interval] = intervals(resampled_means(values[:, None], counts))
    return interval.low, interval.high


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


class _SoftTables:
    """SPA of many metrics with many human scores: how sure each is, in the data and in draws."""

    def __init__(self, seed: int, resamples: int) -> None:
        self._seed, self._resamples = seed, resamples
        self._known: dict[bytes, tuple[Float64, Float64]] = {}

    def record(self, about: tuple[str, str, str], metric: Float64, people: Float64) -> Accuracy:
        """SPA over the documents in which every system has both values."""
        whole = whole_documents(metric, people)
        count = len(whole.metric)
        if whole.reason is not None:
            return Accuracy(*about, SPA, None, None, None, None, count, whole.reason)
        (one, resampled), (other, judged) = (self._sure(t) for t in (whole.metric, whole.people))
        value = float(1.0 - np.abs(one - other).mean())
        bounds = soft_interval(value, resampled, judged)
        return Accuracy(*about, SPA, value, bounds.low, bounds.high, None, count)

    def _sure(self, table: Float64) -> tuple[Float64, Float64]:
        """How sure a table is of each pair, in the data and in draws; the last ones are kept."""
        key = table.tobytes()
        if key not in self._known:
            if len(self._known) >= _KEPT:
                del self._known[next(iter(self._known))]
            signs = draw_signs(len(table), generator(self._seed, "flips"))
            resampling = Resampling(generator(self._seed, "draws"), self._resamples)
            resampled = gaps_between(table).resampled(resampling.draw_documents(len(table)))
            self._known[key] = sureness(table.T[None], signs)[0], resampled.astype(np.float32)
        return self._known[key]
