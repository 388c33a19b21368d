"""How far annotators disagree in the questions of a form about one item, and what they said.

Both go by the records that answers become, so that systems go by their names, on whatever side or
in whatever order their summaries were shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gistmark.analysis.agreement.coefficients.items import (
    choice_disagreement,
    highlight_disagreement,
    order_disagreement,
    rating_disagreement,
    set_disagreement,
)
from gistmark.judgements import Protocol
from gistmark.judgements.forms.base import QuestionBlock
from gistmark.judgements.forms.form import data_questions
from gistmark.judgements.questions.base import Origin, Record
from gistmark.records import Comparison, ErrorSpan, Rating, Response

Answers = Sequence[tuple[Sequence[str], Mapping[str, Any]]]
"""The answers to an item, each with the systems in the order in which its annotator saw them."""
_RANKS = {"best": 1.0, "": 2.0, "worst": 3.0}
_TIE = "no difference"


def form_disagreement(answers: Answers, protocol: Protocol) -> dict[str, float | None]:
    """The disagreement in each question, from 0 to 1; None where it cannot be told."""
    return {
        question.name: _disagreement(
            [records for _, records in _records(question, answers, protocol)], question, protocol
        )
        for question in data_questions(protocol.blocks)
    }


def form_in_words(
    given: Mapping[str, Any], systems: Sequence[str], protocol: Protocol, text: str
) -> dict[str, str]:
    """What an answer says to each question; systems go by their names.

    `text` is that of the summary, where there is one, on which errors are marked.
    """
    return {
        question.name: _words(answer, records, question, text)
        for question in data_questions(protocol.blocks)
        for answer, records in _records(question, [(systems, given)], protocol)
    }


def _records(
    question: QuestionBlock, answers: Answers, protocol: Protocol
) -> Iterator[tuple[Any, list[Record]]]:
    """Every answer to a question, with the records that it becomes."""
    for systems, given in answers:
        answer = given.get("answers", {}).get(question.name)
        if answer is not None:
            origin = Origin("", tuple(systems), "", protocol)
            yield answer, list(question.records(answer, origin))


def _disagreement(
    answers: Sequence[Sequence[Record]], question: QuestionBlock, protocol: Protocol
) -> float | None:
    whole = [records for records in answers if records]
    if len(whole) < 2:
        return None
    match whole[0][0]:
        case Rating():
            scale = protocol.scale_of(question.name)
            values = [each.value for [each] in whole if isinstance(each, Rating)]
            return rating_disagreement(values, scale.low, scale.high)
        case Comparison():
            votes = [each.winner or "" for [each] in whole if isinstance(each, Comparison)]
            return choice_disagreement(votes)
        case ErrorSpan():
            return highlight_disagreement([_characters(records) for records in whole])
        case Response(type=type):
            return _of_responses(type, whole)
    return None


def _of_responses(type: str, answers: Sequence[Sequence[Record]]) -> float | None:
    values = [_values(records) for records in answers]
    if type in ("choice", "yes-no"):
        return choice_disagreement([value for [(_, value)] in values])
    if type == "choices":
        return set_disagreement([frozenset(v for _, v in each if v) for each in values])
    if type == "ranking":
        return order_disagreement([{s: float(rank) for s, rank in each} for each in values])
    if type == "best-worst":
        return order_disagreement([{s: _RANKS[word] for s, word in each} for each in values])
    return None


def _values(records: Sequence[Record]) -> list[tuple[str, str]]:
    return [(each.system or "", each.value) for each in records if isinstance(each, Response)]


def _characters(records: Sequence[Record]) -> frozenset[int]:
    """The characters that were marked as an error of any category."""
    return frozenset(
        offset
        for each in records
        if isinstance(each, ErrorSpan) and each.start is not None and each.end is not None
        for offset in range(each.start, each.end)
    )


def _words(answer: Any, records: Sequence[Record], question: QuestionBlock, text: str) -> str:
    match records:
        case [Comparison() as vote]:
            strength = f" ({vote.strength})" if vote.strength is not None else ""
            return f"{vote.winner or _TIE}{strength}"
        case [Response(type="ranking"), *_]:
            ordered = sorted(_values(records), key=lambda pair: int(pair[1]))
            return ", ".join(f"{rank}. {system}" for system, rank in ordered)
        case [Response(type="best-worst"), *_]:
            return ", ".join(f"{word}: {system}" for system, word in _values(records) if word)
    return question.wording_in(answer, text)
