"""Agreement on marks: do annotators mark the same errors, and the same content units as stated?

Every word of a summary is marked as an error or not by each annotator who judged it (alpha, as for
highlights), and so is every character (F1, as in the shared tasks on error spans of machine
translation). An annotator who judged a summary and marked nothing counts; one who did not judge it
does not. Errors of a summary as a whole have no span and do not count here. A content unit is
marked as stated by a summary or not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gistmark.analysis.agreement.coefficients.alpha import alpha, grouped_alpha
from gistmark.analysis.agreement.coefficients.gamma import MarkedText, gamma
from gistmark.analysis.agreement.coefficients.gwet import brennan_prediger, gwet
from gistmark.analysis.agreement.coefficients.intervals import (
    Rows,
    over_documents,
    quotient_over_documents,
    shared_documents,
)
from gistmark.analysis.agreement.coefficients.kappa import cohen_kappa, fleiss_kappa
from gistmark.analysis.agreement.coefficients.statistic import Statistic, mean_of, undefined
from gistmark.analysis.agreement.highlights import Marks, as_ratings, pairwise_f1
from gistmark.analysis.agreement.ratings import Named, agreement
from gistmark.analysis.data.columns import Float64, Int64
from gistmark.analysis.human.marks import UNITS, judged_summaries
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus.corpus import Corpus
from gistmark.records import ErrorSpan, Presence
from gistmark.runtime.seeds import generator
from gistmark.text.markable import markable_words
from gistmark.text.words import Span, touched_words

_NOBODY = "No summary was judged by two annotators."

_Texts = Mapping[str, Sequence[tuple[str, Sequence[Sequence[ErrorSpan]]]]]
"""For each document, the texts of its summaries with the errors of each annotator."""

_ALONE = "None of their marks can be compared with a majority of the others."


def spans_agreement(corpus: Corpus) -> list[Agreement]:
    """How far annotators mark the same errors, of any category (dimension empty) and of each.

    - `span-alpha`: Krippendorff's alpha on words; a word that a span touches counts whole. n counts
      words of summaries that two or more people judged.
    - `gamma` of Mathet and others: where spans are, and with all categories together of which
      category (`coefficients.gamma`). n counts summaries with such a span.
    - `char-f1`: the mean over summaries of the mean over pairs of annotators of
      2 |A and B| / (|A| + |B|), A and B being the characters that each of them marked. Two who both
      marked nothing are left out; n counts the summaries that remain.

    Intervals are over documents.
    """
    if not corpus.spans:
        return []
    texts = _shared_summaries(corpus)
    categories = dict.fromkeys(s.category for s in corpus.spans if s.start is not None)
    return [
        agreement("spans", category or "", name, scope, statistic)
        for category in (None, *categories)
        for name, scope, statistic in _statistics(texts, category)
    ]


def _statistics(texts: _Texts, category: str | None) -> Iterator[Named]:
    if not texts:
        for name in ("span-alpha", "char-f1", "gamma"):
            yield name, "", undefined(_NOBODY)
        return
    words = [_words(summaries, category) for summaries in texts.values()]
    yield "span-alpha", "", grouped_alpha(words)
    yield "char-f1", "", _mean_f1([_f1s(summaries, category) for summaries in texts.values()])
    yield "gamma", "", gamma(_marked_texts(texts, category), generator(0))


def _shared_summaries(corpus: Corpus) -> _Texts:
    """The summaries that two or more people judged and whose text is known."""
    written = {(s.document, s.system): s.text for s in corpus.summaries}
    texts: dict[str, list[tuple[str, list[list[ErrorSpan]]]]] = {}
    for unit, annotators in judged_summaries(corpus).items():
        if unit in written and len(annotators) > 1:
            errors = list(annotators.values())
            texts.setdefault(unit[0], []).append((written[unit], errors))
    return texts


def marked_positions(
    positions: Sequence[Span], annotators: Sequence[Sequence[ErrorSpan]], category: str | None
) -> Marks:
    """Positions × annotators: who marked which, by a span of the category, or of any."""
    marks = np.zeros((len(positions), len(annotators)), dtype=bool)
    for column, errors in enumerate(annotators):
        for error in errors:
            if error.start is None or error.end is None or category not in (None, error.category):
                continue
            touched = touched_words(positions, error.start, error.end)
            marks[touched.start : touched.stop, column] = True
    return marks


def _marked_texts(texts: _Texts, category: str | None) -> list[MarkedText]:
    """The summaries with the spans of the category, or with those of all by category."""
    numbers: dict[str | None, int] = {}
    return [
        MarkedText(
            document,
            len(text),
            [
                np.array(
                    [
                        (error.start, error.end, numbers.setdefault(error.category, len(numbers)))
                        for error in errors
                        if error.start is not None and category in (None, error.category)
                    ],
                    dtype=np.float64,
                ).reshape(-1, 3)
                for errors in annotators
            ],
        )
        for document, summaries in enumerate(texts.values())
        for text, annotators in summaries
    ]


def _words(
    summaries: Sequence[tuple[str, Sequence[Sequence[ErrorSpan]]]], category: str | None
) -> tuple[Int64, Float64]:
    """The words of a document's summaries as units, and 1.0 or 0.0 for each annotator."""
    units, values, words = [], [], 0
    for text, annotators in summaries:
        marks = marked_positions(markable_words(text).spans, annotators, category)
        own, ratings = as_ratings(marks)
        units.append(own + words)
        values.append(ratings)
        words += len(marks)
    return np.concatenate(units), np.concatenate(values)


