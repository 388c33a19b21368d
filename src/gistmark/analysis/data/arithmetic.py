"""Ties, ranks, and division that knows where it is undefined.

Two means that are equal on paper may differ in the last bit, because their sums were taken in
another order. Left alone, such pairs get different ranks and move a Spearman correlation in the
fourth decimal; `exact_ties` puts an end to that. The tie rule everywhere is the average: values
that tie share the mean of the ranks they take up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Bool = NDArray[np.bool_]

Int64 = NDArray[np.int64]

Float64 = NDArray[np.float64]

_RELATIVE = 1e-12

_ABSOLUTE = 1e-15


@dataclass(frozen=True)
class Sorting:
    """Rows in ascending order: `order[r, k]` is the index of row r's k-th smallest value.

    `starts[r, k]` says whether that value differs from the one before it. Missing values come
    last and are not counted in `counts[r]`.
    """

    order: Int64
    starts: Bool
    counts: Int64


def sort_rows(values: Float64) -> Sorting:
    """How each row of a matrix is sorted, with its ties."""
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    starts = np.ones(values.shape, dtype=np.bool_)
    starts[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    return Sorting(order, starts, np.count_nonzero(~np.isnan(values), axis=-1))


def average_ranks(values: Float64) -> Float64:
    """The ranks along the last axis, 1 for the smallest, ties averaged; NaN stays NaN."""
    sorting = sort_rows(values)
    size = values.shape[-1]
    indices = np.broadcast_to(np.arange(size), values.shape)
    first = np.maximum.accumulate(np.where(sorting.starts, indices, 0), axis=-1)
    ends = np.ones(values.shape, dtype=np.bool_)
    ends[..., :-1] = sorting.starts[..., 1:]
    last = np.where(ends, indices, size)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, sorting.order, (first + last) / 2 + 1, axis=-1)
    ranks[np.isnan(values)] = np.nan
    return ranks


def exact_ties(values: Float64) -> Float64:
    """The same values along the last axis, those that differ by rounding only made equal.

    Neighbours in ascending order tie when they differ by at most 1e-12 of their size (or 1e-15
    of the largest value, near zero); all values of a tie become its smallest.
    """
    if not values.size:
        return values.copy()
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    sizes = np.abs(ordered)
    largest = np.max(np.where(np.isfinite(sizes), sizes, 0.0), axis=-1, keepdims=True)
    near = np.zeros(values.shape, dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        gaps = ordered[..., 1:] - ordered[..., :-1]
        near[..., 1:] = gaps <= _RELATIVE * sizes[..., 1:] + _ABSOLUTE * largest
    indices = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    first = np.maximum.accumulate(np.where(near, 0, indices), axis=-1)
    equal = np.empty(values.shape)
    np.put_along_axis(equal, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return equal


def quotient(
    numerator: ArrayLike, denominator: ArrayLike, defined: ArrayLike | None = None
) -> Float64:
    """numerator / denominator where `defined` (or where the denominator is above 0), else NaN."""
    above, below = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    where = np.asarray(below > 0 if defined is None else defined)
    values: Float64 = np.full(np.broadcast_shapes(above.shape, below.shape, where.shape), np.nan)
    np.divide(above, below, out=values, where=where)
    return values
