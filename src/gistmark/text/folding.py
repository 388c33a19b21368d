"""What a profile does to single words: normalise, leave out stop words, stem."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from gistmark.text.profiles import Normalization, Profile
from gistmark.text.stems import stems
from gistmark.text.stopwords import plain_word, stop_words

_PLAIN = {
    "``": '"',
    "''": '"',
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u00ab": '"',
    "\u00bb": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u201a": "'",
}
_BRACKETS = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}


def fold_words(words: Sequence[str], profile: Profile) -> list[str | None]:
    """The words as the profile compares them; `None` stands for a word that it leaves out."""
    if profile.plain:
        return list(words)
    normalize = _NORMALIZE[profile.norm]
    normal = [normalize(word) for word in words]
    stemmed = normal
    if profile.stem:
        stemmed = stems(normal, profile.lang, exceptions=profile.exceptions)
    if not profile.stop:
        return list(stemmed)
    left_out = stop_words(profile.lang)
    return [
        None if plain_word(word) in left_out else stem
        for word, stem in zip(normal, stemmed, strict=True)
    ]


def _plain_quotes(word: str) -> str:
    bracket = _BRACKETS.get(word.lower())
    if bracket is not None:
        return bracket
    for quote, plain in _PLAIN.items():
        word = word.replace(quote, plain)
    return word


_NORMALIZE: dict[Normalization, Callable[[str], str]] = {
    "none": lambda word: word,
    "quotes": _plain_quotes,
    "nfkc": lambda word: unicodedata.normalize("NFKC", word),
}
