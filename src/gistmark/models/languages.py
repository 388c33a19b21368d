"""Whether texts are in a language that a model was trained on."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gistmark.models.known import KNOWN
from gistmark.text.languages import ENGLISH, language

LETTERS_FOREIGN = 0.1
"""The share of letters outside the Latin script from which on texts of no stated language are told
to be none that an English model was trained on."""

_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())


@dataclass
class Letters:
    """How many letters some texts have, how many outside a-z, and how many not of the Latin script.

    Marks are no letters.
    """

    all: int = 0
    beyond_ascii: int = 0
    beyond_latin: int = 0

    def count(self, text: str) -> None:
        self.all += len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))
        if text.isascii():
            return
        beyond = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
        self.all += len(beyond)
        self.beyond_ascii += len(beyond)
        self.beyond_latin += sum(not _is_latin(letter) for letter in beyond)


def foreign_texts(model: str, letters: Mapping[str, Letters]) -> str | None:
    """How texts differ from what a known model was trained on, as half a sentence, if they do.

    `letters` are those of the texts by language. Texts of no stated language are among the English
    ones; of these, the script tells.
    """
    trained_on = KNOWN[model].languages if model in KNOWN else None
    if trained_on is None:
        return None
    foreign = [str(language(lang)) for lang in letters if lang not in {*trained_on, ENGLISH}]
    told = f"there are texts in {', '.join(foreign)}" if foreign else _script(letters)
    if told is None:
        return None
    names = ", ".join(sorted(language(code).name for code in trained_on))
    return f"{model} was trained on {names}, but {told}"


def _script(letters: Mapping[str, Letters]) -> str | None:
    """How many letters of texts that should be English are of another script, if many are."""
    english = letters.get(ENGLISH, Letters())
    if not english.all or english.beyond_latin / english.all < LETTERS_FOREIGN:
        return None
    return f"{100 * english.beyond_latin / english.all:.0f} % of the letters are not Latin"


@lru_cache(maxsize=4096)
def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("LATIN ", "FULLWIDTH LATIN "))
