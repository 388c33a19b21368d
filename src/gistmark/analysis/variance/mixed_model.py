"""A crossed mixed-effects model of ratings, fitted by restricted maximum likelihood (REML).

    rating ~ system + (1 | annotator) + (1 | document) + (1 | annotator:document) + ...

The systems are fixed effects; any of the terms in `TERMS` are random. The design is crossed and
sparse, and nearly all of its columns belong to one document (or one annotator): those are
eliminated document by document, in batches of equal shape, and what is left is a small dense
system. The deviance is profiled over the residual variance, as in Bates and others (2015),
"Fitting Linear Mixed-Effects Models Using lme4", equations 34 to 42, and minimised over the
standard deviations relative to the residual's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize, sparse
from threadpoolctl import threadpool_limits

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]
Factor = Literal["system", "annotator", "document"]

TERMS: Mapping[str, tuple[Factor, ...]] = {
    "annotator": ("annotator",),
    "document": ("document",),
    "annotator:document": ("annotator", "document"),
    "document:system": ("document", "system"),
    "annotator:system": ("annotator", "system"),
}
"""The random terms that a model can have; `document:system` is the single summary."""

RESIDUAL = "residual"
_SMALLEST = 1e-4
"""A relative standard deviation below this is 0."""


@dataclass(frozen=True, eq=False)
class Observations:
    """Ratings as arrays: a value, and the number of its system, annotator and document."""

    value: Float64
    system: Int64
    annotator: Int64
    document: Int64

    def codes(self, factors: Sequence[Factor]) -> Int64:
        """The numbers of the levels of crossed factors, from 0."""
        code = np.zeros(len(self.value), dtype=np.int64)
        for factor in factors:
            levels = getattr(self, factor)
            code = code * (int(levels.max()) + 1) + levels
        return np.unique(code, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model: the systems' means with their covariance, and a variance for each source.

    `variances` has the random terms and `residual`; `theta` are the standard deviations of the
    terms relative to the residual's.
    """

    means: Float64
    covariance: Float64
    variances: Mapping[str, float]
    deviance: float
    theta: Float64
    profile: Profile

    def contrast(self, weights: Float64) -> Contrast:
        """A weighted sum of the systems' means, with Satterthwaite's degrees of freedom.

        They are 2 Var² / (g' A g): g the gradient of the variance in the standard deviations of
        the model, A the covariance of these, from the curvature of the deviance.
        """
        spread, slopes = self._uncertainty
        variance = float(weights @ self.covariance @ weights)
        gradient = np.einsum("i,kij,j->k", weights, slopes, weights)
        scatter = float(gradient @ spread @ gradient)
        freedom = 2 * variance**2 / scatter if scatter > 0 else float("inf")
        return Contrast(float(weights @ self.means), float(np.sqrt(max(variance, 0.0))), freedom)

    @cached_property
    def _uncertainty(self) -> tuple[Float64, Float64]:
        """The covariance of the standard deviations, and how the means' covariance follows them."""
        free = np.flatnonzero(self.theta > 0)
        sigma = float(np.sqrt(self.variances[RESIDUAL]))
        point = np.append(self.theta[free] * sigma, sigma)
        steps = 1e-3 * point

        def theta_of(deviations: Float64) -> Float64:
            theta = np.zeros_like(self.theta)
            theta[free] = deviations[:-1] / deviations[-1]
            return theta

        def deviance(deviations: Float64) -> float:
            return self.profile.deviance_at(theta_of(deviations), float(deviations[-1]))

        def covariance(deviations: Float64) -> Float64:
            inverse = self.profile.state(theta_of(deviations)).inverse
            return np.asarray(inverse * deviations[-1] ** 2)

        with one_thread():
            curvature = _hessian(deviance, point, steps)
            slopes = [
                (covariance(point + step) - covariance(point - step)) / (2 * size)
                for step, size in zip(np.diag(steps), steps, strict=True)
            ]
        spread = np.linalg.pinv(curvature)
        return np.asarray(2 * spread, dtype=np.float64), np.array(slopes, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference between systems' means: estimate, standard error, degrees of freedom."""

    estimate: float
    error: float
    freedom: float


def one_thread() -> threadpool_limits:
    """Linear algebra on one thread: blocks are so small that several would wait for each other."""
    return threadpool_limits(1, user_api="blas")


def fit(data: Observations, terms: Sequence[str]) -> Fit:
    """Fit the model with these random terms."""
    with one_thread():
        return _fit(data, terms)


def _fit(data: Observations, terms: Sequence[str]) -> Fit:
    centre = float(data.value.mean())
    centred = replace(data, value=data.value - centre)
    profile = Profile(centred, terms)
    theta = _minimise(profile.deviance, len(terms))
    state = profile.state(theta)
    sigma2 = state.residual / profile.freedom
    variances = {name: float(t) ** 2 * sigma2 for name, t in zip(terms, theta, strict=True)}
    return Fit(
        centre + state.means,
        state.inverse * sigma2,
        {**variances, RESIDUAL: sigma2},
        profile.deviance(theta),
        theta,
        profile,
    )


@dataclass(frozen=True, slots=True)
class State:
    """The penalised least squares problem, solved for given relative standard deviations.

    `inverse` times the residual variance is the covariance of the systems' means.
    """

    means: Float64
    inverse: Float64
    residual: float
    log_determinants: float


class Profile:
    """The deviance of a model as a function of relative standard deviations, and the solution.

    Columns of random terms that belong to one level of `nest` are eliminated level by level; the
    other random columns, the systems and the values are the border that is left.
    """

    def __init__(self, data: Observations, terms: Sequence[str]) -> None:
        self.systems = int(data.system.max()) + 1
        self.freedom = len(data.value) - self.systems
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

    def deviance(self, theta: Float64) -> float:
        """The restricted deviance, with the residual variance at its best."""
        state = self.state(theta)
        spread = max(state.residual, 1e-300) / self.freedom
        return float(state.log_determinants + self.freedom * (1 + np.log(2 * np.pi * spread)))

    def deviance_at(self, theta: Float64, sigma: float) -> float:
        """The restricted deviance with a given residual standard deviation."""
        state = self.state(theta)
        spread = np.log(2 * np.pi * sigma**2)
        return float(state.log_determinants + self.freedom * spread + state.residual / sigma**2)

    def state(self, theta: Float64) -> State:
        """Solve for these relative standard deviations of the terms."""
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
            _subtract(gram, batch.border, np.swapaxes(half, 1, 2) @ half)
        gram *= scale[:, None] * scale[None, :]
        gram[np.arange(count), np.arange(count)] += 1.0
        # Too little to change a result: it keeps a perfect fit from the root of a negative number.
        gram[np.diag_indices_from(gram)] += 1e-13 * max(float(np.diagonal(gram).max()), 1.0)
        lower = linalg.cholesky(gram, lower=True)
        diagonal = np.log(np.diagonal(lower))
        fixed = slice(count, count + self.systems)
        triangle = lower[fixed, fixed]
        inverse = linalg.solve_triangular(triangle, np.eye(self.systems), lower=True)
        return State(
            linalg.solve_triangular(triangle, lower[-1, fixed], lower=True, trans="T"),
            inverse.T @ inverse,
            float(lower[-1, -1] ** 2),
            log_determinant + 2 * float(diagonal[:-1].sum()),
        )


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
    for rows in np.split(order, np.flatnonzero(np.diff(level[order])) + 1):
        own, outside = inner[rows], edge[rows]
        columns = np.unique(own.indices).astype(np.int64)
        border = np.unique(outside.indices).astype(np.int64)
        dense, other = own[:, columns].toarray(), outside[:, border].toarray()
        block = (columns, dense.T @ dense, dense.T @ other, border)
        shapes.setdefault((len(columns), len(border)), []).append(block)
    return [
        _Batch(*(np.stack(part) for part in zip(*blocks, strict=True)))
        for blocks in shapes.values()
    ]


def _subtract(gram: Float64, border: Int64, products: Float64) -> None:
    """Take the products of each block from the rows and columns of the border that it touches."""
    if (border == border[0]).all():
        gram[np.ix_(border[0], border[0])] -= products.sum(axis=0)
        return
    np.subtract.at(gram, (border[:, :, None], border[:, None, :]), products)


def _minimise(deviance: Callable[[Float64], float], count: int) -> Float64:
    """The relative standard deviations with the smallest deviance; some may be 0."""
    best: Float64 | None = None
    smallest = np.inf
    for start in (0.7, 0.15):
        result = optimize.minimize(
            deviance,
            np.full(count, start),
            method="L-BFGS-B",
            bounds=[(0.0, 1e3)] * count,
            options={"ftol": 1e-13, "gtol": 1e-6, "maxiter": 500},
        )
        if result.fun < smallest - 1e-9:
            best, smallest = result.x, float(result.fun)
    assert best is not None, "the deviance of ratings is finite"
    return np.where(best < _SMALLEST, 0.0, best)


def _hessian(function: Callable[[Float64], float], point: Float64, steps: Float64) -> Float64:
    """The second derivatives of a function, by central differences."""
    count = len(point)
    moves = np.diag(steps)
    hessian = np.empty((count, count))
    middle = function(point)
    for i in range(count):
        ahead, behind = function(point + moves[i]), function(point - moves[i])
        hessian[i, i] = (ahead - 2 * middle + behind) / steps[i] ** 2
        for j in range(i):
            signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
            corners = [function(point + a * moves[i] + b * moves[j]) for a, b in signs]
            mixed = corners[0] - corners[1] - corners[2] + corners[3]
            hessian[i, j] = hessian[j, i] = mixed / (4 * steps[i] * steps[j])
    return hessian
