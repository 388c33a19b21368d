"""What a reader of a study should know about its data, in sentences; and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from gistmark.corpus.corpus import Corpus
from gistmark.records import Rating
from gistmark.scoring import Scores
from gistmark.study.records import Note

FEW_DOCUMENTS = 10
Scale = tuple[float, float]


def within_scales(corpus: Corpus, scales: Mapping[str, Scale]) -> tuple[Corpus, list[Note]]:
    """The corpus without ratings outside their dimension's scale, and a note for each dimension."""
    outside: Counter[str] = Counter()
    kept: list[Rating] = []
    for rating in corpus.ratings:
        low, high = scales.get(rating.dimension, (-np.inf, np.inf))
        if low <= rating.value <= high:
            kept.append(rating)
        else:
            outside[rating.dimension] += 1
    notes = [
        Note(
            dimension,
            f"{count:,} ratings are outside the scale from {scales[dimension][0]:g} to "
            f"{scales[dimension][1]:g} and were left out.",
        )
        for dimension, count in outside.items()
    ]
    return replace(corpus, ratings=tuple(kept)), notes


def data_notes(corpus: Corpus, scores: Scores | None) -> list[Note]:
    """Oddities of the data that bear on the conclusions."""
    found = [Note(note.file or "corpus", note.message) for note in corpus.notes]
    found += _about_ratings(corpus.ratings)
    found += _about_systems(corpus, scores)
    if scores is not None:
        found += _about_scores(scores)
    return found


def _about_ratings(ratings: Iterable[Rating]) -> Iterator[Note]:
    values: dict[str, set[float]] = {}
    given: Counter[str] = Counter()
    for rating in ratings:
        values.setdefault(rating.dimension, set()).add(rating.value)
        given[rating.annotator] += 1
    for dimension, seen in values.items():
        if len(seen) == 1:
            only = next(iter(seen))
            text = f"Every rating is {only:g}, so nothing can be said about it."
            yield Note(dimension, text)
    once = sorted(annotator for annotator, count in given.items() if count == 1)
    if once:
        names = ", ".join(once[:10]) + (", …" if len(once) > 10 else "")
        yield Note("annotators", f"{len(once):,} annotators gave a single rating: {names}.")


def _about_systems(corpus: Corpus, scores: Scores | None) -> Iterator[Note]:
    written = {summary.system for summary in corpus.summaries}
    judged = {rating.system for rating in corpus.ratings}
    judged |= {side for pair in corpus.comparisons for side in (pair.left, pair.right)}
    unknown = sorted(judged - written) if written else []
    if unknown:
        names = ", ".join(unknown)
        yield Note("systems", f"People judged systems without a summary here: {names}.")
    if scores is not None and judged:
        unjudged = sorted(set(scores.systems) - judged)
        if unjudged:
            names = ", ".join(unjudged)
            yield Note("systems", f"Nobody judged these systems, which have scores: {names}.")
    documents = {rating.document for rating in corpus.ratings} | {
        pair.document for pair in corpus.comparisons
    }
    if 0 < len(documents) < FEW_DOCUMENTS:
        text = f"People judged only {len(documents)} documents; intervals over so few are rough."
        yield Note("documents", text)


def _about_scores(scores: Scores) -> Iterator[Note]:
    for name, column in scores.columns.items():
        if not column.reasons:
            continue
        reasons = "; ".join(sorted(set(column.reasons.values())))
        share = f"{len(column.reasons):,} of {len(scores):,}"
        yield Note(name, f"{share} summaries could not be scored: {reasons}.")
