"""Metrics taken together: plain sums, as BLANC + ROUGE-Lsum in the BLANC paper, and mean ranks."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.measures import MeasureName, Measures
from gistmark.analysis.ties import average_ranks, exact_ties
from gistmark.errors import UsageError

Float64 = NDArray[np.float64]

How = Literal["sum", "rank"]


def combined(measures: Measures, spec: str, how: How = "sum") -> Measures:
    """One row for metrics joined by +, such as `rouge1+js`; `how` becomes its part.

    A metric of which less is better is negated first, so that more is better in the result. A sum
    adds the values as they are, so metrics should be of one size; a rank is the mean of the ranks
    of a summary, 1 for the worst. A summary that lacks one of the metrics has no value.
    """
    names = [name.strip() for name in spec.split("+")]
    if len(names) < 2 or not all(names):
        raise UsageError(f"{spec!r} does not join metrics; write them with +, as in rouge1+js.")
    rows = measures.oriented[[measures.row(name) for name in names]]
    rows = np.where(np.isnan(rows).any(axis=0), np.nan, rows)
    values: Float64 = rows.sum(axis=0) if how == "sum" else average_ranks(rows).mean(axis=0)
    return Measures(
        units=measures.units,
        names=(MeasureName("+".join(names), how),),
        better=("higher",),
        values=exact_ties(values)[None, :],
    )
