"""Whether the judged documents can be a random sample, by the helper's own values.

A helper's values are there for every document, so they can show that judged documents were picked:
where these are the ones that the metric likes, its mean on them tells nothing about what it gets
wrong on others. If the documents were drawn at random, which of them were judged has nothing to do
with the helper's ranks within a system. The sum of the judged ranks is then that of a random
assignment of judgements to documents (a rank-sum test where every judged document is judged for all
systems), whose mean and variance are known (Hoeffding 1951, "A Combinatorial Central Limit
Theorem"):

    a_de = sum of the ranks of document d over the systems that were judged in document e
    mean = sum a / D, variance = sum (a, less its row and column means)^2 / (D - 1)
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gistmark.analysis.data.arithmetic import average_ranks

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]

NOT_RANDOM = "the judged documents are not a random sample"
_NOTHING = 1e-9


def picked(helper: Float64, judged: Bool) -> tuple[float, float]:
    """Z and its two-sided p, from documents × systems: above 0 the helper is higher where judged.

    NaN is a summary that the helper did not score. Without anything to compare, 0 and 1.
    """
    if len(helper) < 2:
        return 0.0, 1.0
    counts = (~np.isnan(helper)).sum(axis=0)
    ranks = (2.0 * average_ranks(helper.T).T - counts - 1) / np.maximum(counts - 1, 1)
    ranks, there = np.nan_to_num(ranks), judged & ~np.isnan(helper)
    patterns, pattern, times = np.unique(there, axis=0, return_inverse=True, return_counts=True)
    shares = ranks @ patterns.T.astype(np.float64)
    spread = shares - shares.mean(axis=0)
    spread -= (spread @ times / len(ranks))[:, None]
    variance = float((spread**2 @ times).sum()) / max(len(ranks) - 1, 1)
    if variance <= _NOTHING:
        return 0.0, 1.0
    total = float(shares[np.arange(len(ranks)), pattern.ravel()].sum())
    z = (total - float(shares.mean(axis=0) @ times)) / sqrt(variance)
    return z, float(2.0 * ndtr(-abs(z)))
