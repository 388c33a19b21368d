"""Sentences as word vectors: their averages, and their words one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gistmark.models.vectors.words import UNKNOWN, word_vectors
from gistmark.summarizers.hierarchical.terms import ratios
from gistmark.summarizers.ranking import Float64
from gistmark.text import Profile
from gistmark.text.folding import fold_words
from gistmark.text.tokens import TokenTable, vocabulary

LONGEST = 60
"""Networks read this many words of a sentence, which is longer than nearly all sentences are."""

_NO_STOP_WORDS = Profile(tok="words", stop=True)


@dataclass(frozen=True)
class Words:
    """The words of some texts by number, and of each its vector and whether it counts.

    `points` has a row per distinct word, zeros if unknown; `content` marks the known ones that
    are no stop words.
    """

    table: TokenTable
    points: Float64
    content: NDArray[np.bool_]


@dataclass(frozen=True)
class WordRows:
    """The words of some sentences as rows, filled up with zeros to the same number.

    A row is the word's vector (zeros if unknown) and ln(1 + how often the sentences have it), or 0
    for a stop word. `lengths` counts the words of each sentence that are read, at least 1.
    """

    rows: NDArray[np.float32]
    lengths: NDArray[np.int64]


def averages(texts: Sequence[str], name: str) -> Float64:
    """The mean vector of each text's words without stop words; zeros where none is known."""
    from scipy.sparse import csr_array

    found = _looked_up(texts, name)
    counted = found.content[found.table.ids].astype(np.float64)
    shape = (len(texts), len(found.points))
    words = csr_array((counted, found.table.ids, found.table.offsets), shape=shape)
    sums: Float64 = np.asarray(words @ found.points)
    number: Float64 = words.sum(axis=1)
    return ratios(sums, number[:, None])


def word_rows(texts: Sequence[str], name: str) -> WordRows:
    """The words of a document's sentences, in order."""
    found = _looked_up(texts, name)
    table = found.table
    often = np.log1p(np.bincount(table.ids, minlength=len(found.points))) * found.content
    wide = np.concatenate([found.points, often[:, None]], axis=1).astype(np.float32)
    lengths = np.clip(table.lengths, 1, LONGEST)
    rows = np.zeros((len(texts), int(lengths.max()), wide.shape[1]), dtype=np.float32)
    for number, (start, end) in enumerate(pairwise(table.offsets)):
        ids = table.ids[start:end][:LONGEST]
        rows[number, : len(ids)] = wide[ids]
    return WordRows(rows, lengths)


def _looked_up(texts: Sequence[str], name: str) -> Words:
    vectors = word_vectors(name)
    spelled = vocabulary(texts, "words")
    rows = vectors.look_up(spelled.words).rows
    known = rows != UNKNOWN
    points = np.zeros((len(rows), vectors.size))
    points[known] = vectors.matrix[rows[known]]
    kept = [word is not None for word in fold_words(spelled.words, _NO_STOP_WORDS)]
    return Words(spelled.table, points, known & np.array(kept, dtype=bool))
