"""The words of a text that people can mark, and which of them count against a budget.

Where words have spaces between them, a word is what white space separates, as HROUGE and the
agreement of highlights have it, and one that is nothing but punctuation does not count. Where a
script has no spaces, words follow Unicode's default word boundaries (UAX #29): each Han or Hiragana
character, each run of Katakana, each Thai, Lao, Khmer or Burmese letter with its marks, and between
them each run of other letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from gistmark.text.words import (
    IDEOGRAPHS,
    KATAKANA,
    Span,
    combining_marks,
    unspaced_letters,
    word_spans,
)
from gistmark.text.written import BRACKETS

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
# Sara Am of Thai and Lao is a letter by its category, and a mark by its grapheme cluster; the last
# range chooses variants of ideographs.
_FURTHER_MARKS = "\u0e33\u0eb3\U000e0100-\U000e01ef"


@dataclass(frozen=True, slots=True)
class Markable:
    """The spans of the words that can be marked, in order, and the indices of those that count."""

    spans: tuple[Span, ...]
    counting: frozenset[int]


def markable_words(text: str) -> Markable:
    """The words of a text.

    >>> text = "Mark well-known words , 三个字。"
    >>> words = markable_words(text)
    >>> [text[start:end] for start, end in words.spans]
    ['Mark', 'well-known', 'words', ',', '三', '个', '字']
    >>> len(words.counting)
    6
    """
    spans: list[Span] = []
    for start, end in word_spans(text, "space"):
        token = text[start:end]
        inside = None
        if not token.isascii() and _unspaced_characters().search(token):
            matches = _words_inside().finditer(token)
            inside = [(start + match.start(), start + match.end()) for match in matches]
        spans += inside or [(start, end)]
    counting = (index for index, (start, end) in enumerate(spans) if _counts(text[start:end]))
    return Markable(tuple(spans), frozenset(counting))


def _counts(word: str) -> bool:
    """Whether it has a letter, a digit or a pictograph, and not only punctuation."""
    if word.lower() in BRACKETS:
        return False
    if _LETTER_OR_DIGIT.search(word):
        return True
    return any(unicodedata.category(character) == "So" for character in word)


@lru_cache
def _unspaced_characters() -> re.Pattern[str]:
    return re.compile(f"[{IDEOGRAPHS}{unspaced_letters()}]")


@lru_cache
def _words_inside() -> re.Pattern[str]:
    """A word by Unicode's boundaries, within a token of a script without spaces."""
    marks = f"[{combining_marks()}{_FURTHER_MARKS}]"
    unspaced = f"{IDEOGRAPHS}{unspaced_letters()}"
    letters = f"[^\\W_{unspaced}]"
    run = f"{letters}+(?:{marks}+{letters}*)*"
    joined = f"{run}(?:['\u2019.,:]{run})*"
    return re.compile(f"(?:[{KATAKANA}]{marks}*)+|(?!{marks})[{unspaced}]{marks}*|{joined}")
