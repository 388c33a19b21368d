"""Highlighting: marks that snap to words, a budget of words, and the phrases that come of it.

Words are what white space separates, as HROUGE and the agreement of highlights count them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gistmark.errors import UsageError
from gistmark.text.words import Span, word_spans


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
    spans: tuple[Span, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "spans", tuple(word_spans(self.text, "space")))

    def snap(self, start: int, end: int) -> Span:
        """The span of all words that a selection touches: a partly selected word counts whole."""
        if not 0 <= start < end <= len(self.text):
            raise UsageError(
                f"A mark must have a start before its end within 0 to {len(self.text)}, "
                f"but goes from {start} to {end}."
            )
        first, last = self._words(start, end)
        if first == last:
            raise UsageError(f"There is no word between {start} and {end}.")
        return self.spans[first][0], self.spans[last - 1][1]

    def add(self, start: int, end: int) -> Sheet:
        """The sheet with one more mark; one that goes over the budget is refused."""
        added = replace(self, marks=(*self.marks, self.snap(start, end)))
        over = -added.words_left
        if over > 0:
            raise UsageError(
                f"The marks have {len(added.words())} words, {over} more than the {self.budget} "
                f"that may be highlighted."
            )
        return added

    def remove(self, number: int) -> Sheet:
        """The sheet without one mark; words that another mark covers stay highlighted."""
        if not 0 <= number < len(self.marks):
            raise UsageError(f"There is no mark {number}; there are {len(self.marks)}.")
        return replace(self, marks=self.marks[:number] + self.marks[number + 1 :])

    def words(self) -> frozenset[int]:
        """The places of all highlighted words, each once."""
        return frozenset(
            place for start, end in self.marks for place in range(*self._words(start, end))
        )

    @property
    def words_left(self) -> int:
        """How many more words may be highlighted."""
        return self.budget - len(self.words())

    def phrases(self) -> tuple[str, ...]:
        """The text of each mark, in the order they were made."""
        return tuple(self.text[start:end] for start, end in self.marks)

    def _words(self, start: int, end: int) -> tuple[int, int]:
        first = bisect_right(self.spans, start, key=lambda span: span[1])
        last = bisect_left(self.spans, end, key=lambda span: span[0])
        return first, max(first, last)


def sheet_from(text: str, budget: int, marks: Iterable[Span]) -> Sheet:
    """A sheet with all these marks."""
    sheet = Sheet(text, budget)
    for start, end in marks:
        sheet = sheet.add(start, end)
    return sheet
