"""What a reader of a study should know about its data, in sentences; and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis import words
from gistmark.analysis.known_words import known_word_notes
from gistmark.analysis.records import Note
from gistmark.corpus.corpus import Corpus
from gistmark.records import Rating
from gistmark.scoring import Scores

FEW_DOCUMENTS = 10
ALIKE = 0.5
"""The share of identical summaries from which on two systems are noted as alike."""
ALIKE_PAIRS = 5
"""So many pairs of such systems are named; the others are counted."""
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
    found += _about_identical_summaries(corpus)
    if scores is not None:
        found += [*_about_scores(scores), *known_word_notes(scores)]
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
        text = f"People judged systems without a summary here, so these have no rank: {names}."
        yield Note("systems", text)
    if scores is not None and judged:
        unjudged = sorted(set(scores.systems) - judged)
        if unjudged:
            names = ", ".join(unjudged)
            yield Note("systems", f"Nobody judged these systems, which have scores: {names}.")
    documents = {rating.document for rating in corpus.ratings} | {
        pair.document for pair in corpus.comparisons
    }
    if 0 < len(documents) < FEW_DOCUMENTS:
        few = words.counted(len(documents), "document")
        text = f"People judged only {few}; intervals over so few are rough."
        yield Note("documents", text)


def _about_identical_summaries(corpus: Corpus) -> Iterator[Note]:
    """Pairs of systems that wrote the same text for at least `ALIKE` of the documents of both."""
    pairs = _alike(corpus)
    for left, right, same, both in pairs[:ALIKE_PAIRS]:
        where = f"{same:,} of the {both:,} documents that both have"
        if same == both:
            where = f"all {both:,} documents that both have"
        if both == 1:
            where = "the one document that both have"
        yield Note(
            "summaries",
            f"The summaries of {left} and {right} are identical in {where}; a difference between "
            "the two there does not come from the text.",
        )
    more = len(pairs) - ALIKE_PAIRS
    if more > 0:
        word = "pair of systems has" if more == 1 else "pairs of systems have"
        share = f"at least {ALIKE:.0%} of their common documents"
        yield Note("summaries", f"{more:,} more {word} identical summaries in {share}.")


def _alike(corpus: Corpus) -> list[tuple[str, str, int, int]]:
    """Two systems, how many of their summaries are the same, and of how many; most alike first.

    Summaries are compared as they are, to the last character. Anonymous systems are left out:
    their names say nothing about who wrote what.
    """
    systems = [name for name in corpus.systems if name not in corpus.anonymous_systems]
    texts = _text_numbers(corpus, systems)
    found: list[tuple[str, str, int, int]] = []
    for number, left in enumerate(systems):
        mine, others = texts[:, number, None], texts[:, number + 1 :]
        both = ((mine >= 0) & (others >= 0)).sum(axis=0)
        same = ((mine >= 0) & (mine == others)).sum(axis=0)
        found += (
            (left, systems[number + 1 + index], int(same[index]), int(both[index]))
            for index in np.flatnonzero((both > 0) & (same >= ALIKE * both))
        )
    return sorted(found, key=lambda pair: (-pair[2] / pair[3], -pair[3]))


def _text_numbers(corpus: Corpus, systems: Sequence[str]) -> NDArray[np.int64]:
    """Documents by systems: equal texts have equal numbers, and -1 is a summary that is missing."""
    row = {document: number for number, document in enumerate(corpus.document_ids)}
    column = {system: number for number, system in enumerate(systems)}
    seen: dict[str, int] = {}
    numbers = np.full((len(row), len(column)), -1)
    for summary in corpus.summaries:
        if not summary.reference and summary.system in column:
            number = seen.setdefault(summary.text, len(seen))
            numbers[row[summary.document], column[summary.system]] = number
    return numbers


def _about_scores(scores: Scores) -> Iterator[Note]:
    for name, column in scores.columns.items():
        if not column.reasons:
            continue
        share = f"{len(column.reasons):,} of {scores.summary_count:,}"
        yield Note(name, f"{share} summaries could not be scored: {column.why}.")
