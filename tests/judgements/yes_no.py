"""A made-up question type and a made-up check, as somebody would add them: a class each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gistmark.corpus.fields import FLAG
from gistmark.judgements import (
    Answer,
    Check,
    Dimension,
    ItemAnswer,
    Protocol,
    QuestionType,
    Task,
)
from gistmark.judgements.fields import Fields
from gistmark.judgements.questions.base import Origin, Reading
from gistmark.judgements.simulation import SimulatedAnnotator
from gistmark.judgements.tasks.task import Entry
from gistmark.records import Rating

PROTOCOL = Protocol(
    name="usable",
    kind="yes-no",
    about="Say whether a summary can be used.",
    dimensions=(
        Dimension("usable", "Would you publish this?"),
        Dimension("true", "Is everything in it true?"),
    ),
    judges=1,
    items_per_task=5,
)


@dataclass(frozen=True, slots=True)
class YesNoAnswer(ItemAnswer):
    replies: Mapping[str, bool] = field(default_factory=dict)

    def parts(self) -> dict[str, Any]:
        return {"replies": dict(self.replies)} if self.replies else {}


class YesNo(QuestionType[YesNoAnswer]):
    """Yes or no, for each dimension of a summary; exported as a rating of 1 or 0."""

    name = "yes-no"
    subject = "summary"
    Answer = YesNoAnswer

    def payload(self, protocol: Protocol) -> Mapping[str, Any]:
        return {"words": {"yes": "Yes, it is", "no": "No"}}

    def read(self, given: Fields, entry: Entry, reading: Reading) -> YesNoAnswer:
        replies = given.inner("replies")
        read = {name: replies.take(name, FLAG, reading.default) for name in reading.dimensions}
        replies.refuse_others(reading.dimensions)
        return YesNoAnswer({name: reply for name, reply in read.items() if reply is not None})

    def records(self, answer: YesNoAnswer, origin: Origin) -> Iterator[Rating]:
        for name, reply in answer.replies.items():
            yield Rating(origin.document, origin.systems[0], origin.annotator, name, float(reply))

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        names = [dimension["name"] for dimension in person.task["dimensions"]]
        return {"replies": {name: person.level(item["summary"], name) > 0.5 for name in names}}

    def values(self, answer: YesNoAnswer, protocol: Protocol) -> Mapping[str, int]:
        return {name: int(reply) for name, reply in answer.replies.items()}


class OddNumberCheck(Check):
    """Work that took an odd number of seconds."""

    about = "the seconds must be even"

    def misfit(self, protocol: Protocol) -> str | None:
        return "must be off where nothing is timed" if not protocol.minimum_seconds else None

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        if answer.seconds is not None and answer.seconds % 2:
            yield f"The task took {answer.seconds:g} seconds, an odd number."
