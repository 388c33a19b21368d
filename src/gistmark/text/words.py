"""Where the words of a text are, for each tokenizer: the readable definition.

`gistmark.text.tokens` finds the same words many times faster; a test holds the two together.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from gistmark.text.folding import fold_words
from gistmark.text.profiles import Profile, Tokenizer

Span = tuple[int, int]

# Two characters outside ASCII become ASCII when lower-cased: the Kelvin sign becomes k, and the
# dotted capital I becomes i and a combining dot, which ends the word.
_LOWERED = re.compile("[A-Za-z0-9\u212a]*\u0130|[A-Za-z0-9\u212a]+")
_ASCII = re.compile("[A-Za-z0-9]+")
_SPACE = re.compile(r"\S+")
_COMBINING_DOT = "\u0307"

# The tokenizer `words` on ASCII alone, which is most texts: what is in a word stays, the rest
# becomes a space, and an apostrophe stays only between letters or digits.
_BLANKED = "".join(
    chr(code).lower() if chr(code).isalnum() or chr(code) in "'\n" else " " for code in range(128)
)
_LONE_APOSTROPHE = re.compile("(?<![a-z0-9])'|'(?![a-z0-9])")


def word_spans(text: str, tok: Tokenizer) -> list[Span]:
    """Start and end (exclusive) of each word, in characters of `text`."""
    return [match.span() for match in _pattern(tok).finditer(text)]


def words(text: str, profile: Profile | None = None) -> list[str]:
    """The words of one text under a profile (by default as the package rouge_score has them)."""
    profile = profile or Profile()
    found = [_cased(text[start:end], profile.tok) for start, end in word_spans(text, profile.tok)]
    return [word for word in fold_words(found, profile) if word is not None]


def joined_words(text: str) -> str:
    """The words of tokenizer `words`, separated by spaces, on their own lines as in `text`."""
    if text.isascii():
        blanked = text.translate(_BLANKED)
        return _LONE_APOSTROPHE.sub(" ", blanked) if "'" in blanked else blanked
    find = _pattern("words").findall
    return "\n".join(" ".join(find(line)) for line in text.split("\n")).lower()


def _cased(word: str, tok: Tokenizer) -> str:
    if tok == "space-cased":
        return word
    return word.lower().rstrip(_COMBINING_DOT) if tok == "rouge_score" else word.lower()


def _pattern(tok: Tokenizer) -> re.Pattern[str]:
    if tok == "rouge_score":
        return _LOWERED
    if tok == "rouge155":
        return _ASCII
    return _unicode_pattern() if tok == "words" else _SPACE


@lru_cache(maxsize=1)
def _unicode_pattern() -> re.Pattern[str]:
    """A Han or Kana character, or a run of letters, marks and digits with inner apostrophes.

    A run starts with a letter or digit: the joiners and marks inside an emoji are no words.
    """
    marks = "".join(
        chr(code) for code in range(0x20000) if unicodedata.category(chr(code)) in ("Mn", "Mc")
    )
    kana = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    ideograph = f"{kana}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    letters = f"[^\\W_{ideograph}]"
    run = f"{letters}+(?:[{re.escape(marks)}\u200c\u200d]+{letters}*)*"
    return re.compile(f"[{ideograph}]|{run}(?:['\u2019]{run})*")
