"""How sure correlations are: standard errors on Fisher's scale, and intervals and p from them.

On the scale z = artanh(r) a correlation has nearly the same standard error wherever it lies, and
bounds taken back by tanh stay between -1 and 1 (Fisher 1921). The error is

    system level    by the coefficient's formula for as many systems (Bonett and Wright 2000,
                    "Sample size requirements for estimating Pearson, Kendall and Spearman
                    correlations"), or that over draws of documents where it is larger
    other levels    the standard deviation over bootstrap draws (`bootstrap`), with Student's t and
                    one degree of freedom less than there are systems, or documents if fewer

since percentiles of a bootstrap of few systems hold the truth too rarely. Systems that are few
(`FEWEST_SYSTEMS`) have neither interval nor p over systems. How often the intervals hold the truth,
for 6 to 25 systems, is counted by benchmarks/truth.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Layout, Level, LevelValues
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.resampling.bootstrap import (
    NO_INTERVAL,
    Draws,
    Interval,
    resample,
    too_few_draws,
    too_few_systems,
)
from gistmark.analysis.resampling.student import student_p, student_quantile

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Uncertainty:
    """Standard errors of artanh of some correlations, with Student's degrees of freedom.

    `steps` say how far below 1 the next lower value is, where values are few; bounds nearer to 1
    than to that value are 1. `draws` (draws × rows) are on the same scale, less their mean; None
    where no bootstrap was needed. An error is NaN for one of the `reasons`.
    """

    values: Float64
    errors: Float64
    freedom: Float64
    steps: Float64
    reasons: tuple[str | None, ...]
    draws: Float64 | None = None

    @property
    def sizes(self) -> Float64:
        """artanh of each value over its error: Student's t, or a standard normal one."""
        return quotient(artanh(self.values, self.steps), self.errors)

    def p_values(self) -> Float64:
        """Two-sided p of each value."""
        return student_p(self.sizes, self.freedom)

    def interval(self, row: int, quantile: float | None = None) -> Interval:
        """value ± error times the quantile, by default for one interval at 95 %."""
        if self.reasons[row] is not None or np.isnan(self.values[row]):
            return NO_INTERVAL
        quantile = student_quantile(self.freedom[row]) if quantile is None else quantile
        middle = artanh(self.values[[row]], self.steps[[row]])[0]
        width, edge = quantile * self.errors[row], self.steps[row] / 2.0
        low, high = (float(np.tanh(bound)) for bound in (middle - width, middle + width))
        return Interval(-1.0 if low < edge - 1.0 else low, 1.0 if high > 1.0 - edge else high)


def uncertainty(
    level: Level,
    x: Float64,
    y: Float64,
    layout: Layout,
    coefficient: str,
    outcome: LevelValues,
    draws: Draws,
    *,
    given: Float64 | None = None,
) -> Uncertainty:
    """How sure the `outcome` is, of correlating each row of x with that of y (given z)."""
    rows = len(x)
    known = COEFFICIENTS.get(coefficient)
    documents, systems = (_clusters(x, numbers) for numbers in (layout.documents, layout.systems))
    counts = outcome.n - (given is not None)
    errors = np.full(rows, np.nan)
    if level == "system" and draws.over != "documents":
        errors = known.deviations(outcome.values, counts)
    formula = not np.isnan(errors).all()
    steps = known.steps(np.maximum(outcome.n, 2)) if level == "system" else np.zeros(rows)
    resampled = None
    if not formula or draws.over == "both":
        sampled = draws.of_documents() if formula else draws
        values = resample(x, y, layout, level, coefficient, sampled, given=given)
        resampled, spread = _spread(values, steps)
        errors = np.fmax(errors, spread) if formula else spread
    freedom = np.full(rows, np.inf) if formula else _freedom(draws, documents, systems)
    reasons = tuple(
        None
        if np.isnan(outcome.values[row])
        else _reason(draws, int(systems[row]), errors[row], steps[row])
        for row in range(rows)
    )
    return Uncertainty(outcome.values, errors, freedom, steps, reasons, resampled)


def _clusters(x: Float64, numbers: Int64) -> Int64:
    """How many documents, or systems, each row has values of."""
    there = ~np.isnan(x)
    return np.array([len(np.unique(numbers[row])) for row in there], dtype=np.int64)


def _freedom(draws: Draws, documents: Int64, systems: Int64) -> Float64:
    """One less than there are documents or systems, whichever are fewer; what is one is fixed."""
    sizes = np.full(len(documents), np.inf)
    for fixed, counts in (("systems", documents), ("documents", systems)):
        if draws.over != fixed:
            sizes = np.where(counts > 1, np.minimum(sizes, counts), sizes)
    return np.where(np.isfinite(sizes), sizes - 1.0, 1.0)


def _spread(values: Float64, steps: Float64) -> tuple[Float64, Float64]:
    """Draws × rows as deviations of artanh from their mean, and their standard deviation.

    The deviation is NaN where fewer than half of the draws gave a value.
    """
    there = ~np.isnan(values)
    counts = there.sum(axis=0)
    z = np.where(there, artanh(values, steps), 0.0)
    z = np.where(there, z - quotient(z.sum(axis=0), counts), 0.0)
    enough = (counts > 1) & (2 * counts >= len(values))
    return z, np.sqrt(quotient((z * z).sum(axis=0), counts - 1.0, enough))


def artanh(values: Float64, steps: Float64) -> Float64:
    """artanh of values that are kept half a step from 1, where it is infinite."""
    most = 1.0 - np.maximum(steps / 2.0, _ROUNDING)
    return np.asarray(np.arctanh(np.clip(values, -most, most)))


def _reason(draws: Draws, systems: int, error: float, step: float) -> str | None:
    """Why there is no interval; one that holds no second value of those possible says nothing."""
    few = too_few_draws(len(draws))
    if few is None and draws.over != "documents":
        few = too_few_systems(systems)
    if few is not None:
        return few
    if np.isnan(error):
        return "fewer than half of the bootstrap draws have a value, so there is no interval"
    if error > max(step / 4.0, _ROUNDING):
        return None
    vary = "hardly vary" if error > _ROUNDING else "do not vary"
    return f"bootstrap draws {vary}, so there is no interval"
