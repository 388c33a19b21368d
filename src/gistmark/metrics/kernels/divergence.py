"""Divergences between the word distributions of two texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def divergences(
    ids: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64, smoothing: float
) -> Float64:
    """KL(summary || target), KL(target || summary) and JS (midpoint) of each pair, in nats.

    `smoothing` is added to the count of every word that occurs in either text. Without it, a
    KL divergence is infinite when the first text has a word that the second lacks. A pair with
    a text without words gets zeros.
    """
    found = np.zeros((targets.size, 3), np.float64)
    in_target = np.zeros(size, np.int32)
    in_summary = np.zeros(size, np.int32)
    for pair in range(targets.size):
        target = ids[offsets[targets[pair]] : offsets[targets[pair] + 1]]
        summary = ids[offsets[summaries[pair]] : offsets[summaries[pair] + 1]]
        if target.size == 0 or summary.size == 0:
            continue
        types = 0
        for k in range(target.size):
            types += in_target[target[k]] == 0
            in_target[target[k]] += 1
        for k in range(summary.size):
            types += in_summary[summary[k]] == 0 and in_target[summary[k]] == 0
            in_summary[summary[k]] += 1
        target_mass = target.size + smoothing * types
        summary_mass = summary.size + smoothing * types
        for side in range(2):
            text = target if side == 0 else summary
            for k in range(text.size):
                word = text[k]
                if in_target[word] == 0 and in_summary[word] == 0:
                    continue
                p = (in_summary[word] + smoothing) / summary_mass
                q = (in_target[word] + smoothing) / target_mass
                found[pair, 0] += _term(p, q)
                found[pair, 1] += _term(q, p)
                found[pair, 2] += (_term(p, (p + q) / 2) + _term(q, (p + q) / 2)) / 2
                in_target[word] = 0
                in_summary[word] = 0
    return found


@compiled
def _term(p: float, q: float) -> float:
    """p ln(p / q): 0 when p is 0, infinite when only q is."""
    if p == 0.0:
        return 0.0
    return np.inf if q == 0.0 else p * np.log(p / q)
