"""`Coefficient`: what a correlation coefficient is, and the correlation of many pairs of columns.

Values and two-sided p values of the built-in ones agree with scipy.stats (pearsonr, spearmanr,
kendalltau), which takes one pair per call and cannot leave out missing values pair by pair. All
range from -1 to 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import ClassVar, Literal, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

Undefined = Literal["few", "first", "second", "given", "groups"]
"""Why a coefficient has no value: too few pairs, the first or second column is constant, one of
them follows what is given perfectly, or no group has a value."""

LEAST = 3
"""Two points always lie on a line, so a correlation wants at least three."""


class Prepared(Protocol):
    """Pairs of rows that wait for weights."""

    def under(self, weights: Float64) -> Float64:
        """Draws × rows: the coefficient of each pair under each row of weights.

        Weights are whole numbers. NaN where a side is constant under the weights.
        """


class Coefficient(ABC):
    """A correlation coefficient, with all that a study does with it.

    `label` names it in a table, `title` in full. `by_order` says that only the order of values
    counts, so that values which differ by rounding must be made equal first; `williams` that
    Williams' test holds for it, and `partial_t` that Student's t tests its partial correlation.

    Only `values` must be written: what resampling needs is then computed by repeating and
    exchanging members, one draw after another. The built-in coefficients have faster means.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    title: ClassVar[str]
    by_order: ClassVar[bool] = True
    williams: ClassVar[bool] = False
    partial_t: ClassVar[bool] = False

    @abstractmethod
    def values(self, x: Float64, y: Float64) -> Float64:
        """The coefficient of each row of x with its row of y, neither of them constant.

        NaN stands in both at the same indices, for members that are missing.
        """

    def p_values(self, x: Float64, y: Float64, values: Float64) -> Float64:
        """The two-sided p of each value; NaN, as here, where no test is known."""
        return np.full(len(values), np.nan)

    def features(self, values: Float64) -> Float64 | None:
        """Rows × numbers of which the coefficient is the cosine; None where there are none.

        With them p is exact for few members (`permutation_p_values`).
        """
        return None

    def deviations(self, values: Float64, counts: Int64) -> Float64:
        """The standard error of artanh of each value, over that many independent members.

        NaN, as here, where no formula is known; a bootstrap takes its part.
        """
        return np.full(len(values), np.nan)

    def steps(self, counts: Int64) -> Float64:
        """How far below 1 the next lower value is without ties; 0 where all values are possible."""
        return np.zeros(len(counts))

    def prepare(self, x: Float64, y: Float64) -> Prepared:
        """Each row of x with its row of y, both missing at the same indices."""
        return _Repeated(self, x, y)

    def each(self, x: Float64, y: Float64, weights: Float64) -> Float64:
        """Draws × rows: x and y are draws × rows × members, and each draw has its own weights."""
        draws = zip(x, y, weights[:, None, :], strict=True)
        return np.concatenate([_Repeated(self, *pair).under(weight) for *pair, weight in draws])

    def swapped(self, first: Float64, second: Float64, y: Float64, swaps: Bool) -> Float64:
        """Permutations × 2 × groups: both rows of each group with y after each exchange.

        The three are groups × members, missing at the same indices; `swaps` has a row of members
        per permutation and group.
        """
        rows = [(np.where(swap, second, first), np.where(swap, first, second)) for swap in swaps]
        return np.array([[_defined_values(self, row, y) for row in pair] for pair in rows])


@dataclass(frozen=True)
class Coefficients:
    """One value per pair of rows, NaN where `undefined` says why; `n` counts complete pairs."""

    values: Float64
    p: Float64
    n: Int64
    undefined: tuple[Undefined | None, ...]


def correlate(
    x: Float64, y: Float64, coefficient: str = "pearson", *, least: int = LEAST, test: bool = True
) -> Coefficients:
    """Correlate each row of `x` with `y`, or with the row of `y` that has its number.

    Members where either is NaN are left out, pair by pair. With fewer than `least` complete pairs,
    or with a constant side, there is no value. p takes members as independent; without `test`
    there is none.
    """
    x, y = complete_pairs(x, y)
    counts = np.count_nonzero(~np.isnan(x), axis=-1)
    undefined = _undefined(x, y, counts, least)
    defined = np.array([reason is None for reason in undefined], dtype=np.bool_)
    values, p = np.full(len(x), np.nan), np.full(len(x), np.nan)
    if defined.any():
        kind = COEFFICIENTS.get(coefficient)
        values[defined] = kind.values(x[defined], y[defined])
        if test:
            p[defined] = kind.p_values(x[defined], y[defined], values[defined])
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


