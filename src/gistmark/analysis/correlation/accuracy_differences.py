"""Whether one metric orders summaries (acc_eq) or systems (SPA) more often as people do.

All tests are paired, each metric with its own threshold. From six systems on, a difference is to
hold for other systems and documents: Student's t with the jackknife's variance (`jackknife`). Two
metrics that have nothing to do with people do differ for the very systems at hand, if systems add
something to each: a test over documents alone says nothing else, and is what fewer systems have.

Then, for acc_eq, a document exchanges what two metrics get right in it: sign flips of its
difference, and an interval from the same flips. For SPA the two metrics exchange their standardised
scores of a document (`soft_accuracy`). Documents count in which both metrics scored the same
summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.accuracy import (
    ACC_EQ,
    CROSS_VALIDATED,
    SPA,
    SoftTables,
    beyond_systems,
    pairs_of,
    soft_estimate,
    tied_accuracy,
    undefined,
    whole_documents,
)
from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.correlation.soft_accuracy import (
    Exchanges,
    gaps_between,
    soft_accuracies,
    soft_pairwise_accuracies,
)
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.ranking.pairs import direct_contributions
from gistmark.analysis.resampling.bootstrap import FEWEST_SYSTEMS, Over
from gistmark.analysis.resampling.jackknife import BOTH, DOCUMENTS, Estimate, mean_estimated
from gistmark.analysis.resampling.sign_flips import flip_tests
from gistmark.analysis.resampling.significance import Correction, correct
from gistmark.analysis.studies.records import AccuracyDifference
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Rows = tuple[int, int]

LEAST_DOCUMENTS = 6
"""Fewer documents have so few choices of signs that no p is below 0.05."""

_FLIPS, _EXCHANGES = "sign flips over documents", "permutation of scores over documents"
_JACKKNIFE = "jackknife over documents and systems"


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
        **_tied(metrics, people, pairs, seed, permutations, beyond),
        SPA: _soft(metrics, people, pairs, seed, permutations, beyond),
    }
    return tuple(
        record
        for statistic, outcomes in tables.items()
        for record in _records(names, name, statistic, pairs, outcomes, correction)
    )


def _records(
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


def _tied(
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


def _soft(
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
    """Pairs of metrics on the summaries that all of these metrics and people have."""
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
    soft, n = SoftTables(seed, draws, beyond=True), len(people)
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
