"""Coefficient of variation: how far the ratings of one summary lie apart, relative to their mean.

Hardy, Narayan and Vlachos, "HighRES" (2019), section 5, with the correction for few ratings:

    cv = (1 + 1 / (4 n)) * s / mean          s the sample standard deviation of n ratings
"""

from __future__ import annotations

import numpy as np

from gistmark.analysis.agreement.statistic import Statistic, undefined
from gistmark.analysis.ratings import Float64, Int64, RatingColumns


def coefficients_of_variation(units: Int64, values: Float64, count: int) -> Float64:
    """The coefficient of each of `count` units: 0 is full agreement, larger is less.

    NaN for a unit with fewer than two ratings or whose mean is not above 0, where the coefficient
    has no meaning. NaN among the values is a missing value.
    """
    given = ~np.isnan(values)
    units, values = units[given], values[given]
    sizes = np.bincount(units, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(units, weights=values, minlength=count) / sizes
        squares = np.bincount(units, weights=(values - means[units]) ** 2, minlength=count)
        found = (1 + 1 / (4 * sizes)) * np.sqrt(squares / (sizes - 1)) / means
    return np.where((sizes >= 2) & (means > 0), found, np.nan)


def variation_by_system(columns: RatingColumns) -> dict[str, Statistic]:
    """The mean coefficient of each system's summaries, and of all summaries under "".

    n is the number of summaries with a coefficient. Not defined where no summary has one.
    """
    found = coefficients_of_variation(columns.units, columns.values, len(columns.unit_names))
    systems = np.array([system for _, system in columns.unit_names], dtype=object)
    names = dict.fromkeys(systems)
    return {"": _mean(found)} | {name: _mean(found[systems == name]) for name in names}


def _mean(coefficients: Float64) -> Statistic:
    defined = coefficients[~np.isnan(coefficients)]
    if not len(defined):
        return undefined("No summary has two ratings with a mean above 0.")
    lacking = len(coefficients) - len(defined)
    return Statistic(
        float(defined.mean()),
        len(defined),
        f"{lacking} of {len(coefficients)} summaries left out: fewer than two ratings, "
        "or a mean that is not above 0."
        if lacking
        else None,
    )
