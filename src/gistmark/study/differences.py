"""Which metric follows people better, pair by pair, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.study.coefficients import Coefficient, correlate, explain
from gistmark.study.corrections import Correction, correct
from gistmark.study.draws import NO_INTERVAL, Interval, Resampling, intervals
from gistmark.study.human import HumanScores
from gistmark.study.layout import Layout, Level, grouped, layout_of
from gistmark.study.levels import correlate_at
from gistmark.study.measures import Measures
from gistmark.study.permutation import TESTS, draw_swaps, permuted_differences
from gistmark.study.ratings import Unit
from gistmark.study.records import Difference
from gistmark.study.resampling import resample
from gistmark.study.significance import Test, bootstrap_p, permutation_p, williams
from gistmark.study.subsets import Subset

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]


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
    coefficient: Coefficient = "pearson",
    test: Test = "permutation",
    baseline: str | None = None,
    correction: Correction = "holm",
    subset: Subset | None = None,
) -> tuple[Difference, ...]:
    """The differences of all pairs of measures, or of all others from a baseline.

    Each pair is compared on the summaries that both metrics and people have scored. A positive
    difference means that the first follows people better; a metric of which less is better counts
    negated. Intervals are by bootstrap whatever the test; p values are corrected among the pairs
    of one human score.
    """
    if level == "annotation":
        raise UsageError("Metrics are compared at global, summary or system level.")
    pairs = _pairs(measures, baseline)
    units = [unit for unit in measures.units if unit in human.places]
    units = units if subset is None else [unit for unit in units if unit in subset.units]
    x = measures.at(units, oriented=True)
    names = [str(name) for name in measures.names]
    settings = (level, coefficient, test, resampling, units, names, x)
    return tuple(
        record
        for score, y in zip(human.names, human.at(units), strict=True)
        for record in _Contest(*settings, score, y).records(pairs, correction)
    )


def _pairs(measures: Measures, baseline: str | None) -> list[tuple[int, int]]:
    rows = range(len(measures.names))
    if baseline is None:
        return list(combinations(rows, 2))
    base = measures.row(baseline)
    return [(row, base) for row in rows if row != base]


@dataclass(frozen=True)
class _Contest:
    """All metrics against one human score; what pairs share is drawn once."""

    level: Level
    coefficient: Coefficient
    test: Test
    resampling: Resampling
    units: Sequence[Unit]
    names: Sequence[str]
    x: Float64
    human: str
    y: Float64

    def records(
        self, pairs: Sequence[tuple[int, int]], correction: Correction
    ) -> Iterator[Difference]:
        """A record per pair, with p values corrected among them."""
        outcomes = [self.between(first, second) for first, second in pairs]
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
                test=self._test_name,
                p=outcome.p,
                p_corrected=p,
                correction=correction,
                n=outcome.n,
                reason=outcome.reason,
            )

    @property
    def _test_name(self) -> str:
        if self.test != "permutation":
            return self.test
        return f"permutation ({TESTS[self.resampling.over_for(self._whole)]})"

    @cached_property
    def _whole(self) -> Layout:
        return layout_of(self.units)

    @cached_property
    def _complete(self) -> bool:
        return bool(len(self.y)) and not (np.isnan(self.x).any() or np.isnan(self.y).any())

    @cached_property
    def _drawn(self) -> Float64:
        """Draws × metrics, where nothing is missing and all pairs can share them."""
        return self._resample(self.x, self.y, self._whole)

    @cached_property
    def _swaps(self) -> Bool:
        return self._draw_swaps(self._whole)

    def between(self, first: int, second: int) -> _Outcome:
        """One metric against another, on the rows that have all three values."""
        kept = ~np.isnan(self.x[[first, second]]).any(axis=0) & ~np.isnan(self.y)
        layout = self._whole
        if not kept.all():
            layout = layout_of([unit for unit, keep in zip(self.units, kept, strict=True) if keep])
        x, y = self.x[[first, second]][:, kept], self.y[kept]
        people = np.broadcast_to(y, x.shape)
        found = correlate_at(self.level, x, people, layout, self.coefficient)
        for row, undefined in zip((first, second), found.undefined, strict=True):
            if undefined is not None:
                why = explain(undefined, self.names[row], self.human, least=found.least)
                return _Outcome(None, NO_INTERVAL, None, int(found.n[0]), why)
        value = float(found.values[0] - found.values[1])
        drawn = self._drawn[:, [first, second]] if self._complete else self._resample(x, y, layout)
        gaps = drawn[:, 0] - drawn[:, 1]
        p, reason = self._judge(value, x, y, layout, gaps)
        return _Outcome(value, intervals(gaps[:, None])[0], p, int(found.n.min()), reason)

    def _judge(
        self, value: float, x: Float64, y: Float64, layout: Layout, gaps: Float64
    ) -> tuple[float | None, str | None]:
        if self.test == "williams":
            return self._williams(x, y, layout)
        if self.test == "bootstrap":
            p = bootstrap_p(gaps)
        else:
            swaps = self._swaps if self._complete else self._draw_swaps(layout)
            permuted = permuted_differences(
                self.level, x[0], x[1], y, layout, self.coefficient, swaps
            )
            p = permutation_p(value, permuted)
        return p, None if p is not None else "no resample has a value"

    def _williams(self, x: Float64, y: Float64, layout: Layout) -> tuple[float | None, str | None]:
        if self.level == "summary":
            return None, "Williams' test is about one correlation, not a mean of many"
        if self.coefficient == "kendall":
            return None, "Williams' test does not hold for Kendall's tau"
        rows = grouped(self.level, layout, np.array([y, x[0], x[1]]))[:, 0]
        pairs = correlate(rows[[0, 0, 1]], rows[[1, 2, 2]], self.coefficient)
        r12, r13, r23 = (float(value) for value in pairs.values)
        tested = williams(r12, r13, r23, int(pairs.n[0]))
        return tested.p, tested.reason

    def _resample(self, x: Float64, y: Float64, layout: Layout) -> Float64:
        draws = self.resampling.draw(layout)
        people = np.broadcast_to(y, x.shape)
        return resample(x, people, layout, self.level, self.coefficient, draws)

    def _draw_swaps(self, layout: Layout) -> Bool:
        over = self.resampling.over_for(layout)
        return draw_swaps(layout, over, self.resampling.resamples, self.resampling.rng)
