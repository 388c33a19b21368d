"""How relevant a sentence is to its document: what that is, and the answer without training.

The stand-in is the cosine of a sentence's TF-IDF vector to the centroid of its document (Radev,
Jing, Styś and Tam, "Centroid-based summarization of multiple documents", 2004), because it needs
no model, works in any script and stands well above a random choice. News begins with what matters,
so a sentence gains a little the nearer it is to the start of its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.hierarchical.terms import centrality
from gistmark.summarizers.ranking import Float64

FACTS = 4
"""How many facts `facts` gives of a sentence."""


class Relevance(Protocol):
    """Gives each of a document's sentences its relevance, 0 to 1."""

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        """The relevance of the sentences, which are those of one document."""
        ...


@dataclass(frozen=True)
class Centrality:
    """The stand-in: cosine to the centroid times (1 + lead / (1 + place)) / (1 + lead)."""

    lead: float

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        near = centrality([sentence.text for sentence in sentences])
        return near * (1 + self.lead * earliness(sentences)) / (1 + self.lead)


def facts(sentences: Sequence[Sentence]) -> Float64:
    """What a sentence's words alone do not tell, a row for each; networks see it beside them.

    Cosine to the centroid, 1 / (1 + place), the share of the way through its text, and the
    logarithm of its length in characters; each is standardised over the document's sentences,
    because relevance is relative to them.
    """
    places = np.array([sentence.place for sentence in sentences], dtype=np.float64)
    sources = np.array([sentence.source for sentence in sentences])
    last = np.ones(sources.max() + 1)
    np.maximum.at(last, sources, places)
    near = centrality([sentence.text for sentence in sentences])
    lengths = np.log([1 + len(sentence.text) for sentence in sentences])
    found: Float64 = np.stack([near, earliness(sentences), places / last[sources], lengths], axis=1)
    spread: Float64 = found.std(axis=0)
    standard: Float64 = (found - found.mean(axis=0)) / np.where(spread > 1e-9, spread, 1)
    return standard


def earliness(sentences: Sequence[Sentence]) -> Float64:
    """1 / (1 + place) for each sentence, where the first of a text has the place 0."""
    return np.array([1 / (1 + sentence.place) for sentence in sentences])
