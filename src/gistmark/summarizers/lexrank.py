"""LexRank: sentences that are like many others that are like many others.

G. Erkan and D. Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization"
(2004). No collection stands beside a document, so idf counts the document's own sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmark.options import option
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import Choice, Extractive, in_document_order
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.ranking import Float64, best_first, walk
from gistmark.summarizers.redundancy import distinct_fill
from gistmark.summarizers.shares import require_shares
from gistmark.summarizers.similarity import (
    similar_blocks,
    turned,
    unit_tfidf,
    word_counts,
)
from gistmark.summarizers.summarizer import Source

if TYPE_CHECKING:
    from gistmark.summarizers.similarity import Matrix


@dataclass(frozen=True)
class LexRankOptions:
    """Options of LexRank."""

    threshold: float = option(
        0.1, "the cosine above which two sentences are linked; 0 weighs all links by their cosine"
    )
    damping: float = option(
        0.85, "the probability to follow a link, from 0 to 1; the paper's d is 1 less this"
    )
    redundancy: float = option(
        0.7, "a sentence whose cosine to a taken one is above this is passed over; 1 is never"
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
    about = "Sentences that are like many others, which in turn are (Erkan and Radev)."
    Options = LexRankOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        vectors = unit_tfidf(word_counts([sentence.text for sentence in candidates]))
        scores = _scores(vectors, self.options.threshold, self.options.damping)
        taken = distinct_fill(
            best_first(scores).tolist(), vectors, candidates, limit, self.options.redundancy
        )
        return Choice(in_document_order(taken, candidates))


def lexrank_scores(
    texts: Sequence[str], *, threshold: float = 0.1, damping: float = 0.85
) -> Float64:
    """The rank of each text among the others; all together 1.

    Likeness is the idf-modified cosine: of vectors of term frequency times idf. Every text is
    linked to itself. With a threshold of 0 this is the paper's continuous LexRank.
    """
    return _scores(unit_tfidf(word_counts(texts)), threshold, damping)


def _scores(vectors: Matrix, threshold: float, damping: float) -> Float64:
    step = _linked(vectors, threshold) if threshold > 0 else _weighted(vectors)
    return walk(step, vectors.shape[0], damping=damping)


def _weighted(vectors: Matrix) -> Callable[[Float64], Float64]:
    """One step over links weighed by cosines; the product of all pairs is never made."""
    by_word = turned(vectors)
    degrees = vectors @ np.asarray(vectors.sum(axis=0))

    def step(shares: Float64) -> Float64:
        return np.asarray(vectors @ (by_word @ (shares / degrees)))

    return step


def _linked(vectors: Matrix, threshold: float) -> Callable[[Float64], Float64]:
    """One step over links that all weigh the same; every sentence is linked to itself."""
    neighbours, starts = [], []
    links = np.empty(vectors.shape[0], dtype=np.int64)
    for first, block in similar_blocks(vectors, turned(vectors)):
        near = block > threshold
        rows = np.arange(len(block))
        near[rows, rows + first] = True
        counts = near.sum(axis=1)
        links[first : first + len(block)] = counts
        neighbours.append(np.nonzero(near)[1].astype(np.int32))
        starts.append(np.cumsum(counts) - counts)

    def step(shares: Float64) -> Float64:
        given = shares / links
        return np.concatenate(
            [np.add.reduceat(given[near], at) for near, at in zip(neighbours, starts, strict=True)]
        )

    return step
