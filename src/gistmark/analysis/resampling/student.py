"""Student's t: two-sided p values, and how many standard errors an interval at 95 % is wide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.resampling.bootstrap import CONFIDENCE

Float64 = NDArray[np.float64]

_UPPER = (1.0 + CONFIDENCE) / 2.0


def student_p(sizes: Float64 | float, freedom: Float64 | float) -> Float64:
    """Two-sided p of t; with infinite degrees of freedom, of a standard normal value."""
    from scipy.special import stdtr

    return np.asarray(2.0 * stdtr(freedom, -np.abs(sizes)))


def student_quantile(freedom: float) -> float:
    """Where the upper 2.5 % of t begin."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, _UPPER))
