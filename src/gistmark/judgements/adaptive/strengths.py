"""Bradley-Terry strengths of largest penalised likelihood, for many tables of wins at once.

i wins against j with probability 1 / (1 + exp(s_j - s_i)) (Bradley and Terry 1952). The penalty is
`penalty` * sum s_i^2: it keeps a system finite that has won or lost everything, and sets the mean
strength to 0. The same penalty is choix's `alpha`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]

PENALTY = 0.01
"""Small beside any comparison: it pulls an undefeated system in, and hardly moves the others."""

_STEPS = 200
_LONGEST = 2.0
_ENOUGH = 1e-11


def fit(tables: Float64, penalty: float = PENALTY) -> Float64:
    """Tables × systems: maximise sum w_ij log p_ij - penalty sum s_i^2 of each table of wins.

    A step of Newton's method is cut where it is long, which keeps it from leaping over the top
    when a table is one-sided. At the top the strengths sum to 0; keeping to that at every step
    makes up for rounding when the penalty is tiny.
    """
    fitted = np.zeros(tables.shape[:2])
    games = tables + tables.swapaxes(1, 2)
    wins = tables.sum(axis=2)
    ridge = 2.0 * penalty * np.eye(tables.shape[1])
    for _ in range(_STEPS):
        chances = 1.0 / (1.0 + np.exp(fitted[:, None, :] - fitted[:, :, None]))
        slope = wins - (games * chances).sum(axis=2) - 2.0 * penalty * fitted
        bends = games * chances * (1.0 - chances)
        curve = bends.sum(axis=2)[:, :, None] * np.eye(tables.shape[1]) - bends + ridge
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        fitted += step * np.minimum(1.0, _LONGEST / np.maximum(longest, _ENOUGH))
        fitted -= fitted.sum(axis=1, keepdims=True) / max(tables.shape[1], 1)
        if longest.max(initial=0.0) < _ENOUGH:
            break
    return fitted


def covariance(games: Float64, strengths: Float64, penalty: float) -> Float64:
    """The covariance of the strengths of one table: the inverse of the likelihood's curvature."""
    chances = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))
    bends = games * chances * (1.0 - chances)
    curve = np.diag(bends.sum(axis=1)) - bends + 2.0 * penalty * np.eye(len(strengths))
    return np.asarray(np.linalg.inv(curve), dtype=np.float64)
