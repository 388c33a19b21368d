"""A text as the measures of a learnt metric read it: words with their case, stems, names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gistmark.text import ENGLISH, sentence_spans, stop_words
from gistmark.text.languages import language
from gistmark.text.stems import stems

_WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True)
class Text:
    """A text as words with their case, by sentence; `ends` is where each word ends in `written`."""

    written: str
    sentences: tuple[tuple[str, ...], ...]
    ends: tuple[int, ...]
    lang: str

    @classmethod
    def read(cls, text: str, lang: str = ENGLISH) -> Text:
        matches = [[*_WORD.finditer(text, *span)] for span in sentence_spans(text, lang)]
        rows = [[_POSSESSIVE.sub("", match.group()) for match in row] for row in matches]
        ends = tuple(match.end() for row in matches for match in row)
        return cls(text, tuple(tuple(row) for row in rows if row), ends, lang)

    @cached_property
    def words(self) -> list[str]:
        """All words, in lower case."""
        return [word.lower() for row in self.sentences for word in row]

    @cached_property
    def stems(self) -> list[str | None]:
        """The stem of each word; none of a stop word."""
        spoken = language(self.lang)
        stop = stop_words(self.lang) if spoken.stop_words is not None else frozenset()
        forms = stems(self.words, self.lang) if spoken.stemmer is not None else self.words
        return [None if w in stop else f for w, f in zip(self.words, forms, strict=True)]

    @cached_property
    def content(self) -> list[frozenset[str]]:
        """The stems of each sentence."""
        rows, start = [], 0
        for row in self.sentences:
            sentence_stems = self.stems[start : start + len(row)]
            rows.append(frozenset(stem for stem in sentence_stems if stem is not None))
            start += len(row)
        return rows

    @cached_property
    def names(self) -> list[int]:
        """The indexes of names and numbers: capitals within a sentence, and what has a digit."""
        rows, start = [], 0
        for row in self.sentences:
            titled = is_titled(row)
            rows += [start + i for i, word in enumerate(row) if is_name(word, i, titled=titled)]
            start += len(row)
        return [i for i in rows if self.stems[i] is not None]

    @cached_property
    def named(self) -> frozenset[str]:
        """The words that are names more often than not."""
        as_names = Counter(self.words[i] for i in self.names)
        return frozenset(w for w, n in as_names.items() if 2 * n > len(self.positions[w]))

    @cached_property
    def positions(self) -> dict[str, list[int]]:
        """Where each word stands."""
        positions: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            positions.setdefault(word, []).append(index)
        return positions

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Words that stand next to each other."""
        return frozenset(zip(self.words, self.words[1:], strict=False))

    def near(self, indexes: Iterable[int], distance: int) -> frozenset[str]:
        """The stems within a distance of any of some words."""
        return frozenset(
            stem
            for index in indexes
            for i in range(max(0, index - distance), min(len(self.stems), index + distance + 1))
            if i != index and (stem := self.stems[i]) is not None
        )


def is_titled(row: Sequence[str]) -> bool:
    """Whether a sentence is a title, in which nearly all words have capitals."""
    return len(row) > 2 and sum(word[:1].isupper() for word in row) > 0.7 * len(row)


def is_name(word: str, index: int, *, titled: bool = False) -> bool:
    """Whether a word, which is the `index`-th of its sentence, is a name or a number.

    In a title nearly all words have capitals, so that they tell nothing.
    """
    if any(char.isdigit() for char in word):
        return True
    return word[:1].isupper() and not titled and (index > 0 or word[1:2].isupper())
