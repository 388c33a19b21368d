"""Correlations of fixed pairs of rows under many sets of weights.

What depends on the values alone (sorting, products) is done once; each set of weights then takes
a matrix product (Pearson) or one pass over the sorted places (Spearman, Kendall).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.arithmetic import Sorting, quotient, sort_rows
from gistmark.analysis.correlation.coefficients import Coefficient
from gistmark.analysis.correlation.kernels import (
    kendall_each,
    kendall_resamples,
    spearman_each,
    spearman_resamples,
)

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

_NOTHING = 1e-12
"""A weighted variance below this share of the unweighted one is zero but for rounding."""


class Prepared(Protocol):
    """Pairs of rows that wait for weights."""

    def under(self, weights: Float64) -> Float64:
        """Draws × rows: the coefficient of each pair under each row of weights.

        Weights are whole numbers. NaN where a side is constant under the weights.
        """


def prepare(x: Float64, y: Float64, coefficient: Coefficient) -> Prepared:
    """Prepare each row of x with its row of y, both missing at the same places."""
    if coefficient == "pearson":
        return pearson_sums(x, y)
    return SortedPairs(coefficient, sort_rows(x), sort_rows(y), fresh_rows(y))


def correlate_each(x: Float64, y: Float64, coefficient: Coefficient, weights: Float64) -> Float64:
    """Draws × rows: x and y are draws × rows × members, and each draw has its own weights."""
    if coefficient == "pearson":
        return _pearson_each(x, y, weights[:, None, :])
    first, second = (sort_rows(values.reshape(-1, values.shape[-1])) for values in (x, y))
    kernel = spearman_each if coefficient == "spearman" else kendall_each
    orders = (first.order, first.starts, second.order, second.starts)
    return kernel(*orders, first.counts, weights).reshape(x.shape[:2])


@dataclass(frozen=True)
class PearsonSums:
    """What a weighted Pearson correlation sums: members × rows of x, x^2 and xy, and of y.

    Rows that share y and have nothing missing share the columns of `own`, by `owner`.
    """

    x: Float64
    squares: Float64
    products: Float64
    own: Float64
    own_squares: Float64
    there: Float64
    owner: Int64

    def under(self, weights: Float64) -> Float64:
        """r = (n sum xy - sum x sum y) / sqrt((n sum x^2 - (sum x)^2) (n sum y^2 - (sum y)^2))."""
        count = (weights @ self.there)[:, self.owner]
        y = (weights @ self.own)[:, self.owner]
        y_spread = count * (weights @ self.own_squares)[:, self.owner] - y * y
        x = weights @ self.x
        x_spread = count * (weights @ self.squares) - x * x
        both = count * (weights @ self.products) - x * y
        nothing = _NOTHING * count * count
        defined = (x_spread > nothing) & (y_spread > nothing)
        lengths = np.sqrt(np.where(defined, x_spread * y_spread, 1.0))
        return quotient(both, lengths, defined).clip(-1.0, 1.0)


@dataclass(frozen=True)
class SortedPairs:
    """Pairs of rows, both sorted; `fresh[r]` is False where row r of y is the one before it."""

    coefficient: Coefficient
    x: Sorting
    y: Sorting
    fresh: Bool

    def under(self, weights: Float64) -> Float64:
        """Spearman's rho or Kendall's tau-b under each set of weights."""
        first, second = self.x, self.y
        orders = (first.order, first.starts, second.order, second.starts)
        if self.coefficient == "spearman":
            return spearman_resamples(*orders, self.fresh, first.counts, weights)
        return kendall_resamples(*orders, first.counts, weights)


def pearson_sums(x: Float64, y: Float64) -> PearsonSums:
    """Standardise the rows, so that sums of products stay exact, and lay them out as columns."""
    x, y = _standardised(x), _standardised(y)
    fresh = fresh_rows(y)
    there = ~np.isnan(y[fresh])
    own = np.where(there, y[fresh], 0.0)
    owner = np.cumsum(fresh) - 1
    x = np.where(np.isnan(x), 0.0, x)
    products = x * own[owner]
    return PearsonSums(
        x.T, (x * x).T, products.T, own.T, (own * own).T, there.T.astype(np.float64), owner
    )


def fresh_rows(y: Float64) -> Bool:
    """Which rows differ from the row before them."""
    fresh = np.ones(len(y), dtype=np.bool_)
    same = (y[1:] == y[:-1]) | (np.isnan(y[1:]) & np.isnan(y[:-1]))
    fresh[1:] = ~same.all(axis=-1)
    return fresh


def _pearson_each(x: Float64, y: Float64, weights: Float64) -> Float64:
    """r = sum w x y / sqrt(sum w x^2 sum w y^2), with x and y centred under the weights."""
    weights = np.where(np.isnan(x), 0.0, weights)
    total = weights.sum(axis=-1, keepdims=True)
    x, y = _standardised(x), _standardised(y)
    x, y = (np.where(weights > 0, values, 0.0) for values in (x, y))
    x, y = (v - quotient((weights * v).sum(axis=-1, keepdims=True), total) for v in (x, y))
    x_spread, y_spread = ((weights * v * v).sum(axis=-1) for v in (x, y))
    nothing = _NOTHING * total[..., 0]
    defined = (x_spread > nothing) & (y_spread > nothing)
    lengths = np.sqrt(np.where(defined, x_spread * y_spread, 1.0))
    return quotient((weights * x * y).sum(axis=-1), lengths, defined).clip(-1.0, 1.0)


def _standardised(values: Float64) -> Float64:
    """Mean 0 and standard deviation 1 per row; a constant row becomes zeros."""
    there = ~np.isnan(values)
    counts = np.maximum(there.sum(axis=-1, keepdims=True), 1)
    mean = np.sum(values, axis=-1, keepdims=True, where=there) / counts
    centred = values - mean
    squares = np.sum(centred * centred, axis=-1, keepdims=True, where=there) / counts
    constant = np.nanmax(values, axis=-1, keepdims=True, initial=-np.inf) == np.nanmin(
        values, axis=-1, keepdims=True, initial=np.inf
    )
    scale = np.where(constant | (squares == 0), 1.0, np.sqrt(squares))
    return cast(Float64, np.where(constant & there, 0.0, centred / scale))
