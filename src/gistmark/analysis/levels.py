"""One correlation per row at a level: over pooled rows, system means, or document by document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis import partial
from gistmark.analysis.coefficients import LEAST, Coefficient, Undefined, correlate, t_test
from gistmark.analysis.layout import Layout, Level, grouped
from gistmark.analysis.quotients import quotient

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

_GROUP_LEAST = 2
"""Within a document two systems are enough, since the mean over many documents counts."""


@dataclass(frozen=True)
class LevelValues:
    """The correlation of each row of x with its row of y at one level; NaN has a reason.

    `n` counts rows (annotation, global), systems (system) or the documents that went into the
    mean (summary). p is NaN at summary level, where the value is a mean of correlations, and for
    partial tau, whose distribution is not known.
    """

    values: Float64
    p: Float64
    n: Int64
    undefined: tuple[Undefined | None, ...]
    least: int


def correlate_at(
    level: Level,
    x: Float64,
    y: Float64,
    layout: Layout,
    coefficient: Coefficient,
    *,
    given: Float64 | None = None,
) -> LevelValues:
    """Correlate each row of x with its row of y, given its row of z.

    All three have a column per row of the layout, and are missing at the same places.
    """
    least = _GROUP_LEAST if level == "summary" else LEAST
    first, second = grouped(level, layout, x), grouped(level, layout, y)
    rows, groups, size = first.shape
    pairs = first.reshape(rows * groups, size), second.reshape(rows * groups, size)
    found = correlate(*pairs, coefficient, least=least)
    result = LevelValues(found.values, found.p, found.n, found.undefined, least)
    if given is not None:
        third = grouped(level, layout, given).reshape(pairs[0].shape)
        result = _partial(result, *pairs, third, coefficient)
    return result if level != "summary" else _averaged(result, (rows, groups))


def _partial(
    plain: LevelValues, x: Float64, y: Float64, z: Float64, coefficient: Coefficient
) -> LevelValues:
    xz = correlate(x, z, coefficient, least=plain.least).values
    yz = correlate(y, z, coefficient, least=plain.least).values
    values = partial.partial_values(plain.values, xz, yz)
    values[plain.n < partial.LEAST] = np.nan
    p = t_test(values, np.maximum(plain.n - 3, 1))
    reasons = tuple(
        None if defined else _reason(reason, count)
        for defined, reason, count in zip(~np.isnan(values), plain.undefined, plain.n, strict=True)
    )
    unknown = np.full(len(p), np.nan)
    return LevelValues(
        values, unknown if coefficient == "kendall" else p, plain.n, reasons, partial.LEAST
    )


def _reason(reason: Undefined | None, count: int) -> Undefined:
    return reason or ("few" if count < partial.LEAST else "given")


def _averaged(groups: LevelValues, shape: tuple[int, ...]) -> LevelValues:
    """The mean over the documents whose correlation is defined."""
    values = groups.values.reshape(shape)
    defined = ~np.isnan(values)
    n = defined.sum(axis=1)
    sums = np.sum(values, axis=1, where=defined)
    means = quotient(sums, n)
    reasons: tuple[Undefined | None, ...] = tuple(None if count else "groups" for count in n)
    return LevelValues(means, np.full(len(n), np.nan), n, reasons, groups.least)
