"""Highlights: marks that snap to words within a budget, and the heat map that many of them make.

`gistmark.text.markable` says what a word is and which words count against a budget, and
`gistmark.text.words.touched_words` which of them a mark covers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gistmark.errors import UsageError
from gistmark.records import Highlight
from gistmark.text.markable import Markable, markable_words
from gistmark.text.words import Span, covered_words, touched_words

_NOT_READ = Markable((), frozenset())


class BudgetError(UsageError):
    """More words are marked than the budget allows."""


@dataclass(frozen=True)
class Sheet:
    """A document's text with the marks that somebody made on it; every change is a new sheet.

    >>> from gistmark.judgements import Sheet
    >>> sheet = Sheet("A painter found the crack.", budget=3).add(4, 13)
    >>> sheet.phrases(), sheet.words_left
    (('painter found',), 1)
    """

    text: str
    budget: int
    marks: tuple[Span, ...] = ()
    """Start and end (exclusive) of each mark in characters; they may overlap."""
    markable: Markable = field(default=_NOT_READ, repr=False, compare=False, kw_only=True)
    """The words of the text; read from it unless they are known."""

    def __post_init__(self) -> None:
        if self.markable is _NOT_READ:
            object.__setattr__(self, "markable", markable_words(self.text))

    @property
    def spans(self) -> tuple[Span, ...]:
        """The words that can be marked."""
        return self.markable.spans

    def snap(self, start: int, end: int) -> Span:
        """The span of all words that a selection touches: a partly selected word counts whole."""
        if not 0 <= start < end <= len(self.text):
            raise UsageError(
                f"A mark must have a start before its end within 0 to {len(self.text)}, "
                f"but goes from {start} to {end}."
            )
        words = touched_words(self.spans, start, end)
        if not words:
            raise UsageError(f"There is no word between {start} and {end}.")
        return self.spans[words[0]][0], self.spans[words[-1]][1]

    def add(self, start: int, end: int) -> Sheet:
        """The sheet with one more mark; one that goes over the budget is refused."""
        marker = Marker(self)
        marker.add(start, end)
        return marker.sheet()

    def words(self) -> frozenset[int]:
        """The indices of all highlighted words that count, each once."""
        return covered_words(self.spans, self.marks) & self.markable.counting

    @property
    def words_left(self) -> int:
        """How many more words may be highlighted."""
        return self.budget - len(self.words())

    def phrases(self) -> tuple[str, ...]:
        """The text of each mark, in the order they were made."""
        return tuple(self.text[start:end] for start, end in self.marks)


class Marker:
    """Adds marks to a sheet, each in a time that depends on the budget and not on the other marks.

    The words of the text are read once. Of a mark only the words that count are looked at, and
    only if they fit into the budget.
    """

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._counting = sorted(sheet.markable.counting)
        self._marks = list(sheet.marks)
        self._words = set(sheet.words())

    def add(self, start: int, end: int) -> None:
        """Add a mark; one that goes over the budget is refused."""
        start, end = self._sheet.snap(start, end)
        words = touched_words(self._sheet.spans, start, end)
        first = bisect_left(self._counting, words.start)
        last = bisect_left(self._counting, words.stop)
        known = sum(word in words for word in self._words)
        count, budget = len(self._words) + last - first - known, self._sheet.budget
        if count > budget:
            raise BudgetError(
                f"The marks have {count} words, {count - budget} more than the {budget} "
                f"that may be highlighted."
            )
        self._words.update(self._counting[first:last])
        self._marks.append((start, end))

    def sheet(self) -> Sheet:
        """The sheet with all marks that were added."""
        return replace(self._sheet, marks=tuple(self._marks))


@dataclass(frozen=True, slots=True)
class HeatWord:
    """A word by its offsets, how many annotators marked it, and its heat from 0 to 1."""

    start: int
    end: int
    count: int
    heat: float


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The words of a document, coloured: Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.2.

    `steps` are the positions of the threshold: at position p, words whose heat is below
    `steps[p]` lose their colour. At position 0 every word that anybody marked has one.
    """

    words: tuple[HeatWord, ...]
    steps: tuple[float, ...]


def heat_map(text: str, highlights: Iterable[Highlight]) -> HeatMap:
    """heat = (c - min) / (max - min), where c is the number of annotators who marked the word.

    A word counts once for an annotator, however many marks touch it. Where all words have the
    same count the quotient is not defined: their heat is 0 if nobody marked any, else 1.
    """
    spans = markable_words(text).spans
    marks: dict[str, list[Span]] = {}
    for mark in highlights:
        marks.setdefault(mark.annotator, []).append((mark.start, mark.end))
    covered = Counter(word for each in marks.values() for word in covered_words(spans, each))
    counts = [covered[word] for word in range(len(spans))]
    low, high = min(counts, default=0), max(counts, default=0)
    low = 0 if low == high else low
    words = tuple(
        HeatWord(start, end, count, (count - low) / (high - low or 1))
        for (start, end), count in zip(spans, counts, strict=True)
    )
    return HeatMap(words, tuple(sorted({word.heat for word in words if word.heat > 0})))
