"""Which words of a text each annotator highlighted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.records import Highlight
from gistmark.text.words import Span, touched_words


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
