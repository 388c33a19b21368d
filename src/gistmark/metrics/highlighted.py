"""Which words of a document its annotators highlighted, as weights per word.

Hardy, Narayan and Vlachos, "HighRES: Highlight-based Reference-less Evaluation of Summarization"
(2019), section 4.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.records import Highlight
from gistmark.text.words import Span, touched_words

PAPER_BUDGET = 30
"""The number of words that each annotator of HighRES could highlight (K)."""


def highlighted_words(
    spans: Sequence[Span], highlights: Sequence[Highlight]
) -> dict[str, NDArray[np.bool_]]:
    """For each annotator, which words are highlighted; a word that is touched counts whole."""
    marks: dict[str, NDArray[np.bool_]] = {}
    for mark in highlights:
        if mark.annotator not in marks:
            marks[mark.annotator] = np.zeros(len(spans), dtype=bool)
        touched = touched_words(spans, mark.start, mark.end)
        marks[mark.annotator][touched.start : touched.stop] = True
    return marks


def word_weights(
    spans: Sequence[Span],
    highlights: Sequence[Highlight],
    *,
    budget: int | None = None,
    annotators: int | None = None,
) -> NDArray[np.float64]:
    """NumH(w) / N for every word: sum over annotators k of len(H_k) / K where k marked it, over N.

    `budget` (K) is taken from the highlights where it is not given, else the paper's 30;
    `annotators` (N) is the number of people who highlighted the document.
    """
    marks = highlighted_words(spans, highlights)
    budgets = {mark.annotator: mark.budget for mark in highlights if mark.budget is not None}
    total = np.zeros(len(spans))
    for annotator in sorted(marks):
        allowed = budget or budgets.get(annotator) or PAPER_BUDGET
        total += marks[annotator] * (marks[annotator].sum() / allowed)
    people = annotators or len(marks)
    return total / people if people else total
