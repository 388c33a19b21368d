"""Porter stems, as rouge_score and NLTK compute them (M. F. Porter, 1980, NLTK's extensions).

The algorithm comes compiled from the package rouge-score-rs; a test compares it with NLTK's.
"""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_UNSTEMMED = 3


def stem(word: str) -> str:
    """The stem of one lower-case word."""
    return stems([word])[0]


def stems(words: Sequence[str]) -> list[str]:
    """The stems of lower-case words.

    Words of up to three letters, and words with anything but ASCII letters and digits in them,
    are their own stems: Porter's rules are for English.
    """
    chosen = [index for index, word in enumerate(words) if _has_stem(word)]
    stemmed = list(words)
    for index, found in zip(chosen, _porter([words[i] for i in chosen]), strict=True):
        stemmed[index] = found
    return stemmed


def _has_stem(word: str) -> bool:
    return len(word) > LONGEST_UNSTEMMED and word.isascii() and word.isalnum() and word.islower()


def _porter(words: list[str]) -> list[str]:
    from rouge_score_rs._rougers import tokenize

    found: list[str] = tokenize("\n".join(words), True)
    return found
