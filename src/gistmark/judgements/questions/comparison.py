"""Pairwise choices: the better of two summaries of one document, for each dimension. As JSON:

{"choices": {"Structure": "left"}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from gistmark.corpus.fields import OneOf
from gistmark.judgements.fields import Fields
from gistmark.judgements.questions.base import (
    FEWEST_ANSWERS,
    ItemAnswer,
    Origin,
    QuestionType,
    Reading,
)
from gistmark.records import Choice, Comparison

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

_CHOICE = OneOf(("left", "right"))


@dataclass(frozen=True, slots=True)
class ComparisonAnswer(ItemAnswer):
    """The side that was chosen, by dimension."""

    choices: Mapping[str, Choice] = field(default_factory=dict)

    def parts(self) -> dict[str, Any]:
        return {"choices": dict(self.choices)} if self.choices else {}


class ComparisonQuestion(QuestionType[ComparisonAnswer]):
    """Which of two summaries is better in each dimension?"""

    name = "comparison"
    subject = "pair"
    table = "comparisons"
    Answer = ComparisonAnswer
    agreement = "Agreement is the share of choices that the majority of the others made too."

    def read(self, given: Fields, entry: Entry, reading: Reading) -> ComparisonAnswer:
        choices = given.inner("choices")
        read = {name: choices.take(name, _CHOICE, reading.default) for name in reading.dimensions}
        choices.refuse_others(reading.dimensions)
        return ComparisonAnswer({name: side for name, side in read.items() if side is not None})

    def records(self, answer: ComparisonAnswer, origin: Origin) -> Iterator[Comparison]:
        left, right = origin.systems
        for dimension, choice in answer.choices.items():
            yield Comparison(
                origin.document, left, right, origin.annotator, dimension, choice,
                campaign=origin.campaign,
            )  # fmt: skip

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        names = [dimension["name"] for dimension in person.task["dimensions"]]
        return {"choices": {name: _simulated(item, name, person) for name in names}}

    def distances(
        self,
        answer: ComparisonAnswer,
        right: ComparisonAnswer,
        protocol: Protocol,
        text: str,
    ) -> Mapping[str, float]:
        return {
            name: 0.0 if answer.choices.get(name) == side else inf
            for name, side in right.choices.items()
        }

    def wording(
        self,
        answer: ComparisonAnswer,
        protocol: Protocol,
        text: str,
    ) -> Mapping[str, str]:
        return answer.choices

    def straight_line(self, answers: Sequence[ComparisonAnswer], protocol: Protocol) -> str | None:
        """Always the same side over several pairs.

        Within one pair it is natural that one side wins in every dimension.
        """
        return one_sided([list(answer.choices.values()) for answer in answers])


def one_sided(choices: Sequence[Sequence[Choice]]) -> str | None:
    """A sentence about choices, pair by pair, that are all the same; None where they are not."""
    sides = {side for pair in choices for side in pair}
    if len(choices) < FEWEST_ANSWERS or len(sides) != 1:
        return None
    side = sides.pop()
    chosen = "No difference" if side == "tie" else f"The {side} side"
    return f"{chosen} was chosen every time, in {len(choices)} pairs."


def _simulated(item: Mapping[str, Any], dimension: str, person: SimulatedAnnotator) -> Choice:
    if person.style == "adversarial":
        return "left" if person.next_habit() else "right"
    left, right = (person.level(item[side], dimension) for side in ("left", "right"))
    return "left" if left >= right else "right"
