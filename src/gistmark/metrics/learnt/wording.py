"""How a summary is worded, seen in the summary alone: does it report, in sentences that are whole?

    opening     1 if the first sentence begins with a pronoun or a connective, else 0
    person      of the words, how many speak in the first or second person
    quotation   quotation marks, for each word
    broken      of articles, possessives and "of", how many stand before a word that cannot follow
                them, such as a preposition, or at the end of a sentence
    joined      for each word, how many sentences begin within another one: pronouns, articles,
                prepositions and conjunctions with a capital right after a word
    label       of the sentences, how many begin with a label or a speaker and a colon, as captions
                and headlines do

All but the quotation marks are about English; but for `opening`, they are not a number in other
languages. So is `broken` where there is no such word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from gistmark.metrics.learnt.texts import Text, is_titled
from gistmark.text import ENGLISH, sentences

MEASURES = ("opening", "person", "quotation", "broken", "joined", "label")

_QUOTATION_MARK = re.compile(r"[\"“”„«»‘]|(?<!\w)['’]|['’](?!\w)")
_AFTER_A_WORD = re.compile(r"(?<=[^\W_]) ([A-Z][a-z]+)\b")
_LABEL = re.compile(r"[\"'‘“]?[A-Z][\w .'’,-]{0,40}:\s")
_SPEAKING = frozenset({
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your",
    "yours",
})  # fmt: skip
_MID_SENTENCE = frozenset({
    "he", "she", "it", "they", "his", "her", "its", "their", "him", "them", "this", "that", "these",
    "those", "but", "and", "or", "so", "also", "however", "instead", "meanwhile", "moreover", "nor",
    "yet", "then", "there",
})  # fmt: skip

_ARTICLES = frozenset({"a", "an", "the", "my", "his", "its", "our", "their", "your", "every"})
_PREPOSITIONS = frozenset({
    "of", "in", "on", "at", "to", "for", "from", "with", "by", "into", "than", "as", "about",
    "after", "before", "between", "during", "over", "under", "through", "against", "since", "until",
    "without", "within",
})  # fmt: skip
_CONJUNCTIONS = frozenset({
    "and", "or", "but", "nor", "because", "if", "while", "although", "that", "which", "who",
    "whose", "whom", "when", "where", "what", "why", "how",
})  # fmt: skip
_AUXILIARIES = frozenset({
    "is", "was", "are", "were", "am", "has", "have", "had", "be", "been", "would", "could",
    "should", "does", "did",
})  # fmt: skip
_PRONOUNS = frozenset({
    "he", "she", "it", "they", "we", "you", "him", "them", "himself", "herself", "themselves",
})  # fmt: skip
_NOT_AFTER_ARTICLES = _ARTICLES | _PREPOSITIONS | _CONJUNCTIONS | _AUXILIARIES | _PRONOUNS
_NOT_AFTER_OF = _AUXILIARIES | {"of", "than", "and", "or", "but", "he", "she", "they", "we"}
_OPENERS = _ARTICLES | _PREPOSITIONS | _CONJUNCTIONS | _PRONOUNS


def wording(summary: Text) -> dict[str, float]:
    """The measures of a summary that has words, by name."""
    words = summary.words
    measures = {
        "opening": float(words[0] in _MID_SENTENCE),
        "quotation": len(_QUOTATION_MARK.findall(summary.written)) / len(words),
    }
    if summary.lang != ENGLISH:
        return measures
    rows = sentences(summary.written)
    return measures | {
        "person": sum(word in _SPEAKING for word in words) / len(words),
        "broken": _share(_breaks(summary)),
        "joined": sum(map(_inner_sentences, rows)) / len(words),
        "label": _share(_LABEL.match(row) is not None for row in rows),
    }


def _breaks(summary: Text) -> Iterator[bool]:
    """For each article, possessive and "of": does a word follow that cannot?

    What is all in capitals is no function word: the US, the WHO.
    """
    for row in summary.sentences:
        for word, next_word in zip(row, [*row[1:], ""], strict=True):
            following = "" if next_word.isupper() else next_word.lower()
            if word.lower() in _ARTICLES:
                yield not next_word or following in _NOT_AFTER_ARTICLES
            elif word.lower() == "of":
                yield not next_word or following in _NOT_AFTER_OF


def _inner_sentences(sentence: str) -> int:
    """How many sentences begin within one, as far as their first word shows it."""
    if is_titled(sentence.split()):
        return 0
    return sum(word.lower() in _OPENERS for word in _AFTER_A_WORD.findall(sentence))


def _share(outcomes: Iterator[bool]) -> float:
    """The share of outcomes that are true; NaN where there are none."""
    values = list(outcomes)
    return float(np.mean(values)) if values else np.nan
