"""Whether a metric orders summaries and systems as people do, ties included.

acc_eq (Deutsch, Foster and Freitag 2023, "Ties Matter"): the share of pairs of summaries of one
document that metric and people order alike, a tie in both counting as alike, as a mean over
documents. Metrics hardly ever tie, so differences up to a threshold count as ties; the threshold
that fits best, one for all documents, is searched among all differences of the metric. Fitted on
the same documents it flatters: the cross-validated value takes each document's from others.

SPA (Thompson and others 2024, "Soft Pairwise Accuracy"): for each pair of systems, how sure is the
metric that the first is better, and how sure are people? p is the share of random sign flips over
documents whose summed difference is at least the observed one; SPA is 1 minus the mean distance of
the two p.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.human import HumanScores
from gistmark.analysis.measures import Measures
from gistmark.analysis.records import Accuracy
from gistmark.analysis.resampling.bootstrap import Resampling, intervals, resampled_means
from gistmark.seeds import generator

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

ACC_EQ, CROSS_VALIDATED, SPA = "acc_eq", "acc_eq_cross_validated", "spa"
FLIPS = 1_000
FOLDS = 5
LEAST_SYSTEMS = 3
"""With two systems SPA rests on a single pair."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of summaries of one document: the differences, and the document of each pair.

    Only summaries with both values take part; a document with fewer than two has no pairs.
    """

    metric: Float64
    people: Float64
    documents: Int64

    @cached_property
    def weights(self) -> Float64:
        """What a pair adds to the mean over documents."""
        numbers, counts = np.unique(self.documents, return_inverse=True, return_counts=True)[1:]
        weights: Float64 = 1.0 / (counts[numbers] * len(counts))
        return weights

    def alike(self, threshold: float) -> Bool:
        """Whether metric and people order each pair alike, small differences being ties."""
        ties = np.abs(self.metric) <= threshold
        same = np.sign(self.metric) == np.sign(self.people)
        alike: Bool = np.where(ties, self.people == 0, same & (self.people != 0))
        return alike

    def by_document(self, threshold: float) -> Float64:
        """The accuracy within each document."""
        numbers = np.unique(self.documents, return_inverse=True)[1]
        return np.bincount(numbers, self.alike(threshold)) / np.bincount(numbers)

    def threshold(self, kept: Bool | None = None) -> float:
        """The smallest of the thresholds with the best accuracy, over all or the kept pairs."""
        weights = self.weights if kept is None else self.weights * kept
        sizes = np.abs(self.metric)
        order = np.argsort(sizes, kind="stable")
        sizes, weights, people = sizes[order], weights[order], self.people[order]
        agree = (np.sign(self.metric[order]) == np.sign(people)) & (people != 0)
        gains = np.cumsum(weights * (people == 0)) - np.cumsum(weights * agree)
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


def soft_pairwise_accuracy(metric: Float64, people: Float64, rng: np.random.Generator) -> float:
    """SPA of two complete tables of systems × documents, on the same sign flips.

    >>> import numpy as np
    >>> from gistmark.analysis.correlation.accuracy import soft_pairwise_accuracy
    >>> people, metric = np.array([[1, 2, 3], [2, 3, 4]]), np.array([[2, 2, 4], [1, 3, 5]])
    >>> round(soft_pairwise_accuracy(metric, people, np.random.default_rng(4)), 3)
    0.872
    """
    signs = np.where(rng.integers(0, 2, (FLIPS, metric.shape[1])) == 1, 1.0, -1.0)
    gap: Float64 = np.abs(np.subtract(sureness(people, signs), sureness(metric, signs)))
    return float(1.0 - gap.mean())


def sureness(values: Float64, signs: Float64) -> Float64:
    """For each pair of systems, the share of flips with at least the observed difference."""
    left, right = np.triu_indices(len(values), 1)
    flipped = signs @ values.T
    sums = values.sum(axis=1)
    slack = 1e-9 * np.abs(values).sum(axis=1).max(initial=0.0)
    shares: Float64 = np.empty(len(left))
    for start in range(0, len(left), 500):
        one, other = left[start : start + 500], right[start : start + 500]
        observed = sums[one] - sums[other]
        larger = flipped[:, one] - flipped[:, other] >= observed - slack
        shares[start : start + 500] = larger.mean(axis=0)
    return shares


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
    records: list[Accuracy] = []
    for name, table in zip(measures.names, metrics, strict=True):
        for score, judged in zip(human.names, people, strict=True):
            about = (name.metric, name.part, score)
            records += _tied(about, pairs_of(table, judged), seed, resamples)
            records.append(_soft(about, table, judged, seed))
    return tuple(records)


def _tied(
    about: tuple[str, str, str], pairs: Pairs, seed: int, resamples: int
) -> Iterator[Accuracy]:
    documents = np.unique(pairs.documents)
    if len(pairs.metric) == 0:
        reason = "no document has two summaries with both values"
        yield Accuracy(*about, ACC_EQ, None, None, None, None, 0, reason)
        return
    if not pairs.metric.any():
        reason = "the metric gives all summaries of a document the same value"
        yield Accuracy(*about, ACC_EQ, None, None, None, None, len(documents), reason)
        return
    threshold = pairs.threshold()
    rng = generator(seed, "accuracy")
    within = pairs.by_document(threshold)
    bounds = _interval(within, resamples, rng)
    yield Accuracy(*about, ACC_EQ, float(within.mean()), *bounds, threshold, len(documents))
    if len(documents) < 2 * FOLDS:
        reason = f"{len(documents)} documents are too few to fit the threshold on others"
        yield Accuracy(*about, CROSS_VALIDATED, None, None, None, None, len(documents), reason)
        return
    folds = rng.permutation(len(documents)) % FOLDS
    outside = np.empty(len(documents))
    fold_of_pair = folds[np.searchsorted(documents, pairs.documents)]
    for fold in range(FOLDS):
        fitted = pairs.threshold(fold_of_pair != fold)
        outside[folds == fold] = pairs.by_document(fitted)[folds == fold]
    bounds = _interval(outside, resamples, rng)
    value = float(outside.mean())
    yield Accuracy(*about, CROSS_VALIDATED, value, *bounds, None, len(documents))


def _interval(
    values: Float64, resamples: int, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    """The bootstrap interval of a mean over documents, with the threshold as it is."""
    counts = Resampling(rng, resamples).draw_documents(len(values))
    [interval] = intervals(resampled_means(values[:, None], counts))
    return interval.low, interval.high


def _soft(about: tuple[str, str, str], metric: Float64, people: Float64, seed: int) -> Accuracy:
    """SPA over the documents in which every system has both values."""
    systems = ~(np.isnan(metric) | np.isnan(people)).all(axis=0)
    metric, people = metric[:, systems], people[:, systems]
    whole = ~(np.isnan(metric) | np.isnan(people)).any(axis=1)
    count = int(whole.sum())
    reason = None
    if metric.shape[1] < LEAST_SYSTEMS:
        reason = f"{metric.shape[1]} systems are too few; {LEAST_SYSTEMS} are needed"
    elif count < 2:
        reason = "fewer than two documents have both values of every system"
    if reason is not None:
        return Accuracy(*about, SPA, None, None, None, None, count, reason)
    rng = generator(seed, "flips")
    value = soft_pairwise_accuracy(metric[whole].T, people[whole].T, rng)
    return Accuracy(*about, SPA, value, None, None, None, count)
