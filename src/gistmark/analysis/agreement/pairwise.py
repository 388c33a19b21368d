"""Agreement of votes on pairs: the share of the majority, and alpha free of left and right.

Mieskes, Loza Mencía and Kronsbein, "A Data Set for the Analysis of Text Quality Dimensions in
Summarization Evaluation" (2020), Table 2.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np

from gistmark.analysis.agreement.bootstrap import (
    RESAMPLES,
    blocks,
    bootstrapped_alpha,
    draws,
    percentiles,
)
from gistmark.analysis.agreement.statistic import Statistic, undefined
from gistmark.analysis.ratings import Float64, Int64

_NO_PAIR = "No pair has two votes."


def pairwise_agreement(first: Int64, second: Int64) -> Statistic:
    """The mean over pairs of max(a, b) / (a + b), a and b being the votes for either side.

    From 0.5 to 1; `chance` is what coin flips would give for these numbers of votes. Pairs with
    one vote always agree with themselves and are left out; n is the number of the others. Not
    defined where there are none.
    """
    votes = first + second
    good = votes >= 2
    if not good.any():
        return undefined(_NO_PAIR)
    shares = np.maximum(first, second)[good] / votes[good]
    return Statistic(float(shares.mean()), int(good.sum()), chance=chance_agreement(votes[good]))


def chance_agreement(votes: Int64) -> float:
    """What `pairwise_agreement` is under coin flips: for m votes 1/2 + C(m-1, (m-1)//2) / 2^m.

    That is E max(a, b) / m for a binomial a: 0.75 for 2 and 3 votes, 0.65625 for 7.
    """
    numbers, counts = np.unique(votes, return_counts=True)
    each = [0.5 + comb(m - 1, (m - 1) // 2) / 2**m for m in map(int, numbers)]
    return float(np.average(each, weights=counts))


def stored_alpha(
    pairs: Int64, first_won: Float64, *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Statistic:
    """Nominal alpha of "the first is better", with an interval by bootstrap over pairs.

    It depends on which of the two is first: where one side wins more often in the stored order,
    chance agreement seems higher. `symmetric_alpha` does not. Not defined where no pair has two
    votes or all votes are for the same side.
    """
    return bootstrapped_alpha(pairs, first_won, "nominal", rng=rng, resamples=resamples)


def symmetric_alpha(
    first: Int64, second: Int64, *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Statistic:
    """Nominal alpha that does not depend on which of two summaries stands first.

    Each pair is counted in both orientations, so that either side has half of the 2 n values:

        alpha = 1 - (2 n - 1) / n * D / n          D = sum over pairs of 2 a b / (a + b - 1)

    with a and b the votes for either side and n all votes of pairs with at least two. The
    interval is by bootstrap over pairs. Not defined where no pair has two votes.
    """
    good = first + second >= 2
    if not good.any():
        return undefined(_NO_PAIR)
    a, b = first[good], second[good]
    found = Statistic(float(_symmetric(np.ones((1, len(a))), a, b)[0]), len(a))
    if len(a) < 2:
        return found
    kinds, kind_of = np.unique(
        np.stack([np.minimum(a, b), np.maximum(a, b)]), axis=1, return_inverse=True
    )
    values = [
        _symmetric(draws(kind_of.ravel(), kinds.shape[1], size, rng), kinds[0], kinds[1])
        for size in blocks(resamples, len(a))
    ]
    low, high = percentiles(np.concatenate(values))
    return replace(found, low=low, high=high)


def _symmetric(weights: Float64, a: Int64, b: Int64) -> Float64:
    """Symmetric alpha for each row of weights of pairs with a and b votes."""
    n = weights @ (a + b)
    disagreement: Float64 = weights @ (2 * a * b / (a + b - 1))
    return 1 - (2 * n - 1) / n * disagreement / n
