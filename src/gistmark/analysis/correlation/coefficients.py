"""Pearson, Spearman and Kendall's tau-b of many pairs of columns at once.

Values and two-sided p values agree with scipy.stats (pearsonr, spearmanr, kendalltau), which
takes one pair per call and cannot leave out missing values pair by pair. All range from -1 to 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.arithmetic import Sorting, average_ranks, sort_rows
from gistmark.analysis.correlation.kernels import kendall_resamples

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")

Undefined = Literal["few", "first", "second", "given", "groups"]
"""Why a coefficient has no value: too few pairs, the first or second column is constant, one of
them follows what is given perfectly, or no group has a value."""

LEAST = 3
"""Two points always lie on a line, so a correlation wants at least three."""

_EXACT = 33
"""Kendall's p is exact up to this many pairs without ties, as in scipy."""


@dataclass(frozen=True)
class Coefficients:
    """One value per pair of rows, NaN where `undefined` says why; `n` counts complete pairs."""

    values: Float64
    p: Float64
    n: Int64
    undefined: tuple[Undefined | None, ...]


def correlate(
    x: Float64, y: Float64, coefficient: Coefficient = "pearson", *, least: int = LEAST
) -> Coefficients:
    """Correlate each row of `x` with `y`, or with the row of `y` that has its number.

    Places where either is NaN are left out, pair by pair. With fewer than `least` complete pairs,
    or with a constant side, there is no value.
    """
    x, y = complete_pairs(x, y)
    counts = np.count_nonzero(~np.isnan(x), axis=-1)
    undefined = _undefined(x, y, counts, least)
    defined = np.array([reason is None for reason in undefined], dtype=np.bool_)
    values, p = np.full(len(x), np.nan), np.full(len(x), np.nan)
    if defined.any():
        values[defined] = _values(x[defined], y[defined], coefficient)
        p[defined] = _p_values(x[defined], y[defined], values[defined], coefficient)
    return Coefficients(values, p, counts, undefined)


def complete_pairs(x: Float64, y: Float64) -> tuple[Float64, Float64]:
    """Both as matrices of one shape, with NaN in both wherever either has it."""
    x = np.atleast_2d(np.asarray(x, dtype=np.float64))
    y = np.broadcast_to(np.asarray(y, dtype=np.float64), x.shape)
    missing = np.isnan(x) | np.isnan(y)
    if not missing.any():
        return x, y
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y)


def explain(undefined: Undefined, first: str, second: str, *, least: int = LEAST) -> str:
    """A reason in words, with the names of the two columns."""
    if undefined == "few":
        return f"fewer than {least} pairs of values"
    if undefined == "given":
        return "nothing is left when the given measure is held constant"
    if undefined == "groups":
        return f"in no document do {least} or more systems differ in both"
    return f"all values of {first if undefined == 'first' else second} are equal"


