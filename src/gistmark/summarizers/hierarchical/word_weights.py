"""H5's weights: how much each word of a document says about what is relevant in it.

Untaught, a content word weighs as much as it is frequent in the document, relative to the most
frequent. Taught, this is multiplied by how much more often than others the word stood in relevant
sentences of the lessons. Stop words weigh nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.hierarchical.labels import Lesson, relevant_counts
from gistmark.summarizers.similarity import CONTENT
from gistmark.text import word_spans
from gistmark.text.folding import fold_words

PRIOR = 5.0
"""A word's share of relevant sentences is smoothed as if it had been seen so often before."""


@dataclass(frozen=True)
class Weighted:
    """The words of a sentence: where they stand in it, their stems, and their weights.

    The stem of a stop word is None.
    """

    spans: list[tuple[int, int]]
    stems: list[str | None]
    weights: list[float]


@dataclass(frozen=True)
class Weights:
    """What words weigh; `lifts` multiplies, and a word that is not there has 1."""

    lifts: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, sentences: Sequence[Sentence]) -> list[Weighted]:
        """The weighted words of a document's sentences; the heaviest weighs 1."""
        spans = [word_spans(sentence.text, "words") for sentence in sentences]
        stems = [
            fold_words([sentence.text[start:end].lower() for start, end in found], CONTENT)
            for sentence, found in zip(sentences, spans, strict=True)
        ]
        often = Counter(stem for found in stems for stem in found if stem is not None)
        raw = {stem: count * self.lifts.get(stem, 1.0) for stem, count in often.items()}
        most = max(raw.values(), default=1.0) or 1.0
        return [
            Weighted(places, found, [raw[stem] / most if stem else 0.0 for stem in found])
            for places, found in zip(spans, stems, strict=True)
        ]


def taught_weights(lessons: Sequence[Lesson]) -> Weights:
    """Lifts from how often each word stands in relevant sentences, among all where it stands."""
    counts = relevant_counts(lessons)
    relevant = sum(found for found, _ in counts.values())
    mean = relevant / (sum(everywhere for _, everywhere in counts.values()) or 1.0)
    if not mean:
        return Weights()
    return Weights(
        {
            word: (found + PRIOR * mean) / (everywhere + PRIOR) / mean
            for word, (found, everywhere) in counts.items()
        }
    )
