"""Rankings of several summaries and best-worst choices among them, as numbers.

A ranking is kept by its mid-ranks: 1 is best, summaries that tie share the mean of their ranks. A
best-worst choice is a ranking of three: best, the others, worst (Louviere and Woodworth 1991).

Every ranking implies a comparison of each two summaries in it, a tie being half a win for each;
taking all of them keeps Bradley-Terry strengths consistent under the model of Plackett and Luce
(Azari Soufiani, Chen, Parkes and Xia, "Generalized Method-of-Moments for Rank Aggregation", 2013),
whichever sets were shown: who of two is ahead does not depend on the others. In simulated
rankings of 3, 4 and 6 systems they are as unbiased as the estimate of largest likelihood and spread
0 to 17 % more, and ties are no trouble to them.
A best-worst choice implies that the best beat all others, and that all others beat the worst.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import average_ranks, exact_ties, quotient
from gistmark.analysis.human.questions import SET_TYPES, Question
from gistmark.analysis.human.scores import HumanScores, joined
from gistmark.analysis.ranking.bradley_terry import Wins
from gistmark.analysis.resampling.means import ratio_intervals
from gistmark.records import Response, ResponseType

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

SUFFIXES: dict[ResponseType, str] = {"ranking": " (ranking)", "best-worst": " (best-worst)"}
"""What the names of the scores end in that rankings and best-worst choices give a summary."""

_RANKS = {"best": 1.0, "": 2.0, "worst": 3.0}


@dataclass(frozen=True)
class Sets:
    """The answers to one question about sets: `ranks[k, s]` is the rank of system s in answer k.

    It is NaN where the system was not shown. `documents[k]` is the number of the document.
    """

    question: str
    type: ResponseType
    document_names: tuple[str, ...]
    system_names: tuple[str, ...]
    documents: Int64
    annotators: tuple[str, ...]
    ranks: Float64

    @cached_property
    def shown(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.ranks)

    @cached_property
    def sizes(self) -> Int64:
        """How many summaries each answer is about."""
        sizes: Int64 = self.shown.sum(axis=1)
        return sizes

    @cached_property
    def values(self) -> Float64:
        """What each answer gives each summary, the more the better; NaN where it was not shown.

        A ranking of k gives (k - rank) / (k - 1), from 1 for the best to 0; a best-worst choice 1
        for the best, -1 for the worst and 0 for the others.
        """
        if self.type == "best-worst":
            return 2.0 - self.ranks
        sizes = self.sizes[:, None]
        return (sizes - self.ranks) / (sizes - 1)

    @cached_property
    def wins(self) -> Wins:
        """The comparisons that the answers imply, as tables of wins, one per document."""
        size = len(self.system_names)
        tables = np.zeros((len(self.document_names), size, size))
        for number in range(len(self.document_names)):
            ranks = self.ranks[self.documents == number]
            first, second = ranks[:, :, None], ranks[:, None, :]
            tables[number] = (first < second).sum(axis=0)
            if self.type == "ranking":
                tables[number] += 0.5 * (first == second).sum(axis=0)
        tables[:, np.arange(size), np.arange(size)] = 0.0
        return Wins(self.document_names, self.system_names, tables)

    @property
    def counts(self) -> Float64:
        """In how many sets every two systems were together."""
        shown = self.shown.astype(np.float64)
        return np.asarray(shown.T @ shown * ~np.eye(shown.shape[1], dtype=np.bool_))

    @property
    def meetings(self) -> Wins:
        """Who met whom in each document, a set of k counting 1 / (k - 1) for every two in it.

        So it counts in `values`, whose means rest on the others of a set all alike.
        """
        size = len(self.system_names)
        tables = np.zeros((len(self.document_names), size, size))
        weights = self.shown / np.maximum(self.sizes - 1, 1)[:, None]
        together = weights[:, :, None] * self.shown[:, None, :]
        np.add.at(tables, self.documents, together / 2)
        tables[:, np.arange(size), np.arange(size)] = 0.0
        return Wins(self.document_names, self.system_names, tables)

    def where(self, named: Callable[[str], bool]) -> Sets:
        """The same without systems that have no name; answers that lose one are left out."""
        kept = np.array([named(system) for system in self.system_names], dtype=np.bool_)
        whole: NDArray[np.bool_] = ~np.any(self.shown[:, ~kept], axis=1)
        return replace(
            self,
            system_names=tuple(name for name, k in zip(self.system_names, kept, strict=True) if k),
            documents=self.documents[whole],
            annotators=tuple(a for a, k in zip(self.annotators, whole.tolist(), strict=True) if k),
            ranks=self.ranks[whole][:, kept],
        )


@dataclass(frozen=True, slots=True)
class SetScore:
    """How a system fared in the rankings or best-worst choices of one question.

    `value` is its mean rank over the `n` rankings that it was in (1 is best, ties share the mean
    of their ranks), or its times best less its times worst over the `n` choices. `first` counts
    how often it was ranked first, or best; `last` how often last, or worst; a shared first or last
    rank counts. The interval is over documents (`resampling.means`).
    """

    question: str
    type: str
    system: str
    value: float
    low: float | None
    high: float | None
    first: int
    last: int
    n: int


def sets_of(questions: Iterable[Question]) -> list[Sets]:
    """The answers to each question about sets."""
    return [_sets(question) for question in questions if question.type in SET_TYPES]


def _sets(question: Question) -> Sets:
    documents: dict[str, int] = {}
    systems: dict[str, int] = {}
    for record in question.responses:
        documents.setdefault(record.document, len(documents))
        for name in record.systems:
            systems.setdefault(name, len(systems))
    ranks = np.full((len(question.answers), len(systems)), np.nan)
    for row, records in enumerate(question.answers.values()):
        for name, rank in _ranks(records).items():
            ranks[row, systems[name]] = rank
    if question.type == "ranking":
        ranks = average_ranks(ranks)
    return Sets(
        question=question.name,
        type=question.type,
        document_names=tuple(documents),
        system_names=tuple(systems),
        documents=np.array([documents[key[0]] for key in question.answers], dtype=np.int64),
        annotators=tuple(key[3] for key in question.answers),
        ranks=ranks,
    )


def _ranks(records: list[Response]) -> dict[str, float]:
    """The rank of each system in one answer; who was shown and has no record is in between."""
    if records[0].type == "ranking":
        return {record.system or "": float(record.value) for record in records}
    ranks = dict.fromkeys(records[0].systems if records[0].item else (), _RANKS[""])
    return ranks | {record.system or "": _RANKS[record.value] for record in records}


def set_values(sets: Iterable[Sets]) -> HumanScores:
    """What rankings and best-worst choices give each summary, as mean over annotators."""
    return joined(*map(_values, sets))


def _values(sets: Sets) -> HumanScores:
    sums, counts = _by_document(sets, np.nan_to_num(sets.values))
    rows, columns = np.nonzero(counts)
    units = tuple(
        (sets.document_names[row], sets.system_names[column])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    )
    values = quotient(sums, counts)[rows, columns]
    return HumanScores(
        units=units,
        names=(f"{sets.question}{SUFFIXES[sets.type]}",),
        values=exact_ties(values[None]),
        counts=counts[rows, columns][None].astype(np.int64),
    )


def set_scores(every: Iterable[Sets]) -> list[SetScore]:
    """The mean rank, or the best-worst score, of every system by every question; best first."""
    return [record for sets in every for record in _scores(sets)]


def _scores(sets: Sets) -> list[SetScore]:
    ranking = sets.type == "ranking"
    sums, counts = _by_document(sets, np.nan_to_num(sets.ranks if ranking else sets.values))
    values = sums.sum(axis=0) / counts.sum(axis=0)
    bounds = ratio_intervals(sums, counts)
    best = sets.ranks == np.nanmin(sets.ranks, axis=1, keepdims=True)
    worst = sets.ranks == np.nanmax(sets.ranks, axis=1, keepdims=True)
    records = [
        SetScore(
            sets.question, sets.type, system, float(values[k]), bounds[k].low, bounds[k].high,
            int(best[:, k].sum()), int(worst[:, k].sum()), int(counts[:, k].sum()),
        )
        for k, system in enumerate(sets.system_names)
    ]  # fmt: skip
    return sorted(records, key=lambda record: record.value if ranking else -record.value)


def _by_document(sets: Sets, values: Float64) -> tuple[Float64, Float64]:
    """Documents × systems: the sum of the values of all answers, and the number of these."""
    shape = (len(sets.document_names), len(sets.system_names))
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, sets.documents, values)
    np.add.at(counts, sets.documents, sets.shown.astype(np.float64))
    return sums, counts
