"""Kappas: Fleiss' for any number of raters, Cohen's plain and weighted for two.

Fleiss, "Measuring nominal scale agreement among many raters" (1971). Cohen, "A coefficient of
agreement for nominal scales" (1960) and "Weighted kappa" (1968).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from gistmark.analysis.agreement.coefficients.statistic import (
    Statistic,
    encode,
    pairable,
    tally,
    undefined,
)
from gistmark.analysis.data.columns import Float64, Int64

Weights = Literal["linear", "quadratic"]

MOST_CATEGORIES = 1_000
"""Cohen's kappa makes a table of categories x categories; with more of them it is not computed."""


def fleiss_kappa(units: Int64, values: Float64) -> Statistic:
    """Fleiss' kappa on categories: 1 is full agreement, 0 what chance gives.

        kappa = (P - Pe) / (1 - Pe)
        P  = mean over units of  sum_c n_uc (n_uc - 1) / (m_u (m_u - 1))
        Pe = sum_c p_c^2, p_c being the share of category c among all ratings

    Fleiss asks for the same number of raters m for every unit. Here m may differ: each unit counts
    once in P whatever its number of ratings, each rating once in Pe, and units with one rating
    are left out. With equal m this is his formula. n is the number of units. Not defined where
    no unit has two ratings or only one category occurs.
    """
    ratings = pairable(units, values)
    n = len(ratings.sizes)
    if not n:
        return undefined("No unit has two ratings.")
    if ratings.constant:
        return undefined(f"All ratings are {ratings.values[0]:g}: only one category occurs.", n)
    table = tally(ratings)
    pairs = np.bincount(table.units, weights=table.counts * (table.counts - 1))
    observed = float(np.mean(pairs / (table.sizes * (table.sizes - 1))))
    shares = table.totals / len(ratings.values)
    expected = float(shares @ shares)
    return Statistic((observed - expected) / (1 - expected), n)


def cohen_kappa(first: Float64, second: Float64, weights: Weights | None = None) -> Statistic:
    """Cohen's kappa of two raters; NaN is a missing value.

        kappa = 1 - sum d_ij p_ij / sum d_ij p_i. p_.j, a disagreement d being 1, |i - j| or its
        square

    Weighted, a disagreement counts by the difference of the two values (`linear`) or its square
    (`quadratic`); values are taken as they are, so that 1 and 3 are two steps apart even if
    nobody gave a 2. n is the number of units that both rated. Not defined where there is none,
    where both gave one and the same value throughout, or for more than `MOST_CATEGORIES` values.
    """
    both = ~(np.isnan(first) | np.isnan(second))
    n = int(both.sum())
    if not n:
        return undefined("The two annotators rated no unit in common.")
    distinct, codes = encode(np.concatenate([first[both], second[both]]))
    if len(distinct) == 1:
        return undefined(f"Both gave {distinct[0]:g} throughout: nothing varies.", n)
    if len(distinct) > MOST_CATEGORIES:
        return undefined(f"More than {MOST_CATEGORIES:,} distinct values are not categories.", n)
    size = len(distinct)
    table = np.bincount(codes[:n] * size + codes[n:], minlength=size * size).reshape(size, size)
    shares, gaps = table / n, np.abs(distinct[:, None] - distinct)
    costs = np.sign(gaps) if weights is None else gaps if weights == "linear" else gaps**2
    by_chance = shares.sum(axis=1)[:, None] * shares.sum(axis=0)
    return Statistic(1 - float((costs * shares).sum() / (costs * by_chance).sum()), n)
