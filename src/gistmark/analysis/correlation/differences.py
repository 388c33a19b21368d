"""Which metric follows people better, pair by pair, as records.

By default interval and p come from one bootstrap: the difference of the two correlations over its
standard deviation in the draws is Student's t, with one degree of freedom less than there are
documents or systems, whichever are fewer, so that the interval leaves zero out exactly where p is
below 0.05. The draws are of documents with all their summaries, or of documents and systems, never
of single summaries, which are not independent of each other. Permutation and Williams' test give p
alone.

All metrics are compared on the same summaries; one that was scored on far fewer than the others is
left out (`comparable`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import correlate, explain
from gistmark.analysis.correlation.levels import (
    LEAST_SHARE,
    Comparable,
    Layout,
    Level,
    LevelValues,
    comparable,
    correlate_at,
    differs_in,
    grouped,
    layout_of,
)
from gistmark.analysis.correlation.subsets import Subset
from gistmark.analysis.data.columns import Unit
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import (
    NO_INTERVAL,
    Interval,
    Resampling,
    resample,
    too_few_draws,
    too_few_systems,
)
from gistmark.analysis.resampling.significance import (
    TESTS,
    Correction,
    Test,
    correct,
    draw_swaps,
    permutation_p,
    permuted_differences,
    student_test,
    williams,
)
from gistmark.analysis.studies.records import Difference
from gistmark.errors import UsageError

Float64 = NDArray[np.float64]
Rows = tuple[int, int]

_NOT_INDEPENDENT = (
    "Williams' test takes rows as independent, which several summaries of a document are not"
)


@dataclass(frozen=True)
class _Outcome:
    """What came out of one comparison of two metrics."""

    value: float | None
    bounds: Interval
    p: float | None
    n: int
    reason: str | None


def metric_differences(
    measures: Measures,
    human: HumanScores,
    resampling: Resampling,
    *,
    level: Level = "global",
    coefficient: str = "pearson",
    test: Test = "bootstrap",
    baseline: str | None = None,
    correction: Correction = "holm",
    subset: Subset | None = None,
) -> tuple[Difference, ...]:
    """The differences of all pairs of measures, or of all others from a baseline.

    Each pair stands once, compared on the summaries that all metrics and people have scored. A
    positive difference means that the first follows people better; a metric of which less is
    better counts negated. p values are corrected among the pairs of one human score, level and
    coefficient, which are a `family`.
    """
    if level == "annotation":
        raise UsageError("Metrics are compared at global, summary or system level.")
    pairs = _pairs(measures, baseline)
    units = [unit for unit in measures.units if unit in human.positions]
    units = units if subset is None else [unit for unit in units if unit in subset.units]
    x = measures.at(units, oriented=True)
    names = [str(name) for name in measures.names]
    settings = (level, coefficient, test, resampling, units, names, x)
    family = "all pairs" if baseline is None else f"against {names[measures.row(baseline)]}"
    return tuple(
        record
        for score, y in zip(human.names, human.at(units), strict=True)
        for record in _Contest(*settings, score, y).records(pairs, correction, family)
    )


def _pairs(measures: Measures, baseline: str | None) -> list[Rows]:
    rows = range(len(measures.names))
    if baseline is None:
        return list(combinations(rows, 2))
    base = measures.row(baseline)
    return [(row, base) for row in rows if row != base]


def turned(record: Difference) -> Difference:
    """The same difference seen from the other metric."""

    def negative(value: float | None) -> float | None:
        return None if value is None else -value

    return replace(
        record,
        metric=record.other,
        other=record.metric,
        value=negative(record.value),
        low=negative(record.high),
        high=negative(record.low),
    )


@dataclass(frozen=True)
class _Contest:
    """All metrics against one human score."""

    level: Level
    coefficient: str
    test: Test
    resampling: Resampling
    units: Sequence[Unit]
    names: Sequence[str]
    x: Float64
    human: str
    y: Float64

    def records(
        self, pairs: Sequence[Rows], correction: Correction, family: str
    ) -> Iterator[Difference]:
        """A record per pair, with p values corrected among them."""
        compared = comparable(self.x, self.y)
        units = [unit for unit, keep in zip(self.units, compared.columns, strict=True) if keep]
        table = _Table(self, compared, layout_of(units))
        outcomes = [table.between(*pair) for pair in pairs]
        corrected = correct([outcome.p for outcome in outcomes], correction)
        for (first, second), outcome, p in zip(pairs, outcomes, corrected, strict=True):
            yield Difference(
                metric=self.names[first],
                other=self.names[second],
                human=self.human,
                level=self.level,
                coefficient=self.coefficient,
                value=outcome.value,
                low=outcome.bounds.low,
                high=outcome.bounds.high,
                test=table.test_name,
                p=outcome.p,
                p_corrected=p,
                correction=correction,
                family=f"{family} ({len(pairs):,})",
                n=outcome.n,
                reason=outcome.reason,
                over=table.scope,
            )


class _Table:
    """Metrics on the summaries that all of them and people have scored."""

    def __init__(self, contest: _Contest, compared: Comparable, layout: Layout) -> None:
        self.contest, self.compared, self.layout = contest, compared, layout
        self.x, self.y = contest.x[:, compared.columns], contest.y[compared.columns]
        self.x = np.where(compared.rows[:, None], self.x, np.nan)
        people = np.where(np.isnan(self.x), np.nan, self.y)
        level, coefficient, resampling = contest.level, contest.coefficient, contest.resampling
        self.values: LevelValues = correlate_at(level, self.x, people, layout, coefficient)
        self.least = LEAST_SHARE * int(self.values.n.max(initial=0))
        over = resampling.over_for(layout)
        self.scope = resampling.scope(layout)
        self.few = too_few_systems(len(layout.system_names))
        if over == "documents" and not self.scope.endswith("these systems"):
            self.few = None
        self.test_name: str = contest.test
        if not len(layout):
            return
        if contest.test == "bootstrap":
            self.draws = resampling.draw(layout)
            self.test_name = f"bootstrap over {self.scope}"
            self.resampled = resample(self.x, people, layout, level, coefficient, self.draws)
        elif contest.test == "permutation":
            self.swaps = draw_swaps(layout, over, resampling.resamples, resampling.rng)
            self.test_name = f"permutation ({TESTS[over]})"
        else:
            documents = replace(resampling, over="documents").scope(layout)
            self.scope = "systems" if level == "system" else documents

    def between(self, first: int, second: int) -> _Outcome:
        """One metric against another, by their rows."""
        values, contest = self.values, self.contest
        for row in (first, second):
            name = contest.names[row]
            if not self.compared.rows[row]:
                why = f"{name} {self.compared.share(row)}"
                return _Outcome(None, NO_INTERVAL, None, 0, why)
            if values.n[row] < self.least:
                why = f"{name} {differs_in(int(values.n[row]), int(values.n.max()))}"
                return _Outcome(None, NO_INTERVAL, None, int(values.n[row]), why)
            if (undefined := values.undefined[row]) is not None:
                why = explain(undefined, name, contest.human, least=values.least)
                return _Outcome(None, NO_INTERVAL, None, int(values.n[row]), why)
        value = float(values.values[first] - values.values[second])
        n = int(min(values.n[first], values.n[second]))
        if self.few is not None and (contest.test != "bootstrap" or self.draws.over != "documents"):
            return _Outcome(value, NO_INTERVAL, None, n, self.few)
        if contest.test == "bootstrap":
            if (few := too_few_draws(contest.resampling.resamples)) is not None:
                return _Outcome(value, NO_INTERVAL, None, n, few)
            resampled = self.resampled[:, first] - self.resampled[:, second]
            p, bounds = student_test(value, resampled, self.draws.freedom)
            if self.few is not None:
                return _Outcome(value, bounds, None, n, self.few)
            reason = None if p is not None else "the draws do not vary, or have no value"
            return _Outcome(value, bounds, p, n, reason)
        if contest.test == "permutation":
            p, reason = self._permutation(value, first, second)
        else:
            p, reason = self._williams(first, second)
        return _Outcome(value, NO_INTERVAL, p, n, reason)

    def _permutation(
        self, value: float, first: int, second: int
    ) -> tuple[float | None, str | None]:
        contest = self.contest
        permuted = permuted_differences(
            contest.level, self.x[first], self.x[second], self.y, self.layout,
            contest.coefficient, self.swaps,
        )  # fmt: skip
        p = permutation_p(value, permuted)
        return p, None if p is not None else "no permutation has a value"

    def _williams(self, first: int, second: int) -> tuple[float | None, str | None]:
        """Only for rows that are independent: systems, or documents with one summary each."""
        contest = self.contest
        alone = len(self.layout.document_names) == len(self.layout)
        if contest.level == "summary" or (contest.level == "global" and not alone):
            return None, _NOT_INDEPENDENT
        known = COEFFICIENTS.get(contest.coefficient)
        if not known.williams:
            return None, f"Williams' test does not hold for {known.title}"
        rows = np.array([self.y, self.x[first], self.x[second]])
        rows = grouped(contest.level, self.layout, rows)[:, 0]
        r = correlate(rows[[0, 0, 1]], rows[[1, 2, 2]], contest.coefficient)
        first_r, second_r, between = (float(value) for value in r.values)
        tested = williams(first_r, second_r, between, int(r.n[0]))
        return tested.p, tested.reason