def t_test_p(x: Float64, values: Float64) -> Float64:
    """The p of each correlation by Student's t, from the number of complete pairs; 1 for two."""
    counts = np.count_nonzero(~np.isnan(x), axis=-1)
    return np.where(counts > 2, t_test(values, np.maximum(counts - 2, 1)), 1.0)


MOST_PERMUTED = 9
"""p is exact, by all permutations, for up to this many members."""

_BLOCK = 40_320


def permutation_p_values(x: Float64, y: Float64, values: Float64, coefficient: str) -> Float64:
    """The p of each coefficient; of few members the share of permutations that reach it.

    For up to nine members all permutations of y are tried, ties included, and p is the share whose
    coefficient is at least as large, whatever its sign: with three members never below 1/3. For
    more members p is that of `Coefficient.p_values`.
    """
    known = COEFFICIENTS.get(coefficient)
    counts = np.count_nonzero(~np.isnan(x), axis=-1)
    p = np.full(len(values), np.nan)
    groups: dict[bytes, list[int]] = {}
    for row in np.flatnonzero(~np.isnan(values)):
        few = counts[row] <= MOST_PERMUTED
        groups.setdefault(y[row].tobytes() if few else b"", []).append(int(row))
    for key, rows in groups.items():
        there = ~np.isnan(y[rows[0]])
        first = known.features(x[rows][:, there]) if key else None
        if first is None:
            p[rows] = known.p_values(x[rows], y[rows], values[rows])
            continue
        second = cast(Float64, known.features(y[rows[:1], there][None]))
        reached = np.abs(first @ second[0]) * (1.0 - 1e-9)
        orders = _permutations(int(there.sum()))
        hits = np.zeros(len(rows))
        for start in range(0, len(orders), _BLOCK):
            permuted = known.features(y[rows[0], there][orders[start : start + _BLOCK]])
            sums = np.abs(first @ cast(Float64, permuted).T)
            hits += np.count_nonzero(sums >= reached[:, None], axis=1)
        p[rows] = hits / len(orders)
    return p


@lru_cache(maxsize=MOST_PERMUTED)
def _permutations(size: int) -> Int64:
    return np.array(list(permutations(range(size))), dtype=np.int64)


def fresh_rows(y: Float64) -> Bool:
    """Which rows differ from the row before them."""
    fresh = np.ones(len(y), dtype=np.bool_)
    same = (y[1:] == y[:-1]) | (np.isnan(y[1:]) & np.isnan(y[:-1]))
    fresh[1:] = ~same.all(axis=-1)
    return fresh


def _undefined(x: Float64, y: Float64, counts: Int64, least: int) -> tuple[Undefined | None, ...]:
    few = counts < least
    reasons: list[Undefined | None] = ["few" if short else None for short in few]
    for name, values in (("first", x), ("second", y)):
        lowest = np.min(values, axis=-1, initial=np.inf, where=~np.isnan(values))
        highest = np.max(values, axis=-1, initial=-np.inf, where=~np.isnan(values))
        for row in np.flatnonzero((lowest == highest) & ~few):
            reasons[row] = reasons[row] or cast(Undefined, name)
    return tuple(reasons)


@dataclass(frozen=True)
class _Repeated:
    """Pairs of rows whose members are repeated as often as they weigh."""

    coefficient: Coefficient
    x: Float64
    y: Float64

    def under(self, weights: Float64) -> Float64:
        repeats = weights.astype(np.int64)
        return np.array(
            [
                _defined_values(
                    self.coefficient,
                    np.repeat(self.x, times, axis=-1),
                    np.repeat(self.y, times, axis=-1),
                )
                for times in repeats
            ]
        )


def _defined_values(coefficient: Coefficient, x: Float64, y: Float64) -> Float64:
    """The values of rows that vary on both sides, NaN for the others."""
    x, y = complete_pairs(x, y)
    counts = np.count_nonzero(~np.isnan(x), axis=-1)
    defined = np.array([why is None for why in _undefined(x, y, counts, 2)], dtype=np.bool_)
    values = np.full(len(x), np.nan)
    if defined.any():
        values[defined] = coefficient.values(x[defined], y[defined])
    return values
