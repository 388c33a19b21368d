"""A crossed mixed-effects model of ratings, fitted by restricted maximum likelihood (REML).

    rating ~ system + (1 | annotator) + (1 | document) + (1 | annotator:document) + ...

The systems are fixed effects; any of the terms in `design.TERMS` are random. The deviance, in
closed form for complete ratings (`balanced`) and by sparse elimination for others (`unbalanced`),
is minimised over the standard deviations relative to the residual's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import optimize
from threadpoolctl import threadpool_limits

from gistmark.analysis.variance.design import RESIDUAL, Float64, Observations
from gistmark.analysis.variance.likelihood import Balanced, Likelihood, Uncertainty
from gistmark.analysis.variance.unbalanced import Unbalanced

_SMALLEST = 1e-4
"""A relative standard deviation below this is 0."""
_AWAY = (0.03, 0.1, 0.3)
"""Where a relative standard deviation that ended at 0 is tried again."""


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
    likelihood: Likelihood

    def contrast(self, weights: Float64) -> Contrast:
        """A weighted sum of the systems' means, with Satterthwaite's degrees of freedom.

        They are 2 Var² / (g' A g), not below 1: g the gradient of the variance in the parameters
        of the model, A the covariance of these.
        """
        variance = float(weights @ self.covariance @ weights)
        gradient = np.einsum("i,kij,j->k", weights, self._uncertainty.slopes, weights)
        scatter = float(gradient @ self._uncertainty.spread @ gradient)
        freedom = max(2 * variance**2 / scatter, 1.0) if scatter > 0 else float("inf")
        return Contrast(float(weights @ self.means), float(np.sqrt(max(variance, 0.0))), freedom)

    @cached_property
    def _uncertainty(self) -> Uncertainty:
        with one_thread():
            return self.likelihood.uncertainty(self.theta, float(np.sqrt(self.variances[RESIDUAL])))


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
    likelihood = (Balanced if data.is_complete else Unbalanced)(centred, terms)
    theta = _minimise(likelihood, len(terms))
    state = likelihood.state(theta)
    sigma2 = state.residual / likelihood.freedom
    variances = {name: float(t) ** 2 * sigma2 for name, t in zip(terms, theta, strict=True)}
    return Fit(
        centre + state.means,
        state.inverse * sigma2,
        {**variances, RESIDUAL: sigma2},
        likelihood.deviance(theta),
        theta,
        likelihood,
    )


def _minimise(likelihood: Likelihood, count: int) -> Float64:
    """The relative standard deviations with the smallest deviance; some may be 0.

    At 0 the derivative in a standard deviation is 0 whether or not it wants to be larger, so those
    that end there are moved away to see.
    """
    point = np.full(count, 0.7)
    for _ in range(count + 1):
        result = optimize.minimize(
            likelihood.deviance,
            point,
            jac=likelihood.gradient,
            method="L-BFGS-B",
            bounds=[(0.0, 1e3)] * count,
            options={"ftol": 1e-13, "gtol": 1e-6, "maxiter": 500},
        )
        theta = np.where(result.x < _SMALLEST, 0.0, result.x)
        tried = [_with(theta, k, s) for k in np.flatnonzero(theta == 0).tolist() for s in _AWAY]
        deviances = [likelihood.deviance(each) for each in tried]
        if min(deviances, default=np.inf) >= likelihood.deviance(theta) - 1e-6:
            break
        point = tried[int(np.argmin(deviances))]
    return theta


def _with(theta: Float64, number: int, size: float) -> Float64:
    moved = theta.copy()
    moved[number] = size
    return moved
