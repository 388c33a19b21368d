"""The questions that are neither ratings nor comparisons: who answered what, in words and counts.

An answer is what one annotator said to one question about one item. It has several records where
a question has several options or ranks several summaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

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
        for each in self.responses:
            system = None if whole else each.system
            key = (each.document, each.item, system, each.annotator, each.campaign)
            groups.setdefault(key, []).append(each)
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
