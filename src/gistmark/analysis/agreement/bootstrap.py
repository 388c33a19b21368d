"""Intervals of alpha by bootstrap over units.

Efron, "Bootstrap Methods: Another Look at the Jackknife" (1979). Units are drawn with replacement
and alpha is computed again, on ordinal data with the ranks of the draw. Units that got the same
values are interchangeable, so a draw only says how often each kind of unit occurs: a million
five-point ratings have a few hundred kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gistmark.analysis.agreement.alpha import alpha, ratio_disagreements, ratio_distances
from gistmark.analysis.agreement.statistic import Statistic
from gistmark.analysis.agreement.tally import Tally, pairable, tally
from gistmark.analysis.ratings import Float64, Int64, Level

RESAMPLES = 1_000
CONFIDENCE = 0.95

_MOST_COLUMNS = 64
"""With more distinct values, units are hardly ever of the same kind and the table is sparse."""

_MOST_RATIOS = 2_000

_BLOCK = 1 << 22

_Parts = tuple[Float64, Float64, Float64]
"""For each draw: n, D and E, as `alpha` defines them."""


@dataclass(frozen=True)
class _Kinds:
    """Kinds of units; `kind_of` gives the kind of each unit.

    `table` has a row for each kind: how often it got each distinct value, or at the interval level
    the number of its values, their sum and the sum of their squares.
    """

    table: Any
    sizes: Int64
    disagreements: Float64
    kind_of: Int64
    distinct: Float64


def bootstrapped_alpha(
    units: Int64,
    values: Float64,
    level: Level,
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Statistic:
    """Krippendorff's alpha (see `alpha`) with the middle 95 % of its values over draws of units.

    Draws in which nothing varies have no alpha and are left out. There is no interval where alpha
    is not defined, for a single unit, where fewer than half of the draws have an alpha, or at the
    ratio level for more than 2,000 distinct values.
    """
    found = alpha(units, values, level)
    if found.value is None or found.n < 2:
        return found
    table = tally(pairable(units, values))
    if level == "ratio" and len(table.distinct) > _MOST_RATIOS:
        return found
    low, high = percentiles(_redrawn(_kinds(table, level), level, rng, resamples))
    return replace(found, low=low, high=high)


def percentiles(values: Float64) -> tuple[float, float] | tuple[None, None]:
    """The bounds of the middle 95 % of the values that are finite, if half of them are."""
    finite = values[np.isfinite(values)]
    if len(finite) == 0 or 2 * len(finite) < len(values):
        return None, None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(finite, [tail, 1 - tail])
    return float(low), float(high)


def draws(kind_of: Int64, kinds: int, size: int, rng: np.random.Generator) -> Float64:
    """How often each kind occurs among units drawn with replacement, for `size` draws."""
    units = len(kind_of)
    if 8 * kinds < units:
        shares = np.bincount(kind_of, minlength=kinds) / units
        return rng.multinomial(units, shares, size=size).astype(np.float64)
    picks = kind_of[rng.integers(units, size=(size, units))]
    picks += np.arange(size)[:, None] * kinds
    return np.bincount(picks.ravel(), minlength=size * kinds).reshape(size, kinds).astype(float)


def blocks(total: int, width: int) -> list[int]:
    """How many of `total` draws to make at a time, when each needs `width` numbers."""
    step = max(1, _BLOCK // max(width, 1))
    return [min(step, total - start) for start in range(0, total, step)]


def _redrawn(kinds: _Kinds, level: Level, rng: np.random.Generator, resamples: int) -> Float64:
    count = len(kinds.sizes)
    found = []
    for size in blocks(resamples, max(count, len(kinds.kind_of), kinds.table.shape[1])):
        weights = draws(kinds.kind_of, count, size, rng)
        totals = np.asarray(weights @ kinds.table)
        n, inner, outer = _PARTS[level](kinds, weights, totals)
        with np.errstate(invalid="ignore", divide="ignore"):
            found.append(1 - (n - 1) * inner / outer)
    return np.concatenate(found)


def _kinds(table: Tally, level: Level) -> _Kinds:
    disagreements = _disagreements(table, level)
    moments = _moments(table) if level == "interval" else None
    if len(table.distinct) > _MOST_COLUMNS:
        rows = _sparse(table) if moments is None else moments
        units = np.arange(len(table.sizes))
        return _Kinds(rows, table.sizes, disagreements, units, table.distinct)
    full = np.zeros((len(table.sizes), len(table.distinct)), dtype=np.int32)
    full[table.units, table.codes] = table.counts
    rows, first, kind_of = np.unique(full, axis=0, return_index=True, return_inverse=True)
    rows = rows.astype(np.float64) if moments is None else moments[first]
    return _Kinds(rows, table.sizes[first], disagreements[first], kind_of.ravel(), table.distinct)


def _sparse(table: Tally) -> Any:
    from scipy.sparse import csr_array

    shape = (len(table.sizes), len(table.distinct))
    return csr_array((table.counts.astype(np.float64), (table.units, table.codes)), shape)


def _moments(table: Tally) -> Float64:
    values = (table.distinct - table.distinct.mean())[table.codes]
    sums = np.bincount(table.units, weights=table.counts * values)
    squares = np.bincount(table.units, weights=table.counts * values * values)
    return np.stack([table.sizes, sums, squares], axis=1)


def _disagreements(table: Tally, level: Level) -> Float64:
    """D of each unit alone; on ordinal data it changes with the draw and is left at 0."""
    if level == "ratio":
        return ratio_disagreements(table)
    if level == "ordinal":
        return np.zeros(len(table.sizes))
    sizes = table.sizes[table.units]
    if level == "nominal":
        parts = table.counts * (sizes - table.counts) / (sizes - 1)
        return np.bincount(table.units, weights=parts).astype(np.float64)
    values = table.distinct[table.codes]
    means = np.bincount(table.units, weights=table.counts * values) / table.sizes
    squares = table.counts * (values - means[table.units]) ** 2
    return np.bincount(table.units, weights=2 * sizes / (sizes - 1) * squares).astype(np.float64)


def _nominal(kinds: _Kinds, weights: Float64, totals: Float64) -> _Parts:
    n = totals.sum(axis=1)
    return n, weights @ kinds.disagreements, n * n - (totals * totals).sum(axis=1)


def _interval(kinds: _Kinds, weights: Float64, totals: Float64) -> _Parts:
    """A sum over pairs that is nothing but rounding error is 0: all values are equal."""
    n, sums, squares = totals.T
    outer = 2 * (n * squares - sums * sums)
    outer[outer <= 1e-12 * n * squares] = 0.0
    return n, weights @ kinds.disagreements, outer


def _ratio(kinds: _Kinds, weights: Float64, totals: Float64) -> _Parts:
    distances = ratio_distances(kinds.distinct, kinds.distinct)
    outer = (np.asarray(totals @ distances) * totals).sum(axis=1)
    return totals.sum(axis=1), weights @ kinds.disagreements, outer


def _ordinal(kinds: _Kinds, weights: Float64, totals: Float64) -> _Parts:
    """As interval on the mid-ranks of each draw, which are centred: their mean is n / 2."""
    n = totals.sum(axis=1)
    ranks = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
    squares = ranks * ranks
    sums = np.asarray(kinds.table @ ranks.T)
    pairs = kinds.sizes[:, None] * np.asarray(kinds.table @ squares.T) - sums * sums
    inner = 2 * (weights.T * pairs / (kinds.sizes - 1)[:, None]).sum(axis=0)
    return n, inner, 2 * n * (totals * squares).sum(axis=1)


_PARTS: dict[Level, Callable[[_Kinds, Float64, Float64], _Parts]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}
