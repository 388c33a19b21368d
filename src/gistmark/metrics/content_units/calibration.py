"""From evidence to the probability that a summary states a unit: three small logistic models.

Model card. Fitted to PyrXSum (Zhang and Bansal 2021): whether the short summaries that ten systems
wrote of 100 BBC articles state the 478 units that people wrote for the references; 4,780 marks, of
which 18 % are positive. The encoder is all-MiniLM-L6-v2, the
language model SmolLM2-135M-Instruct. Texts are English news. In longer summaries, other domains or
with other models the order of the probabilities may hold, but their level need not.
`benchmarks/presence.py` recomputes the coefficients and judges them by cross-validation.
"""

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


EMBEDDINGS = Logistic(-5.795, (5.262, 3.487))
"""The mean and the least of the greatest cosines of the unit's content tokens."""
LANGUAGE = Logistic(-3.179, (0.929,))
"""The gain in nats per token."""
COMBINED = Logistic(-5.372, (1.358, 3.574, 3.407))
"""The share of content words, and the mean and the least cosine."""
