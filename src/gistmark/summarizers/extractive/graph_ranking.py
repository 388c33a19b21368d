"""LexRank and TextRank: sentences ranked by a random walk over a graph of them.

G. Erkan and D. Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization"
(2004): links are cosines of TF-IDF vectors. There is no background collection, so idf counts the
document's own sentences.

R. Mihalcea and P. Tarau, "TextRank: Bringing Order into Texts" (2004): links are shared words.

Both ranks are PageRank's (S. Brin and L. Page, 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmark.options import option
from gistmark.summarizers.extractive.selection import (
    Choice,
    Extractive,
    best_first,
    distinct_fill,
    fill,
    in_document_order,
)
from gistmark.summarizers.extractive.similarity import (
    CONTENT,
    Float64,
    Int64,
    content_of,
    similar_blocks,
    transposed,
    unit_tfidf,
    word_counts,
)
from gistmark.summarizers.summarizer import Limit, Sentence, Source, require_shares
from gistmark.text import Profile

if TYPE_CHECKING:
    from gistmark.summarizers.extractive.similarity import Matrix


@dataclass(frozen=True)
class LexRankOptions:
    """Options of LexRank."""

    threshold: float = option(
        0.1, "the cosine above which two sentences are linked; 0 weighs all links by their cosine"
    )
    damping: float = option(
        0.85, "the probability of following a link, from 0 to 1; the paper's d is 1 minus this"
    )
    redundancy: float = option(
        0.7, "a sentence whose cosine to a taken one is above this is skipped; 1 skips none"
    )

    def __post_init__(self) -> None:
        require_shares(
            "LexRank",
            threshold=self.threshold,
            damping=self.damping,
            redundancy=self.redundancy,
        )


class LexRank(Extractive):
    """Takes the sentences with the highest rank that fit and are not redundant, in order."""

    name = "LexRank"
    about = "Sentences that are like many others that are central, too (Erkan and Radev)."
    Options = LexRankOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        vectors = unit_tfidf(word_counts([sentence.text for sentence in candidates]))
        scores = _lexrank_scores(vectors, self.options.threshold, self.options.damping)
        selected = distinct_fill(
            best_first(scores).tolist(), vectors, candidates, limit, self.options.redundancy
        )
        return Choice(in_document_order(selected, candidates))


def lexrank_scores(
    texts: Sequence[str], *, threshold: float = 0.1, damping: float = 0.85
) -> Float64:
    """The rank of each text among the others; all together 1.

    Similarity is the idf-modified cosine: of vectors of term frequency times idf. Every text is
    linked to itself. With a threshold of 0 this is the paper's continuous LexRank.
    """
    return _lexrank_scores(unit_tfidf(word_counts(texts)), threshold, damping)


def _lexrank_scores(vectors: Matrix, threshold: float, damping: float) -> Float64:
    step = _step_over_links(vectors, threshold) if threshold > 0 else _step_by_cosine(vectors)
    return walk(step, vectors.shape[0], damping=damping)


def _step_by_cosine(vectors: Matrix) -> Callable[[Float64], Float64]:
    """One step over links weighed by cosines; the product of all pairs is never computed."""
    by_word = transposed(vectors)
    degrees = vectors @ np.asarray(vectors.sum(axis=0))

    def step(shares: Float64) -> Float64:
        return np.asarray(vectors @ (by_word @ (shares / degrees)))

    return step


def _step_over_links(vectors: Matrix, threshold: float) -> Callable[[Float64], Float64]:
    """One step over links that all weigh the same; every sentence is linked to itself."""
    neighbours, starts = [], []
    links = np.empty(vectors.shape[0], dtype=np.int64)
    for first, block in similar_blocks(vectors, transposed(vectors)):
        neighbour = block > threshold
        rows = np.arange(len(block))
        neighbour[rows, rows + first] = True
        counts = neighbour.sum(axis=1)
        links[first : first + len(block)] = counts
        neighbours.append(np.nonzero(neighbour)[1].astype(np.int32))
        starts.append(np.cumsum(counts) - counts)

    def step(shares: Float64) -> Float64:
        outflow = shares / links
        return np.concatenate(
            [
                np.add.reduceat(outflow[neighbour], at)
                for neighbour, at in zip(neighbours, starts, strict=True)
            ]
        )

    return step


DAMPING = 0.85
"""The probability of following an edge, as Mihalcea and Tarau set it."""


@dataclass(frozen=True)
class TextRankOptions:
    """Options of TextRank."""

    damping: float = option(DAMPING, "the probability of following an edge, from 0 to 1")

    def __post_init__(self) -> None:
        require_shares("TextRank", damping=self.damping)


class TextRank(Extractive):
    """Takes the sentences with the highest rank that fit, in the order of the document."""

    name = "TextRank"
    about = "Sentences that share many words with others that do so too (Mihalcea and Tarau)."
    Options = TextRankOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        scores = textrank_scores(
            [sentence.text for sentence in candidates],
            damping=self.options.damping,
            profile=content_of(source.document.lang),
        )
        return Choice(in_document_order(fill(best_first(scores), candidates, limit), candidates))


def textrank_scores(
    texts: Sequence[str], *, damping: float = DAMPING, profile: Profile = CONTENT
) -> Float64:
    """The rank of each text among the others; all together 1.

    The weight of an edge is the number of different words that two texts share over
    log|a| + log|b|, the logarithms of their numbers of words; stop words are left out and others
    stemmed. Two texts of one word have no edge, because their logarithms are 0.
    """
    counts = word_counts(texts, profile)
    lengths = np.maximum(counts.sum(axis=1), 1).astype(np.int64)
    counts.data[:] = 1.0
    graph = _Graph(counts, lengths)
    weights = graph.votes(np.ones(len(texts)))
    shares = np.divide(1.0, weights, out=np.zeros(len(texts)), where=weights > 0)
    return walk(lambda ranks: graph.votes(ranks * shares), len(texts), damping=damping)


class _Graph:
    """The sums of weighted votes for each text, without a matrix of all pairs.

    The divisor of an edge depends on two lengths alone. So votes are summed word by word and
    length by length, and only then divided, which takes time in proportion to the words.
    """

    def __init__(self, words: Matrix, lengths: Int64) -> None:
        self.words = words
        self.by_word = transposed(words)
        kinds, self.kind = np.unique(lengths, return_inverse=True)
        divisors = np.log(lengths)[:, None] + np.log(kinds)
        self.factors = np.divide(1.0, divisors, out=np.zeros_like(divisors), where=divisors > 0)
        own_factors = self.factors[np.arange(len(lengths)), self.kind]
        self.itself = own_factors * words.sum(axis=1)

    def votes(self, strength: Float64) -> Float64:
        """For each text the sum over all others of the edge's weight times their strength."""
        from scipy.sparse import csr_array

        size = len(strength)
        by_length = csr_array(
            (strength, self.kind, np.arange(size + 1)), shape=(size, self.factors.shape[1])
        )
        shared = np.asarray(self.words @ (self.by_word @ by_length).toarray())
        votes: Float64 = (shared * self.factors).sum(axis=1) - self.itself * strength
        return np.maximum(votes, 0.0)


_LEAST_CHANGE = 1e-10
_STEPS = 1_000


def walk(step: Callable[[Float64], Float64], size: int, *, damping: float) -> Float64:
    """How much of its time a walker spends at each of the sentences; all together 1.

    `step` takes the shares of the sentences and gives those after one step along the graph. With
    a probability of 1 - `damping` the walker jumps anywhere instead. Ends when all shares
    together change by less than 1e-10, or after 1,000 steps.
    """
    if not size:
        return np.empty(0)
    even: Float64 = np.full(size, 1 / size)
    shares = even
    for _ in range(_STEPS):
        updated = (1 - damping) * even + damping * step(shares)
        change = np.abs(updated - shares).sum()
        shares = updated
        if change < _LEAST_CHANGE:
            break
    total = shares.sum()
    return shares / total if total > 0 else shares
