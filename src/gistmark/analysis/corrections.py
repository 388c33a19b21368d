"""Corrections of p values for many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

Correction = Literal["holm", "benjamini-hochberg", "none"]


def correct(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The corrected p values, in the same order; what has no p is not counted.

    Holm bounds the chance of any false alarm: p_(k) becomes max over j <= k of (m - j + 1) p_(j).
    Benjamini and Hochberg bound the share of false alarms: min over j >= k of m p_(j) / j.
    """
    places = [place for place, p in enumerate(p_values) if p is not None]
    known = np.array([p_values[place] for place in places], dtype=np.float64)
    order = np.argsort(known, kind="stable")
    ranks = np.arange(1, len(known) + 1)
    if correction == "holm":
        ordered = np.maximum.accumulate(known[order] * (len(known) - ranks + 1))
    elif correction == "benjamini-hochberg":
        ordered = np.minimum.accumulate((known[order] * len(known) / ranks)[::-1])[::-1]
    else:
        ordered = known[order]
    corrected: list[float | None] = [None] * len(p_values)
    for position, value in zip(order, np.minimum(ordered, 1.0), strict=True):
        corrected[places[position]] = float(value)
    return corrected
