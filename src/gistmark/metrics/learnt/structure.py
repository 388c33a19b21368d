"""How a summary is put together, by its words alone: copies, repetition, order and names.

Metrics that compare bags of words do not see a summary that says everything twice, whose sentences
are shuffled or whose names are swapped. These measures do, and cost no model.

    overlap     of the content words of each sentence after the first, how many stood in an earlier
                one; 0 for a single sentence
    order       of all pairs of sentences that can be aligned with the document, how many stand in
                the document's order; 1 where there is no such pair
    opening     1 if the first sentence begins with a pronoun or a connective, else 0
    lead        whether the summary copies the document's beginning: 0 up to four fifths of its
                runs of four words, rising to 1 if all stand there, in one and a half times as many
                words as the summary has
    verbatim    of the summary's words, how many stand in runs of eight or more of the document
    names       of the summary's names and numbers, how many the document has
    contexts    of the content words near a name or a number, how many the document has near it too
    person      of the summary's words, how many speak in the first or second person; English only
    quotation   quotation marks, for each word of the summary

The first, third and last two look at the summary alone; the others are not a number without a
document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.metric import Float64
from gistmark.text import ENGLISH, ngrams, sentences, stop_words
from gistmark.text.languages import language
from gistmark.text.stems import stems

MEASURES = (
    "overlap", "order", "opening", "lead", "verbatim", "names", "contexts", "person", "quotation",
)  # fmt: skip

RUN = 4
LONG_RUN = 8
NEAR_IN_SUMMARY = 4
NEAR_IN_DOCUMENT = 10
LEAD = 1.5
LEAST_SHARED = 2
"""How many content words a sentence shares at least with the one that it is aligned with."""

_WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_QUOTATION_MARK = re.compile(r"[\"“”„«»‘]|(?<!\w)['’]|['’](?!\w)")
_SPEAKING = frozenset({
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your",
    "yours",
})  # fmt: skip
_MID_SENTENCE = frozenset({
    "he", "she", "it", "they", "his", "her", "its", "their", "him", "them", "this", "that", "these",
    "those", "but", "and", "or", "so", "also", "however", "instead", "meanwhile", "moreover", "nor",
    "yet", "then", "there",
})  # fmt: skip


@dataclass(frozen=True)
class Text:
    """A text as words with their case, by sentence, and what each counts as."""

    sentences: tuple[tuple[str, ...], ...]
    lang: str
    quotation_marks: int = 0

    @classmethod
    def read(cls, text: str, lang: str = ENGLISH) -> Text:
        rows = ([_plain(word) for word in _WORD.findall(s)] for s in sentences(text, lang))
        marks = len(_QUOTATION_MARK.findall(text))
        return cls(tuple(tuple(row) for row in rows if row), lang, marks)

    @cached_property
    def words(self) -> list[str]:
        """All words, in lower case."""
        return [word.lower() for row in self.sentences for word in row]

    @cached_property
    def stems(self) -> list[str | None]:
        """The stem of each word; none of a stop word."""
        spoken = language(self.lang)
        stop = stop_words(self.lang) if spoken.stop_words is not None else frozenset()
        forms = stems(self.words, self.lang) if spoken.stemmer is not None else self.words
        return [None if w in stop else f for w, f in zip(self.words, forms, strict=True)]

    @cached_property
    def content(self) -> list[frozenset[str]]:
        """The stems of each sentence."""
        rows, start = [], 0
        for row in self.sentences:
            own = self.stems[start : start + len(row)]
            rows.append(frozenset(stem for stem in own if stem is not None))
            start += len(row)
        return rows

    @cached_property
    def names(self) -> list[int]:
        """The indexes of names and numbers: capitals within a sentence, and what has a digit."""
        rows, start = [], 0
        for row in self.sentences:
            titled = len(row) > 2 and sum(word[:1].isupper() for word in row) > 0.7 * len(row)
            rows += [start + i for i, word in enumerate(row) if is_name(word, i, titled=titled)]
            start += len(row)
        return [i for i in rows if self.stems[i] is not None]

    @cached_property
    def positions(self) -> dict[str, list[int]]:
        """Where each word stands."""
        where: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            where.setdefault(word, []).append(index)
        return where

    @cached_property
    def long_runs(self) -> frozenset[tuple[str, ...]]:
        return frozenset(ngrams(self.words, LONG_RUN))

    def near(self, indexes: Iterable[int], distance: int) -> frozenset[str]:
        """The stems within a distance of any of some words."""
        return frozenset(
            stem
            for index in indexes
            for i in range(max(0, index - distance), min(len(self.stems), index + distance + 1))
            if i != index and (stem := self.stems[i]) is not None
        )


def structure(batch: Batch, lang: str = ENGLISH) -> Float64:
    """The measures of each item, a column each; not a number without words."""
    texts: dict[int, Text] = batch.memo(("structure", lang), dict)
    rows = np.full((len(batch), len(MEASURES)), np.nan)
    seen: dict[tuple[int, int], Sequence[float]] = {}
    pairs = zip(batch.summaries.tolist(), batch.documents.tolist(), strict=True)
    for row, pair in enumerate(pairs):
        for number in pair:
            if number not in texts and number != NO_DOCUMENT:
                texts[number] = Text.read(batch.texts[number], lang)
        if pair not in seen:
            measures = _measured(texts[pair[0]], texts.get(pair[1]))
            seen[pair] = [measures.get(name, np.nan) for name in MEASURES]
        rows[row] = seen[pair]
    return rows


def _measured(summary: Text, document: Text | None) -> dict[str, float]:
    """The measures that can be taken, by name."""
    if not summary.words:
        return {}
    alone = {
        "overlap": _overlap(summary),
        "opening": float(summary.words[0] in _MID_SENTENCE),
        "person": _person(summary),
        "quotation": summary.quotation_marks / len(summary.words),
    }
    if document is None or not document.words:
        return alone
    return alone | {
        "order": _order(summary, document),
        "lead": _lead(summary, document),
        "verbatim": _verbatim(summary, document),
        "names": _names(summary, document),
        "contexts": _contexts(summary, document),
    }


def _overlap(summary: Text) -> float:
    before: set[str] = set()
    repeated = total = 0
    for content in summary.content:
        if before:
            repeated += len(content & before)
            total += len(content)
        before |= content
    return repeated / total if total else 0.0


def _order(summary: Text, document: Text) -> float:
    """Each sentence is aligned with that of the document which shares most content words."""
    where = []
    for content in summary.content:
        shared = [len(content & other) for other in document.content]
        best = max(range(len(shared)), key=shared.__getitem__, default=None)
        if best is not None and shared[best] >= LEAST_SHARED:
            where.append(best)
    pairs = list(combinations(where, 2))
    return sum(a <= b for a, b in pairs) / len(pairs) if pairs else 1.0


def _lead(summary: Text, document: Text) -> float:
    runs = ngrams(summary.words, RUN)
    beginning = frozenset(ngrams(document.words[: round(LEAD * len(summary.words))], RUN))
    share = sum(run in beginning for run in runs) / len(runs) if runs else 0.0
    return max(0.0, 5 * share - 4)


def _verbatim(summary: Text, document: Text) -> float:
    copied = np.zeros(len(summary.words), dtype=bool)
    for start, run in enumerate(ngrams(summary.words, LONG_RUN)):
        if run in document.long_runs:
            copied[start : start + LONG_RUN] = True
    return float(copied.mean())


def _names(summary: Text, document: Text) -> float:
    return _mean([summary.words[i] in document.positions for i in summary.names])


def _contexts(summary: Text, document: Text) -> float:
    """A name that the document does not have has no context there."""
    shares = []
    for index in summary.names:
        near = summary.near([index], NEAR_IN_SUMMARY)
        if near:
            where = document.positions.get(summary.words[index], [])
            shares.append(len(near & document.near(where, NEAR_IN_DOCUMENT)) / len(near))
    return _mean(shares)


def _person(summary: Text) -> float:
    if summary.lang != ENGLISH:
        return np.nan
    return sum(word in _SPEAKING for word in summary.words) / len(summary.words)


def _mean(values: Sequence[float]) -> float:
    """1 of nothing: a summary without names has no wrong ones."""
    return float(np.mean(values)) if len(values) else 1.0


def is_name(word: str, index: int, *, titled: bool = False) -> bool:
    """Whether a word, which is the `index`-th of its sentence, is a name or a number.

    In a title nearly all words have capitals, so that they tell nothing.
    """
    if any(char.isdigit() for char in word):
        return True
    return word[:1].isupper() and not titled and (index > 0 or word[1:2].isupper())


def _plain(word: str) -> str:
    return _POSSESSIVE.sub("", word)
