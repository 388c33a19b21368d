"""All statistics of agreement on highlights, document by document, as records of a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from gistmark.analysis.agreement.alpha import alpha
from gistmark.analysis.agreement.bootstrap import RESAMPLES, blocks, draws, percentiles
from gistmark.analysis.agreement.ratings_report import Named, agreement
from gistmark.analysis.agreement.spans import (
    Marks,
    SpanAgreement,
    as_ratings,
    marked_words,
    span_agreement,
)
from gistmark.analysis.agreement.statistic import Statistic, mean_of, undefined
from gistmark.analysis.ratings import Float64
from gistmark.analysis.records import Agreement
from gistmark.corpus.corpus import Corpus

_NAMES = {
    "span-kappa": "kappa",
    "span-alpha": "alpha",
    "span-f1": "f1",
    "union-coverage": "coverage",
    "second-half": "second_half",
}


def highlights_agreement(
    corpus: Corpus, *, rng: np.random.Generator | None = None, resamples: int = RESAMPLES
) -> list[Agreement]:
    """How far annotators highlight the same words; a unit is a word.

    For each of these, the mean over documents (n counts them), and with the document as scope:
    `span-kappa` (Fleiss' kappa), `span-f1`, `union-coverage`, `second-half`. `span-kappa-min` and
    `span-kappa-max` are the least and the greatest kappa of a document. `span-alpha` of the whole
    is the alpha of all words of all documents together (n counts words). The intervals of the
    whole are by bootstrap over documents. The dimension is empty.

    `rng` draws the resamples; without it the seed is 0.
    """
    rng = rng or np.random.default_rng(0)
    marks = marked_words(corpus)
    if not marks:
        return []
    found = {document: span_agreement(words) for document, words in marks.items()}
    return [
        agreement("highlights", "", name, scope, statistic)
        for name, scope, statistic in _statistics(marks, found, rng, resamples)
    ]


def _statistics(
    marks: Mapping[str, Marks],
    found: Mapping[str, SpanAgreement],
    rng: np.random.Generator,
    resamples: int,
) -> Iterator[Named]:
    for name, field in _NAMES.items():
        parts = {document: getattr(spans, field) for document, spans in found.items()}
        if name == "span-alpha":
            yield name, "", _pooled_alpha(list(marks.values()), rng, resamples)
        else:
            yield name, "", _over_documents(list(parts.values()), rng, resamples)
        for document, statistic in parts.items():
            yield name, document, statistic
        if name == "span-kappa":
            yield "span-kappa-min", "", _extreme(list(parts.values()), least=True)
            yield "span-kappa-max", "", _extreme(list(parts.values()), least=False)


def _over_documents(parts: list[Statistic], rng: np.random.Generator, resamples: int) -> Statistic:
    """The mean over documents, with its interval."""
    mean = mean_of(parts, "documents")
    values = np.array([part.value for part in parts if part.value is not None])
    if len(values) < 2:
        return mean
    picks = rng.integers(len(values), size=(resamples, len(values)))
    low, high = percentiles(values[picks].mean(axis=1))
    return replace(mean, low=low, high=high)


def _extreme(parts: list[Statistic], *, least: bool) -> Statistic:
    defined = [part for part in parts if part.value is not None]
    if not defined:
        return undefined(mean_of(parts, "documents").reason or "")
    return sorted(defined, key=lambda part: part.value or 0.0)[0 if least else -1]


def _pooled_alpha(marks: list[Marks], rng: np.random.Generator, resamples: int) -> Statistic:
    """Nominal alpha over all words, with its interval by bootstrap over documents."""
    units, values, words = [], [], 0
    for part in marks:
        own, ratings = as_ratings(part)
        units.append(own + words)
        values.append(ratings)
        words += len(part)
    found = alpha(np.concatenate(units), np.concatenate(values), "nominal")
    parts = np.array([_binary_parts(part) for part in marks if part.shape[1] > 1])
    if found.value is None or len(parts) < 2:
        return found
    low, high = percentiles(
        np.concatenate([_redraw(parts, size, rng) for size in blocks(resamples, len(parts))])
    )
    return replace(found, low=low, high=high)


def _binary_parts(marks: Marks) -> tuple[float, float, float]:
    """Of one document: how many 1s, how many values, and its part of D (see `alpha`)."""
    annotators = marks.shape[1]
    ones = marks.sum(axis=1)
    unequal = 2 * ones * (annotators - ones) / (annotators - 1)
    return float(ones.sum()), float(marks.size), float(unequal.sum())


def _redraw(parts: Float64, size: int, rng: np.random.Generator) -> Float64:
    weights = draws(np.arange(len(parts)), len(parts), size, rng)
    ones, n, inner = (weights @ parts).T
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Float64 = 1 - (n - 1) * inner / (2 * ones * (n - ones))
    return found
