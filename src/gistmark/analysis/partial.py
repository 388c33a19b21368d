"""Partial correlation: what is left of a correlation when a third column is held constant.

    r_xy.z = (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2))

The same formula serves ranks (Spearman) and pairs (Kendall 1942). Where x or y follows z
perfectly nothing is left, and the value is not defined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.quotients import quotient

Float64 = NDArray[np.float64]

LEAST = 4
"""The fewest complete triples that can have a partial correlation other than 1 or -1."""

_NOTHING = 1e-12


def partial_values(xy: Float64, xz: Float64, yz: Float64) -> Float64:
    """The partial correlations of coefficients that were taken on the same places."""
    left = (1.0 - xz * xz) * (1.0 - yz * yz)
    defined = left > _NOTHING
    roots = np.sqrt(np.where(defined, left, 1.0))
    return quotient(xy - xz * yz, roots, defined).clip(-1.0, 1.0)
