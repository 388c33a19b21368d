"""Greedy matching: each token with the token of the other text that is most like it."""

from __future__ import annotations

import numpy as np

from gistmark.metrics.metric import Float64
from gistmark.models.encoders import Float32

MOST_CELLS = 4_000_000
"""How many likenesses are held at a time."""


def to_unit_length(vectors: Float32) -> Float32:
    """Vectors brought to length 1; one without length stays as it is."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    found: Float32 = np.divide(vectors, lengths, out=vectors.copy(), where=lengths > 0)
    return found


def best_matches(ours: Float32, theirs: Float32) -> tuple[Float32, Float32]:
    """The highest cosine of each of our tokens with any of theirs, and of each of theirs.

    Both are vectors of length 1. Long texts are matched some rows at a time.
    """
    step = max(1, MOST_CELLS // len(theirs))
    for_ours = np.empty(len(ours), dtype=np.float32)
    for_theirs = np.full(len(theirs), -np.inf, dtype=np.float32)
    for start in range(0, len(ours), step):
        likeness = ours[start : start + step] @ theirs.T
        for_ours[start : start + step] = likeness.max(axis=1)
        np.maximum(for_theirs, likeness.max(axis=0), out=for_theirs)
    return for_ours, for_theirs


def with_harmonic_mean(precision: Float64, recall: Float64) -> Float64:
    """Precision, recall and F as columns; F is 0 where they do not have the same sign."""
    product = precision * recall
    total = precision + recall
    f = np.divide(2 * product, total, out=np.zeros_like(total), where=product > 0)
    return np.column_stack([precision, recall, f])
