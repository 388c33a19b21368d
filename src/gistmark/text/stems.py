"""Stems: Porter's for English, Snowball's for other languages.

English stems are those of rouge_score and NLTK (M. F. Porter, 1980, NLTK's extensions); the
algorithm comes compiled from the package rouge-score-rs, and a test compares it with NLTK's.
Snowball's stemmers come compiled from the package PyStemmer, which the Snowball project maintains.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gistmark.text.languages import ENGLISH, language
from gistmark.text.script_stems import script_stems
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
    chosen = [index for index, word in enumerate(words) if _has_stem(word)]
    stemmed = list(words)
    cut = [words[index] for index in chosen]
    shortened = script_stems(cut, exceptions) if exceptions else _porter(cut)
    for index, short in zip(chosen, shortened, strict=True):
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
