"""LeadFirst, which is hard to beat in news, and Random, which every other system should beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from gistmark.options import option
from gistmark.runtime.seeds import document_generator
from gistmark.summarizers.extractive.selection import (
    Choice,
    Extractive,
    cut_down,
    distinct,
    fill,
    in_document_order,
    sentences_of,
)
from gistmark.summarizers.summarizer import Budget, Limit, Sentence, Source


class LeadFirst(Extractive):
    """Takes whole sentences from the start of the first text that has any, while they fit.

    A sentence that comes again is skipped.
    """

    name = "LeadFirst"
    about = "The first sentences of the document, or of its first text."

    def candidates(self, source: Source, limit: Limit) -> tuple[Sentence, ...]:
        sentences = sentences_of(source.document)
        first_text = distinct(
            candidate for candidate in sentences if candidate.source == sentences[0].source
        )
        budget = Budget(limit)
        lead = tuple(takewhile(lambda sentence: budget.take(sentence.text), first_text))
        if lead or not first_text:
            return lead
        beginning = cut_down(first_text[0], limit)
        return (beginning,) if beginning.text else ()

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        return Choice(tuple(range(len(candidates))))


@dataclass(frozen=True)
class RandomOptions:
    """Options of Random."""

    seed: int = option(0, "another number gives other sentences")


class Random(Extractive):
    """Shuffles the sentences, takes those that fit, and puts them in the document's order."""

    name = "Random"
    about = "Sentences chosen at random."
    Options = RandomOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        shuffled = document_generator(self.options.seed, source.document.id).permutation(
            len(candidates)
        )
        selected = fill(shuffled.tolist(), candidates, limit)
        return Choice(in_document_order(selected, candidates))
