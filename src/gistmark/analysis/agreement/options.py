"""Agreement on questions with options: do annotators choose the same options for the same item?

What is answered is a summary, a pair, a set or a document. An item that only one annotator answered
does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.coefficients.distances import (
    NO_UNIT,
    distance_alpha,
    masi_distances,
    nominal_distances,
)
from gistmark.analysis.agreement.coefficients.gwet import brennan_prediger, gwet
from gistmark.analysis.agreement.coefficients.intervals import (
    Rows,
    over_documents,
    shared_documents,
)
from gistmark.analysis.agreement.coefficients.splits import by_rater
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.agreement.ratings import Named, agreement
from gistmark.analysis.data.columns import Int64
from gistmark.analysis.human.questions import OPTION_TYPES, Question, options_of
from gistmark.analysis.studies.records import Agreement

SUBJECT = "answers"

_BLOCK = 1 << 22
_NO_MAJORITY = "None of their answers can be compared with a majority of the others."


@dataclass(frozen=True)
class OptionColumns:
    """Answers as numbers: answer k by `annotators[k]` gave unit `units[k]` the set `codes[k]`."""

    annotator_names: tuple[str, ...]
    sets: tuple[frozenset[str], ...]
    units: Int64
    codes: Int64
    annotators: Int64
    groups: Int64
    """The number of the document of each unit."""

    def take(self, rows: NDArray[np.bool_]) -> OptionColumns:
        """Some of the answers; units and annotators keep their numbers."""
        return replace(
            self, units=self.units[rows], codes=self.codes[rows], annotators=self.annotators[rows]
        )


def option_columns(question: Question) -> OptionColumns:
    """The answers to a question; a single choice is a set of one option."""
    units: dict[object, int] = {}
    documents: dict[str, int] = {}
    annotators: dict[str, int] = {}
    sets: dict[frozenset[str], int] = {}
    rows: list[tuple[int, int, int]] = []
    groups: list[int] = []
    pairs = zip(question.subjects, question.answers.items(), strict=True)
    for subject, ((document, _, _, annotator, _), records) in pairs:
        if subject not in units:
            groups.append(documents.setdefault(document, len(documents)))
        chosen = frozenset(record.value for record in records if record.value)
        rows.append(
            (
                units.setdefault(subject, len(units)),
                sets.setdefault(chosen, len(sets)),
                annotators.setdefault(annotator, len(annotators)),
            )
        )
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return OptionColumns(
        tuple(annotators), tuple(sets), columns[0], columns[1], columns[2],
        np.array(groups, dtype=np.int64),
    )  # fmt: skip


def options_agreement(questions: Iterable[Question]) -> list[Agreement]:
    """How far annotators choose the same options.

    - `alpha-nominal` for a single choice and yes or no; `alpha-masi` for several options, with the
      MASI distance between sets, and `alpha-nominal` of each option, with the option as scope.
    - `raw-agreement`: the mean over what was answered of the share of pairs of annotators who
      answered the same; `chance` is the sum of the squared shares of the answers.
    - `ac1` and `brennan-prediger` for a single choice and yes or no, over the options that anybody
      chose.

    Intervals are over documents about which two people answered.
    """
    return [
        agreement(SUBJECT, question.name, name, scope, statistic)
        for question in questions
        if question.type in OPTION_TYPES
        for name, scope, statistic in _statistics(question)
    ]


def _statistics(question: Question) -> Iterator[Named]:
    columns = option_columns(question)
    units, codes, groups = columns.units, columns.codes, columns.groups
    several = question.type == "choices"
    distances = masi_distances(columns.sets) if several else nominal_distances(len(columns.sets))
    alpha = "alpha-masi" if several else "alpha-nominal"
    yield alpha, "", distance_alpha(units, codes, groups, distances)
    documents = shared_documents(groups, np.bincount(units, minlength=len(groups)))[units]
    categories = np.arange(len(columns.sets), dtype=np.float64)

    def coefficients(rows: Rows) -> dict[str, Statistic]:
        part, answers = units[rows], codes[rows]
        raw = {"raw-agreement": raw_agreement(part, answers)}
        if several:
            return raw
        values = answers.astype(np.float64)
        return raw | {
            "ac1": gwet(part, values, categories),
            "brennan-prediger": brennan_prediger(part, values, categories),
        }

    for name, result in over_documents(documents, coefficients).items():
        yield name, "", result
    if several:
        binary = nominal_distances(2)
        for option in options_of(question):
            has = np.array([option in chosen for chosen in columns.sets], dtype=np.int64)
            yield "alpha-nominal", option, distance_alpha(units, has[codes], groups, binary)


def raw_agreement(units: Int64, codes: Int64) -> Statistic:
    """The mean over units of the share of pairs of values that are equal (see Fleiss 1971).

    A unit with one value is left out; n counts the others.
    """
    counts = np.zeros((int(units.max(initial=-1)) + 1, int(codes.max(initial=-1)) + 1))
    np.add.at(counts, (units, codes), 1.0)
    sizes = counts.sum(axis=1)
    good = sizes >= 2
    if not good.any():
        return undefined(NO_UNIT)
    counts, sizes = counts[good], sizes[good]
    same = (counts * (counts - 1)).sum(axis=1) / (sizes * (sizes - 1))
    shares = counts.sum(axis=0) / counts.sum()
    return Statistic(float(same.mean()), len(counts), chance=float(shares @ shares), least=0.0)


def majority_answers(columns: OptionColumns, stand_in: Int64 | None = None) -> list[Statistic]:
    """For each annotator, the share of answers that most of the others gave too.

    Where no answer of the others is the most frequent, or where there are no others, it does not
    count; n counts the rest. A `stand_in`, whose answer about each unit this is (-1 for none), may
    take the place of each annotator in turn.
    """
    counts = np.zeros((len(columns.groups), len(columns.sets)), dtype=np.int32)
    np.add.at(counts, (columns.units, columns.codes), 1)
    answers = columns.codes if stand_in is None else stand_in[columns.units]
    size = len(columns.codes)
    decided, same = np.zeros(size, dtype=bool), np.zeros(size)
    for start in range(0, size, step := max(1, _BLOCK // max(1, len(columns.sets)))):
        part = slice(start, start + step)
        codes = columns.codes[part]
        others = counts[columns.units[part]]
        others[np.arange(len(codes)), codes] -= 1
        most = others.max(axis=1, initial=0)
        decided[part] = ((others == most[:, None]).sum(axis=1) == 1) & (most > 0)
        same[part] = others.argmax(axis=1) == answers[part]
    decided &= answers >= 0
    groups = by_rater(columns.annotators[decided], same[decided], len(columns.annotator_names))
    return [
        Statistic(float(own.mean()), len(own)) if len(own) else undefined(_NO_MAJORITY)
        for own in groups
    ]
