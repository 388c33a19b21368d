"""Pearson's correlation, plain, weighted, and after an exchange of members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from gistmark.analysis.correlation.coefficients import (
    Bool,
    Coefficient,
    Float64,
    Int64,
    fresh_rows,
    t_test_p,
)
from gistmark.analysis.data.arithmetic import quotient

_NOTHING = 1e-12
"""A weighted variance below this share of the unweighted one is zero but for rounding."""


class Pearson(Coefficient):
    """How well a straight line predicts one column from the other."""

    name, label, title = "pearson", "Pearson", "Pearson"
    by_order, williams, partial_t = False, True, True

    def values(self, x: Float64, y: Float64) -> Float64:
        return product_moment(x, y)

    def p_values(self, x: Float64, y: Float64, values: Float64) -> Float64:
        return t_test_p(x, values)

    def features(self, values: Float64) -> Float64:
        return _centred(values)

    def deviations(self, values: Float64, counts: Int64) -> Float64:
        """1 / sqrt(n - 3), Fisher (1921)."""
        return quotient(1.0, np.sqrt(np.maximum(counts - 3.0, 0.0)))

    def prepare(self, x: Float64, y: Float64) -> PearsonSums:
        return pearson_sums(x, y)

    def each(self, x: Float64, y: Float64, weights: Float64) -> Float64:
        return _pearson_each(x, y, weights[:, None, :])

    def swapped(self, first: Float64, second: Float64, y: Float64, swaps: Bool) -> Float64:
        return _swapped(first, second, y, swaps)


PEARSON = Pearson()


def product_moment(x: Float64, y: Float64) -> Float64:
    """Pearson's r: sum xy / sqrt(sum x^2 sum y^2) of the centred rows."""
    x, y = _centred(x), _centred(y)
    lengths = np.sqrt(np.sum(x * x, axis=-1) * np.sum(y * y, axis=-1))
    return cast(Float64, np.clip(np.sum(x * y, axis=-1) / lengths, -1.0, 1.0))


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


def _centred(values: Float64) -> Float64:
    """Mean 0 along the last axis, scaled by a power of two to a size near 1; NaN becomes 0."""
    there = ~np.isnan(values)
    mean = np.mean(values, axis=-1, keepdims=True, where=there)
    centred = np.where(there, values - mean, 0.0)
    _, exponents = np.frexp(np.max(np.abs(centred), axis=-1, keepdims=True))
    return cast(Float64, np.ldexp(centred, -exponents))


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


def _swapped(one: Float64, other: Float64, people: Float64, coins: Bool) -> Float64:
    """Sums after an exchange are sums before it plus what the exchanged members bring."""
    there = ~np.isnan(one)
    count = there.sum(axis=1)
    x, z, y = (np.where(there, values, 0.0) for values in (one, other, people))
    y = np.where(there, y - (y.sum(axis=1) / np.maximum(count, 1))[:, None], 0.0)
    gains = np.stack([z - x, z * z - x * x, (z - x) * y], axis=-1)
    moved = coins.swapaxes(0, 1).astype(np.float64) @ gains
    rows = []
    for row, sign in ((x, 1.0), (z, -1.0)):
        before = np.stack([row, row * row, row * y], axis=-1).sum(axis=1)
        sums, squares, products = np.moveaxis(before[:, None, :] + sign * moved, -1, 0)
        spread = (squares - sums * sums / np.maximum(count, 1)[:, None]) * (y * y).sum(1)[:, None]
        rows.append(quotient(products, np.sqrt(np.maximum(spread, 0.0)), spread > 1e-12))
    return np.array(rows).transpose(2, 0, 1)
