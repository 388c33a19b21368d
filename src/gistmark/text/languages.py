"""Languages, what each has of tokenizers, stemmers and stop words, and profiles that choose them.

English has the rules of the field's own packages (see `Profile`) and is what is meant where no
language is named. For every other language words are found by Unicode's classes of characters,
stems by Snowball (M. F. Porter and others, through the package PyStemmer), stop words in the lists
of the package stop-words, and sentences by the package sentencex. What a language lacks is left
out, never borrowed from English.

Languages that are written without spaces between words are compared character by character, because
finding their words takes a model or a dictionary; a stop word is no character, so no stop words are
left out there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gistmark.errors import UsageError

ENGLISH = "en"

_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")
NO_LANGUAGE = frozenset({"und", "mul", "mis", "zxx"})
"""ISO 639's codes for texts of which no single language is known."""

Tokenizer = Literal["rouge_score", "rouge155", "space", "space-cased", "words", "chars"]
Normalization = Literal["none", "quotes", "nfkc"]


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

    A code that is not in `LANGUAGES` is a language of which only the code is known. The result is
    `None` for a text that is not a code, and for the codes that mean no particular language.
    """
    plain = text.strip().lower()
    if plain in _BY_NAME:
        return _BY_NAME[plain]
    match = _CODE.fullmatch(plain)
    if match is None or match[1] in NO_LANGUAGE:
        return None
    return _BY_NAME.get(match[1]) or Language(match[1], match[1])


def language(text: str) -> Language:
    """The language of a code or an English name; any other text is an error."""
    match = find_language(text)
    if match is None:
        raise UsageError(
            f"lang: {text!r} is not the code of a language; write one such as de, zh or hi."
        )
    return match


@dataclass(frozen=True, slots=True)
class Profile:
    """How words are found (`tok`), unified (`norm`), left out (`stop`) and cut (`stem`).

    That is every choice that turns a text into the words that a metric compares. It is part of a
    metric's signature, because ROUGE implementations disagree mostly in these choices and rarely
    say so.

    | tok | words are |
    |---|---|
    | `rouge_score` | runs of a-z and 0-9 after lower-casing, as the package rouge_score has them |
    | `rouge155` | the same, but only A-Z are lower-cased, as the Perl script ROUGE-1.5.5 has them |
    | `space` | whatever stands between white space, lower-cased, as HighRES has them |
    | `space-cased` | the same without lower-casing |
    | `words` | letters, marks and digits of any script, lower-cased; inner apostrophes stay, and \
each Han or Kana character is a word |
    | `chars` | the same, but each letter of Thai, Lao, Khmer or Burmese with its marks is a word, \
too |

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
    """The profile for a language: words of any script, without stop words and stemmed if it can be.

    An unknown language, or none, counts as English.
    """
    spoken = find_language(lang or ENGLISH) or LANGUAGES[ENGLISH]
    return Profile(
        tok="words" if spoken.spaces else "chars",
        stop=stop and spoken.stop_words is not None,
        stem=stem and spoken.stemmer is not None,
        lang=spoken.code,
    )
