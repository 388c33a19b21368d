"""All statistics of agreement on highlights, document by document, as records of a study.

Hardy, Narayan and Vlachos, "HighRES" (2019), section 5: every word of a document is highlighted or
not by each of its annotators. A word that a highlight touches counts whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.coefficients.alpha import alpha, grouped_alpha
from gistmark.analysis.agreement.coefficients.intervals import quotient_over_documents
from gistmark.analysis.agreement.coefficients.kappa import fleiss_kappa
from gistmark.analysis.agreement.coefficients.statistic import Statistic, mean_of, undefined
from gistmark.analysis.agreement.ratings import Named, agreement
from gistmark.analysis.data.columns import Float64, Int64
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus.corpus import Corpus
from gistmark.text.highlighted import highlighted_words
from gistmark.text.markable import markable_words

_NAMES = {
    "span-kappa": "kappa",
    "span-alpha": "alpha",
    "span-f1": "f1",
    "union-coverage": "coverage",
    "second-half": "second_half",
}


def highlights_agreement(corpus: Corpus) -> list[Agreement]:
    """How far annotators highlight the same words; a unit is a word.

    For each of these, the mean over documents (n counts them), and with the document as scope:
    `span-kappa` (Fleiss' kappa), `span-f1`, `union-coverage`, `second-half`. `span-kappa-min` and
    `span-kappa-max` are the least and the greatest kappa of a document. `span-alpha` of the whole
    is the alpha of all words of all documents together (n counts words). The whole has intervals
    over documents. The dimension is empty.
    """
    marks = marked_words(corpus)
    if not marks:
        return []
    agreements = {document: span_agreement(words) for document, words in marks.items()}
    return [
        agreement("highlights", "", name, scope, statistic)
        for name, scope, statistic in _statistics(marks, agreements)
    ]


def _statistics(marks: Mapping[str, Marks], result: Mapping[str, SpanAgreement]) -> Iterator[Named]:
    for name, field in _NAMES.items():
        parts = {document: getattr(spans, field) for document, spans in result.items()}
        if name == "span-alpha":
            yield name, "", grouped_alpha([as_ratings(words) for words in marks.values()])
        else:
            values = np.array([(s.value, 1.0) for s in parts.values() if s.value is not None])
            mean = mean_of(parts.values(), "documents")
            yield name, "", quotient_over_documents(mean, values)
        for document, statistic in parts.items():
            yield name, document, statistic
        if name == "span-kappa":
            yield "span-kappa-min", "", _extreme(list(parts.values()), least=True)
            yield "span-kappa-max", "", _extreme(list(parts.values()), least=False)


def _extreme(parts: list[Statistic], *, least: bool) -> Statistic:
    defined = [part for part in parts if part.value is not None]
    if not defined:
        return undefined(mean_of(parts, "documents").reason or "")
    return sorted(defined, key=lambda part: part.value or 0.0)[0 if least else -1]


Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """What the annotators of one document have in common; n is the number of its words.

    `f1` is the mean over pairs of annotators of 2 |A and B| / (|A| + |B|); `coverage` the share of
    words that anybody highlighted; `second_half` the share of highlighted words (one for each
    annotator who marked it) that stand behind the middle of the document.
    """

    kappa: Statistic
    alpha: Statistic
    f1: Statistic
    coverage: Statistic
    second_half: Statistic


def marked_words(corpus: Corpus) -> dict[str, Marks]:
    """For each highlighted document, words x annotators: who highlighted which word.

    Words are what white space separates, or those of a script without spaces
    (`gistmark.text.markable`). Only people who highlighted something in a document are
    its annotators, since a corpus does not record who looked at it and marked nothing. A document
    whose text is not in the corpus has no words.
    """
    return {id: np.stack(list(marks.values()), axis=1) for id, marks in _by_annotator(corpus)}


def annotators_on_words(corpus: Corpus) -> dict[str, Statistic]:
    """How far each annotator highlights the words that others do, as a mean over documents.

    On one document it is the mean of the F1 with each of the others, 2 |A and B| / (|A| + |B|); n
    counts the documents that somebody else highlighted too. Not defined where there is none.
    """
    parts: dict[str, list[Statistic]] = {}
    for _, marks in _by_annotator(corpus):
        means = _f1_with_others(np.stack(list(marks.values()), axis=1))
        for name, share in zip(marks, means, strict=True):
            parts.setdefault(name, []).append(share)
    return {name: mean_of(shares, "documents") for name, shares in parts.items()}


def _by_annotator(corpus: Corpus) -> Iterator[tuple[str, Mapping[str, Marks]]]:
    texts = {document.id: document.text for document in corpus.documents}
    for id in dict.fromkeys(highlight.document for highlight in corpus.highlights):
        spans = markable_words(texts.get(id, "")).spans
        yield id, highlighted_words(spans, corpus.highlights_of(id))


def span_agreement(marks: Marks) -> SpanAgreement:
    """The agreement on one document.

    Not defined: all five for a document without words; kappa, alpha and F1 for one annotator;
    kappa and alpha where every word or none is highlighted by all; F1 and the share in the second
    half where nothing is.
    """
    words = len(marks)
    if not words:
        none = undefined("The document has no words.")
        return SpanAgreement(none, none, none, none, none)
    units, values = as_ratings(marks)
    # The middle word of an odd number belongs to the first half.
    total, behind = int(marks.sum()), int(marks[(words + 1) // 2 :].sum())
    half = Statistic(behind / total, words, least=0.0) if total else undefined(_UNMARKED, words)
    return SpanAgreement(
        kappa=fleiss_kappa(units, values),
        alpha=alpha(units, values, "nominal"),
        f1=pairwise_f1(marks),
        coverage=Statistic(float(marks.any(axis=1).mean()), words, least=0.0),
        second_half=half,
    )


def as_ratings(marks: Marks) -> tuple[Int64, Float64]:
    """Words as units and 1.0 or 0.0 as values, one for each word and annotator."""
    words, annotators = marks.shape
    return np.repeat(np.arange(words), annotators), marks.ravel().astype(np.float64)


_ALONE = "Only one annotator highlighted the document."
_UNMARKED = "No word is highlighted."


def pairwise_f1(marks: Marks) -> Statistic:
    """The mean over pairs of annotators of 2 |A and B| / (|A| + |B|).

    A pair that marked nothing is left out. Not defined for one annotator and where nothing is
    marked.
    """
    words, annotators = marks.shape
    if annotators < 2:
        return undefined(_ALONE, words)
    return _mean_f1(f1_table(marks)[np.triu_indices(annotators, 1)], words)


def _f1_with_others(marks: Marks) -> list[Statistic]:
    """The mean F1 of each annotator with each of the others."""
    words, annotators = marks.shape
    if annotators < 2:
        return [undefined(_ALONE, words)] * annotators
    table = f1_table(marks)
    return [_mean_f1(np.delete(row, own), words) for own, row in enumerate(table)]


def f1_table(marks: Marks) -> Float64:
    """F1 of every two annotators; NaN where neither highlighted a word."""
    counts = marks.astype(np.float64)
    common, sizes = counts.T @ counts, counts.sum(axis=0)
    with np.errstate(invalid="ignore"):
        table: Float64 = 2 * common / (sizes[:, None] + sizes)
    return table


def _mean_f1(values: Float64, words: int) -> Statistic:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return undefined(_UNMARKED, words)
    return Statistic(float(np.mean(defined)), words, least=0.0)