def t_test(values: Float64, freedom: Float64 | Int64) -> Float64:
    """Two-sided p of a correlation: t = r sqrt(f / ((1 + r)(1 - r))) with f degrees of freedom."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(values) * np.sqrt(freedom / ((1.0 + values) * (1.0 - values)))
    return cast(Float64, np.asarray(2.0 * stdtr(freedom, -t)))


def _undefined(x: Float64, y: Float64, counts: Int64, least: int) -> tuple[Undefined | None, ...]:
    few = counts < least
    reasons: list[Undefined | None] = ["few" if short else None for short in few]
    for name, values in (("first", x), ("second", y)):
        lowest = np.min(values, axis=-1, initial=np.inf, where=~np.isnan(values))
        highest = np.max(values, axis=-1, initial=-np.inf, where=~np.isnan(values))
        for row in np.flatnonzero((lowest == highest) & ~few):
            reasons[row] = reasons[row] or cast(Undefined, name)
    return tuple(reasons)


def _values(x: Float64, y: Float64, coefficient: Coefficient) -> Float64:
    if coefficient == "pearson":
        return _pearson(x, y)
    if coefficient == "spearman":
        return _pearson(average_ranks(x), average_ranks(y))
    first, second = sort_rows(x), sort_rows(y)
    once = np.ones((1, x.shape[1]))
    found = kendall_resamples(
        first.order, first.starts, second.order, second.starts, first.counts, once
    )
    values: Float64 = found[0].clip(-1.0, 1.0)
    return values


def _pearson(x: Float64, y: Float64) -> Float64:
    """sum xy / sqrt(sum x^2 sum y^2) of the centred rows."""
    x, y = _centred(x), _centred(y)
    lengths = np.sqrt(np.sum(x * x, axis=-1) * np.sum(y * y, axis=-1))
    return cast(Float64, np.clip(np.sum(x * y, axis=-1) / lengths, -1.0, 1.0))


def _centred(values: Float64) -> Float64:
    """Mean 0 along the last axis, scaled by a power of two to a size near 1; NaN becomes 0."""
    there = ~np.isnan(values)
    mean = np.mean(values, axis=-1, keepdims=True, where=there)
    centred = np.where(there, values - mean, 0.0)
    _, exponents = np.frexp(np.max(np.abs(centred), axis=-1, keepdims=True))
    return cast(Float64, np.ldexp(centred, -exponents))


def _p_values(x: Float64, y: Float64, values: Float64, coefficient: Coefficient) -> Float64:
    counts = np.count_nonzero(~np.isnan(x), axis=-1)
    if coefficient == "kendall":
        first, second = sort_rows(x), sort_rows(y)
        tests = zip(values, counts, _ties(first), _ties(second), strict=True)
        return np.array([_kendall_p(*test) for test in tests])
    return np.where(counts > 2, t_test(values, np.maximum(counts - 2, 1)), 1.0)


def _ties(sorting: Sorting) -> list[Int64]:
    """The sizes of the ties of each row."""
    return [
        np.diff(np.append(np.flatnonzero(starts[:count]), count))
        for starts, count in zip(sorting.starts, sorting.counts, strict=True)
    ]


def _kendall_p(tau: float, n: int, x_ties: Int64, y_ties: Int64) -> float:
    """Exact for few pairs without ties, otherwise by the normal distribution (Kendall 1970)."""
    pairs = n * (n - 1) // 2
    tied = [int((ties * (ties - 1)).sum()) // 2 for ties in (x_ties, y_ties)]
    surplus = round(tau * math.sqrt((pairs - tied[0]) * (pairs - tied[1])))
    if tied == [0, 0]:
        fewest = (pairs - abs(surplus)) // 2
        if n <= _EXACT:
            return float(min(1.0, 2.0 * _inversions(n)[fewest]))
        if fewest <= 1:
            return 2.0 * math.exp(-math.lgamma(n + 1 - fewest))
    return math.erfc(abs(surplus) / math.sqrt(2.0 * _surplus_variance(n, x_ties, y_ties)))


def _surplus_variance(n: int, x_ties: Int64, y_ties: Int64) -> float:
    both = [ties.astype(np.float64) for ties in (x_ties, y_ties)]
    twos = [float((t * (t - 1)).sum()) / 2 for t in both]
    threes = [float((t * (t - 1) * (t - 2)).sum()) for t in both]
    fives = [float((t * (t - 1) * (2 * t + 5)).sum()) for t in both]
    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - sum(fives)) / 18 + 2 * twos[0] * twos[1] / m
    return variance + (threes[0] * threes[1] / (9 * m * (n - 2)) if n > 2 else 0.0)


@lru_cache(maxsize=_EXACT)
def _inversions(n: int) -> Float64:
    """The share of the permutations of n things that have at most k inversions, for each k."""
    shares = np.ones(1)
    for size in range(2, n + 1):
        shares = np.convolve(shares, np.full(size, 1.0 / size))
    return np.cumsum(shares)
