"""Whether a metric orders summaries and systems as people do, ties included, and which of two more.

acc_eq (Deutsch, Foster and Freitag 2023, "Ties Matter"): the share of pairs of summaries of one
document that metric and people order alike, a tie in both counting as alike, as a mean over
documents. Metrics hardly ever tie, so differences up to a threshold count as ties; the threshold
that fits best, one for all documents, is searched among all differences of the metric. Fitted on
the same documents it flatters: the cross-validated value takes each document's from others.

SPA, whether a metric is as sure as people of each pair of systems, stands in `system_pairs`.

Neither starts at zero or at a half: where people tie often, a metric that calls everything a tie is
often right. `chance` is what a metric gets that has nothing to do with people: one whose values are
dealt out anew within each document, its threshold fitted again, or for SPA among the systems.

Differences of two metrics are tested in pairs, each metric with its own threshold. From six systems
on, a difference is to hold for other systems and documents: Student's t with the jackknife's
variance (`jackknife`). Two metrics that have nothing to do with people do differ for the very
systems at hand, if systems add something to each: a test over documents alone says nothing else,
and is what fewer systems have. Then, for acc_eq, a document exchanges what two metrics get right in
it: sign flips of its difference, and an interval from the same flips. For SPA the two metrics
exchange their standardised scores of a document. Documents count in which both metrics scored the
same summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import Layout, layout_of
from gistmark.analysis.correlation.system_pairs import (
    Exchanges,
    SoftTables,
    gaps_between,
    soft_accuracies,
    soft_chance,
    soft_estimate,
    soft_pairwise_accuracies,
    whole_documents,
)
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.ranking.pairs import direct_contributions
from gistmark.analysis.resampling.bootstrap import FEWEST_SYSTEMS, Over, usual_over
from gistmark.analysis.resampling.jackknife import BOTH, DOCUMENTS, Estimate, mean_estimated
from gistmark.analysis.resampling.sign_flips import flip_tests
from gistmark.analysis.resampling.significance import Correction, correct
from gistmark.analysis.studies.records import Accuracy, AccuracyDifference
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]
Rows = tuple[int, int]

ACC_EQ, CROSS_VALIDATED, SPA = "acc_eq", "acc_eq_cross_validated", "spa"
FOLDS = 5
LEAST_DOCUMENTS = 6
"""Fewer documents have so few choices of signs that no p is below 0.05."""

_FLIPS, _EXCHANGES = "sign flips over documents", "permutation of scores over documents"
_JACKKNIFE = "jackknife over documents and systems"
_DEALS, _FEWEST_DEALS = 50, 10
_DEALT = 120_000
"""With many pairs their values are dealt out fewer times, until about this many were dealt."""


@dataclass(frozen=True, eq=False)
class SummaryPairs:
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


def pairs_of(metric: Float64, people: Float64) -> SummaryPairs:
    """The pairs of two tables of documents × systems; NaN is missing."""
    left, right = np.triu_indices(metric.shape[1], 1)
    one, other = metric[:, left] - metric[:, right], people[:, left] - people[:, right]
    there = ~(np.isnan(one) | np.isnan(other))
    documents, columns = np.nonzero(there)
    return SummaryPairs(one[there], other[there], documents, left[columns], right[columns])


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
    soft = SoftTables(seed, resamples)
    records: list[Accuracy] = []
    for name, table in zip(measures.names, metrics, strict=True):
        for score, judged in zip(human.names, people, strict=True):
            about = (name.metric, name.part, score)
            records += _tied(about, table, judged, seed, beyond)
            records.append(_soft_record(soft, about, table, judged, beyond))
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


def tied_accuracy(pairs: SummaryPairs, seed: int) -> Tied:
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


def undefined(pairs: SummaryPairs) -> str | None:
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


def _soft_record(
    soft: SoftTables, about: tuple[str, str, str], metric: Float64, people: Float64, beyond: bool
) -> Accuracy:
    """SPA over the documents in which every system has both values."""
    whole = whole_documents(metric, people)
    count = len(whole.metric)
    if whole.reason is not None:
        return Accuracy(*about, SPA, None, None, None, None, count, whole.reason)
    (one, resampled), (other, judged) = (soft.sure(t) for t in (whole.metric, whole.people))
    closeness, draws = soft_accuracies(one, other), soft_accuracies(resampled, judged)
    estimate = soft_estimate(closeness, draws.mean(axis=1), count, beyond)
    return _accuracy(about, SPA, estimate, None, count, soft_chance(one, other))


def _chance(pairs: SummaryPairs, people: Float64, seed: int) -> tuple[float, float | None]:
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
class _Outcome:
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    reason: str | None = None
    over: str = DOCUMENTS

    @classmethod
    def of(cls, estimate: Estimate, n: int) -> _Outcome:
        """With the reason for a missing p; equal metrics have one, but no interval."""
        reason = "the two metrics order all pairs alike" if estimate.p == 1.0 else estimate.reason
        return cls(
            estimate.value, estimate.low, estimate.high, estimate.p, n,
            reason if estimate.low is None else None, estimate.over,
        )  # fmt: skip


def accuracy_differences(
    measures: Measures,
    human: HumanScores,
    name: str,
    *,
    seed: int,
    permutations: int,
    correction: Correction = "holm",
    over: Over | None = None,
) -> tuple[AccuracyDifference, ...]:
    """Every pair of measures once, for one human score; p is corrected within each statistic."""
    units = [unit for unit in measures.units if unit in human.positions]
    if not units or len(measures.names) < 2:
        return ()
    layout = layout_of(units)
    layout.check_distinct()
    people = layout.cube(human.select([name]).at(units))[0]
    metrics = layout.cube(measures.at(units, oriented=True))
    pairs = list(combinations(range(len(metrics)), 2))
    names = [str(name) for name in measures.names]
    beyond = beyond_systems(layout, over)
    tables = {
        **_tied_outcomes(metrics, people, pairs, seed, permutations, beyond),
        SPA: _soft_outcomes(metrics, people, pairs, seed, permutations, beyond),
    }
    return tuple(
        record
        for statistic, outcomes in tables.items()
        for record in _difference_records(names, name, statistic, pairs, outcomes, correction)
    )


def _difference_records(
    names: list[str],
    human: str,
    statistic: str,
    pairs: list[Rows],
    outcomes: list[_Outcome],
    correction: Correction,
) -> Iterator[AccuracyDifference]:
    corrected = correct([outcome.p for outcome in outcomes], correction)
    alone = _EXCHANGES if statistic == SPA else _FLIPS
    family = f"all pairs ({len(pairs):,})"
    for (first, second), outcome, p in zip(pairs, outcomes, corrected, strict=True):
        test = _JACKKNIFE if outcome.over == BOTH else alone
        yield AccuracyDifference(
            names[first], names[second], human, statistic, outcome.value, outcome.low,
            outcome.high, test, outcome.p, p, correction, family, outcome.n, outcome.reason,
            outcome.over,
        )  # fmt: skip


def _tied_outcomes(
    metrics: Float64, people: Float64, pairs: list[Rows], seed: int, flips: int, beyond: bool
) -> dict[str, list[_Outcome]]:
    """acc_eq by one threshold and, where documents are enough, by those of other documents."""
    within = np.full((2, len(people), len(metrics)), np.nan)
    without = np.full((2, *metrics.shape) if beyond else 0, np.nan)
    reasons: list[str | None] = []
    for row, table in enumerate(metrics):
        of_document = pairs_of(table, people)
        reasons.append(undefined(of_document))
        if reasons[-1] is None:
            tied = tied_accuracy(of_document, seed)
            for kind, shares in enumerate((tied.fitted, tied.validated)):
                if shares is not None:
                    within[kind, tied.documents, row] = shares.within
                    if beyond:
                        without[kind, row][np.ix_(tied.documents, tied.systems)] = shares.without
    missing = np.isnan(metrics) | np.isnan(people)
    outcomes = {}
    for kind, name in enumerate((ACC_EQ, CROSS_VALIDATED)):
        if name == ACC_EQ or not np.isnan(within[kind]).all():
            gaps = _gaps(within[kind], missing, pairs)
            every = [reasons[one] or reasons[other] for one, other in pairs]
            outcomes[name] = (
                _left_out(gaps, without[kind], pairs, every) if beyond
                else _flipped(gaps, every, seed, flips)
            )  # fmt: skip
    return outcomes


def _gaps(values: Float64, missing: NDArray[np.bool_], pairs: list[Rows]) -> Float64:
    """Documents × pairs of metrics: the differences where both scored the same summaries."""
    first, second = np.array(pairs).T
    gaps: Float64 = values[:, first] - values[:, second]
    gaps[(missing[first] != missing[second]).any(axis=2).T] = np.nan
    return gaps


def _left_out(
    gaps: Float64, without: Float64, pairs: list[Rows], reasons: list[str | None]
) -> list[_Outcome]:
    """Intervals and tests for other documents and systems; `without` is of each metric."""
    outcomes = []
    for k, (one, other) in enumerate(pairs):
        there = ~np.isnan(gaps[:, k])
        n = int(there.sum())
        reason = reasons[k] or _too_few(n)
        if reason is not None:
            outcomes.append(_Outcome(None, None, None, None, n, reason))
            continue
        parts = without[one][there] - without[other][there]
        outcomes.append(_Outcome.of(mean_estimated(gaps[there, k], parts), n))
    return outcomes


def _flipped(gaps: Float64, reasons: list[str | None], seed: int, flips: int) -> list[_Outcome]:
    """Sign flips of the documents' differences, all pairs of metrics on the same signs."""
    there = ~np.isnan(gaps)
    n = there.sum(axis=0)
    weights = there / np.maximum(n, 1)
    parts = np.where(there, gaps, 0.0) * weights
    differences = parts.sum(axis=0)
    rng = generator(seed, "accuracy differences")
    tests = flip_tests(direct_contributions(differences, parts, weights), flips, rng)
    outcomes = []
    for k, missing in enumerate(reasons):
        reason = missing or _too_few(int(n[k]))
        if reason is not None:
            outcomes.append(_Outcome(None, None, None, None, int(n[k]), reason))
            continue
        low, high, p = float(tests.low[k]), float(tests.high[k]), float(tests.p[k])
        outcomes.append(_Outcome(float(differences[k]), low, high, p, int(n[k])))
    return outcomes


