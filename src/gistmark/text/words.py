"""Words and n-grams: where the words of a text are, for each tokenizer; the readable definition.

`gistmark.text.tokens` finds the same words many times faster; a test holds the two together.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from gistmark.text.folding import fold_words
from gistmark.text.languages import Profile, Tokenizer

Span = tuple[int, int]

ASCII_TOKENIZERS: tuple[Tokenizer, ...] = ("rouge_score", "rouge155")
"""The tokenizers that see nothing but ASCII letters and digits."""

# Two characters outside ASCII become ASCII when lower-cased: the Kelvin sign becomes k, and the
# dotted capital I becomes i and a combining dot, which ends the word.
_LOWERED = re.compile("[A-Za-z0-9\u212a]*\u0130|[A-Za-z0-9\u212a]+")
_ASCII = re.compile("[A-Za-z0-9]+")
_SPACE = re.compile(r"\S+")
_COMBINING_DOT = "\u0307"

KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
IDEOGRAPHS = f"\u3041-\u309f{KATAKANA}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Han and Kana, as ranges of a character class."""

# Thai and Lao, Burmese, Khmer: the blocks of the scripts without spaces that are no ideographs.
_UNSPACED = (range(0xE00, 0xF00), range(0x1000, 0x10A0), range(0xA9E0, 0xAA00),
             range(0xAA60, 0xAA80), range(0x1780, 0x1800))  # fmt: skip

# The tokenizer `words` on ASCII alone, which is most texts: what is in a word stays, the rest
# becomes a space, and an apostrophe stays only between letters or digits.
_BLANKED = "".join(
    chr(code).lower() if chr(code).isalnum() or chr(code) in "'\n" else " " for code in range(128)
)
_LONE_APOSTROPHE = re.compile("(?<![a-z0-9])'|'(?![a-z0-9])")


def word_spans(text: str, tok: Tokenizer) -> list[Span]:
    """Start and end (exclusive) of each word, in characters of `text`."""
    return [match.span() for match in _pattern(tok).finditer(text)]


def touched_words(spans: Sequence[Span], start: int, end: int) -> range:
    """The indices of the words that a stretch of characters touches, as a highlight covers them.

    A word that is touched counts as a whole. `spans` are those of the words, in order. The
    annotation page follows the same rule (`touched` in `web/interface/static/annotate/words.js`).
    """
    first = bisect_right(spans, start, key=lambda span: span[1])
    last = bisect_left(spans, end, key=lambda span: span[0])
    return range(first, max(first, last))


def covered_words(spans: Sequence[Span], marks: Iterable[Span]) -> frozenset[int]:
    """The indices of all words that some highlights cover: what counts against a budget.

    A word counts once, however many of the highlights touch it.
    """
    covered: list[int] = []
    for first, last in sorted(
        (touched.start, touched.stop) for touched in (touched_words(spans, *mark) for mark in marks)
    ):
        covered += range(max(first, covered[-1] + 1 if covered else 0), last)
    return frozenset(covered)


def words(text: str, profile: Profile | None = None) -> list[str]:
    """The words of one text under a profile (by default as the package rouge_score has them)."""
    profile = profile or Profile()
    cased = [_cased(text[start:end], profile.tok) for start, end in word_spans(text, profile.tok)]
    return [word for word in fold_words(cased, profile) if word is not None]


def joined_words(text: str, tok: Literal["words", "chars"]) -> str:
    """The words of `text` separated by spaces; its line breaks stay."""
    if text.isascii():
        blanked = text.translate(_BLANKED)
        return _LONE_APOSTROPHE.sub(" ", blanked) if "'" in blanked else blanked
    find = _pattern(tok).findall
    return "\n".join(" ".join(find(line)) for line in text.split("\n")).lower()


def ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """All n-grams of `words` in order; none when there are fewer than `n` words."""
    if n < 1:
        raise ValueError(f"An n-gram has at least one word, not {n}.")
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def _cased(word: str, tok: Tokenizer) -> str:
    if tok == "space-cased":
        return word
    return word.lower().rstrip(_COMBINING_DOT) if tok == "rouge_score" else word.lower()


def _pattern(tok: Tokenizer) -> re.Pattern[str]:
    if tok == "rouge_score":
        return _LOWERED
    if tok == "rouge155":
        return _ASCII
    return _unicode_pattern(tok) if tok in ("words", "chars") else _SPACE


@lru_cache
def _unicode_pattern(tok: Tokenizer) -> re.Pattern[str]:
    """A Han or Kana character, or a run of letters, marks and digits with inner apostrophes.

    A run starts with a letter or digit: the joiners and marks inside an emoji are no words. For
    `chars`, a letter of the scripts without spaces is a word together with its marks.
    """
    marks, unspaced = f"[{combining_marks()}]", unspaced_letters()
    ideograph = IDEOGRAPHS
    single = f"[{ideograph}]"
    if tok == "chars":
        single += f"|[{unspaced}]{marks}*"
        ideograph += unspaced
    letters = f"[^\\W_{ideograph}]"
    run = f"{letters}+(?:{marks}+{letters}*)*"
    return re.compile(f"{single}|{run}(?:['\u2019]{run})*")


@lru_cache
def combining_marks() -> str:
    """What joins the letter before it, for a character class: marks and the zero-width joiners."""
    return f"{re.escape(_characters_of(range(0x20000), 'Mn', 'Mc'))}\u200c\u200d"


@lru_cache
def unspaced_letters() -> str:
    """The letters of scripts without spaces that are no ideographs, for a character class."""
    return "".join(_characters_of(block, "Lo", "Lm") for block in _UNSPACED)


def _characters_of(codes: range, *categories: str) -> str:
    """The characters among `codes` that belong to one of these Unicode categories."""
    return "".join(chr(code) for code in codes if unicodedata.category(chr(code)) in categories)
