"""Features of a sentence: its relevance without training, TF-IDF, and word vectors.

Untrained relevance is the cosine of a sentence's TF-IDF vector to the centroid of its document
(Radev, Jing, Styś and Tam, "Centroid-based summarization of multiple documents", 2004), because it
needs no model, works in any script and is far better than a random choice. News begins with what
matters, so a sentence gains a little the nearer it is to the start of its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gistmark.models.vectors.words import UNKNOWN, word_vectors
from gistmark.summarizers.extractive.similarity import CONTENT, Float64, word_counts
from gistmark.summarizers.summarizer import Sentence
from gistmark.text import Profile
from gistmark.text.folding import fold_words
from gistmark.text.tokens import TokenTable, vocabulary

if TYPE_CHECKING:
    from gistmark.summarizers.extractive.similarity import Matrix

FACTS = 4
"""How many facts `facts` gives of a sentence."""


class Relevance(Protocol):
    """Gives each of a document's sentences its relevance, 0 to 1."""

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        """The relevance of the sentences, which are those of one document."""
        ...


@dataclass(frozen=True)
class Centrality:
    """Without training: cosine to the centroid times (1 + lead / (1 + position)) / (1 + lead)."""

    lead: float

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        near = centrality([sentence.text for sentence in sentences])
        return near * (1 + self.lead * earliness(sentences)) / (1 + self.lead)


def facts(sentences: Sequence[Sentence]) -> Float64:
    """What a sentence's words alone do not show, a row for each; networks get it as well.

    Cosine to the centroid, 1 / (1 + position), the share of the way through its text, and the
    logarithm of its length in characters; each is standardised over the document's sentences,
    because relevance is relative to them.
    """
    positions = np.array([sentence.position for sentence in sentences], dtype=np.float64)
    sources = np.array([sentence.source for sentence in sentences])
    last = np.ones(sources.max() + 1)
    np.maximum.at(last, sources, positions)
    near = centrality([sentence.text for sentence in sentences])
    lengths = np.log([1 + len(sentence.text) for sentence in sentences])
    columns: Float64 = np.stack(
        [near, earliness(sentences), positions / last[sources], lengths], axis=1
    )
    spread: Float64 = columns.std(axis=0)
    standard: Float64 = (columns - columns.mean(axis=0)) / np.where(spread > 1e-9, spread, 1)
    return standard


def earliness(sentences: Sequence[Sentence]) -> Float64:
    """1 / (1 + position) for each sentence, where the first of a text has the position 0."""
    return np.array([1 / (1 + sentence.position) for sentence in sentences])


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
    """Each row scaled to length 1; NaN and rows without length become zeros."""
    finite: Float64 = np.nan_to_num(points.astype(np.float64))
    return ratios(finite, np.linalg.norm(finite, axis=1, keepdims=True))


def ratios(above: Float64, below: Float64, *, otherwise: float = 0.0) -> Float64:
    """`above` over `below` where that is above 0, and elsewhere `otherwise`."""
    quotients = np.full(above.shape, otherwise)
    np.divide(above, below, out=quotients, where=below > 0)
    return quotients


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

    A row is the word's vector (zeros if unknown) and ln(1 + how counts the sentences have it), or 0
    for a stop word. `lengths` counts the words of each sentence that are read, at least 1.
    """

    rows: NDArray[np.float32]
    lengths: NDArray[np.int64]


def averages(texts: Sequence[str], name: str) -> Float64:
    """The mean vector of each text's words without stop words; zeros where none is known."""
    from scipy.sparse import csr_array

    text_words = _look_up_words(texts, name)
    is_content = text_words.content[text_words.table.ids].astype(np.float64)
    shape = (len(texts), len(text_words.points))
    words = csr_array((is_content, text_words.table.ids, text_words.table.offsets), shape=shape)
    sums: Float64 = np.asarray(words @ text_words.points)
    number: Float64 = words.sum(axis=1)
    return ratios(sums, number[:, None])


def word_rows(texts: Sequence[str], name: str) -> WordRows:
    """The words of a document's sentences, in order."""
    text_words = _look_up_words(texts, name)
    table = text_words.table
    counts = np.log1p(np.bincount(table.ids, minlength=len(text_words.points))) * text_words.content
    wide = np.concatenate([text_words.points, counts[:, None]], axis=1).astype(np.float32)
    lengths = np.clip(table.lengths, 1, LONGEST)
    rows = np.zeros((len(texts), int(lengths.max()), wide.shape[1]), dtype=np.float32)
    for number, (start, end) in enumerate(pairwise(table.offsets)):
        ids = table.ids[start:end][:LONGEST]
        rows[number, : len(ids)] = wide[ids]
    return WordRows(rows, lengths)


def _look_up_words(texts: Sequence[str], name: str) -> Words:
    vectors = word_vectors(name)
    spelled = vocabulary(texts, "words")
    rows = vectors.look_up(spelled.words).rows
    has_vector = rows != UNKNOWN
    points = np.zeros((len(rows), vectors.size))
    points[has_vector] = vectors.matrix[rows[has_vector]]
    is_content = [word is not None for word in fold_words(spelled.words, _NO_STOP_WORDS)]
    return Words(spelled.table, points, has_vector & np.array(is_content, dtype=bool))
