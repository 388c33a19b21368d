"""Extractive systems: they choose sentences, and all else is the same for all of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gistmark.summarizers.candidates import Sentence, fitting, sentences_of
from gistmark.summarizers.hierarchy import Node
from gistmark.summarizers.limits import Limit, Room
from gistmark.summarizers.summarizer import Outcome, Source, Summarizer

EMPTY = "the document has no sentences"
NO_ROOM = "the limit leaves no room"
CUT = "every sentence is longer than the limit, so one is cut at a word boundary"


@dataclass(frozen=True, slots=True)
class Choice:
    """The numbers of the chosen candidates in the order of the summary, and their hierarchy."""

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
            return Outcome("", note=EMPTY if blank else NO_ROOM)
        choice = self.choose(candidates, source, limit)
        taken = tuple(candidates[number] for number in choice.order)
        text = " ".join(sentence.text for sentence in taken)
        cut = CUT if any(sentence.cut for sentence in taken) else None
        return Outcome(text, taken, choice.tree, choice.note or cut)


def fill(ranked: Iterable[int], candidates: Sequence[Sentence], limit: Limit) -> tuple[int, ...]:
    """Those of the ranked candidates that fit, best first; one too long for the rest is passed."""
    room = Room(limit)
    return tuple(number for number in ranked if room.take(candidates[number].text))


def in_document_order(numbers: Iterable[int], candidates: Sequence[Sentence]) -> tuple[int, ...]:
    """The same candidates as they follow each other in the document."""
    return tuple(sorted(numbers, key=lambda number: candidates[number].start))
