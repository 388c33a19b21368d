"""Division that gives NaN, and no warning, where a quotient is not defined."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float64 = NDArray[np.float64]


def quotient(
    numerator: ArrayLike, denominator: ArrayLike, defined: ArrayLike | None = None
) -> Float64:
    """numerator / denominator where `defined` (or where the denominator is above 0), else NaN."""
    above, below = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    where = np.asarray(below > 0 if defined is None else defined)
    found: Float64 = np.full(np.broadcast_shapes(above.shape, below.shape, where.shape), np.nan)
    np.divide(above, below, out=found, where=where)
    return found
