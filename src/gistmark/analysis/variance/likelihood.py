"""The likelihood of a mixed model: what it says for all ratings, and its closed form for complete
ones.

The deviance is profiled over the residual variance, as in Bates and others (2015), "Fitting Linear
Mixed-Effects Models Using lme4", equations 34 to 42.

Where every annotator rated every system on every document, the covariance of the ratings has the
same eigenspaces whatever the variances are: the strata of the analysis of variance. With S systems,
A annotators and D documents, and variances relative to the residual's, their eigenvalues are

    annotator            1 + S D annotator + S annotator:document + D annotator:system
    document             1 + S A document + S annotator:document + A document:system
    annotator:document   1 + S annotator:document
    annotator:system     1 + D annotator:system
    document:system      1 + A document:system
    the rest             1

so the deviance is a sum over six mean squares, and so is the expected information about the
variances (Searle, Casella and McCulloch 1992, "Variance Components", chapter 4). `unbalanced` is
for ratings of which some are missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.analysis.variance.design import TERMS, Factor, Float64, Observations

_STEP = 1e-4

_STRATA: tuple[tuple[Factor, ...], ...] = (*TERMS.values(), ("annotator", "document", "system"))
_AXES: tuple[Factor, ...] = ("system", "annotator", "document")


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
    def residual(self, theta: Float64) -> tuple[float, float]:
        """The residual sum of squares and the log-determinants of that solution, and no more."""

    @abstractmethod
    def uncertainty(self, theta: Float64, sigma: float) -> Uncertainty:
        """How uncertain the estimates are; `sigma` is the residual standard deviation."""

    def deviance(self, theta: Float64) -> float:
        """The restricted deviance, with the residual variance at its best."""
        residual, log_determinants = self.residual(theta)
        spread = max(residual, 1e-300) / self.freedom
        return float(log_determinants + self.freedom * (1 + np.log(2 * np.pi * spread)))

    def gradient(self, theta: Float64) -> Float64:
        """The derivatives of the deviance, by central differences."""
        steps = _STEP * np.eye(len(theta))
        ends = [(self.deviance(theta + step), self.deviance(theta - step)) for step in steps]
        return np.array([(ahead - behind) / (2 * _STEP) for ahead, behind in ends])

    def deviance_at(self, theta: Float64, sigma: float) -> float:
        """The restricted deviance with a given residual standard deviation."""
        residual, log_determinants = self.residual(theta)
        spread = np.log(2 * np.pi * sigma**2)
        return float(log_determinants + self.freedom * spread + residual / sigma**2)


class Balanced(Likelihood):
    """The deviance of a model of complete ratings, and the solution."""

    def __init__(self, data: Observations, terms: Sequence[str]) -> None:
        super().__init__(data)
        sizes = dict(zip(_AXES, data.sizes, strict=True))
        table = np.zeros(data.sizes)
        table[data.system, data.annotator, data.document] = data.value
        self._means = table.mean(axis=(1, 2))
        self._cells = sizes["annotator"] * sizes["document"]
        effects = [_effects(table, stratum) for stratum in _STRATA]
        self._freedoms = np.array(
            [np.prod([sizes[factor] - 1 for factor in stratum]) for stratum in _STRATA]
        )
        self._squares = np.array([(effect**2).sum() for effect in effects])
        # How the eigenvalue of each stratum, of the systems and of the mean, follows each variance.
        spaces: list[set[Factor]] = [set(stratum) for stratum in _STRATA]
        whole: list[set[Factor]] = [{"system"}, set()]
        self._design, fixed = (
            np.array(
                [[_weight(space, set(TERMS[name]), sizes) for name in terms] for space in those]
            ).reshape(len(those), len(terms))
            for those in (spaces, whole)
        )
        self._between, self._mean = fixed

    def state(self, theta: Float64) -> State:
        return State(
            self._means,
            self._spread(1 + float(self._between @ theta**2), 1 + float(self._mean @ theta**2)),
            *self.residual(theta),
        )

    def residual(self, theta: Float64) -> tuple[float, float]:
        eigenvalues = 1 + self._design @ theta**2
        return (
            float((self._squares / eigenvalues).sum()),
            float(self._freedoms @ np.log(eigenvalues) + self.systems * np.log(self._cells)),
        )

    def gradient(self, theta: Float64) -> Float64:
        eigenvalues = 1 + self._design @ theta**2
        scaled = self._squares / eigenvalues
        residual = max(float(scaled.sum()), 1e-300)
        by_stratum = (self._freedoms - self.freedom * scaled / residual) / eigenvalues
        return np.asarray(2 * theta * (by_stratum @ self._design), dtype=np.float64)

    def _spread(self, between: float, mean: float) -> Float64:
        """The covariance of the systems' means, from the eigenvalues of systems and mean."""
        average = np.full((self.systems, self.systems), 1 / self.systems)
        spread = between * (np.eye(self.systems) - average) + mean * average
        return np.asarray(spread / self._cells, dtype=np.float64)

    def uncertainty(self, theta: Float64, sigma: float) -> Uncertainty:
        """From the expected information, which is that of the mean squares.

        A variance that is estimated as 0 is as uncertain as its mean square.
        """
        variances = np.append(theta**2, 1.0) * sigma**2
        design = np.column_stack([self._design, np.ones(len(_STRATA))])
        weights = self._freedoms / (design @ variances) ** 2
        spread = np.linalg.pinv(design.T @ (weights[:, None] * design) / 2, hermitian=True)
        slopes = [self._spread(*pair) for pair in zip(self._between, self._mean, strict=True)]
        return Uncertainty(spread, np.array([*slopes, self._spread(1.0, 1.0)]))


def _effects(table: Float64, stratum: tuple[Factor, ...]) -> Float64:
    """The part of every rating that belongs to a stratum: means less those of wider ones."""
    effect = table
    for axis, factor in enumerate(_AXES):
        mean = effect.mean(axis=axis, keepdims=True)
        effect = effect - mean if factor in stratum else np.broadcast_to(mean, effect.shape)
    return effect


def _weight(stratum: set[Factor], term: set[Factor], sizes: dict[Factor, int]) -> float:
    """How often a level of a term occurs, if the stratum is within what the term varies over."""
    if not stratum <= term:
        return 0.0
    return float(np.prod([size for factor, size in sizes.items() if factor not in term]))
