"""What the likelihood of a mixed model says: for complete ratings and for others alike.

The deviance is profiled over the residual variance, as in Bates and others (2015), "Fitting Linear
Mixed-Effects Models Using lme4", equations 34 to 42.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from gistmark.analysis.variance.design import Float64, Observations

_STEP = 1e-4


@dataclass(frozen=True, slots=True)
class State:
    """The penalised least squares problem, solved for given relative standard deviations.

    `inverse` times the residual variance is the covariance of the systems' means.
    """

    means: Float64
    inverse: Float64
    residual: float
    log_determinants: float


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How uncertain the parameters of a model are, and what that does to the systems' means.

    `spread` is the covariance of the parameters, `slopes` the derivatives of the covariance of the
    means in each of them.
    """

    spread: Float64
    slopes: Float64


class Likelihood(ABC):
    """The restricted likelihood as a function of standard deviations relative to the residual's."""

    def __init__(self, data: Observations) -> None:
        self.systems = int(data.system.max()) + 1
        self.freedom = len(data.value) - self.systems

    @abstractmethod
    def state(self, theta: Float64) -> State:
        """Solve for these relative standard deviations of the terms."""

    @abstractmethod
    def uncertainty(self, theta: Float64, sigma: float) -> Uncertainty:
        """How uncertain the estimates are; `sigma` is the residual standard deviation."""

    def deviance(self, theta: Float64) -> float:
        """The restricted deviance, with the residual variance at its best."""
        state = self.state(theta)
        spread = max(state.residual, 1e-300) / self.freedom
        return float(state.log_determinants + self.freedom * (1 + np.log(2 * np.pi * spread)))

    def gradient(self, theta: Float64) -> Float64:
        """The derivatives of the deviance, by central differences."""
        steps = _STEP * np.eye(len(theta))
        ends = [(self.deviance(theta + step), self.deviance(theta - step)) for step in steps]
        return np.array([(ahead - behind) / (2 * _STEP) for ahead, behind in ends])

    def deviance_at(self, theta: Float64, sigma: float) -> float:
        """The restricted deviance with a given residual standard deviation."""
        state = self.state(theta)
        spread = np.log(2 * np.pi * sigma**2)
        return float(state.log_determinants + self.freedom * spread + state.residual / sigma**2)
