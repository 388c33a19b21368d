"""How far annotators disagree: the items of a campaign by it, and the questions of a form.

Only accepted work counts. Like statistics, the numbers are kept until the work that counts changes.

The questions of a form go by the records that answers become, so that systems go by their names, on
whatever side or in whatever order their summaries were shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmark.analysis.agreement.coefficients.items import (
    choice_disagreement,
    highlight_disagreement,
    order_disagreement,
    rating_disagreement,
    set_disagreement,
)
from gistmark.judgements.forms.base import QuestionBlock
from gistmark.judgements.forms.form import data_questions
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.questions.base import Origin, Record
from gistmark.records import Comparison, ErrorSpan, Rating, Response
from gistmark.text.markable import markable_words
from gistmark.text.words import covered_words
from gistmark.web.annotate.models import BatchItem
from gistmark.web.annotate.outcomes import counting
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import texts_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.results.models import Disagreements
from gistmark.web.results.statistics.study import fingerprint_of

DEFINITIONS = {
    "rating": "the mean absolute difference between two annotators' ratings, divided by the length "
    "of the scale (0 to 1); of several dimensions the largest",
    "comparison": "the share of annotators who did not choose as most did (0 to 0.5); of several "
    "dimensions the largest",
    "presence": "the share of annotators who did not mark a unit as most did (0 to 0.5); of all "
    "units the largest",
    "highlight": "1 minus the mean F1 of the words that two annotators marked (0 to 1)",
    "form": "the largest of those of its questions, each from 0 to 1: for a scale the mean "
    "absolute difference between two annotators, divided by its length; for a choice the share who "
    "did not choose as most did; for several options 1 minus the mean share of options that two "
    "have in common; for an order the share of pairs of summaries that two put the other way "
    "round; for marked errors 1 minus the mean F1 of the characters; texts are not compared",
}
"""What disagreement means for each kind of question, as a page says it."""
Key = tuple[str, tuple[str, ...], str]
"""A document, the systems that are judged in the order of their names, and the only dimension."""
Answers = Sequence[tuple[Sequence[str], Mapping[str, Any]]]
"""The answers to an item, each with the systems in the order in which its annotator saw them."""
_RANKS = {"best": 1.0, "": 2.0, "worst": 3.0}
_TIE = "no difference"


@dataclass(frozen=True, slots=True)
class Disputed:
    """An item: how many judged it, and how far they disagree, most of all in `dimension`."""

    item: int
    judges: int
    value: float
    dimension: str


def disputed_items(campaign: Campaign) -> list[Disputed]:
    """The items that two or more have judged, those with most disagreement first."""
    fingerprint = fingerprint_of(campaign)
    kept = Disagreements.objects.filter(campaign=campaign, fingerprint=fingerprint).first()
    if kept is None:
        items = sorted(_computed(campaign), key=lambda each: (-each.value, each.item))
        content = [[each.item, each.judges, each.value, each.dimension] for each in items]
        if fingerprint_of(campaign) == fingerprint:
            Disagreements.objects.update_or_create(
                campaign=campaign, defaults={"fingerprint": fingerprint, "content": content}
            )
        return items
    return [Disputed(*row) for row in kept.content]


def item_key(document: str, systems: Sequence[str], dimension: str) -> Key:
    """What an entry and an item are matched by; the sides of a pair may be swapped.

    The dimension is that of their task, empty where tasks ask all.
    """
    return document, tuple(sorted(systems)), dimension


def disagreement_of(
    answers: Sequence[tuple[Sequence[str], Mapping[str, Any]]], protocol: Protocol, text: str
) -> dict[str, float]:
    """The disagreement of some answers about one item, by dimension.

    Each answer comes with the systems in the order in which its annotator saw them.
    """
    if protocol.question_type.composed:
        values: dict[str, float | None] = form_disagreement(answers, protocol)
    elif protocol.question_type.tables(protocol) == ("highlights",):
        spans = markable_words(text).spans
        marked = [
            covered_words(spans, [(mark["start"], mark["end"]) for mark in given["highlights"]])
            for _, given in answers
            if "highlights" in given
        ]
        values = {"": highlight_disagreement(marked)}
    elif protocol.kind == "presence":
        values = _of_units([given.get("presence", {}) for _, given in answers])
    else:
        values = {
            dimension.name: _of_dimension(dimension.name, answers, protocol)
            for dimension in protocol.dimensions
        }
    return {name: value for name, value in values.items() if value is not None}


def _of_units(marks: Sequence[Mapping[str, bool]]) -> dict[str, float | None]:
    """By the id of a content unit."""
    ids = dict.fromkeys(id for each in marks for id in each)
    given = {id: [str(each[id]) for each in marks if id in each] for id in ids}
    return {id: choice_disagreement(values) for id, values in given.items()}


def _of_dimension(
    name: str, answers: Sequence[tuple[Sequence[str], Mapping[str, Any]]], protocol: Protocol
) -> float | None:
    if protocol.question_type.tables(protocol) == ("comparisons",):
        sides = {"left": 0, "right": 1}
        chosen = [(systems, given.get("choices", {}).get(name)) for systems, given in answers]
        return choice_disagreement([systems[sides[side]] for systems, side in chosen if side])
    ratings = [given.get("ratings", {}).get(name, {}).get("value") for _, given in answers]
    scale = protocol.scale_of(name)
    return rating_disagreement(
        [each for each in ratings if each is not None], scale.low, scale.high
    )


def _computed(campaign: Campaign) -> Iterator[Disputed]:
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    numbers = _numbers(campaign)
    for key, answers in _answers(campaign).items():
        values = disagreement_of(answers, protocol, texts.documents.get(key[0], ""))
        if values and key in numbers:
            worst = max(values, key=lambda name: values[name])
            yield Disputed(numbers[key], len(answers), round(values[worst], 6), worst)


def _answers(campaign: Campaign) -> dict[Key, list[tuple[Sequence[str], Mapping[str, Any]]]]:
    answers: dict[Key, list[tuple[Sequence[str], Mapping[str, Any]]]] = defaultdict(list)
    rows = counting(campaign).order_by("pk").values_list("answer", "task__content")
    for answer, content in rows.iterator():
        assert content is not None, "a task that was submitted was opened"
        for entry in content["entries"]:
            given = answer["items"].get(entry["key"])
            if entry["planted"] is None and given is not None:
                dimension = content.get("dimension", "")
                key = item_key(entry["document"], entry["systems"], dimension)
                answers[key].append((entry["systems"], given))
    return answers


def _numbers(campaign: Campaign) -> dict[Key, int]:
    """The number of each item by its document, its systems and the dimension of its task."""
    rows = BatchItem.objects.filter(batch__campaign=campaign, batch__adjudicates=None)
    systems: dict[tuple[int, str, str], list[str]] = defaultdict(list)
    columns = ("pk", "document__name", "batch__dimension", "summaries__summary__system")
    for *item, system in rows.order_by("pk").values_list(*columns):
        systems[tuple(item)] += [] if system is None else [system]
    return {
        item_key(document, names, dimension): pk
        for (pk, document, dimension), names in systems.items()
    }


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
