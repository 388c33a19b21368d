"""What annotators answered to questions beyond ratings and comparisons, for the dashboard.

Every number comes from the study; texts are read document by document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gistmark.web.results.statistics.study import StudyResults

MOST_SYSTEMS = 6
"""With more systems, the shares of each are folded away."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of each option among the answers about one system, or among all."""

    system: str
    n: int
    options: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class QuestionTable:
    """One question: how much was answered, and the shares of options or the scores of systems.

    `rows` has all answers first, then each system; `scores` those of rankings and best-worst
    choices, the best first.
    """

    name: str
    type: str
    answers: int
    annotators: int
    characters: float | None
    options: tuple[str, ...]
    rows: tuple[Shares, ...]
    scores: tuple[dict[str, Any], ...]

    @property
    def is_long(self) -> bool:
        return len(self.rows) > MOST_SYSTEMS + 1 or len(self.scores) > MOST_SYSTEMS


def question_tables(results: StudyResults) -> list[QuestionTable]:
    """A table per question, in the order of the study."""
    return [_table(question, results) for question in results.questions]


def _table(question: dict[str, Any], results: StudyResults) -> QuestionTable:
    name = question["question"]
    records = [each for each in results.options if each["question"] == name]
    systems = dict.fromkeys(each["system"] for each in records)
    rows = []
    for system in systems:
        own = tuple(each for each in records if each["system"] == system)
        rows.append(Shares(system, own[0]["n"], own))
    return QuestionTable(
        name=name,
        type=question["type"],
        answers=question["answers"],
        annotators=question["annotators"],
        characters=question["characters"],
        options=tuple(dict.fromkeys(each["option"] for each in records)),
        rows=tuple(rows),
        scores=tuple(each for each in results.sets if each["question"] == name),
    )


@dataclass(frozen=True, slots=True)
class AgreementByQuestion:
    """Each annotator's agreement with the others, a column per question."""

    questions: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


def agreement_by_question(
    results: StudyResults, annotators: Sequence[str]
) -> AgreementByQuestion | None:
    """The table of all annotators; None where there is at most one question."""
    known = results.by_question
    questions = tuple(
        dict.fromkeys(
            name for own in known.values() for name, value in own.items() if value is not None
        )
    )
    if len(questions) < 2:
        return None
    rows = tuple(
        (name, tuple(known[name].get(question) for question in questions))
        for name in annotators
        if name in known
    )
    return AgreementByQuestion(questions, rows)
