"""Agreement of highlights, word by word.

Hardy, Narayan and Vlachos, "HighRES" (2019), section 5: every word of a document is highlighted or
not by each of its annotators. A word that a highlight touches counts whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.alpha import alpha
from gistmark.analysis.agreement.kappa import fleiss_kappa
from gistmark.analysis.agreement.statistic import Statistic, undefined
from gistmark.analysis.ratings import Float64, Int64
from gistmark.corpus.corpus import Corpus
from gistmark.metrics.highlighted import highlighted_words
from gistmark.text.words import word_spans

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

    Words are what white space separates. Only people who highlighted something in a document are
    its annotators, since a corpus does not tell who looked at it and marked nothing. A document
    whose text is not in the corpus has no words.
    """
    texts = {document.id: document.text for document in corpus.documents}
    found: dict[str, Marks] = {}
    for id in dict.fromkeys(highlight.document for highlight in corpus.highlights):
        spans = word_spans(texts.get(id, ""), "space")
        marks = highlighted_words(spans, corpus.highlights_of(id))
        found[id] = np.stack(list(marks.values()), axis=1)
    return found


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
    return SpanAgreement(
        kappa=fleiss_kappa(units, values),
        alpha=alpha(units, values, "nominal"),
        f1=_pairwise_f1(marks),
        coverage=Statistic(float(marks.any(axis=1).mean()), words),
        second_half=_second_half(marks),
    )


def as_ratings(marks: Marks) -> tuple[Int64, Float64]:
    """Words as units and 1.0 or 0.0 as values, one for each word and annotator."""
    words, annotators = marks.shape
    return np.repeat(np.arange(words), annotators), marks.ravel().astype(np.float64)


def _pairwise_f1(marks: Marks) -> Statistic:
    words, annotators = marks.shape
    if annotators < 2:
        return undefined("Only one annotator highlighted the document.", words)
    counts = marks.astype(np.float64)
    common, sizes = counts.T @ counts, counts.sum(axis=0)
    first, second = np.triu_indices(annotators, 1)
    sums = sizes[first] + sizes[second]
    good = sums > 0
    if not good.any():
        return undefined("No word is highlighted.", words)
    return Statistic(float(np.mean(2 * common[first, second][good] / sums[good])), words)


def _second_half(marks: Marks) -> Statistic:
    """The middle word of an odd number belongs to the first half."""
    words, total = len(marks), int(marks.sum())
    if not total:
        return undefined("No word is highlighted.", words)
    return Statistic(int(marks[(words + 1) // 2 :].sum()) / total, words)
