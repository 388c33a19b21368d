"""Whether one metric orders summaries (acc_eq) or systems (SPA) more often as people do.

Both tests are paired and over documents, which are independent where summaries are not. For acc_eq
a document exchanges what two metrics get right in it: sign flips of its difference, each metric
with its own threshold, and an interval from the same flips. For SPA the two metrics exchange their
standardised scores of a document (`soft_accuracy`). Documents count in which both metrics scored
the same summaries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.accuracy import (
    ACC_EQ,
    CROSS_VALIDATED,
    SPA,
    pairs_of,
    tied_accuracy,
    undefined,
    whole_documents,
)
from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.correlation.soft_accuracy import (
    Exchanges,
    gaps_between,
    soft_pairwise_accuracies,
)
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.ranking.pairs import direct_contributions
from gistmark.analysis.resampling.sign_flips import flip_tests
from gistmark.analysis.resampling.significance import Correction, correct
from gistmark.analysis.studies.records import AccuracyDifference
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Rows = tuple[int, int]

LEAST_DOCUMENTS = 6
"""Fewer documents have so few choices of signs that no p is below 0.05."""

_FLIPS, _EXCHANGES = "sign flips over documents", "permutation of scores over documents"


@dataclass(frozen=True)
class _Outcome:
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    reason: str | None = None


def accuracy_differences(
    measures: Measures,
    human: HumanScores,
    name: str,
    *,
    seed: int,
    permutations: int,
    correction: Correction = "holm",
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
    names = [str(each) for each in measures.names]
    tables = {
        **_tied(metrics, people, pairs, seed, permutations),
        SPA: _soft(metrics, people, pairs, seed, permutations),
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
    test = _EXCHANGES if statistic == SPA else _FLIPS
    family = f"all pairs ({len(pairs):,})"
    for (first, second), each, p in zip(pairs, outcomes, corrected, strict=True):
        yield AccuracyDifference(
            names[first], names[second], human, statistic, each.value, each.low, each.high,
            test, each.p, p, correction, family, each.n, each.reason,
        )  # fmt: skip


def _tied(
    metrics: Float64, people: Float64, pairs: list[Rows], seed: int, flips: int
) -> dict[str, list[_Outcome]]:
    """acc_eq by one threshold and, where documents are enough, by those of other documents."""
    within = np.full((len(people), len(metrics)), np.nan)
    outside = within.copy()
    reasons: list[str | None] = []
    for row, table in enumerate(metrics):
        of_document = pairs_of(table, people)
        reasons.append(undefined(of_document))
        if reasons[-1] is None:
            tied = tied_accuracy(of_document, seed)
            within[tied.documents, row] = tied.within
            if tied.outside is not None:
                outside[tied.documents, row] = tied.outside
    missing = np.isnan(metrics) | np.isnan(people)
    tables = {ACC_EQ: within, CROSS_VALIDATED: outside}
    return {
        name: _flipped(values, missing, pairs, reasons, seed, flips)
        for name, values in tables.items()
        if name == ACC_EQ or not np.isnan(values).all()
    }


def _flipped(
    values: Float64, missing: NDArray[np.bool_], pairs: list[Rows], reasons: list[str | None],
    seed: int, flips: int,
) -> list[_Outcome]:  # fmt: skip
    """Sign flips of the documents' differences, all pairs of metrics on the same signs."""
    first, second = np.array(pairs).T
    gaps = values[:, first] - values[:, second]
    gaps[(missing[first] != missing[second]).any(axis=2).T] = np.nan
    there = ~np.isnan(gaps)
    n = there.sum(axis=0)
    weights = there / np.maximum(n, 1)
    parts = np.where(there, gaps, 0.0) * weights
    differences = parts.sum(axis=0)
    rng = generator(seed, "accuracy differences")
    tests = flip_tests(direct_contributions(differences, parts, weights), flips, rng)
    outcomes = []
    for k, (one, other) in enumerate(pairs):
        reason = reasons[one] or reasons[other] or _too_few(int(n[k]))
        if reason is not None:
            outcomes.append(_Outcome(None, None, None, None, int(n[k]), reason))
            continue
        low, high, p = float(tests.low[k]), float(tests.high[k]), float(tests.p[k])
        outcomes.append(_Outcome(float(differences[k]), low, high, p, int(n[k])))
    return outcomes


def _soft(
    metrics: Float64, people: Float64, pairs: list[Rows], seed: int, permutations: int
) -> list[_Outcome]:
    """Exchanges of scores; metrics that miss the same summaries are prepared once."""
    groups: dict[bytes, list[int]] = {}
    gone = np.isnan(metrics)
    for k, (one, other) in enumerate(pairs):
        groups.setdefault((gone[one] | gone[other]).tobytes(), []).append(k)
    outcomes: dict[int, _Outcome] = {}
    for members in groups.values():
        chosen = [pairs[k] for k in members]
        rows = sorted({row for pair in chosen for row in pair})
        results = _exchanged(rows, metrics[rows], people, chosen, seed, permutations)
        outcomes |= dict(zip(members, results, strict=True))
    return [outcomes[k] for k in range(len(pairs))]


def _exchanged(
    rows: list[int], metrics: Float64, people: Float64, pairs: list[Rows], seed: int, number: int
) -> Iterator[_Outcome]:
    """Pairs of metrics on the summaries that all of these metrics and people have."""
    gone = np.isnan(metrics).any(axis=0)
    judged = np.where(gone, np.nan, people)
    whole = [whole_documents(table, judged) for table in metrics]
    n = len(whole[0].people)
    reasons = [each.reason or _too_few(n) for each in whole]
    kept = [k for k, reason in enumerate(reasons) if reason is None]
    values, prepared = dict.fromkeys(kept, 0.0), {}
    if kept:
        tables, own = np.stack([whole[k].metric.T for k in kept]), whole[kept[0]].people
        soft = soft_pairwise_accuracies(tables, own.T, generator(seed, "flips"))
        values = dict(zip(kept, soft.tolist(), strict=True))
        exchanges = Exchanges(gaps_between(own), number, generator(seed, "exchanges"))
        prepared = {k: exchanges.prepare(whole[k].metric) for k in kept}
    at = {row: k for k, row in enumerate(rows)}
    for one, other in ((at[first], at[second]) for first, second in pairs):
        reason = reasons[one] or reasons[other]
        if reason is not None:
            yield _Outcome(None, None, None, None, n, reason)
            continue
        p = exchanges.p(prepared[one], prepared[other])
        yield _Outcome(values[one] - values[other], None, None, p, n)


def _too_few(n: int) -> str | None:
    if n < LEAST_DOCUMENTS:
        return f"{n} documents are too few for a test; {LEAST_DOCUMENTS} are needed"
    return None
