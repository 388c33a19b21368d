"""Languages: which tokenizer, stemmer and stop words each has.

English has the rules of the field's own packages (see `gistmark.text.profiles`) and is what is
meant where no language is named. For every other language words are found by Unicode's
classes of characters, stems by Snowball (M. F. Porter and others, through the package PyStemmer),
stop words in the lists of the package stop-words, and sentences by the package sentencex. What a
language lacks is left out, never borrowed from English.

Languages that are written without spaces between words are compared character by character,
because finding their words takes a model or a dictionary; a stop word is no character, so no stop
words are left out there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.text.profiles import Tokenizer

ENGLISH = "en"

_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")
NO_LANGUAGE = frozenset({"und", "mul", "mis", "zxx"})
"""ISO 639's codes for texts of which no single language is known."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its ISO 639-1 code, and what there is for it.

    `other_codes` are those of ISO 639-2 and 639-3, and of its varieties. `stemmer` and `stop_words`
    are what Snowball and the package stop-words call theirs. `spaces` says whether words are
    written with spaces between them.
    """

    code: str
    name: str
    other_codes: tuple[str, ...] = ()
    stemmer: str | None = None
    stop_words: str | None = None
    spaces: bool = True

    @property
    def tok(self) -> Tokenizer:
        """The tokenizer that fits its script."""
        if self.code == ENGLISH:
            return "rouge_score"
        return "words" if self.spaces else "chars"

    def __str__(self) -> str:
        return f"{self.name} ({self.code})" if self.name != self.code else self.code


def _stemmed(code: str, name: str, *other_codes: str, stop_words: bool = True) -> Language:
    """A language whose stemmer and stop words go by its name."""
    listed = name.lower() if stop_words else None
    return Language(code, name, other_codes, stemmer=name.lower(), stop_words=listed)


_ALL = (
    Language("en", "English", ("eng",), stemmer="porter", stop_words="english"),
    _stemmed("ar", "Arabic", "ara", "arb"),
    _stemmed("hy", "Armenian", "hye", "arm", stop_words=False),
    _stemmed("eu", "Basque", "eus", "baq", stop_words=False),
    Language("bg", "Bulgarian", ("bul",), stop_words="bulgarian"),
    Language("my", "Burmese", ("mya", "bur"), spaces=False),
    _stemmed("ca", "Catalan", "cat"),
    Language("zh", "Chinese", ("zho", "chi", "cmn", "yue"), spaces=False),
    _stemmed("cs", "Czech", "ces", "cze"),
    _stemmed("da", "Danish", "dan"),
    _stemmed("nl", "Dutch", "nld", "dut"),
    _stemmed("eo", "Esperanto", "epo", stop_words=False),
    _stemmed("et", "Estonian", "est", stop_words=False),
    _stemmed("fi", "Finnish", "fin"),
    _stemmed("fr", "French", "fra", "fre"),
    _stemmed("de", "German", "deu", "ger"),
    _stemmed("el", "Greek", "ell", "gre"),
    Language("gu", "Gujarati", ("guj",), stop_words="gujarati"),
    Language("he", "Hebrew", ("heb", "iw"), stop_words="hebrew"),
    _stemmed("hi", "Hindi", "hin"),
    _stemmed("hu", "Hungarian", "hun"),
    _stemmed("id", "Indonesian", "ind"),
    _stemmed("ga", "Irish", "gle", stop_words=False),
    _stemmed("it", "Italian", "ita"),
    Language("ja", "Japanese", ("jpn",), spaces=False),
    Language("km", "Khmer", ("khm",), spaces=False),
    Language("ko", "Korean", ("kor",), stop_words="korean"),
    Language("lo", "Lao", ("lao",), spaces=False),
    _stemmed("lt", "Lithuanian", "lit", stop_words=False),
    Language("ms", "Malay", ("msa", "may", "zsm"), stop_words="malaysian"),
    _stemmed("ne", "Nepali", "nep", "npi", stop_words=False),
    _stemmed("no", "Norwegian", "nor", "nb", "nob", "nn", "nno"),
    _stemmed("fa", "Persian", "fas", "per", "pes"),
    _stemmed("pl", "Polish", "pol"),
    _stemmed("pt", "Portuguese", "por"),
    _stemmed("ro", "Romanian", "ron", "rum"),
    _stemmed("ru", "Russian", "rus"),
    _stemmed("sr", "Serbian", "srp", stop_words=False),
    _stemmed("st", "Sesotho", "sot", stop_words=False),
    Language("sk", "Slovak", ("slk", "slo"), stop_words="slovak"),
    _stemmed("es", "Spanish", "spa"),
    _stemmed("sv", "Swedish", "swe"),
    _stemmed("ta", "Tamil", "tam", stop_words=False),
    Language("th", "Thai", ("tha",), spaces=False),
    _stemmed("tr", "Turkish", "tur"),
    Language("uk", "Ukrainian", ("ukr",), stop_words="ukrainian"),
    Language("vi", "Vietnamese", ("vie",), stop_words="vietnamese"),
    _stemmed("yi", "Yiddish", "yid", stop_words=False),
)

LANGUAGES: Mapping[str, Language] = {language.code: language for language in _ALL}
"""The languages for which there is more than the Unicode tokenizer, by code."""

_BY_NAME: Mapping[str, Language] = {
    name: language
    for language in _ALL
    for name in (language.code, *language.other_codes, language.name.lower())
}


def find_language(text: str) -> Language | None:
    """The language of a code such as `de`, `deu`, `de-AT` or `zh_Hans`, or of an English name.

    A code that is not in `LANGUAGES` is a language of which only the code is known. `None` is for
    what is no code, and for the codes that mean no language in particular.
    """
    plain = text.strip().lower()
    if plain in _BY_NAME:
        return _BY_NAME[plain]
    match = _CODE.fullmatch(plain)
    if match is None or match[1] in NO_LANGUAGE:
        return None
    return _BY_NAME.get(match[1]) or Language(match[1], match[1])


def language(text: str) -> Language:
    """The same, but an unknown language is an error that says how to write one."""
    known = find_language(text)
    if known is None:
        raise UsageError(
            f"lang: {text!r} is not the code of a language; write one such as de, zh or hi."
        )
    return known
