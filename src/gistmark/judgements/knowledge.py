"""What a simulated annotator can find out by reading: the quality of texts, and what is true.

A program cannot read. Instead it knows how good each summary is (which the simulation decides),
takes a text for fluent as far as its neighbouring words stand so in ordinary text, and takes a
statement for true if it stands in the text beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from gistmark.corpus.corpus import Corpus
from gistmark.judgements.questions import occurs
from gistmark.judgements.seeds import generator
from gistmark.text.ngrams import ngrams
from gistmark.text.words import words

_SPREAD = 0.08
"""The standard deviation of the quality of a system's summaries around the system's."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Hidden facts by text: `quality` of summaries from 0 to 1, `truths` of statements.

    `ordinary` are the pairs of neighbouring words of text that nobody has broken.
    """

    quality: Mapping[str, float] = field(default_factory=dict)
    truths: Mapping[str, bool] = field(default_factory=dict)
    ordinary: frozenset[tuple[str, ...]] = frozenset()

    def quality_of(self, text: str, dimension: str = "") -> float:
        """How good a text is in a dimension; what is not known is judged by how it reads.

        A text is a little better in some dimensions than in others, the same for every reader.
        The share of ordinary pairs is squared, because a wrong word spoils the pairs on both sides.
        """
        known = self.quality.get(text)
        if known is None:
            return _share(text, self.ordinary) ** 2
        return _drawn(known, generator(0, "dimension", dimension, text)) if dimension else known

    def holds(self, statement: str, text: str) -> bool:
        """Whether a statement is true, as far as reading the text beside it tells."""
        known = self.truths.get(statement)
        return occurs(statement, text) if known is None else known


def knowledge_from(
    corpus: Corpus,
    systems: Mapping[str, float],
    *,
    seed: int,
    truths: Mapping[str, bool] | None = None,
) -> Knowledge:
    """What there is to know about a corpus whose systems have these qualities from 0 to 1.

    Each summary's quality is drawn around its system's. A system that is not named gets 0.5, a
    reference 0.9. The questions of the corpus are known, and `truths` on top of them.
    """
    quality = {
        summary.text: _drawn(
            systems.get(summary.system, 0.9 if summary.reference else 0.5),
            generator(seed, "quality", summary.document, summary.system),
        )
        for summary in corpus.summaries
    }
    ordinary = [document.text for document in corpus.documents]
    ordinary += [summary.text for summary in corpus.summaries if summary.reference]
    ordinary += [triple.good for triple in corpus.planted]
    asked = {question.statement: question.answer for question in corpus.questions}
    return Knowledge(quality, {**asked, **(truths or {})}, _pairs(ordinary))


def _drawn(centre: float, draw: np.random.Generator) -> float:
    return float(np.clip(draw.normal(centre, _SPREAD), 0.0, 1.0))


def _pairs(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(pair for text in texts for pair in ngrams(words(text), 2))


def _share(text: str, ordinary: frozenset[tuple[str, ...]]) -> float:
    """The share of a text's neighbouring words that are ordinary; one word says nothing."""
    pairs = ngrams(words(text), 2)
    return sum(pair in ordinary for pair in pairs) / len(pairs) if pairs else 0.5
