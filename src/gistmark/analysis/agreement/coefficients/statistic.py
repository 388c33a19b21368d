"""`Statistic`, one number about agreement, and the tally that alpha and kappa start from.

A unit with fewer than two values says nothing about agreement and is left out of a tally, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gistmark.analysis.data.columns import Float64, Int64


@dataclass(frozen=True, slots=True)
class Statistic:
    """A value, how many units it rests on, and what goes with it.

    A value that is not defined is None and `reason` says why in words. Where a value is defined
    and part of the data had to be left out, or where there is no interval, `reason` says so. `low`
    and `high` bound the value at 95 % over `documents` documents (see `intervals`); `chance` is
    what coin flips would give. `least` is the least value there may be: 0 for shares.
    """

    value: float | None
    n: int
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    documents: int = 0
    least: float = -1.0


def undefined(reason: str, n: int = 0, *, chance: float | None = None) -> Statistic:
    """A statistic without a value, for this reason."""
    return Statistic(None, n, reason, chance=chance)


def mean_of(statistics: Iterable[Statistic], noun: str) -> Statistic:
    """The mean of the defined values, with their number as n; `noun` says of what, in the plural.

    Undefined where none of them is defined: the reason is then that of the first.
    """
    every = list(statistics)
    values = [result.value for result in every if result.value is not None]
    if not values:
        reasons = [result.reason for result in every if result.reason]
        return undefined(reasons[0] if reasons else f"There are no {noun}.")
    lacking = len(every) - len(values)
    reason = f"{lacking} of {len(every)} {noun} left out: they have no value." if lacking else None
    least = min(result.least for result in every)
    return Statistic(sum(values) / len(values), len(values), reason, least=least)


_DENSE = 4
"""Cells are counted in a full table while it has at most this many cells per rating."""

_WIDEST = 1 << 16
"""Whole numbers within a range of this width are counted, not sorted."""


@dataclass(frozen=True)
class Pairable:
    """The values of units that have at least two; `sizes[u]` of them belong to unit u."""

    units: Int64
    values: Float64
    sizes: Int64

    @property
    def constant(self) -> bool:
        """Whether all values are the same."""
        return not len(self.values) or bool(self.values.min() == self.values.max())


@dataclass(frozen=True)
class Tally:
    """Cell i says that unit `units[i]` got value `distinct[codes[i]]` `counts[i]` times."""

    distinct: Float64
    sizes: Int64
    units: Int64
    codes: Int64
    counts: Int64

    @property
    def totals(self) -> Int64:
        """How often each distinct value occurs."""
        totals = np.bincount(self.codes, weights=self.counts, minlength=len(self.distinct))
        return totals.astype(np.int64)


def pairable(units: Int64, values: Float64) -> Pairable:
    """Leave out missing values (NaN) and units with one value; number the other units from 0."""
    missing = np.isnan(values)
    if missing.any():
        units, values = units[~missing], values[~missing]
    sizes = np.bincount(units)
    good = sizes >= 2
    if not good.all():
        keep = good[units]
        numbers = np.cumsum(good) - 1
        units, values, sizes = numbers[units[keep]], values[keep], sizes[good]
    return Pairable(units, values, sizes)


def encode(values: Float64) -> tuple[Float64, Int64]:
    """The distinct values in rising order, and the index of each value among them."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    if high - low < _WIDEST and bool((np.rint(values) == values).all()):
        offsets = (values - low).astype(np.int64)
        present = np.bincount(offsets) > 0
        if present.all():
            return np.arange(len(present), dtype=np.float64) + low, offsets
        return np.flatnonzero(present) + low, (np.cumsum(present) - 1)[offsets]
    distinct, codes = np.unique(values, return_inverse=True)
    return distinct, codes


def tally(ratings: Pairable) -> Tally:
    """Count the values of each unit, in memory that grows with the number of ratings only."""
    distinct, codes = encode(ratings.values)
    keys = ratings.units * max(len(distinct), 1) + codes
    size = len(ratings.sizes) * len(distinct)
    if size <= _DENSE * len(keys):
        full = np.bincount(keys, minlength=size)
        cells = np.flatnonzero(full)
        counts = full[cells]
    else:
        cells, counts = np.unique(keys, return_counts=True)
    units, codes = np.divmod(cells, max(len(distinct), 1))
    return Tally(distinct, ratings.sizes, units, codes, counts)
