"""How similar sentences are, through sparse matrices of their words.

A matrix has a row for each sentence and a column for each word. No matrix of all pairs of
sentences is ever held: pairs are gone through in blocks of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gistmark.runtime.compiled import compiled
from gistmark.text import Profile, profile_for
from gistmark.text.tokens import tokenize

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Matrix: TypeAlias = csr_array[np.float64, tuple[int, int]]

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]

WORDS = Profile(tok="words")
"""All words, as they are."""

CONTENT = Profile(tok="words", stop=True, stem=True)
"""The stems of all words that are no English stop words."""


def content_of(lang: str | None) -> Profile:
    """The stems of content words in a language, as far as it has stop words and stems."""
    return profile_for(lang, stop=True, stem=True)


_PAIRS = 2_000_000
"""How many pairs of sentences a block has at most; each takes 8 bytes."""


def word_counts(texts: Sequence[str], profile: Profile = WORDS) -> Matrix:
    """How often each text has each word."""
    from scipy.sparse import csr_array

    table = tokenize(texts, profile)
    offsets = table.offsets.astype(np.int32)
    counts = csr_array((np.ones(len(table.ids)), table.ids, offsets), (len(texts), table.size))
    counts.sum_duplicates()
    return counts


def unit_tfidf(counts: Matrix) -> Matrix:
    """Rows of term frequency times idf, of length 1, so that cosines are products of rows.

    The idf of a word is log(N / n): N sentences, n of which have it. A sentence without any word
    that tells it from others is like none but itself.
    """
    from scipy.sparse import csr_array, diags_array, hstack

    sentences = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = np.log(counts.shape[0] / np.maximum(sentences, 1))
    weighted = counts @ diags_array(idf)
    lengths = np.sqrt(weighted.power(2).sum(axis=1))
    blank = np.flatnonzero(lengths == 0)
    own_column = csr_array(
        (np.ones(len(blank)), (blank, np.arange(len(blank)))), shape=(len(lengths), len(blank))
    )
    lengths[blank] = 1.0
    return csr_array(hstack([diags_array(1 / lengths) @ weighted, own_column], format="csr"))


def transposed(matrix: Matrix) -> Matrix:
    """The matrix with a row for each word and a column for each sentence."""
    from scipy.sparse import csr_array

    return csr_array(matrix.T)


def similar_blocks(vectors: Matrix, by_word: Matrix) -> Iterator[tuple[int, Float64]]:
    """The cosines of unit rows with all sentences: the first row of each block, and the block.

    A row comes out the same, to the last digit, whichever rows stand beside it.
    """
    size = by_word.shape[1]
    height = max(_PAIRS // max(size, 1), 1)
    for start in range(0, vectors.shape[0], height):
        rows = vectors[start : start + height]
        yield start, _products(*_parts(rows), *_parts(by_word), size)


def similarity_to(vectors: Matrix, number: int) -> Float64:
    """The cosine of every row with one of them; at most 1, whatever the rounding."""
    cosines: Float64 = np.asarray(vectors @ row(vectors, number))
    return np.minimum(cosines, 1.0)


def row(matrix: Matrix, number: int) -> Float64:
    """One row with all its zeros."""
    return np.asarray(matrix[[number]].toarray().ravel())


def _parts(matrix: Matrix) -> tuple[Int32, Int32, Float64]:
    offsets, columns = matrix.indptr, matrix.indices
    return offsets.astype(np.int32, copy=False), columns.astype(np.int32, copy=False), matrix.data


@compiled
def _products(
    offsets: Int32, words: Int32, weights: Float64,
    word_offsets: Int32, sentences: Int32, word_weights: Float64, size: int,
) -> Float64:  # fmt: skip
    """The products of rows with all sentences, which are given word by word."""
    products = np.zeros((offsets.size - 1, size))
    for row in range(offsets.size - 1):
        for at in range(offsets[row], offsets[row + 1]):
            word = words[at]
            for entry in range(word_offsets[word], word_offsets[word + 1]):
                products[row, sentences[entry]] += weights[at] * word_weights[entry]
    return products
