"""Profiles: every choice that turns a text into the words that a metric compares.

A profile is part of a metric's signature, because ROUGE implementations disagree mostly in
these choices and rarely say so.

| tok | words are |
|---|---|
| `rouge_score` | runs of a-z and 0-9 after lower-casing, as the package rouge_score has them |
| `rouge155` | the same, but only A-Z are lower-cased, as the Perl script ROUGE-1.5.5 has them |
| `space` | whatever stands between white space, lower-cased, as HighRES has them |
| `space-cased` | the same without lower-casing |
| `words` | letters, marks and digits of any script, lower-cased; inner apostrophes stay, and each \
Han or Kana character is a word |
| `chars` | the same, but each letter of Thai, Lao, Khmer or Burmese with its marks is a word, too |
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gistmark.text.languages import ENGLISH, LANGUAGES, find_language

Tokenizer = Literal["rouge_score", "rouge155", "space", "space-cased", "words", "chars"]
Normalization = Literal["none", "quotes", "nfkc"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How words are found (`tok`), unified (`norm`), left out (`stop`) and cut (`stem`).

    `norm="quotes"` writes Penn Treebank and typographic quotes and brackets in the plain way;
    `norm="nfkc"` applies Unicode's compatibility normalisation. `stop` leaves out the stop words of
    the language `lang`. `stem` applies its Snowball stemmer, or in English Porter's algorithm to
    words of more than three ASCII letters or digits, or ROUGE-1.5.5's own stemmer where
    `exceptions` is a folder of WordNet's exceptions. `lang` is the code of a language and chooses
    nothing else.
    """

    tok: Tokenizer = "rouge_score"
    norm: Normalization = "none"
    stop: bool = False
    stem: bool = False
    lang: str = ENGLISH
    exceptions: Path | None = None

    @property
    def plain(self) -> bool:
        """Whether the words are used just as the tokenizer finds them."""
        return self.norm == "none" and not self.stop and not self.stem


def profile_for(lang: str | None, *, stop: bool = False, stem: bool = False) -> Profile:
    """Words of any script as a language has them, without stop words or stemmed where it can be.

    An unknown language, or none, counts as English.
    """
    spoken = find_language(lang or ENGLISH) or LANGUAGES[ENGLISH]
    return Profile(
        tok="words" if spoken.spaces else "chars",
        stop=stop and spoken.stop_words is not None,
        stem=stem and spoken.stemmer is not None,
        lang=spoken.code,
    )