def _soft_outcomes(
    metrics: Float64, people: Float64, pairs: list[Rows], seed: int, permutations: int,
    beyond: bool,
) -> list[_Outcome]:  # fmt: skip
    """Metrics that miss the same summaries are prepared once."""
    groups: dict[bytes, list[int]] = {}
    gone = np.isnan(metrics)
    for k, (one, other) in enumerate(pairs):
        groups.setdefault((gone[one] | gone[other]).tobytes(), []).append(k)
    outcomes: dict[int, _Outcome] = {}
    for members in groups.values():
        chosen = [pairs[k] for k in members]
        rows = sorted({row for pair in chosen for row in pair})
        results = _on_whole(rows, metrics[rows], people, chosen, seed, permutations, beyond)
        outcomes |= dict(zip(members, results, strict=True))
    return [outcomes[k] for k in range(len(pairs))]


def _on_whole(
    rows: list[int], metrics: Float64, people: Float64, pairs: list[Rows], seed: int, number: int,
    beyond: bool,
) -> Iterator[_Outcome]:  # fmt: skip
    """SummaryPairs of metrics on the summaries that all of these metrics and people have."""
    gone = np.isnan(metrics).any(axis=0)
    judged = np.where(gone, np.nan, people)
    whole = [whole_documents(table, judged) for table in metrics]
    n = len(whole[0].people)
    reasons = [part.reason or _too_few(n) for part in whole]
    kept = [k for k, reason in enumerate(reasons) if reason is None]
    if kept:
        complete = whole[kept[0]].people
        work = _jackknifed if beyond and complete.shape[1] >= FEWEST_SYSTEMS else _exchanged
        tested = work({k: whole[k].metric for k in kept}, complete, seed, number)
    at = {row: k for k, row in enumerate(rows)}
    for one, other in ((at[first], at[second]) for first, second in pairs):
        reason = reasons[one] or reasons[other]
        if reason is not None:
            yield _Outcome(None, None, None, None, n, reason)
            continue
        yield tested(one, other)


