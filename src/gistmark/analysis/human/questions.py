"""The questions that are neither ratings nor comparisons: who answered what, in words and counts.

An answer is what one annotator said to one question about one item. It has several records where
a question has several options or ranks several summaries. Of a question with options it is counted
how often each was chosen, in all and for each system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.resampling.means import ratio_intervals
from gistmark.records import Response, ResponseType

OPTION_TYPES: tuple[ResponseType, ...] = ("choice", "choices", "yes-no")
SET_TYPES: tuple[ResponseType, ...] = ("ranking", "best-worst")

Key = tuple[str, str, str | None, str, str | None]
"""Document, item, the system that is meant, annotator and campaign of an answer."""

Subject = tuple[str, frozenset[str], str | None]
"""What an answer is about: a document, the systems shown in any order, the one that is meant."""


@dataclass(frozen=True)
class Question:
    """A question by its name, with all that was answered to it."""

    name: str
    type: ResponseType
    responses: Sequence[Response]

    @cached_property
    def answers(self) -> dict[Key, list[Response]]:
        """The records of each answer."""
        groups: dict[Key, list[Response]] = {}
        whole = self.type in SET_TYPES
        for r in self.responses:
            key = (r.document, r.item, None if whole else r.system, r.annotator, r.campaign)
            groups.setdefault(key, []).append(r)
        return groups

    @cached_property
    def subjects(self) -> list[Subject]:
        """What each answer is about, in the order of `answers`."""
        items: dict[str, frozenset[str]] = {}
        for (_, item, *_), records in self.answers.items():
            if item not in items:
                items[item] = frozenset(records[0].systems) if item else frozenset()
        return [(key[0], items[key[1]], key[2]) for key in self.answers]


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    """How much was answered to a question; `characters` is the mean length of texts."""

    question: str
    type: str
    answers: int
    annotators: int
    documents: int
    systems: int
    characters: float | None


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """What an annotator wrote; `system` is empty where it is not about a single one."""

    question: str
    document: str
    system: str
    annotator: str
    text: str
    characters: int


def questions_of(responses: Iterable[Response]) -> list[Question]:
    """The questions in order of first appearance.

    A name that stands for questions of two types, in two campaigns, gets the type in brackets.
    """
    groups: dict[tuple[str, ResponseType], list[Response]] = {}
    for record in responses:
        groups.setdefault((record.question, record.type), []).append(record)
    names = [name for name, _ in groups]
    return [
        Question(name if names.count(name) == 1 else f"{name} ({type})", type, records)
        for (name, type), records in groups.items()
    ]


def question_summaries(questions: Iterable[Question]) -> list[QuestionSummary]:
    """How much there is of each question."""
    return [_summary(question) for question in questions]


def _summary(question: Question) -> QuestionSummary:
    records = question.responses
    lengths = [len(record.value) for record in records] if question.type == "text" else []
    return QuestionSummary(
        question=question.name,
        type=question.type,
        answers=len(question.answers),
        annotators=len({record.annotator for record in records}),
        documents=len({record.document for record in records}),
        systems=len({name for record in records for name in record.systems}),
        characters=sum(lengths) / len(lengths) if lengths else None,
    )


def text_answers(questions: Iterable[Question]) -> list[TextAnswer]:
    """All texts, by question, document and system."""
    return [
        TextAnswer(
            question=question.name,
            document=record.document,
            system=record.system or "",
            annotator=record.annotator,
            text=record.value,
            characters=len(record.value),
        )
        for question in questions
        if question.type == "text"
        for record in _sorted(question.responses)
    ]


def _sorted(records: Sequence[Response]) -> list[Response]:
    """By document and system, each in order of first appearance."""
    documents: dict[str, int] = {}
    systems: dict[str, int] = {}
    for record in records:
        documents.setdefault(record.document, len(documents))
        systems.setdefault(record.system or "", len(systems))
    return sorted(records, key=lambda r: (documents[r.document], systems[r.system or ""]))


Float64 = NDArray[np.float64]

YES_NO = ("yes", "no", "unsure")


@dataclass(frozen=True, slots=True)
class OptionShare:
    """The share of the `n` answers about a system that have an option; no system is all of them.

    The interval is over documents (`resampling.means`); there is none for less than two documents,
    nor where the share is the same in all of them, which does not tell how far others differ.
    """

    question: str
    type: str
    system: str
    option: str
    count: int
    n: int
    share: float
    low: float | None
    high: float | None


def options_of(question: Question) -> list[str]:
    """The options that anybody chose, the most frequent first; yes, no and unsure as they are."""
    counts = Counter(record.value for record in question.responses if record.value)
    if question.type == "yes-no":
        return [word for word in YES_NO if counts[word]]
    return sorted(counts, key=lambda option: (-counts[option], option))


def option_shares(questions: Iterable[Question]) -> list[OptionShare]:
    """The shares of all options of all questions that have options."""
    return [
        record
        for question in questions
        if question.type in OPTION_TYPES
        for record in _shares(question)
    ]


def _shares(question: Question) -> Iterator[OptionShare]:
    options = {option: k for k, option in enumerate(options_of(question))}
    documents: dict[str, int] = {}
    systems: dict[str, int] = {"": 0}
    for record in question.responses:
        documents.setdefault(record.document, len(documents))
        systems.setdefault(record.system or "", len(systems))
    counts = np.zeros((len(documents), len(systems), len(options) + 1))
    for (document, _, system, _, _), records in question.answers.items():
        row = counts[documents[document], systems[system or ""]]
        row[-1] += 1
        for record in records:
            if record.value:
                row[options[record.value]] += 1
    counts[:, 0] = counts.sum(axis=1)
    totals = counts.sum(axis=0)
    for system, number in systems.items():
        bounds = ratio_intervals(counts[:, number, :-1], counts[:, number, -1:], (0.0, 1.0))
        n = int(totals[number, -1])
        for option, k in options.items():
            count = int(totals[number, k])
            yield OptionShare(
                question.name, question.type, system, option, count, n, count / n,
                bounds[k].low, bounds[k].high,
            )  # fmt: skip
