"""Stems: Porter's for English, Snowball's for other languages, and those of the script ROUGE-1.5.5.

English stems are those of rouge_score and NLTK (M. F. Porter, 1980, NLTK's extensions); the
algorithm comes compiled from the package rouge-score-rs, and a test compares it with NLTK's.
Snowball's stemmers come compiled from the package PyStemmer, which the Snowball project maintains.

The stems of the Perl script with its option -m differ from NLTK's in places. A word that WordNet
lists as an exception (children, went) becomes its base form. Any other goes through Porter's
stemmer ("An algorithm for suffix stripping", 1980) in its author's revised form, with one change
that the script's author made in step 4: of -ement, -ment and -ent all are tried in turn, not only
the longest. The exceptions are WordNet's files, which `gistmark models get wordnet-exceptions`
fetches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from gistmark.errors import GistmarkError
from gistmark.text.languages import ENGLISH, language
from gistmark.text.sentences import readable

LONGEST_UNSTEMMED = 3


def stem(word: str, lang: str = ENGLISH) -> str:
    """The stem of one lower-case word."""
    return stems([word], lang)[0]


def stems(
    words: Sequence[str], lang: str = ENGLISH, *, exceptions: Path | None = None
) -> list[str]:
    """The stems of lower-case words.

    In English, words of up to three letters, and words with anything but ASCII letters and digits
    in them, are their own stems. With a folder of WordNet's `exceptions` the stems are those of
    ROUGE-1.5.5. A language without a stemmer is an error of the caller.
    """
    if lang != ENGLISH:
        return _snowball(words, lang)
    stemmable = [index for index, word in enumerate(words) if _has_stem(word)]
    stemmed = list(words)
    unstemmed = [words[index] for index in stemmable]
    shortened = script_stems(unstemmed, exceptions) if exceptions else _porter(unstemmed)
    for index, short in zip(stemmable, shortened, strict=True):
        stemmed[index] = short
    return stemmed


def _has_stem(word: str) -> bool:
    return len(word) > LONGEST_UNSTEMMED and word.isascii() and word.isalnum() and word.islower()


def _porter(words: list[str]) -> list[str]:
    from rouge_score_rs.tokenizers import DefaultTokenizer

    tokenizer: Any = DefaultTokenizer(use_stemmer=True)  # type: ignore[no-untyped-call]
    stemmed: list[str] = tokenizer.tokenize("\n".join(words))
    return stemmed


def _snowball(words: Sequence[str], lang: str) -> list[str]:
    """Elided articles (l'homme) go with the endings; Snowball knows the plain apostrophe only.

    A stemmer is not safe to share between threads and costs nothing to make.
    """
    import Stemmer

    name = language(lang).stemmer
    if name is None:
        raise ValueError(f"There is no stemmer for {lang}.")
    plain = [readable(word).replace("\u2019", "'") for word in words]
    stemmed: list[str] = Stemmer.Stemmer(name, 0).stemWords(plain)
    return stemmed


EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
"""Five words longer than three letters have two base forms (best: good, well); the later counts.

The script's own list is built in the order in which the file system names the files.
"""

# A word is [C](VC)...(VC)[V]: runs of consonants and vowels; an initial y, a consonant, is Y here.
_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
_HAS_VOWEL = re.compile(f"(?:{_C})?[aeiouy]")
_MEASURE_1 = re.compile(f"(?:{_C})?{_V}{_C}")
_EXACTLY_1 = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?")
_MEASURE_2 = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}")
_SHORT = re.compile(f"{_C}[aeiouy][^aeiouwxy]")
_DOUBLED = re.compile(r"(?s:.*)([^aeiouylsz])\1")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


def script_stems(words: Sequence[str], folder: Path) -> list[str]:
    """The stems of lower-case words, by the exceptions in a folder."""
    exceptions = _exceptions(folder)
    return [exceptions.get(word) or porter_stem(word) for word in words]


@lru_cache(maxsize=4)
def _exceptions(folder: Path) -> Mapping[str, str]:
    """The base form of each exception: the first that its line names."""
    base: dict[str, str] = {}
    for name in EXCEPTION_FILES:
        try:
            lines = (folder / name).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise GistmarkError(f"{folder / name} cannot be read: {error}") from error
        for number, line in enumerate(lines, 1):
            fields = line.split()
            if len(fields) < 2:
                raise GistmarkError(
                    f"{folder / name}, line {number}: expected a word and its base form."
                )
            base[fields[0]] = fields[1]
    return base


def porter_stem(word: str) -> str:
    """The stem of one lower-case word of at least three letters or digits."""
    if len(word) < 3:
        return word
    marked = f"Y{word[1:]}" if word[0] == "y" else word
    stem = _without_final_e(_step_4(_steps_2_and_3(_step_1(marked))))
    return f"y{stem[1:]}" if word[0] == "y" else stem


def _step_1(word: str) -> str:
    """Plurals, -ed and -ing, and a final y after a vowel."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] != "s":
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if _MEASURE_1.match(word[:-3]) else word
    elif word.endswith(("ed", "ing")):
        word = _without_past_ending(word)
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = f"{word[:-1]}i"
    return word


def _without_past_ending(word: str) -> str:
    stem = word[:-2] if word.endswith("ed") else word[:-3]
    if not _HAS_VOWEL.match(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if _DOUBLED.fullmatch(stem):
        return stem[:-1]
    return f"{stem}e" if _SHORT.fullmatch(stem) else stem


def _steps_2_and_3(word: str) -> str:
    for endings in (_STEP_2, _STEP_3):
        ending = _longest(word, tuple(endings))
        if ending and _MEASURE_1.match(word[: -len(ending)]):
            word = word[: -len(ending)] + endings[ending]
    return word


def _step_4(word: str) -> str:
    for endings in (_STEP_4, ("ment",)):
        word = _remove_ending(word, _longest(word, endings))
    if word.endswith("ent"):
        return _remove_ending(word, "ent")
    return _remove_ending(word, "ion") if word.endswith(("sion", "tion")) else word


def _remove_ending(word: str, ending: str) -> str:
    stem = word[: len(word) - len(ending)]
    return stem if ending and _MEASURE_2.match(stem) else word


def _without_final_e(word: str) -> str:
    """Step 5: a final e, and one of two final l."""
    if word.endswith("e"):
        stem = word[:-1]
        exactly_one = _EXACTLY_1.fullmatch(stem) and not _SHORT.fullmatch(stem)
        if exactly_one or _MEASURE_2.match(stem):
            word = stem
    return word[:-1] if word.endswith("ll") and _MEASURE_2.match(word) else word


def _longest(word: str, endings: Sequence[str]) -> str:
    """The longest of the endings that the word has, or nothing."""
    return max((ending for ending in endings if word.endswith(ending)), key=len, default="")