_Tested = Callable[[int, int], _Outcome]
"""From the numbers of two metrics to how they differ."""


def _jackknifed(metrics: Mapping[int, Float64], people: Float64, seed: int, draws: int) -> _Tested:
    """For other documents and systems: draws of documents, and systems left out."""
    soft, n = SoftTables(seed, draws), len(people)
    judged, judged_draws = soft.sure(people)
    closeness, soft_draws = {}, {}
    for k, table in metrics.items():
        sure, resampled = soft.sure(table)
        closeness[k] = soft_accuracies(sure, judged)
        soft_draws[k] = soft_accuracies(resampled, judged_draws).mean(axis=1)

    def tested(one: int, other: int) -> _Outcome:
        gaps, of_draws = closeness[one] - closeness[other], soft_draws[one] - soft_draws[other]
        return _Outcome.of(soft_estimate(gaps, of_draws, n, beyond=True), n)

    return tested


def _exchanged(metrics: Mapping[int, Float64], people: Float64, seed: int, number: int) -> _Tested:
    """For other documents with these systems: exchanges of scores."""
    tables = np.stack([table.T for table in metrics.values()])
    soft = soft_pairwise_accuracies(tables, people.T, generator(seed, "flips"))
    values = dict(zip(metrics, soft.tolist(), strict=True))
    exchanges = Exchanges(gaps_between(people), number, generator(seed, "exchanges"))
    prepared = {k: exchanges.prepare(table) for k, table in metrics.items()}

    def tested(one: int, other: int) -> _Outcome:
        p = exchanges.p(prepared[one], prepared[other])
        return _Outcome(values[one] - values[other], None, None, p, len(people))

    return tested


def _too_few(n: int) -> str | None:
    if n < LEAST_DOCUMENTS:
        return f"{n} documents are too few for a test; {LEAST_DOCUMENTS} are needed"
    return None
