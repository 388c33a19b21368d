"""MMR and MMR*: maximal marginal relevance, with the source in the place of a query.

J. Carbonell and J. Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents
and Producing Summaries" (1998), in the variant of DIP-SumEval: the words that a sentence shares
with all texts of the source replace those that it shares with a query, and likeness is Jaccard's.
A sentence has all its words from the source, so this relevance favours long sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmark.options import option
from gistmark.summarizers.artefacts import is_artefact
from gistmark.summarizers.candidates import Sentence, fitting, sentences_of
from gistmark.summarizers.extractive import Choice, Extractive, in_document_order
from gistmark.summarizers.limits import Limit, Room
from gistmark.summarizers.ranking import best_first
from gistmark.summarizers.shares import require_shares
from gistmark.summarizers.similarity import Float64, row, word_counts
from gistmark.summarizers.summarizer import Source

if TYPE_CHECKING:
    from gistmark.summarizers.similarity import Matrix

ONLY_ARTEFACTS = "every sentence looks like an artefact of a page, so none is passed over"


@dataclass(frozen=True)
class MmrOptions:
    """Options of MMR and MMR*.

    `balance` is lambda. Carbonell and Goldstein advise 0.7 to focus on what is relevant and 0.3
    to see much of the space around it; 0.5 is between the two.
    """

    balance: float = option(0.5, "how much relevance counts, from 0 to 1; novelty has the rest")

    def __post_init__(self) -> None:
        require_shares("MMR", balance=self.balance)


class Mmr(Extractive):
    """Takes, one by one, the sentence that is most relevant and least like those taken.

    The value of a sentence is balance * Jaccard(sentence, source) - (1 - balance) * the highest
    Jaccard(sentence, taken sentence). Of equals the first is taken. One that does not fit in what
    is left of the limit is passed over. The summary is in the document's order.
    """

    name = "MMR"
    about = "Maximal marginal relevance: like the whole source, unlike what is taken."
    Options = MmrOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        texts = [sentence.text for sentence in candidates]
        words = binary_words([*texts, *source.document.texts])
        taken = self._take(words, texts, limit)
        return Choice(in_document_order(taken, candidates))

    def _take(self, words: Matrix, texts: Sequence[str], limit: Limit) -> list[int]:
        """The numbers of the taken texts; the rows of words below theirs are the source's."""
        relevance = self.options.balance * source_relevance(words, len(texts))
        words = words[: len(texts)]
        likeness = np.zeros(len(texts))
        left = np.ones(len(texts), dtype=bool)
        room = Room(limit)
        taken: list[int] = []
        while left.any():
            values = relevance - (1 - self.options.balance) * likeness
            for best in best_first(np.where(left, values, -np.inf))[: left.sum()].tolist():
                left[best] = False
                if room.take(texts[best]):
                    taken.append(best)
                    likeness = np.maximum(likeness, jaccard(words, row(words, best)))
                    break
        return taken


class MmrStar(Mmr):
    """MMR without artefacts of web pages; they stay where there is nothing else."""

    name = "MMR*"
    about = "MMR that passes over copyright, navigation, cookie lines and other artefacts."

    def candidates(self, source: Source, limit: Limit) -> tuple[Sentence, ...]:
        sentences = sentences_of(source.document)
        proper = [sentence for sentence in sentences if not is_artefact(sentence.text)]
        return fitting(proper or sentences, limit)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        choice = super().choose(candidates, source, limit)
        only = all(is_artefact(sentence.text) for sentence in candidates)
        return Choice(choice.order, note=ONLY_ARTEFACTS if only else None)


def binary_words(texts: Sequence[str]) -> Matrix:
    """Whether each text has each word, as 1 or 0."""
    words = word_counts(texts)
    words.data[:] = 1.0
    return words


def source_relevance(words: Matrix, count: int) -> Float64:
    """The likeness of each of the first rows to all the words of the rows below them."""
    in_source = np.bincount(words[count:].indices, minlength=words.shape[1]) > 0
    return jaccard(words[:count], in_source.astype(np.float64))


def jaccard(words: Matrix, others: Float64) -> Float64:
    """For each row of words (0 or 1) what it shares with the others over what either has.

    Two that have no words are not alike.
    """
    shared: Float64 = np.asarray(words @ others)
    either = words.sum(axis=1) + others.sum() - shared
    found: Float64 = np.divide(shared, either, out=np.zeros_like(shared), where=either > 0)
    return found
