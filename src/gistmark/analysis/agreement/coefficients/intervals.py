"""Intervals of any coefficient of agreement over documents: leave out one document after another.

The judgements of one document are alike, so documents are what is drawn, with all that belongs to
them. The interval holds for other documents and for these annotators. With the coefficient on
Fisher's scale z = artanh(coefficient), z(-d) its value without document d and G documents:

    error^2 = (G - 1) / G sum_d (z - z(-d))^2            the jackknife
    z -/+ t(0.975, G - 1) error

Efron and Stein, "The Jackknife Estimate of Variance" (1981). Agreement depends on few documents
where disagreement is rare, and then such an interval misses on one side, so the end on the side of
the long tail moves out by |g| (1 + 2 t^2) / 6 errors, the first term of the Edgeworth expansion of
a studentised mean (Hall 1992, "On the Removal of Skewness by Transformation"), g being the skewness
of the z - z(-d) over the root of G. What does not lie between -1 and 1 stays on its own scale.

With more than `MOST` documents these are dealt to as many groups, and a group is left out at a time
(Kott 2001, "The Delete-a-Group Jackknife").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.columns import Float64, Int64
from gistmark.analysis.resampling.student import student_quantile

Rows = NDArray[np.bool_]

MOST = 50

_ROUNDING = 1e-9


def over_documents(
    documents: Int64, compute: Callable[[Rows], Mapping[str, Statistic]]
) -> dict[str, Statistic]:
    """What `compute` says of all rows, with intervals over the documents of the rows.

    `compute` takes which rows count. Rows of documents that say nothing about agreement have -1.
    """
    everything = np.ones(len(documents), dtype=np.bool_)
    results = dict(compute(everything))
    count, left_out = len(np.unique(documents[documents >= 0])), []
    if count > 1:
        groups = document_groups(documents)
        left_out = [compute(groups != group) for group in range(int(groups.max()) + 1)]
    with_intervals = {}
    for name, result in results.items():
        values = [without[name].value for without in left_out]
        reasons = [without[name].reason for without in left_out if without[name].value is None]
        with_intervals[name] = with_interval(
            result,
            np.array([np.nan if value is None else value for value in values]),
            documents=count,
            reason=reasons[0] if reasons else None,
        )
    return with_intervals


def shared_documents(documents: Int64, sizes: Int64) -> Int64:
    """The document of each unit, or -1 where none of its units has two judgements (`sizes`)."""
    return np.where(np.isin(documents, documents[sizes > 1]), documents, -1)


def document_groups(documents: Int64) -> Int64:
    """The group of each row: that of its document, which are dealt to `MOST` groups at most."""
    names, numbers = np.unique(documents, return_inverse=True)
    numbers = numbers.ravel() - int((names < 0).sum())
    return np.where(documents < 0, -1, numbers % MOST)


def summed(parts: Float64) -> Float64:
    """The rows of `parts`, one a document, summed by the groups that are left out together."""
    sums = np.zeros((min(MOST, len(parts)), parts.shape[1]))
    np.add.at(sums, document_groups(np.arange(len(parts))), parts)
    return sums


def quotient_over_documents(result: Statistic, parts: Float64) -> Statistic:
    """A quotient of sums with its interval; `parts` has both sums of every document.

    Documents whose second sum is 0 say nothing.
    """
    parts = parts.reshape(-1, 2)
    parts = parts[parts[:, 1] > 0]
    above, below = (parts.sum(axis=0) - summed(parts)).T
    return with_interval(result, quotient(above, below), documents=len(parts))


def with_interval(
    result: Statistic,
    left_out: Float64,
    *,
    documents: int,
    centre: float | None = None,
    reason: str | None = None,
) -> Statistic:
    """A statistic with its interval, from its values without one group of documents each.

    `centre` is what the values without a group are compared with, where that is not the statistic.
    There is no interval for one document, where a value without one is not defined, and where all
    are the same, which tells nothing about other documents. `reason` says why a value is missing.
    """
    result = replace(result, low=None, high=None, documents=documents)
    if result.value is None:
        return result
    if len(left_out) < 2:
        return without_interval(result, "there is only one" if documents else "there is none")
    if np.isnan(left_out).any():
        return without_interval(result, f"it has no value without one of them. {reason or ''}")
    centre = result.value if centre is None else centre
    values = np.array([result.value, centre, *left_out])
    bounded = bool((np.abs(values) < 1).all())
    value, centre, *rest = np.arctanh(values) if bounded else values
    low, high = _bounds(value, centre - np.array(rest))
    if high - low < _ROUNDING:
        return without_interval(result, "leaving out any of them gives the same value")
    if bounded:
        low, high = np.tanh(low), np.tanh(high)
    elif values.max() <= 1:
        high = min(high, 1.0)
    if values.min() >= result.least:
        low = max(low, result.least)
    return replace(result, low=float(low), high=float(high))


def _bounds(value: float, gaps: Float64) -> tuple[float, float]:
    """The interval around a value, from how far it moves when one group is left out."""
    size = len(gaps)
    square = float(gaps @ gaps)
    if not square:
        return value, value
    error = np.sqrt((size - 1) / size * square)
    centred = gaps - gaps.mean()
    skew = float((centred**3).sum()) / square**1.5
    t = student_quantile(size - 1)
    move = abs(skew) * (1 + 2 * t * t) / 6
    low, high = (move, 0.0) if skew < 0 else (0.0, move)
    return value - (t + low) * error, value + (t + high) * error


def without_interval(result: Statistic, why: str) -> Statistic:
    """The statistic with the reason why it has no interval."""
    result = replace(result, low=None, high=None)
    reason = f"No interval over documents: {why.rstrip(' .')}."
    return replace(result, reason=f"{result.reason} {reason}" if result.reason else reason)
