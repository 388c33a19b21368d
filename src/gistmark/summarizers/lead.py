"""LeadFirst: the first sentences of a document, a baseline that is hard to beat in news."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from gistmark.summarizers.candidates import Sentence, cut_down, distinct, sentences_of
from gistmark.summarizers.extractive import Choice, Extractive
from gistmark.summarizers.limits import Limit, Room
from gistmark.summarizers.summarizer import Source


class LeadFirst(Extractive):
    """Takes whole sentences from the start of the first text that has any, while they fit.

    A sentence that comes again is passed over.
    """

    name = "LeadFirst"
    about = "The first sentences of the document, or of its first text."

    def candidates(self, source: Source, limit: Limit) -> tuple[Sentence, ...]:
        sentences = sentences_of(source.document)
        first = distinct(each for each in sentences if each.source == sentences[0].source)
        room = Room(limit)
        taken = tuple(takewhile(lambda sentence: room.take(sentence.text), first))
        if taken or not first:
            return taken
        beginning = cut_down(first[0], limit)
        return (beginning,) if beginning.text else ()

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        return Choice(tuple(range(len(candidates))))
