"""How simulated annotators highlight: what is central, what comes first, or anything."""

from __future__ import annotations

from collections import Counter

import numpy as np

from gistmark.text.sentences import sentence_spans
from gistmark.text.stopwords import STOP_WORDS
from gistmark.text.words import Span, word_spans, words


def central_marks(
    text: str, budget: int, draw: np.random.Generator, *, noise: float
) -> tuple[Span, ...]:
    """The beginnings of the sentences whose words the text uses most, up to the budget.

    Earlier sentences are preferred a little; `noise` is how far one may be misjudged.
    """
    spans = sentence_spans(text)
    counts = Counter(word for word in words(text) if word not in STOP_WORDS)
    worth = []
    for place, (start, end) in enumerate(spans):
        own = [counts[word] for word in words(text[start:end]) if word not in STOP_WORDS]
        mean = sum(own) / len(own) / max(counts.values()) if own else 0.0
        worth.append(mean - 0.2 * place / len(spans) + float(draw.normal(0, noise)))
    marks: list[Span] = []
    left = budget
    for place in sorted(range(len(spans)), key=lambda place: -worth[place]):
        start, end = spans[place]
        inside = word_spans(text[start:end], "space")[: min(left, 12)]
        if not inside:
            break
        marks.append((start + inside[0][0], start + inside[-1][1]))
        left -= len(inside)
    return tuple(marks)


def first_marks(text: str, budget: int) -> tuple[Span, ...]:
    """One mark over the first words."""
    spans = word_spans(text, "space")[:budget]
    return ((spans[0][0], spans[-1][1]),) if spans else ()


def stray_marks(text: str, count: int, draw: np.random.Generator) -> tuple[Span, ...]:
    """Single words from anywhere."""
    spans = word_spans(text, "space")
    return tuple(spans[place] for place in draw.permutation(len(spans))[:count].tolist())
