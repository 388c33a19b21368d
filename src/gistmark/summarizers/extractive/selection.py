"""What extractive systems share: candidate sentences, filling a limit, the order of the summary.

A subclass of `Extractive` chooses among the candidates; the rest is the same for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmark.records import TEXT_SEPARATOR, Document
from gistmark.summarizers.extractive.similarity import Float64, Int64, similarity_to
from gistmark.summarizers.summarizer import (
    Budget,
    Limit,
    Node,
    Outcome,
    Sentence,
    Source,
    Summarizer,
)
from gistmark.text import sentence_spans

if TYPE_CHECKING:
    from gistmark.summarizers.extractive.similarity import Matrix

EMPTY = "the document has no sentences"
NOTHING_FITS = "the limit leaves no room"
CUT = "every sentence is longer than the limit, so one is cut at a word boundary"


@dataclass(frozen=True, slots=True)
class Choice:
    """The indices of the chosen candidates in the order of the summary, and their hierarchy."""

    order: tuple[int, ...]
    tree: Node | None = None
    note: str | None = None


class Extractive(Summarizer):
    """Chooses among the document's sentences: distinct ones, each of which alone would fit."""

    extractive = True

    @abstractmethod
    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        """Which candidates (never none) make the summary; together they must fit."""

    def candidates(self, source: Source, limit: Limit) -> tuple[Sentence, ...]:
        """What can be chosen."""
        return fitting(sentences_of(source.document), limit)

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        candidates = self.candidates(source, limit)
        if not candidates:
            blank = not source.document.text.strip()
            return Outcome("", note=EMPTY if blank else NOTHING_FITS)
        choice = self.choose(candidates, source, limit)
        sentences = tuple(candidates[number] for number in choice.order)
        text = " ".join(sentence.text for sentence in sentences)
        cut = CUT if any(sentence.cut for sentence in sentences) else None
        return Outcome(text, sentences, choice.tree, choice.note or cut)


def fill(ranked: Iterable[int], candidates: Sequence[Sentence], limit: Limit) -> tuple[int, ...]:
    """Those of the ranked candidates that fit, best first; one too long for the rest is skipped."""
    budget = Budget(limit)
    return tuple(number for number in ranked if budget.take(candidates[number].text))


def in_document_order(numbers: Iterable[int], candidates: Sequence[Sentence]) -> tuple[int, ...]:
    """The numbers in the order in which their candidates stand in the document."""
    return tuple(sorted(numbers, key=lambda number: candidates[number].start))


def sentences_of(document: Document) -> tuple[Sentence, ...]:
    """All sentences of all texts, in order."""
    sentences: list[Sentence] = []
    offset = 0
    for source, text in enumerate(document.texts):
        for position, (start, end) in enumerate(sentence_spans(text, document.lang)):
            sentences.append(
                Sentence(text[start:end], offset + start, offset + end, source, position)
            )
        offset += len(text) + len(TEXT_SEPARATOR)
    return tuple(sentences)


def fitting(sentences: Iterable[Sentence], limit: Limit) -> tuple[Sentence, ...]:
    """Those that can be in a summary: the first of each wording, none that is too long by itself.

    Where all are too long, their beginnings are used, cut at a word boundary.
    """
    distinct_sentences = distinct(sentences)
    short = tuple(sentence for sentence in distinct_sentences if limit.holds([sentence.text]))
    return short or distinct(
        cut for sentence in distinct_sentences if (cut := cut_down(sentence, limit)).text
    )


def cut_down(sentence: Sentence, limit: Limit) -> Sentence:
    """The beginning of a sentence that fits."""
    text = limit.cut(sentence.text)
    if text == sentence.text:
        return sentence
    return replace(sentence, text=text, end=sentence.start + len(text), cut=True)


def distinct(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The first of each wording."""
    first_of_wording: dict[str, Sentence] = {}
    for sentence in sentences:
        first_of_wording.setdefault(wording(sentence.text), sentence)
    return tuple(first_of_wording.values())


def wording(sentence: str) -> str:
    """A sentence as it is compared with others: case and white space make no difference."""
    return " ".join(sentence.casefold().split())


def distinct_fill(
    ranked: Iterable[int],
    vectors: Matrix,
    candidates: Sequence[Sentence],
    limit: Limit,
    most: float,
) -> list[int]:
    """Those of the ranked candidates that fit and whose cosine to none taken is above `most`."""
    nearest = np.zeros(len(candidates))
    budget = Budget(limit)
    selected: list[int] = []
    for number in ranked:
        if nearest[number] <= most and budget.take(candidates[number].text):
            selected.append(number)
            nearest = np.maximum(nearest, similarity_to(vectors, number))
    return selected


def best_first(scores: Float64) -> Int64:
    """The indices of the scores from the highest down; of equals (to 12 digits) the first first."""
    return np.argsort(-np.round(scores, 12), kind="stable")
