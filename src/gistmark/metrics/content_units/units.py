"""The units that a summary is held against: written by people, or extracted from the references.

What several references say counts more. As in PEAK (Yang, Passonneau and de Melo, "PEAK: Pyramid
Evaluation via Automated Knowledge Extraction", 2016), units of different references that are alike
form a graph; the central ones, by PageRank, become the units of the pyramid, each with its like in
every other reference, which a maximum-weight assignment finds; and a unit weighs as many references
as it stands in. PEAK takes the similarities from a network of word senses; here they come from
content words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import floor

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.content_units.clauses import facts
from gistmark.models.parsers import parser
from gistmark.records import ContentUnit
from gistmark.text.content import ALIKE, content_words, overlap
from gistmark.text.sentences import sentences
from gistmark.text.words import words

Float64 = NDArray[np.float64]

_DAMPING = 0.85
_ROUNDS = 50


@dataclass(frozen=True)
class Unit:
    """One fact; `source` is the sentence of the reference that it was extracted from.

    `counterparts` are its like in other references: a text that states one of them states it.
    """

    text: str
    weight: float = 1.0
    source: str | None = None
    counterparts: tuple[Unit, ...] = ()

    @property
    def wordings(self) -> tuple[Unit, ...]:
        return (self, *self.counterparts)


@dataclass(frozen=True)
class UnitSet:
    """Units, and the weight that an ideal summary reaches.

    It is that of all units, unless several references differ: then it is that of the heaviest
    units, as many as the references have on average, as in Nenkova and Passonneau (2004). No
    reference says everything that any of them says, so neither must a summary.
    """

    units: tuple[Unit, ...]
    ideal: float


def written_units(units: Sequence[ContentUnit]) -> UnitSet:
    """Units that people wrote, with the weights that they have; blank ones are left out."""
    non_blank = tuple(Unit(unit.text, unit.weight) for unit in units if unit.text.strip())
    return UnitSet(non_blank, sum(unit.weight for unit in non_blank))


def extracted_units(references: Sequence[str], *, pipeline: str, lang: str) -> UnitSet:
    """The units of references in a language, by a pipeline of spaCy."""
    lists = [facts for text in references if (facts := _units_of(text, pipeline, lang))]
    if len(lists) < 2:
        units = tuple(lists[0]) if lists else ()
        return UnitSet(units, float(len(units)))
    units = merged(lists, lang)
    return UnitSet(units, _ideal(units, sum(map(len, lists)) / len(lists)))


def facts_of(text: str, pipeline: str, lang: str) -> list[tuple[str, str]]:
    """The facts of a text, each with its sentence.

    In a language that the pipeline was not trained on, every sentence is a fact.
    """
    model = parser(pipeline)
    if model.lang != lang:
        lines = (" ".join(sentence.split()) for sentence in sentences(text, lang))
        return [(line, line) for line in lines if any(map(str.isalnum, line))]
    (parsed,) = model.parse([text], lang)
    return [
        (fact, text[sentence[0].start : sentence[-1].end])
        for sentence in parsed
        if sentence
        for fact in facts(sentence)
    ]


def _units_of(text: str, pipeline: str, lang: str) -> list[Unit]:
    """The distinct facts of a reference that have words."""
    distinct = dict(reversed(facts_of(text, pipeline, lang)))
    ordered = reversed(distinct.items())
    return [
        Unit(fact, 1.0, source) for fact, source in ordered if words(fact) or not fact.isascii()
    ]


def merged(lists: Sequence[Sequence[Unit]], lang: str) -> tuple[Unit, ...]:
    """Units of several references, those that are alike as one: the most central ones first."""
    units = [unit for reference_units in lists for unit in reference_units]
    owners = np.repeat(np.arange(len(lists)), list(map(len, lists)))
    similarity = _similarities(units, owners, lang)
    partners = _partners(similarity, owners, len(lists))
    ranks = page_rank(similarity).round(12).tolist()
    used: set[int] = set()
    result = []
    for index in sorted(range(len(units)), key=lambda index: (-ranks[index], index)):
        if index not in used:
            free = [partner for partner in partners[index] if partner not in used]
            used.update((index, *free))
            counterparts = tuple(units[partner] for partner in free)
            weight = 1.0 + len(counterparts)
            result.append(replace(units[index], weight=weight, counterparts=counterparts))
    return tuple(result)


def page_rank(similarity: Float64) -> Float64:
    """The rank of each node of a graph with weighted edges; all ranks add up to 1."""
    count = len(similarity)
    totals = similarity.sum(axis=1, keepdims=True)
    even = np.full_like(similarity, 1.0 / count)
    moves = np.divide(similarity, totals, out=even, where=totals > 0)
    ranks = np.full(count, 1.0 / count)
    for _ in range(_ROUNDS):
        ranks = (1.0 - _DAMPING) / count + _DAMPING * ranks @ moves
    return ranks


def assigned(weights: Float64) -> list[tuple[int, int]]:
    """Pairs of a row and a column, each at most once, with the greatest sum of weights."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(weights, maximize=True)
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if weights[r, c] > 0]


def _similarities(units: Sequence[Unit], owners: NDArray[np.int64], lang: str) -> Float64:
    """The overlap of units of different references where they are alike; else 0."""
    bags = [content_words(unit.text, lang) for unit in units]
    similarity = np.zeros((len(units), len(units)))
    for i, j in combinations(range(len(units)), 2):
        if owners[i] != owners[j]:
            shared = overlap(bags[i], bags[j])
            if shared >= ALIKE:
                similarity[i, j] = similarity[j, i] = shared
    return similarity


def _partners(similarity: Float64, owners: NDArray[np.int64], count: int) -> list[list[int]]:
    """For each unit its like in other references, at most one in each."""
    partners: list[list[int]] = [[] for _ in similarity]
    for first, second in combinations(range(count), 2):
        rows, columns = np.flatnonzero(owners == first), np.flatnonzero(owners == second)
        for row, column in assigned(similarity[np.ix_(rows, columns)]):
            unit, partner = int(rows[row]), int(columns[column])
            partners[unit].append(partner)
            partners[partner].append(unit)
    return partners


def _ideal(units: Sequence[Unit], count: float) -> float:
    """The weight of the `count` heaviest units; the last may count in part."""
    weights = sorted((unit.weight for unit in units), reverse=True)
    full = min(floor(count), len(weights))
    partial = (count - full) * weights[full] if full < len(weights) else 0.0
    return sum(weights[:full]) + partial
