"""Scores from what people marked: errors in summaries, and content units that summaries state.

As MQM has it (Freitag and others, "Experts, Errors, and Context", 2021), each error costs the
weight of its severity, and a summary's score is minus the sum, so that 0 is a summary without
errors and less is worse. Longer summaries have more space for errors, so there is also the score
for 100 words.

Of content units it is the share that a summary states, by weight: Nenkova and Passonneau,
"Evaluating Content Selection in Summarization: The Pyramid Method" (2004); without a length limit,
as Shapira and others' LitePyramid (2019) and Liu and others' ACU (2023):

    score = sum over units u of w_u p_u / sum over units u of w_u

where w_u is the weight of a unit and p_u the share of annotators who find it in the summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import fsum

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import exact_ties, quotient
from gistmark.analysis.data.columns import Unit
from gistmark.analysis.human.scores import HumanScores
from gistmark.analysis.studies.records import ErrorCount
from gistmark.corpus import Corpus
from gistmark.records import ErrorSpan, Rating

ERRORS = "error score"
PER_WORDS = "error score per 100 words"

SEVERITIES: Mapping[str, float] = {"minor": 1.0, "major": 5.0, "critical": 10.0}
"""What an error of each severity costs, unless a study says otherwise."""

NO_SEVERITY = 1.0
"""What an error without a severity costs."""

Judged = dict[Unit, dict[str, list[ErrorSpan]]]
"""The errors that each annotator marked in each summary, none included."""

UNITS = "content units"
"""The name of the score."""


def judged_summaries(corpus: Corpus) -> Judged:
    """Who judged each summary, with the errors that they marked.

    Only a row of an annotator says that they judged a summary; one without a category says that
    they marked no error.
    """
    judged: Judged = {}
    for span in corpus.spans:
        errors = judged.setdefault((span.document, span.system), {}).setdefault(span.annotator, [])
        if span.category is not None:
            errors.append(span)
    return judged


def error_scores(
    corpus: Corpus, words: Mapping[Unit, float], weights: Mapping[str, float] | None = None
) -> HumanScores:
    """Minus the weighted errors of each summary, as mean over its annotators: 0 is the best.

    `words` is the length of summaries; one without words has no score for 100 words. An error costs
    what `weights` says of its severity, whose names are compared without regard to case; else its
    own weight, or what `SEVERITIES` says. If none of them gives a weight, there is no score, and
    the reason names the severity.
    """
    judged = judged_summaries(corpus)
    costs = _Costs(weights)
    errors = [span for span in corpus.spans if span.category is not None]
    unknown = sorted({error.severity or "" for error in errors if costs.of(error) is None})
    if unknown or not judged:
        names = ", ".join(map(repr, unknown))
        weighted = " ".join(f'--severity "{name}=WEIGHT"' for name in unknown)
        why = f"there is no weight for {names}, so there is no score; give {weighted}"
        empty: NDArray[np.float64] = np.zeros((0, 0))
        reasons = {ERRORS: why} if unknown else {}
        return HumanScores((), (), empty, empty.astype(np.int64), reasons)
    sums = [
        fsum(costs.of(error) or 0.0 for errors in annotators.values() for error in errors)
        / len(annotators)
        for annotators in judged.values()
    ]
    lengths = np.array([words.get(unit, 0.0) for unit in judged])
    plain = 0.0 - np.array(sums)
    normalised = quotient(100 * plain, lengths)
    counts = [[len(annotators) for annotators in judged.values()]] * 2
    return HumanScores(
        units=tuple(judged),
        names=(ERRORS, PER_WORDS),
        values=exact_ties(np.array([plain, normalised])),
        counts=np.array(counts, dtype=np.int64),
    )


def mark_ratings(
    corpus: Corpus, words: Mapping[Unit, float], weights: Mapping[str, float] | None = None
) -> Iterator[Rating]:
    """What every annotator's marks give a summary, as ratings by the scores' names."""
    annotators = [span.annotator for span in corpus.spans]
    annotators += [mark.annotator for mark in corpus.presence]
    for name in dict.fromkeys(annotators):
        part = replace(
            corpus,
            spans=tuple(span for span in corpus.spans if span.annotator == name),
            presence=tuple(mark for mark in corpus.presence if mark.annotator == name),
        )
        for scores in (error_scores(part, words, weights), unit_shares(part)):
            for record in scores.records():
                yield Rating(record.document, record.system, name, record.human, record.value)


def severity_weights(
    corpus: Corpus, severities: Mapping[str, float] | None
) -> dict[str, tuple[float, ...]]:
    """What errors of each severity cost, by its name in small letters; mostly one weight each.

    Those of errors that carry a weight may differ, where several campaigns are in one corpus.
    """
    costs = _Costs(severities)
    weights = {name: {cost} for name, cost in costs.usual.items()}
    carried: dict[str, set[float]] = {}
    for error in corpus.spans:
        if error.severity and (cost := costs.of(error)) is not None:
            carried.setdefault(error.severity.lower(), set()).add(cost)
    return {name: tuple(sorted(several)) for name, several in (weights | carried).items()}


class _Costs:
    """What an error costs: by its severity where that is given, else by its own weight."""

    def __init__(self, weights: Mapping[str, float] | None) -> None:
        self._weights = {name.lower(): cost for name, cost in (weights or {}).items()}
        self.usual = {**SEVERITIES, **self._weights}

    def of(self, error: ErrorSpan) -> float | None:
        """None for a severity whose weight is not known."""
        severity = (error.severity or "").lower()
        if severity in self._weights or error.weight is None:
            return self.usual.get(severity) if severity else NO_SEVERITY
        return error.weight


def error_counts(corpus: Corpus) -> list[ErrorCount]:
    """How often each error was marked in each system's summaries; also where it never was.

    Systems and categories are in the order of their first row, severities from light to heavy.
    """
    judgements: Counter[str] = Counter()
    counts: Counter[tuple[str, str, str]] = Counter()
    kinds: dict[str, None] = {}
    for (_, system), annotators in judged_summaries(corpus).items():
        judgements[system] += len(annotators)
        for errors in annotators.values():
            for error in errors:
                counts[system, error.category or "", error.severity or ""] += 1
                kinds.setdefault(error.category or "")
    return [
        ErrorCount(
            system=system,
            category=category,
            severity=severity,
            count=counts[system, category, severity],
            judgements=judged,
            rate=counts[system, category, severity] / judged,
        )
        for system, judged in judgements.items()
        for category in kinds
        for severity in _severities(corpus)
    ]


def _severities(corpus: Corpus) -> list[str]:
    """The severities of all errors, empty for those without: known ones first, light to heavy."""
    names = dict.fromkeys(s.severity or "" for s in corpus.spans if s.category is not None)
    order = {name: number for number, name in enumerate(SEVERITIES)}
    return sorted(names, key=lambda name: (not name, order.get(name.lower(), len(order))))


def unit_shares(corpus: Corpus) -> HumanScores:
    """The weighted share of content units that each summary states: from 0 to 1.

    A unit that nobody marked is not absent but unknown: a summary without a mark for every unit of
    its document has no score, and a reason counts such summaries. The counts are of marks.
    """
    weights: dict[str, dict[str, float]] = {}
    for unit in corpus.units:
        weights.setdefault(unit.document, {})[unit.id] = unit.weight
    marks: dict[Unit, dict[str, list[bool]]] = {}
    for mark in corpus.presence:
        units = marks.setdefault((mark.document, mark.system), {})
        units.setdefault(mark.unit, []).append(mark.present)
    whole = {
        at: units for at, units in marks.items() if units.keys() == weights.get(at[0], {}).keys()
    }
    names = (UNITS,) if whole else ()
    shape = (len(names), len(whole))
    values = [
        sum(weights[document][unit] * (sum(votes) / len(votes)) for unit, votes in units.items())
        / sum(weights[document].values())
        for (document, _), units in whole.items()
    ]
    partial = f"{len(marks) - len(whole):,} of {len(marks):,} summaries left out"
    why = f"{partial}, because not every unit of their document is marked"
    counts = [sum(map(len, units.values())) for units in whole.values()]
    return HumanScores(
        units=tuple(whole),
        names=names,
        values=exact_ties(np.array(values, dtype=np.float64).reshape(shape)),
        counts=np.array(counts, dtype=np.int64).reshape(shape),
        reasons={UNITS: why} if len(whole) < len(marks) else {},
    )
