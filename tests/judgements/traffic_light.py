"""A made-up type of block for forms, as somebody would add one: a class, and an ES module.

The module is tests/browser/annotate/static/annotate/questions/form/traffic-light.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gistmark.corpus.fields import FLAG, OneOf
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms import QuestionBlock
from gistmark.judgements.forms.base import Plain
from gistmark.judgements.protocols.protocol import Dimension, Scale
from gistmark.judgements.questions.base import Origin, Reading
from gistmark.judgements.simulation import SimulatedAnnotator
from gistmark.judgements.tasks.task import Entry
from gistmark.records import Rating

COLOURS = ("red", "amber", "green")


@dataclass(frozen=True, kw_only=True)
class TrafficLightBlock(QuestionBlock):
    """Red, amber (unless it is left out) or green; exported as a rating of 0, 1 or 2."""

    type = "traffic-light"
    about = "stop, wait or go"
    subjects = ("summary",)
    instructable = True

    amber: bool = True

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {"amber": given.take("amber", FLAG, True)}

    @property
    def dimension(self) -> Dimension:
        return Dimension(self.name, self.question, self.guidance, Scale("points", 0, 2, COLOURS))

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> str | None:
        answer: str | None = answers.take(self.name, OneOf(self.colours), None)
        return answer

    def records(self, answer: str, origin: Origin) -> Iterator[Rating]:
        value = float(COLOURS.index(answer))
        yield Rating(origin.document, origin.systems[0], origin.annotator, self.name, value)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> str:
        return "green" if person.level(item["summary"], self.name) > 0.5 else "red"

    def condition_values(self) -> tuple[Plain, ...]:
        return self.colours

    def selected(self, answer: str) -> tuple[Plain, ...]:
        return (answer,)

    def value(self, answer: str) -> int:
        return COLOURS.index(answer)

    @property
    def colours(self) -> tuple[str, ...]:
        return COLOURS if self.amber else ("red", "green")
