"""Ratings: a value on a scale for each dimension, with confidence and weight if asked for.

A scale is a slider (1 to 100 in HighRES) or a few points (a Likert scale). As JSON:

    {"ratings": {"fluency": {"value": 80, "confidence": 4, "weight": 5}}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.corpus.fields import NUMBER, Kind
from gistmark.judgements.fields import Fields
from gistmark.judgements.protocols.protocol import Protocol, Scale
from gistmark.judgements.questions.base import Faults, ItemAnswer, Origin, QuestionType, Reading
from gistmark.records import Rating

if TYPE_CHECKING:
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry


POINTS_OFF = "How many points off still count as right"
"""What a tolerance on a scale means."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value on a dimension's scale, with confidence and weight where they are asked for."""

    value: int | None = None
    confidence: int | None = None
    weight: int | None = None


@dataclass(frozen=True, slots=True)
class RatingAnswer(ItemAnswer):
    """The ratings of a summary, by dimension."""

    ratings: Mapping[str, Given] = field(default_factory=dict)

    def parts(self) -> dict[str, Any]:
        if not self.ratings:
            return {}
        return {"ratings": {name: asdict(given) for name, given in self.ratings.items()}}


class RatingQuestion(QuestionType[RatingAnswer]):
    """How good is a summary in each dimension?"""

    name = "rating"
    subject = "summary"
    Answer = RatingAnswer
    agreement = (
        "Agreement is the Spearman correlation with the mean of the others, as a mean over "
        "dimensions."
    )
    scaled = True
    plantable = True

    def faults(self, protocol: Protocol) -> Faults:
        if protocol.scale is not None:
            return
        for number, dimension in enumerate(protocol.dimensions):
            if dimension.scale is None:
                yield (
                    f"dimensions[{number}].scale",
                    f"is missing: neither {dimension.name!r} nor the protocol has a scale",
                )

    def read(self, given: Fields, entry: Entry, reading: Reading) -> RatingAnswer:
        ratings = given.inner("ratings")
        read = {}
        for name in reading.dimensions:
            if ratings.has(name):
                read[name] = _read_rating(ratings.inner(name), name, reading)
            elif not reading.draft:
                ratings.missing(name)
        ratings.refuse_others(reading.dimensions)
        return RatingAnswer(read)

    def decided(self, answer: RatingAnswer, entry: Entry, reading: Reading) -> dict[str, Any]:
        """The ratings that have a value."""
        parts = answer.parts()
        rated = {name: r for name, r in parts.get("ratings", {}).items() if r["value"] is not None}
        return {**parts, "ratings": rated} if rated else {}

    def records(self, answer: RatingAnswer, origin: Origin) -> Iterator[Rating]:
        """A rating for each dimension.

        The time that an item took is divided evenly among its dimensions, so that the times of an
        annotator add up to the time of the work.
        """
        values = self.values(answer, origin.protocol)
        share = None if answer.seconds is None or not values else answer.seconds / len(values)
        for dimension, value in values.items():
            given = answer.ratings[dimension]
            yield Rating(
                origin.document, origin.systems[0], origin.annotator, dimension, float(value),
                _float(given.confidence), _float(given.weight), share, origin.campaign,
            )  # fmt: skip

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        dimensions = person.task["dimensions"]
        return {"ratings": {each["name"]: _simulated(item, each, person) for each in dimensions}}

    def moves(self, answer: Mapping[str, Any]) -> Mapping[str, float]:
        return {name: given["value"] for name, given in answer["ratings"].items()}

    def values(self, answer: RatingAnswer, protocol: Protocol) -> Mapping[str, int]:
        ratings = answer.ratings.items()
        return {name: given.value for name, given in ratings if given.value is not None}

    def distances(
        self,
        answer: RatingAnswer,
        right: RatingAnswer,
        protocol: Protocol,
        text: str,
    ) -> Mapping[str, float]:
        """Points of the scale; confidence and weight have no right answer."""
        if not self.values(right, protocol):
            return {}
        return super().distances(answer, right, protocol, text)

    def tolerance_label(self, protocol: Protocol) -> str | None:
        return POINTS_OFF

    def usual_tolerance(self, protocol: Protocol) -> float:
        """A tenth of the widest scale: 0 on five points, 10 on a slider from 1 to 100."""
        scales = [protocol.scale_of(dimension.name) for dimension in protocol.dimensions]
        return float(max(((scale.high - scale.low) // 10 for scale in scales), default=0))

    def wording(
        self,
        answer: RatingAnswer,
        protocol: Protocol,
        text: str,
    ) -> Mapping[str, str]:
        """The values, with their labels where every point has one."""
        values = self.values(answer, protocol)
        return {name: worded(protocol.scale_of(name), value) for name, value in values.items()}

    def sliders(self, protocol: Protocol) -> Mapping[str, Scale]:
        scales = {each.name: each.scale or protocol.scale for each in protocol.dimensions}
        return {
            name: scale
            for name, scale in scales.items()
            if scale is not None and scale.form == "slider"
        }


class OnScale(Kind):
    """A whole number on a scale."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        self.expected = f"a whole number from {scale}"

    def value(self, value: object) -> int:
        number = NUMBER.value(value)
        if not number.is_integer() or int(number) not in self.scale:
            raise self.wrong(value)
        return int(number)


def _read_rating(given: Fields, dimension: str, reading: Reading) -> Given:
    protocol = reading.protocol
    scales = {
        "value": protocol.scale_of(dimension),
        "confidence": protocol.confidence,
        "weight": protocol.weight,
    }
    read = {
        part: given.take(part, OnScale(scale), reading.default)
        for part, scale in scales.items()
        if scale is not None
    }
    given.refuse_others()
    return Given(**read)


def _simulated(
    item: Mapping[str, Any], dimension: Mapping[str, Any], person: SimulatedAnnotator
) -> dict[str, int]:
    scale = _scale(dimension["scale"] or person.task["scale"])
    rating = {"value": nearest(scale, person.level(item["summary"], dimension["name"]))}
    for part in ("confidence", "weight"):
        if person.task[part] is not None:
            level = person.rng.uniform(0.5, 1.0) if person.reads else person.rng.uniform()
            rating[part] = nearest(_scale(person.task[part]), float(level))
    return rating


def _scale(mapping: Mapping[str, Any]) -> Scale:
    return Scale(**mapping)


def nearest(scale: Scale, level: float) -> int:
    """The point of a scale that is nearest to a level from 0 to 1."""
    low, high = scale.low, scale.high
    return int(np.clip(round(low + level * (high - low)), low, high))


def worded(scale: Scale, value: int) -> str:
    """A value, with its label where every point has one."""
    labels = scale.labels if scale.form == "points" else ()
    return f"{value} {labels[value - scale.low]}" if labels else str(value)


def _float(value: int | None) -> float | None:
    return None if value is None else float(value)
