"""Random: sentences drawn by lot, the mark that every other system should pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmark.options import option
from gistmark.seeds import document_generator
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import Choice, Extractive, fill, in_document_order
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.summarizer import Source


@dataclass(frozen=True)
class RandomOptions:
    """Options of Random."""

    seed: int = option(0, "another number gives other sentences")


class Random(Extractive):
    """Shuffles the sentences, takes those that fit, and puts them in the document's order."""

    name = "Random"
    about = "Sentences drawn by lot."
    Options = RandomOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        shuffled = document_generator(self.options.seed, source.document.id).permutation(
            len(candidates)
        )
        taken = fill(shuffled.tolist(), candidates, limit)
        return Choice(in_document_order(taken, candidates))
