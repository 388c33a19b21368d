"""Gwet's AC1 and AC2, and Brennan and Prediger's coefficient: agreement where labels are skewed.

Where nearly all ratings are the same, alpha and kappa are low however much people agree, because
their chance level is taken from the ratings. These coefficients keep the chance level small:

    coefficient = (P - Pe) / (1 - Pe)
    P = mean over units with two ratings or more of  sum_k r_uk (s_uk - 1) / (r_u (r_u - 1))
    Pe = T sum_k p_k (1 - p_k) / (q (q - 1))      Gwet
    Pe = T / q^2                                  Brennan and Prediger

with q categories, r_uk of the r_u ratings of unit u in category k, weights w_kl (1 on the diagonal)
and their sum T, s_uk = sum_l w_kl r_ul, and p_k the mean over units of r_uk / r_u. AC1 has no
weights but the diagonal. Gwet, "Computing inter-rater reliability and its variance in the presence
of high agreement" (2008) and Handbook of Inter-Rater Reliability (4th edition, 2014), chapters 4
and 5, with any number of ratings a unit; Brennan and Prediger, "Coefficient Kappa: Some Uses,
Misuses, and Alternatives" (1981).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.data.columns import Float64, Int64

Weights = Literal["identity", "ordinal", "quadratic"]


def weights_of(categories: Float64, weights: Weights) -> Float64:
    """How far two categories agree, from 0 to 1.

    Ordinal weights need no more than the order of the categories: 1 - C(d + 1, 2) / C(q, 2) for d
    steps between two of q categories. Quadratic weights take the values as numbers.
    """
    size = len(categories)
    if weights == "identity":
        return np.eye(size)
    if weights == "quadratic":
        apart = (categories[:, None] - categories) ** 2
    else:
        steps = np.abs(np.arange(size)[:, None] - np.arange(size))
        apart = steps * (steps + 1) / 2.0
    result: Float64 = 1.0 - apart / apart.max()
    return result


def gwet(
    units: Int64, values: Float64, categories: Float64, weights: Weights = "identity"
) -> Statistic:
    """AC1, or AC2 with weights: 1 is full agreement, 0 what chance gives; n counts units.

    Not defined where no unit has two ratings, or for a single category.
    """

    def chance(shares: Float64, total: float) -> float:
        size = len(shares)
        return total * float(shares @ (1 - shares)) / (size * (size - 1))

    return _corrected(units, values, categories, weights, chance)


def brennan_prediger(
    units: Int64, values: Float64, categories: Float64, weights: Weights = "identity"
) -> Statistic:
    """Brennan and Prediger's coefficient; see `gwet` for its range and where it is not defined."""
    return _corrected(
        units, values, categories, weights, lambda shares, total: total / len(shares) ** 2
    )


def _corrected(
    units: Int64,
    values: Float64,
    categories: Float64,
    weights: Weights,
    chance: Callable[[Float64, float], float],
) -> Statistic:
    """The agreement beyond what `chance` says of the shares of categories and sum of weights."""
    there = ~np.isnan(values)
    units, codes = units[there], np.searchsorted(categories, values[there])
    size = len(categories)
    counts = np.bincount(units * size + codes, minlength=size * (int(units.max(initial=-1)) + 1))
    table = counts.reshape(-1, size).astype(np.float64)
    totals = table.sum(axis=1)
    table, totals = table[totals > 0], totals[totals > 0]
    pairs = totals >= 2
    n = int(pairs.sum())
    if not n:
        return undefined("No unit has two ratings.")
    if size < 2:
        return undefined("There is only one category.", n)
    similar = weights_of(categories, weights)
    alike = (table[pairs] * (table[pairs] @ similar - 1)).sum(axis=1)
    observed = float(np.mean(alike / (totals[pairs] * (totals[pairs] - 1))))
    expected = chance((table / totals[:, None]).mean(axis=0), float(similar.sum()))
    return Statistic((observed - expected) / (1 - expected), n)
