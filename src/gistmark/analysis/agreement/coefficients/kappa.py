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
    """Cohen's kappa of two raters, with the normal 95 % interval; NaN is a missing value.

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
    return _from_table(table, distinct, weights)


def _from_table(table: Int64, distinct: Float64, weights: Weights | None) -> Statistic:
    """Kappa and its interval from how often the two raters gave each pair of values."""
    n = int(table.sum())
    shares = table / n
    with np.errstate(invalid="ignore", divide="ignore"):
        if weights is None:
            kappa, variance = _plain(shares, n)
        else:
            kappa, variance = _weighted(shares, n, distinct, weights)
    if not variance >= 0:
        return Statistic(kappa, n)
    half = 1.959963984540054 * variance**0.5
    return Statistic(kappa, n, low=max(-1.0, kappa - half), high=min(1.0, kappa + half))


def _plain(shares: Float64, n: int) -> tuple[float, float]:
    """Kappa and its large-sample variance (Fleiss, Cohen and Everitt 1969), as statsmodels has it.

    kappa = (P - Pe) / (1 - Pe),   P = sum_i p_ii,   Pe = sum_i p_i. p_.i
    """
    rows, columns, diagonal = shares.sum(axis=1), shares.sum(axis=0), np.diag(shares)
    expected = float(rows @ columns)
    kappa = (float(diagonal.sum()) - expected) / (1 - expected)
    agreeing = diagonal * (1 - (rows + columns) * (1 - kappa)) ** 2
    others = shares * (columns[:, None] + rows) ** 2
    np.fill_diagonal(others, 0.0)
    inner = agreeing.sum() + (1 - kappa) ** 2 * others.sum()
    inner -= (kappa - expected * (1 - kappa)) ** 2
    return kappa, float(inner / (1 - expected) ** 2 / n)


def _weighted(shares: Float64, n: int, distinct: Float64, weights: Weights) -> tuple[float, float]:
    """Weighted kappa and its large-sample variance, a disagreement d counting |d| or d^2.

    kappa = 1 - sum d_ij p_ij / sum d_ij p_i. p_.j,   d at most 1
    """
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    apart = np.abs(distinct[:, None] - distinct) / (distinct[-1] - distinct[0])
    costs = apart if weights == "linear" else apart**2
    by_chance = rows[:, None] * columns
    kappa = 1 - float((costs * shares).sum() / (costs * by_chance).sum())
    gains = 1 - costs
    expected = float((gains * by_chance).sum())
    own = (gains @ columns)[:, None] + rows @ gains
    inner = (shares * (gains - own * (1 - kappa)) ** 2).sum()
    inner -= (kappa - expected * (1 - kappa)) ** 2
    return kappa, float(inner / ((1 - expected) ** 2 * n))
