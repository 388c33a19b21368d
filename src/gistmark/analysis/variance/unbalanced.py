"""The likelihood of a mixed model of ratings of which some are missing.

The design is crossed and sparse, and nearly all of its columns belong to one document (or one
annotator): those are eliminated document by document, in batches of equal shape, and what is left
is a small dense system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from gistmark.analysis.variance.design import (
    TERMS,
    Factor,
    Float64,
    Int64,
    Observations,
    interaction_freedom,
)
from gistmark.analysis.variance.likelihood import Likelihood, State, Uncertainty

_AT_ONCE = 2_000_000
"""How many products of blocks are held at once."""
_MOST = 0.7
"""Where levels touch more of the border than this share, each takes all of it: batches are few."""
_SMALL = 0.03
"""The relative standard deviation that a variance of 0 is moved to, to see what it would do."""


class Unbalanced(Likelihood):
    """The deviance of a model of any ratings, and the solution.

    Columns of random terms that belong to one level of `nest` are eliminated level by level; the
    other random columns, the systems and the values are the border that is left.
    """

    def __init__(self, data: Observations, terms: Sequence[str]) -> None:
        super().__init__(data)
        self._approximate = [_variance_of_none(data, name) for name in terms]
        nest = _nest(data, terms)
        local = [number for number, name in enumerate(terms) if nest in TERMS[name]]
        border = [number for number in range(len(terms)) if number not in local]
        inner, self._inner_term = _columns(data, terms, local)
        outer, self._outer_term = _columns(data, terms, border)
        rows = np.arange(len(data.value))
        fixed = sparse.csr_array((np.ones(len(rows)), (rows, data.system)))
        value = sparse.csr_array(data.value[:, None])
        edge = sparse.hstack([outer, fixed, value], format="csr")
        self._gram = np.asarray((edge.T @ edge).todense())
        self._batches = _batches(data, nest, inner, edge)

    def state(self, theta: Float64) -> State:
        """Solve for these relative standard deviations of the terms."""
        lower, log_determinants = self._reduced(theta)
        count = len(self._outer_term)
        fixed = slice(count, count + self.systems)
        triangle = lower[fixed, fixed]
        inverse = linalg.solve_triangular(triangle, np.eye(self.systems), lower=True)
        return State(
            linalg.solve_triangular(triangle, lower[-1, fixed], lower=True, trans="T"),
            inverse.T @ inverse,
            float(lower[-1, -1] ** 2),
            log_determinants,
        )

    def residual(self, theta: Float64) -> tuple[float, float]:
        lower, log_determinants = self._reduced(theta)
        return float(lower[-1, -1] ** 2), log_determinants

    def _reduced(self, theta: Float64) -> tuple[Float64, float]:
        """The Cholesky factor of the border without the inner columns, and the determinants."""
        count = len(self._outer_term)
        scale = np.ones(len(self._gram))
        scale[:count] = theta[self._outer_term]
        gram = self._gram.copy()
        log_determinant = 0.0
        for batch in self._batches:
            factor = theta[self._inner_term[batch.columns]]
            inner = batch.inner * factor[:, :, None] * factor[:, None, :]
            lower = np.linalg.cholesky(inner + np.eye(inner.shape[1]))
            log_determinant += 2 * float(np.log(np.diagonal(lower, axis1=1, axis2=2)).sum())
            half = np.linalg.solve(lower, batch.edge * factor[:, :, None])
            _subtract(gram, batch.border, half)
        gram *= scale[:, None] * scale[None, :]
        gram[np.arange(count), np.arange(count)] += 1.0
        # Too little to change a result: it keeps a perfect fit from the root of a negative number.
        gram[np.diag_indices_from(gram)] += 1e-13 * max(float(np.diagonal(gram).max()), 1.0)
        whole: Float64 = np.asarray(linalg.cholesky(gram, lower=True), dtype=np.float64)
        diagonal = np.log(np.diagonal(whole))
        return whole, log_determinant + 2 * float(diagonal[:-1].sum())

    def uncertainty(self, theta: Float64, sigma: float) -> Uncertainty:
        """From the curvature of the deviance in the standard deviations that are above 0.

        A variance that is estimated as 0 is not known to be 0: it is as uncertain as in a balanced
        design of this size.
        """
        free = np.flatnonzero(theta > 0)
        point = np.append(theta[free] * sigma, sigma)
        steps = 1e-3 * point

        def theta_of(deviations: Float64) -> Float64:
            full = np.zeros_like(theta)
            full[free] = deviations[:-1] / deviations[-1]
            return full

        def covariance(deviations: Float64) -> Float64:
            return np.asarray(self.state(theta_of(deviations)).inverse * deviations[-1] ** 2)

        curvature = _hessian(lambda x: self.deviance_at(theta_of(x), float(x[-1])), point, steps)
        slopes = [
            (covariance(point + step) - covariance(point - step)) / (2 * size)
            for step, size in zip(np.diag(steps), steps, strict=True)
        ]
        parts = [2 * np.linalg.pinv(curvature)]
        here = self.state(theta).inverse
        for number in np.flatnonzero(theta == 0):
            if (size := self._approximate[number]) is None:
                continue
            moved = theta.copy()
            moved[number] = _SMALL
            slopes.append((self.state(moved).inverse - here) / _SMALL**2)
            parts.append(np.array([[size * sigma**4]]))
        return Uncertainty(linalg.block_diag(*parts), np.array(slopes, dtype=np.float64))


@dataclass(frozen=True, eq=False, slots=True)
class _Batch:
    """Levels of `nest` with blocks of the same shape: inner products, and what they touch."""

    columns: Int64
    inner: Float64
    edge: Float64
    border: Int64


def _nest(data: Observations, terms: Sequence[str]) -> Factor:
    """The factor whose levels are eliminated: the one that leaves the smaller border."""

    def left(nest: Factor) -> int:
        others = [TERMS[name] for name in terms if nest not in TERMS[name]]
        return sum(int(data.codes(factors).max()) + 1 for factors in others)

    return min(("document", "annotator"), key=left)


def _columns(
    data: Observations, terms: Sequence[str], numbers: Sequence[int]
) -> tuple[sparse.csr_array, Int64]:
    """The indicator columns of some terms, and the number of the term of each column."""
    rows = np.arange(len(data.value))
    blocks, owners = [], []
    for number in numbers:
        codes = data.codes(TERMS[terms[number]])
        blocks.append(sparse.csr_array((np.ones(len(rows)), (rows, codes))))
        owners += [number] * (int(codes.max()) + 1)
    if not blocks:
        return sparse.csr_array((len(rows), 0)), np.zeros(0, dtype=np.int64)
    return sparse.hstack(blocks, format="csr"), np.array(owners, dtype=np.int64)


def _batches(
    data: Observations, nest: Factor, inner: sparse.csr_array, edge: sparse.csr_array
) -> list[_Batch]:
    """The blocks of every level of `nest`, those of the same shape together."""
    shapes: dict[tuple[int, int], list[tuple[Int64, Float64, Float64, Int64]]] = {}
    if inner.shape[1] == 0:
        return []
    level = data.codes((nest,))
    order = np.argsort(level, kind="stable")
    levels = np.split(order, np.flatnonzero(np.diff(level[order])) + 1)
    touched = [np.unique(edge[rows].indices).astype(np.int64) for rows in levels]
    if sum(map(len, touched)) > _MOST * len(levels) * edge.shape[1]:
        touched = [np.arange(edge.shape[1])] * len(levels)
    for rows, border in zip(levels, touched, strict=True):
        own = inner[rows]
        columns = np.unique(own.indices).astype(np.int64)
        dense, other = own[:, columns].toarray(), edge[rows][:, border].toarray()
        block = (columns, dense.T @ dense, dense.T @ other, border)
        shapes.setdefault((len(columns), len(border)), []).append(block)
    return [
        _Batch(*(np.stack(part) for part in zip(*blocks, strict=True)))
        for blocks in shapes.values()
    ]


def _subtract(gram: Float64, border: Int64, half: Float64) -> None:
    """Take the products of each block from the rows and columns of the border that it touches."""
    if (border == border[0]).all():
        flat = half.reshape(-1, half.shape[2])
        gram[np.ix_(border[0], border[0])] -= flat.T @ flat
        return
    size = len(gram)
    many = max(1, _AT_ONCE // border.shape[1] ** 2)
    for start in range(0, len(border), many):
        columns, blocks = border[start : start + many], half[start : start + many]
        indices = (columns[:, :, None] * size + columns[:, None, :]).ravel()
        products = np.matmul(blocks.transpose(0, 2, 1), blocks).ravel()
        gram -= np.bincount(indices, products, size * size).reshape(size, size)


def _variance_of_none(data: Observations, term: str) -> float | None:
    """The variance of an interaction's estimate where it is 0, for a residual variance of 1.

    In a balanced design with m ratings in each level the estimate is the difference of two mean
    squares over m; those of the two factors alone move no difference between systems.
    """
    factors = TERMS[term]
    freedom = interaction_freedom(data, factors) if len(factors) > 1 else 0
    if freedom <= 0:
        return None
    rest = max(len(data.value) - data.levels(*factors), 1)
    each = len(data.value) / data.levels(*factors)
    return 2 * (1 / freedom + 1 / rest) / each**2


def _hessian(function: Callable[[Float64], float], point: Float64, steps: Float64) -> Float64:
    """The second derivatives of a function, by central differences."""
    count = len(point)
    moves = np.diag(steps)
    hessian = np.empty((count, count))
    middle = function(point)
    sides = [function(point + move) + function(point - move) for move in moves]
    for i in range(count):
        hessian[i, i] = (sides[i] - 2 * middle) / steps[i] ** 2
        for j in range(i):
            both = function(point + moves[i] + moves[j]) + function(point - moves[i] - moves[j])
            mixed = both - sides[i] - sides[j] + 2 * middle
            hessian[i, j] = hessian[j, i] = mixed / (2 * steps[i] * steps[j])
    return hessian
