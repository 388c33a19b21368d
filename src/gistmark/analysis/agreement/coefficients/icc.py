"""Intraclass correlation: the share of the variance of ratings that lies between units.

Shrout and Fleiss, "Intraclass correlations: uses in assessing rater reliability" (1979). With n
units, k ratings each, and mean squares between units (BMS), within units (WMS), between raters
(JMS) and of the residual (EMS):

    ICC(1,1) = (BMS - WMS) / (BMS + (k-1) WMS)                          ICC(1,k) = (BMS - WMS) / BMS
    ICC(2,1) = (BMS - EMS) / (BMS + (k-1) EMS + k (JMS - EMS) / n)
    ICC(2,k) = (BMS - EMS) / (BMS + (JMS - EMS) / n)
    ICC(3,1) = (BMS - EMS) / (BMS + (k-1) EMS)                          ICC(3,k) = (BMS - EMS) / BMS
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gistmark.analysis.agreement.coefficients.statistic import Statistic, pairable, undefined
from gistmark.analysis.data.columns import Float64, Int64


@dataclass(frozen=True, slots=True)
class Icc:
    """The coefficient of one rater and that of the mean of k raters; n is the number of units."""

    single: Statistic
    average: Statistic


def icc1(units: Int64, values: Float64) -> Icc:
    """ICC(1,1) and ICC(1,k): each unit was rated by k raters, not always the same ones.

    Of the units with two ratings or more, those with the number k that keeps most ratings are
    taken; the reason says how many were left out. Not defined for fewer than two units, or where
    all ratings are equal.
    """
    ratings = pairable(units, values)
    sizes = ratings.sizes
    total = int(np.count_nonzero(np.bincount(units[~np.isnan(values)]))) if len(units) else 0
    if len(sizes) < 2:
        return _undefined("Fewer than two units have two ratings.", len(sizes))
    k = int(np.argmax(np.bincount(sizes) * np.arange(sizes.max() + 1)))
    kept = (sizes == k)[ratings.units]
    order = np.argsort(ratings.units[kept], kind="stable")
    table = ratings.values[kept][order].reshape(-1, k)
    return _one_way(table, _left_out(total - len(table), total, f"do not have {k} ratings"))


def icc2(units: Int64, raters: Int64, values: Float64) -> Icc:
    """ICC(2,1) and ICC(2,k), absolute agreement: the raters stand for all raters there might be.

    Only units that every rater rated count; the reason says how many were left out. Not defined
    for fewer than two such units or raters, or where all ratings are equal.
    """
    table, reason = _complete(units, raters, values)
    obstacle = _obstacle(table)
    if obstacle is not None:
        return _undefined(obstacle, len(table))
    bms, jms, ems = _mean_squares(table)
    n, k = table.shape
    extra = (jms - ems) / n
    single = _share(bms - ems, bms + (k - 1) * ems + k * extra)
    average = _share(bms - ems, bms + extra)
    return Icc(_statistic(single, n, reason), _statistic(average, n, reason))


def icc3(units: Int64, raters: Int64, values: Float64) -> Icc:
    """ICC(3,1) and ICC(3,k), consistency: these raters are the only ones of interest.

    Which units count and when it is not defined: as for `icc2`.
    """
    table, reason = _complete(units, raters, values)
    obstacle = _obstacle(table)
    if obstacle is not None:
        return _undefined(obstacle, len(table))
    bms, _, ems = _mean_squares(table)
    n, k = table.shape
    return _from_ratio(bms, ems, (n, k), reason)


def _one_way(table: Float64, reason: str | None) -> Icc:
    obstacle = _obstacle(table)
    if obstacle is not None:
        return _undefined(obstacle, len(table))
    n, k = table.shape
    means = table.mean(axis=1, keepdims=True)
    bms = k * float(np.sum((means - table.mean()) ** 2)) / (n - 1)
    wms = float(np.sum((table - means) ** 2)) / (n * (k - 1))
    between, within = _rounded(bms, wms), _rounded(wms, bms)
    return _from_ratio(between, within, (n, k), reason)


def _from_ratio(bms: float, rest: float, shape: tuple[int, int], reason: str | None) -> Icc:
    """(BMS - rest) / (BMS + (k-1) rest) and (BMS - rest) / BMS."""
    n, k = shape
    return Icc(
        _statistic(_share(bms - rest, bms + (k - 1) * rest), n, reason),
        _statistic(_share(bms - rest, bms), n, reason),
    )


def _mean_squares(table: Float64) -> tuple[float, float, float]:
    """Between units, between raters, and of what neither explains."""
    n, k = table.shape
    grand = table.mean()
    rows, columns = table.mean(axis=1) - grand, table.mean(axis=0) - grand
    residual = table - grand - rows[:, None] - columns
    bms, jms = k * float(rows @ rows) / (n - 1), n * float(columns @ columns) / (k - 1)
    ems = float(np.sum(residual * residual)) / ((n - 1) * (k - 1))
    return _rounded(bms, jms + ems), jms, _rounded(ems, bms + jms)


def _complete(units: Int64, raters: Int64, values: Float64) -> tuple[Float64, str | None]:
    """The units that every rater rated as a matrix of units x raters."""
    present = ~np.isnan(values)
    units, raters, values = units[present], raters[present], values[present]
    used, columns = np.unique(raters, return_inverse=True)
    sizes = np.bincount(units)
    full = sizes >= max(len(used), 1)
    rows = (np.cumsum(full) - 1)[units]
    keep = full[units]
    table = np.full((int(full.sum()), len(used)), np.nan)
    table[rows[keep], columns.ravel()[keep]] = values[keep]
    table = table[~np.isnan(table).any(axis=1)]
    total = int(np.count_nonzero(sizes))
    return table, _left_out(total - len(table), total, "were not rated by every annotator")


def _obstacle(table: Float64) -> str | None:
    if table.shape[1] < 2:
        return "Fewer than two annotators."
    if len(table) < 2:
        return f"Fewer than two units have all {table.shape[1]} ratings."
    if table.min() == table.max():
        return f"All ratings are {table[0, 0]:g}: nothing varies."
    return None


def _left_out(count: int, total: int, why: str) -> str | None:
    return f"{count} of {total} units left out: they {why}." if count else None


def _rounded(square: float, others: float) -> float:
    """A mean square that is nothing but rounding error beside the others is 0."""
    return 0.0 if square < 1e-24 * others else square


def _share(part: float, whole: float) -> float | None:
    """None where the whole is 0 but for rounding error, or below."""
    return part / whole if whole > 1e-12 * abs(part) else None


def _statistic(value: float | None, n: int, reason: str | None) -> Statistic:
    if value is None:
        return undefined("The means of the units vary less than the ratings' errors explain.", n)
    return Statistic(value, n, reason)


def _undefined(reason: str, n: int) -> Icc:
    return Icc(undefined(reason, n), undefined(reason, n))