def _f1s(
    summaries: Sequence[tuple[str, Sequence[Sequence[ErrorSpan]]]], category: str | None
) -> list[Statistic]:
    return [
        pairwise_f1(marked_positions([(k, k + 1) for k in range(len(text))], annotators, category))
        for text, annotators in summaries
    ]


def _mean_f1(documents: Sequence[Sequence[Statistic]]) -> Statistic:
    mean = mean_of((part for parts in documents for part in parts), "summaries")
    if mean.value is None:
        return undefined("No two annotators of a summary marked such a span.")
    sums = np.array([
        (sum(part.value for part in parts if part.value is not None),
         sum(part.value is not None for part in parts))
        for parts in documents
    ], dtype=np.float64)  # fmt: skip
    return quotient_over_documents(replace(mean, reason=None), sums)


def presence_agreement(corpus: Corpus) -> list[Agreement]:
    """How far annotators agree on which summary states which content unit.

    What is marked is a unit of a summary: `alpha-nominal`, `fleiss-kappa`, `ac1` and
    `brennan-prediger`, and `cohen-kappa` for exactly two annotators, with intervals over documents
    of which two people marked a unit.
    """
    if not corpus.presence:
        return []
    marks = _columns(corpus.presence)
    documents = shared_documents(marks.documents, np.bincount(marks.units)[marks.units])

    def coefficients(rows: Rows) -> dict[str, Statistic]:
        units, values = marks.units[rows], marks.values[rows]
        return {
            "alpha-nominal": alpha(units, values, "nominal"),
            "fleiss-kappa": fleiss_kappa(units, values),
            "cohen-kappa": _of_two(marks, rows),
            "ac1": gwet(units, values, _BINARY),
            "brennan-prediger": brennan_prediger(units, values, _BINARY),
        }

    whole = over_documents(documents, coefficients)
    return [agreement("units", UNITS, name, "", value) for name, value in whole.items()]


def annotators_on_units(corpus: Corpus) -> dict[str, Statistic]:
    """For each annotator, the share of marks that the majority of the others shares.

    Marks on which the others are tied, or where there are no others, do not count.
    """
    votes: dict[tuple[str, str, str], int] = defaultdict(int)
    for mark in corpus.presence:
        votes[mark.document, mark.system, mark.unit] += 1 if mark.present else -1
    same: dict[str, list[bool]] = {}
    for mark in corpus.presence:
        agrees = same.setdefault(mark.annotator, [])
        lead = votes[mark.document, mark.system, mark.unit] - (1 if mark.present else -1)
        if lead:
            agrees.append((lead > 0) == mark.present)
    return {
        name: Statistic(sum(agrees) / len(agrees), len(agrees)) if agrees else undefined(_ALONE)
        for name, agrees in same.items()
    }


@dataclass(frozen=True)
class _PresenceColumns:
    """Mark k says of the unit of a summary `units[k]` that it is there or not, 1.0 or 0.0."""

    annotator_names: tuple[str, ...]
    units: Int64
    values: Float64
    annotators: Int64
    documents: Int64


_BINARY = np.array([0.0, 1.0])


def _columns(marks: Sequence[Presence]) -> _PresenceColumns:
    cells: dict[tuple[str, str, str], int] = {}
    names: dict[str, int] = {}
    documents: dict[str, int] = {}
    rows = [
        (
            cells.setdefault((mark.document, mark.system, mark.unit), len(cells)),
            names.setdefault(mark.annotator, len(names)),
            documents.setdefault(mark.document, len(documents)),
        )
        for mark in marks
    ]
    units, annotators, numbers = np.array(rows, dtype=np.int64).T
    values = np.array([float(mark.present) for mark in marks])
    return _PresenceColumns(tuple(names), units, values, annotators, numbers)


def _of_two(marks: _PresenceColumns, rows: Rows) -> Statistic:
    count = len(marks.annotator_names)
    if count != 2:
        return undefined(f"It is for exactly two annotators, not for {count}.")
    table = np.full((int(marks.units.max()) + 1, 2), np.nan)
    table[marks.units[rows], marks.annotators[rows]] = marks.values[rows]
    return cohen_kappa(table[:, 0], table[:, 1], None)
