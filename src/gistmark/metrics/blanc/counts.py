"""The counts of BLANC, and what is made of them.

Every word that is asked for is right or wrong without help (the first index) and with help (the
second): S01 words are right only with the summary, S10 only without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.metric import Float64, Values
from gistmark.records import COUNTS, Part

Int64 = NDArray[np.int64]
Measure = Literal["relative", "improve"]

PARTS: tuple[Part, ...] = ("value", *COUNTS)
NOTHING_ASKED = "no word of the document can be asked for"
ALL_LOST = "every word is right without the summary and wrong with it"


def tally(unaided: NDArray[np.bool_], helped: NDArray[np.bool_]) -> Int64:
    """S00, S01, S10 and S11 of words that were right or wrong without and with help."""
    kinds = 2 * unaided.astype(np.int64) + helped
    return np.bincount(kinds, minlength=len(COUNTS)).astype(np.int64)


def valued(counts: Int64, measure: Measure, reasons: Mapping[int, str]) -> Values:
    """A row of `PARTS` for each row of counts.

    `relative` is (S01 - S10) / (S00 + S01 + S10 + S11): by how much the share of right words
    rises, from -1 to 1. `improve` is S01 / (S00 + S01 + S11), from 0 to 1. Where nothing stands
    below the line the row is missing: nothing could be asked for, or, for `improve`, the summary
    spoils every word. Rows with a reason of their own are missing for that reason.
    """
    above, below = _fractions(counts, measure)
    told = {
        int(row): NOTHING_ASKED if counts[row].sum() == 0 else ALL_LOST
        for row in np.flatnonzero(below == 0)
    }
    told |= reasons
    values = np.divide(above, below, out=np.full(len(counts), np.nan), where=below > 0)
    rows = np.column_stack([values, counts.astype(np.float64)])
    rows[list(told)] = np.nan
    return Values(rows, told)


def _fractions(counts: Int64, measure: Measure) -> tuple[Float64, Float64]:
    s00, s01, s10, s11 = counts.astype(np.float64).reshape(-1, len(COUNTS)).T
    if measure == "relative":
        return s01 - s10, s00 + s01 + s10 + s11
    return s01, s00 + s01 + s11
