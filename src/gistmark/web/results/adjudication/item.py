"""One item with what all its annotators answered, side by side, and what was decided about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gistmark import judgements
from gistmark.judgements.forms.form import reordered
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.items import Item
from gistmark.judgements.tasks.task import Entry, completed, payload
from gistmark.text.markable import markable_words
from gistmark.text.words import covered_words
from gistmark.text.written import as_written
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Adjudication, BatchItem, Comment, Submission, Task
from gistmark.web.annotate.outcomes import counting
from gistmark.web.annotate.services.adjudications import (
    KEY,
    candidates,
    entry_for,
    entry_of,
    in_force,
    item_of,
)
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import material_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.results.adjudication.disagreement import disagreement_of, form_in_words


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one annotator answered about the item; `pieces` is the text with their marks."""

    annotator: str
    submission: int
    values: Mapping[str, str]
    pieces: tuple[tuple[str, bool], ...]
    comments: tuple[Comment, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One dimension with everybody's answer to it, and how far they disagree."""

    dimension: str
    answers: tuple[str, ...]
    value: float | None
    text: str = ""
    """That of the content unit, where the dimension is one."""


@dataclass(frozen=True, slots=True)
class Decided:
    """An adjudication in words, and whether it holds."""

    adjudication: Adjudication
    values: Mapping[str, str]
    holds: bool


@dataclass(frozen=True, slots=True)
class DisputedItem:
    """An item for adjudication; `payload` is what a browser builds the controls from.

    `disagreement` is by dimension; `given` are tasks of those who were given the item, and
    `candidates` those who could be.
    """

    row: BatchItem
    item: Item
    payload: dict[str, Any]
    opinions: tuple[Opinion, ...]
    disagreement: Mapping[str, float]
    history: tuple[Decided, ...]
    given: tuple[Task, ...]
    candidates: tuple[User, ...]

    @property
    def lines(self) -> list[Line]:
        """The answers by dimension; none where words are marked."""
        names = list(dict.fromkeys(name for each in self.opinions for name in each.values))
        units = {unit["id"]: unit["text"] for unit in self.payload["items"][0].get("units", ())}
        return [
            Line(
                name,
                tuple(each.values.get(name, "") for each in self.opinions),
                self.disagreement.get(name),
                units.get(name, ""),
            )
            for name in names
        ]

    @property
    def decided(self) -> Decided | None:
        """What holds now."""
        return next((each for each in self.history if each.holds), None)


def disputed_item(campaign: Campaign, pk: int) -> DisputedItem:
    """An item of a campaign with everything about it, in a fixed number of queries."""
    row, protocol = item_of(campaign, pk), protocol_of(campaign)
    item = row.read()
    corpus = material_of(campaign, [item.document])
    asked = judgements.Task("", "", 0, (entry_for(item),), dimension=row.batch.dimension)
    task = completed(asked, protocol, corpus)
    shown = payload(task, protocol, corpus)
    text = corpus.document(item.document).text if "document" in protocol.needs else ""
    answered = _answered(campaign, row, item)
    summaries = {each.system: each.text for each in corpus.summaries}
    history = _history(row, protocol, item, summaries)
    return DisputedItem(
        row=row,
        item=item,
        payload=shown | {"draft": _draft(history, item, protocol), "version": 0},
        opinions=tuple(_opinion(*each, protocol, text, summaries) for each in answered),
        disagreement=disagreement_of(
            [(entry.systems, _given(each, entry)) for each, entry in answered], protocol, text
        ),
        history=history,
        given=tuple(
            Task.objects.filter(batch__adjudicates=row)
            .select_related("annotator")
            .prefetch_related("submissions")
            .defer("content")
            .order_by("pk")
        ),
        candidates=tuple(candidates(campaign, row)),
    )


def values_in_words(
    given: Mapping[str, Any],
    systems: Sequence[str],
    protocol: Protocol,
    summaries: Mapping[str, str],
) -> dict[str, str]:
    """An answer by dimension: ratings with the label of the point, choices as the system.

    `summaries` are the texts of the summaries by system.
    """
    values = {}
    if protocol.question_type.composed:
        text = summaries.get(systems[0], "") if len(systems) == 1 else ""
        values = form_in_words(given, systems, protocol, text)
    for name, rating in given.get("ratings", {}).items():
        scale, value = protocol.scale_of(name), rating["value"]
        label = ""
        if scale.form == "points" and scale.labels:
            label = f" {scale.labels[value - scale.low]}"
        extra = [f"{part} {rating[part]}" for part in ("confidence", "weight") if rating.get(part)]
        values[name] = f"{value}{label}" + (f" ({', '.join(extra)})" if extra else "")
    for name, side in given.get("choices", {}).items():
        values[name] = systems[0 if side == "left" else 1]
    marks = given.get("presence", {})
    return values | {id: "stated" if mark else "not stated" for id, mark in marks.items()}


def _answered(campaign: Campaign, row: BatchItem, item: Item) -> list[tuple[Submission, Entry]]:
    """The accepted answers about the item, by the names of their annotators."""
    rows = counting(campaign).filter(task__batch=row.batch_id)
    related = rows.select_related("task", "annotator").prefetch_related("task__comments")
    found = ((each, entry_of(each, item)) for each in related.order_by("annotator__username"))
    return [(each, entry) for each, entry in found if entry is not None]


def _opinion(
    submission: Submission,
    entry: Entry,
    protocol: Protocol,
    text: str,
    summaries: Mapping[str, str],
) -> Opinion:
    given = _given(submission, entry)
    about = ("", entry.key)
    comments = [each for each in submission.task.comments.all() if each.item in about]
    return Opinion(
        annotator=submission.annotator.username,
        submission=submission.pk,
        values=values_in_words(given, entry.systems, protocol, summaries),
        pieces=tuple(pieces_of(text, given)),
        comments=tuple(reversed(comments)),
    )


def pieces_of(text: str, given: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The text, as it was written, in runs that are marked or not."""
    if "highlights" not in given:
        return
    spans = markable_words(text).spans
    marks = [(mark["start"], mark["end"]) for mark in given["highlights"]]
    words = sorted(covered_words(spans, marks))
    written = as_written(text)
    shown, at = written.text, 0
    for _, run in groupby(enumerate(words), key=lambda pair: pair[1] - pair[0]):
        inside = [word for _, word in run]
        start, end = written.to_shown(spans[inside[0]][0], spans[inside[-1]][1])
        yield shown[at:start], False
        yield shown[start:end], True
        at = end
    yield shown[at:], False


def _given(submission: Submission, entry: Entry) -> dict[str, Any]:
    given: dict[str, Any] = submission.answer["items"].get(entry.key, {})
    return given


def _history(
    row: BatchItem, protocol: Protocol, item: Item, summaries: Mapping[str, str]
) -> tuple[Decided, ...]:
    """Everything that was decided about the item, the latest first."""
    rows = list(row.adjudications.select_related("by", "source__task", "source__annotator"))
    holds = in_force(rows)
    return tuple(
        Decided(each, _words(each, protocol, item, summaries), each == holds)
        for each in reversed(rows)
    )


def _words(
    each: Adjudication, protocol: Protocol, item: Item, summaries: Mapping[str, str]
) -> dict[str, str]:
    values = values_in_words(each.answer, each.systems or item.systems, protocol, summaries)
    if "highlights" in each.answer:
        values["highlights"] = str(len(each.answer["highlights"]))
    return values


def _draft(history: Sequence[Decided], item: Item, protocol: Protocol) -> dict[str, Any]:
    """What the controls start with: the decision that holds, seen from the item's own order."""
    holds = next((each.adjudication for each in history if each.holds), None)
    if holds is None:
        return {}
    answer = dict(holds.answer)
    if "choices" in answer and tuple(holds.systems) != item.systems:
        other = {"left": "right", "right": "left"}
        answer["choices"] = {name: other[side] for name, side in answer["choices"].items()}
    if "answers" in answer and holds.systems:
        answer["answers"] = reordered(
            answer["answers"], protocol.blocks, holds.systems, item.systems
        )
    return {"items": {KEY: answer}}
