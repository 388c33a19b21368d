"""Heat maps: how many annotators highlighted each word of a document.

Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.2.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from gistmark.records import Highlight
from gistmark.text.words import word_spans


@dataclass(frozen=True, slots=True)
class HeatWord:
    """A word by its place in the text, how many annotators marked it, and its heat from 0 to 1."""

    start: int
    end: int
    count: int
    heat: float


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The words of a document, coloured.

    `steps` are the positions of the threshold: at position p, words whose heat is below
    `steps[p]` lose their colour. At position 0 every word that anybody marked has one.
    """

    words: tuple[HeatWord, ...]
    steps: tuple[float, ...]

    def coloured(self, position: int = 0) -> tuple[HeatWord, ...]:
        """The words that have a colour at a position of the threshold."""
        if not self.steps:
            return ()
        return tuple(word for word in self.words if word.heat >= self.steps[position])


def heat_map(text: str, highlights: Iterable[Highlight]) -> HeatMap:
    """heat = (c - min) / (max - min), where c is the number of annotators who marked the word.

    A word counts once for an annotator, however many marks touch it. Where all words have the
    same count the quotient is not defined: their heat is 0 if nobody marked any, else 1.
    """
    spans = word_spans(text, "space")
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    marked: dict[str, set[int]] = {}
    for mark in highlights:
        touched = range(bisect_right(ends, mark.start), bisect_left(starts, mark.end))
        marked.setdefault(mark.annotator, set()).update(touched)
    counts = [sum(place in words for words in marked.values()) for place in range(len(spans))]
    low, high = min(counts, default=0), max(counts, default=0)
    words = tuple(
        HeatWord(start, end, count, _heat(count, low, high))
        for (start, end), count in zip(spans, counts, strict=True)
    )
    return HeatMap(words, tuple(sorted({word.heat for word in words if word.heat > 0})))


def _heat(count: int, low: int, high: int) -> float:
    if low == high:
        return 1.0 if high else 0.0
    return (count - low) / (high - low)
