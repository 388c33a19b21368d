"""How a summary is put together, by its words alone: copies, repetition, order and names.

Metrics that compare bags of words do not see a summary that says everything twice, whose sentences
are shuffled or whose names are swapped. These measures do, and cost no model.

    overlap     of the content words of each sentence after the first, how many stood in an earlier
                one; 0 for a single sentence
    order       of all pairs of sentences that can be aligned with the document, how many stand in
                the document's order; 1 where there is no such pair
    lead        whether the summary copies the document's beginning: 0 up to four fifths of its
                runs of four words, rising to 1 if all stand there, in one and a half times as many
                words as the summary has
    names       of the summary's names and numbers, how many the document has
    contexts    of the content words near a name or a number, how many the document has near it too
    neighbours  of the pairs of neighbouring words with a name or a number, how many the document
                has; what the document mostly writes as a name is one here, too, and where there is
                none the measure is not a number

`wording` has more, about the summary alone, as `overlap` is; the others are not a number without a
document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.learnt import wording
from gistmark.metrics.learnt.texts import Text
from gistmark.metrics.metric import Float64
from gistmark.text import ENGLISH, ngrams

MEASURES = ("overlap", "order", "lead", "names", "contexts", "neighbours", *wording.MEASURES)

RUN = 4
NEAR_IN_SUMMARY = 4
NEAR_IN_DOCUMENT = 10
LEAD = 1.5
LEAST_SHARED = 2
"""How many content words a sentence shares at least with the one that it is aligned with."""

_UP_TO_A_WORD = re.compile(r"\A\W+")


def structure(batch: Batch, lang: str = ENGLISH) -> Float64:
    """A row for each item and a column for each measure; NaN without words."""
    texts: dict[int, Text] = batch.memo(("structure", lang), dict)
    rows = np.full((len(batch), len(MEASURES)), np.nan)
    measured: dict[tuple[int, int], Sequence[float]] = {}
    pairs = zip(batch.summaries.tolist(), batch.documents.tolist(), strict=True)
    for row, pair in enumerate(pairs):
        for number in pair:
            if number not in texts and number != NO_DOCUMENT:
                texts[number] = Text.read(batch.texts[number], lang)
        if pair not in measured:
            measures = _measured(texts[pair[0]], texts.get(pair[1]))
            measured[pair] = [measures.get(name, np.nan) for name in MEASURES]
        rows[row] = measured[pair]
    return rows


def _measured(summary: Text, document: Text | None) -> dict[str, float]:
    """The measures that have a value, by name."""
    if not summary.words:
        return {}
    of_summary = {"overlap": _overlap(summary), **wording.wording(summary)}
    if document is None or not document.words:
        return of_summary
    return of_summary | {
        "order": _order(summary, document),
        "lead": _lead(summary, document),
        "names": _names(summary, document),
        "contexts": _contexts(summary, document),
        "neighbours": _neighbours(summary, document),
    }


def _overlap(summary: Text) -> float:
    earlier: set[str] = set()
    repeated = total = 0
    for content in summary.content:
        if earlier:
            repeated += len(content & earlier)
            total += len(content)
        earlier |= content
    return repeated / total if total else 0.0


def _order(summary: Text, document: Text) -> float:
    """Each sentence is aligned with that of the document which shares most content words."""
    aligned = []
    for content in summary.content:
        shared = [len(content & document_content) for document_content in document.content]
        best = max(range(len(shared)), key=shared.__getitem__, default=None)
        if best is not None and shared[best] >= LEAST_SHARED:
            aligned.append(best)
    pairs = list(combinations(aligned, 2))
    return sum(a <= b for a, b in pairs) / len(pairs) if pairs else 1.0


def _lead(summary: Text, document: Text) -> float:
    runs = ngrams(summary.words, RUN)
    beginning = frozenset(ngrams(_beginning(summary, document), RUN))
    share = sum(run in beginning for run in runs) / len(runs) if runs else 0.0
    return max(0.0, 5 * share - 4)


def _beginning(summary: Text, document: Text) -> list[str]:
    return document.words[: round(LEAD * len(summary.words))]


def rest(summary: Text, document: Text) -> str:
    """What comes after the last run of words that a summary, a copy, takes from the beginning."""
    runs = frozenset(ngrams(summary.words, RUN))
    beginning = ngrams(_beginning(summary, document), RUN)
    copied_words = max(start + RUN for start, run in enumerate(beginning) if run in runs)
    return _UP_TO_A_WORD.sub("", document.written[document.ends[copied_words - 1] :])


def _names(summary: Text, document: Text) -> float:
    return _mean([summary.words[i] in document.positions for i in summary.names])


def _contexts(summary: Text, document: Text) -> float:
    """A name that the document does not have has no context there."""
    shares = []
    for index in summary.names:
        context = summary.near([index], NEAR_IN_SUMMARY)
        if context:
            positions = document.positions.get(summary.words[index], [])
            shares.append(len(context & document.near(positions, NEAR_IN_DOCUMENT)) / len(context))
    return _mean(shares)


def _neighbours(summary: Text, document: Text) -> float:
    words = summary.words
    names = {i for i, word in enumerate(words) if word in document.named and summary.stems[i]}
    names.update(summary.names)
    shared, start = [], 0
    for row in summary.sentences:
        pairs = pairwise(range(start, start + len(row)))
        shared += [(words[i], words[j]) in document.pairs for i, j in pairs if names & {i, j}]
        start += len(row)
    return float(np.mean(shared)) if shared else np.nan


def _mean(values: Sequence[float]) -> float:
    """The mean, and 1 without values: a summary without names has no wrong ones."""
    return float(np.mean(values)) if len(values) else 1.0
