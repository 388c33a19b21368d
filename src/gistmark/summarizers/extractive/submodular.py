"""Submodular: the sentences that together cover most of the document.

H. Lin and J. Bilmes, "Multi-document Summarization via Budgeted Maximization of Submodular
Functions" (2010) for the greedy algorithm and "A Class of Submodular Functions for Document
Summarization" (2011) for the coverage, in the variant of DIP-SumEval: full coverage is weighted
with the reciprocal of the number of sentences, sentences of less than 30 characters are left out,
and so is one that is too similar to a chosen one.

Coverage is the sum over all sentences i of min(sum over chosen j of w_ij, alpha * sum over all k of
w_ik), where w is the cosine of two sentences. Sentence i counts no more once it is covered to the
share alpha.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from gistmark.options import option
from gistmark.summarizers.extractive.selection import Choice, Extractive, in_document_order
from gistmark.summarizers.extractive.similarity import (
    CONTENT,
    Float64,
    content_of,
    similar_blocks,
    similarity_to,
    transposed,
    unit_tfidf,
    word_counts,
)
from gistmark.summarizers.summarizer import Budget, Limit, Sentence, Source, require_shares
from gistmark.text import Profile

if TYPE_CHECKING:
    from gistmark.summarizers.extractive.similarity import Matrix

SHORTEST = 30
"""A sentence of fewer characters is left out, unless none has as many."""

_MOST_STALE = 64
"""How many gains are computed together, which takes less time than one by one."""


@dataclass(frozen=True)
class SubmodularOptions:
    """Options of Submodular.

    `saturation` over the number of sentences is alpha, so 1 is the variant of DIP-SumEval. With `r`
    below 1 long sentences suffer less from their cost; the bound under a budget holds for 1.
    """

    saturation: float = option(
        1.0, "a sentence is covered at this many times its mean cosine to all sentences"
    )
    r: float = option(0.3, "the power of the cost that a gain is divided by")
    redundancy: float = option(
        0.7, "a sentence whose cosine to a taken one is above this is skipped; 1 skips none"
    )

    def __post_init__(self) -> None:
        require_shares("Submodular", redundancy=self.redundancy)


class Submodular(Extractive):
    """Takes, one by one, the sentence that adds most coverage for its cost, while there is room.

    Under a limit in sentences alone all cost the same, and without the redundancy check the
    coverage is at least 1 - 1/e of the best possible. The best single sentence is taken instead
    where it alone covers more, which gives a constant bound under the other limits too. The
    summary is in the document's order.
    """

    name = "Submodular"
    about = "Sentences that together cover the document best, found greedily (Lin and Bilmes)."
    Options = SubmodularOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        long_enough = [
            number for number, sentence in enumerate(candidates) if len(sentence.text) >= SHORTEST
        ]
        numbers = long_enough or range(len(candidates))
        texts = [candidates[number].text for number in numbers]
        selected = self.cover(texts, limit, content_of(source.document.lang))
        return Choice(in_document_order((numbers[number] for number in selected), candidates))

    def cover(self, texts: Sequence[str], limit: Limit, profile: Profile = CONTENT) -> list[int]:
        """The numbers of the chosen texts, in the order in which they are chosen."""
        vectors = unit_tfidf(word_counts(texts, profile))
        coverage = Coverage(vectors, min(self.options.saturation / len(texts), 1.0))
        single_gains = coverage.gains(range(len(texts)))
        selected = self._greedy(coverage, single_gains, texts, limit)
        single = int(np.argmax(single_gains))
        return [single] if single_gains[single] > coverage.value else selected

    def _greedy(
        self, coverage: Coverage, single_gains: Float64, texts: Sequence[str], limit: Limit
    ) -> list[int]:
        """Lin and Bilmes' greedy, evaluated lazily: a gain is computed when it may be the best.

        The heap holds the last known gain of each text for its cost, and how many were taken
        when it was computed. Gains never grow, so one that is up to date and on top is the best;
        of equals the first is on top.
        """
        scale = costs(texts, limit) ** self.options.r
        heap = [(-gain, number, 0) for number, gain in enumerate((single_gains / scale).tolist())]
        heapify(heap)
        budget = Budget(limit)
        selected: list[int] = []
        while heap:
            stale = _pop_stale(heap, len(selected))
            if not stale:
                number = heappop(heap)[1]
                budget.take(texts[number])
                coverage.take(number)
                selected.append(number)
                continue
            novel = coverage.nearest[stale] <= self.options.redundancy
            open_numbers = [n for n, is_novel in zip(stale, novel, strict=True) if is_novel]
            open_numbers = [number for number in open_numbers if budget.fits(texts[number])]
            gains = coverage.gains(open_numbers) / scale[open_numbers]
            for number, gain in zip(open_numbers, gains.tolist(), strict=True):
                heappush(heap, (-gain, number, len(selected)))
        return selected


def _pop_stale(heap: list[tuple[float, int, int]], selected_count: int) -> list[int]:
    """Those on top, a few at most, whose gains were computed when fewer were taken."""
    stale: list[int] = []
    while heap and heap[0][2] < selected_count and len(stale) < _MOST_STALE:
        stale.append(heappop(heap)[1])
    return stale


def costs(texts: Sequence[str], limit: Limit) -> Float64:
    """What each text costs: the largest share of any limit that it uses up, or 1 without any.

    The space between two texts is counted with each text, and once with the limit.
    """
    uses: list[Float64] = []
    if limit.chars is not None:
        uses.append(np.array([len(text) + 1 for text in texts]) / (limit.chars + 1))
    if limit.words is not None:
        uses.append(word_counts(texts).sum(axis=1) / limit.words)
    if limit.sentences is not None:
        uses.append(np.full(len(texts), 1 / limit.sentences))
    largest: Float64 = np.max(uses or [np.ones(len(texts))], axis=0)
    return np.maximum(largest, np.finfo(np.float64).tiny)


class Coverage:
    """What the sentences chosen so far cover, and what another one would add.

    `nearest` has each sentence's highest cosine to a chosen one.
    """

    def __init__(self, vectors: Matrix, alpha: float) -> None:
        self.vectors = vectors
        self.by_word = transposed(vectors)
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
        gains = [np.empty(0)] + [
            np.minimum(block, self.left).sum(axis=1)
            for _, block in similar_blocks(self.vectors[list(numbers)], self.by_word)
        ]
        return np.concatenate(gains)

    def take(self, number: int) -> None:
        """Choose the sentence."""
        near = similarity_to(self.vectors, number)
        self.left = self.left - np.minimum(near, self.left)
        self.nearest = np.maximum(self.nearest, near)
