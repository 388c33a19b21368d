"""TextRank: sentences that share words vote for each other.

R. Mihalcea and P. Tarau, "TextRank: Bringing Order into Texts" (2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmark.options import option
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import Choice, Extractive, fill, in_document_order
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.ranking import Float64, Int64, best_first, walk
from gistmark.summarizers.shares import require_shares
from gistmark.summarizers.similarity import CONTENT, content_of, turned, word_counts
from gistmark.summarizers.summarizer import Source
from gistmark.text import Profile

if TYPE_CHECKING:
    from gistmark.summarizers.similarity import Matrix

DAMPING = 0.85
"""The probability to follow an edge, as Mihalcea and Tarau set it."""


@dataclass(frozen=True)
class TextRankOptions:
    """Options of TextRank."""

    damping: float = option(DAMPING, "the probability to follow an edge, from 0 to 1")

    def __post_init__(self) -> None:
        require_shares("TextRank", damping=self.damping)


class TextRank(Extractive):
    """Takes the sentences with the highest rank that fit, in the order of the document."""

    name = "TextRank"
    about = "Sentences that share many words with others that do so too (Mihalcea and Tarau)."
    Options = TextRankOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        scores = textrank_scores(
            [each.text for each in candidates],
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
    """The votes of all for each, without a matrix of all pairs.

    The divisor of an edge depends on two lengths alone. So votes are summed word by word and
    length by length, and only then divided, which takes time in proportion to the words.
    """

    def __init__(self, words: Matrix, lengths: Int64) -> None:
        self.words = words
        self.by_word = turned(words)
        kinds, self.kind = np.unique(lengths, return_inverse=True)
        divisors = np.log(lengths)[:, None] + np.log(kinds)
        self.factors = np.divide(1.0, divisors, out=np.zeros_like(divisors), where=divisors > 0)
        own = self.factors[np.arange(len(lengths)), self.kind]
        self.itself = own * words.sum(axis=1)

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
