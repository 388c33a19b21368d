"""From evidence to the probability that a summary states a unit: three small logistic models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]


@dataclass(frozen=True)
class Logistic:
    """p = 1 / (1 + exp(-(intercept + sum of weight times evidence)))."""

    intercept: float
    weights: tuple[float, ...]

    def probabilities(self, *evidence: Float64) -> Float64:
        """The probability for each row of evidence, which stands in columns."""
        columns = zip(self.weights, evidence, strict=True)
        total = self.intercept + sum((weight * column for weight, column in columns), np.zeros(()))
        result: Float64 = 1.0 / (1.0 + np.exp(-total))
        return result


EMBEDDINGS = Logistic(-5.0, (6.0,))
LANGUAGE = Logistic(-5.0, (2.0,))
COMBINED = Logistic(-7.0, (3.0, 3.0, 1.0))
