"""How much of a document some of its sentences cover, as a submodular function.

H. Lin and J. Bilmes, "A Class of Submodular Functions for Document Summarization" (2011): the sum
over all sentences i of min(sum over chosen j of w_ij, alpha * sum over all k of w_ik), where w is
the cosine of two sentences. Sentence i counts no more once it is covered to the share alpha.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gistmark.summarizers.similarity import (
    Float64,
    similar_blocks,
    similarity_to,
    turned,
)

if TYPE_CHECKING:
    from gistmark.summarizers.similarity import Matrix


class Coverage:
    """What the sentences chosen so far cover, and what another one would add.

    `nearest` has each sentence's highest cosine to a chosen one.
    """

    def __init__(self, vectors: Matrix, alpha: float) -> None:
        self.vectors = vectors
        self.by_word = turned(vectors)
        self.full = alpha * np.asarray(vectors @ np.asarray(vectors.sum(axis=0)))
        self.left = self.full.copy()
        self.nearest = np.zeros(vectors.shape[0])

    @property
    def value(self) -> float:
        """The function's value for the chosen sentences."""
        return float((self.full - self.left).sum())

    def gains(self, numbers: Sequence[int]) -> Float64:
        """What each of the sentences would add if it were chosen next.

        It never grows while others are chosen, not even by rounding: it is a sum in one fixed
        order of terms that never grow.
        """
        found = [np.empty(0)] + [
            np.minimum(block, self.left).sum(axis=1)
            for _, block in similar_blocks(self.vectors[list(numbers)], self.by_word)
        ]
        return np.concatenate(found)

    def take(self, number: int) -> None:
        """Choose the sentence."""
        near = similarity_to(self.vectors, number)
        self.left = self.left - np.minimum(near, self.left)
        self.nearest = np.maximum(self.nearest, near)
