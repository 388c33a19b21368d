"""What TF-IDF makes of the content words of a document's sentences, in any script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gistmark.summarizers.ranking import Float64
from gistmark.summarizers.similarity import CONTENT, word_counts

if TYPE_CHECKING:
    from gistmark.summarizers.similarity import Matrix


def tf_idf(texts: Sequence[str]) -> Matrix:
    """Counts of content words times 1 + ln((1 + n) / (1 + df)); df of the n texts have the word.

    Unlike ln(n / df) it is never 0, so that what all sentences speak of still counts.
    """
    from scipy.sparse import csr_array, diags_array

    counts = word_counts(texts, CONTENT)
    having = np.bincount(counts.indices, minlength=counts.shape[1])
    weights = 1 + np.log((1 + len(texts)) / (1 + having))
    return csr_array(counts @ diags_array(weights))


def centrality(texts: Sequence[str]) -> Float64:
    """The cosine of each text's TF-IDF vector to the mean of all unit vectors, 0 to 1.

    A text without content words gets 0.
    """
    vectors = tf_idf(texts)
    lengths: Float64 = np.sqrt(vectors.power(2).sum(axis=1))
    scale = ratios(np.ones_like(lengths), lengths)
    centroid: Float64 = np.asarray(vectors.T @ scale)
    near: Float64 = np.asarray(vectors @ centroid) * scale
    return np.clip(near / (np.linalg.norm(centroid) or 1.0), 0, 1)


def mean_weights(texts: Sequence[str]) -> Float64:
    """The mean TF-IDF of each text's content words; 1 where there are none."""
    total: Float64 = tf_idf(texts).sum(axis=1)
    number: Float64 = word_counts(texts, CONTENT).sum(axis=1)
    return ratios(total, number, otherwise=1.0)


def unit(points: NDArray[Any]) -> Float64:
    """Each row at length 1; what is no number or has no length becomes zeros."""
    known: Float64 = np.nan_to_num(points.astype(np.float64))
    return ratios(known, np.linalg.norm(known, axis=1, keepdims=True))


def ratios(above: Float64, below: Float64, *, otherwise: float = 0.0) -> Float64:
    """The one over the other where that is above 0, and elsewhere what is given."""
    found = np.full(above.shape, otherwise)
    np.divide(above, below, out=found, where=below > 0)
    return found
