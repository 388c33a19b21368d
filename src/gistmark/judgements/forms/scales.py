"""Questions that are answered on a scale: a few points with labels, or a slider. As JSON:

    {"value": 4, "confidence": 3, "weight": null}

They are ratings like those of the presets, with the question's name as the dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import Plain, QuestionBlock
from gistmark.judgements.forms.inputs import Setting
from gistmark.judgements.forms.simulated import instructed
from gistmark.judgements.protocols.protocol import Dimension, Form, Scale, read_scale
from gistmark.judgements.questions.base import Faults, Origin, Reading
from gistmark.judgements.questions.rating import OnScale, nearest, worded
from gistmark.records import Rating

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

_PARTS = ("value", "confidence", "weight")
_MOST_VALUES = 1_001


def _inputs(form: Form, low: int, high: int) -> tuple[Setting, ...]:
    """What a designer can set of a scale of this form, which starts with these ends."""
    start: dict[str, Any] = {"form": form, "low": low, "high": high, "labels": [], "start": None}
    return (
        Setting(name="scale", label="Scale", input="scale", start=start, form=form),
        Setting(
            name="confidence",
            label="Ask how sure annotators are",
            input="scale",
            optional=True,
        ),
        Setting(
            name="weight",
            label="Ask how much this counts",
            input="scale",
            optional=True,
        ),
    )


@dataclass(frozen=True, kw_only=True)
class ScaleBlock(QuestionBlock):
    """What the two scales share; `confidence` and `weight` are asked for where they have one."""

    subjects = ("summary",)
    table = "ratings"
    form: ClassVar[Form]

    scale: Scale
    confidence: Scale | None = None
    weight: Scale | None = None

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        if not given.has("scale"):
            given.missing("scale")
        return {
            "scale": read_scale(given, "scale", form=cls.form),
            "confidence": read_scale(given, "confidence"),
            "weight": read_scale(given, "weight"),
        }

    @property
    def scales(self) -> dict[str, Scale]:
        """The scales of what is asked, by the part of the answer."""
        every = {"value": self.scale, "confidence": self.confidence, "weight": self.weight}
        return {part: scale for part, scale in every.items() if scale is not None}

    @property
    def dimension(self) -> Dimension:
        return Dimension(self.name, self.question, self.guidance, self.scale)

    def faults(self, protocol: Protocol) -> Faults:
        yield from super().faults(protocol)
        for part, scale in self.scales.items():
            field = "scale" if part == "value" else part
            yield from ((f"{field}.{inner}", message) for inner, message in scale.faults())

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> dict[str, int] | None:
        if not answers.has(self.name):
            return None
        given = answers.inner(self.name)
        read = {
            part: given.take(part, OnScale(scale), reading.default)
            for part, scale in self.scales.items()
        }
        given.refuse_others()
        return {part: value for part, value in read.items() if value is not None} or None

    def records(self, answer: dict[str, int], origin: Origin) -> Iterator[Rating]:
        parts = (answer.get(part) for part in _PARTS)
        value, confidence, weight = (None if part is None else float(part) for part in parts)
        if value is None:
            return
        yield Rating(
            origin.document, origin.systems[0], origin.annotator, self.name, value, confidence,
            weight, origin.seconds, origin.campaign,
        )  # fmt: skip

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, int]:
        answer = {"value": nearest(self.scale, person.level(item["summary"], self.name))}
        for part, scale in self.scales.items():
            if part != "value":
                level = person.rng.uniform(0.5, 1.0) if person.reads else person.rng.uniform()
                answer[part] = nearest(scale, float(level))
        return answer

    def condition_values(self) -> tuple[Plain, ...]:
        """Every point, or none if there are more than a condition can list."""
        points = range(self.scale.low, self.scale.high + 1)
        return tuple(points) if len(points) <= _MOST_VALUES else ()

    def selected(self, answer: dict[str, int]) -> tuple[Plain, ...]:
        return (answer["value"],) if "value" in answer else ()

    def value(self, answer: dict[str, int]) -> int | None:
        return answer.get("value")

    def wording(self, answer: dict[str, int]) -> str:
        value = answer.get("value")
        return "" if value is None else worded(self.scale, value)


@dataclass(frozen=True, kw_only=True)
class LikertBlock(ScaleBlock):
    """A few points to choose one from."""

    type = "likert"
    title = "Likert scale"
    about = "a scale of a few points, with a label for each if you like"
    instructable = True
    form = "points"
    inputs = _inputs("points", 1, 5)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, int]:
        answer = super().simulate(item, person)
        points = range(self.scale.low, self.scale.high + 1)
        labelled = zip(self.scale.labels, points, strict=False)
        on_screen = {**dict(labelled), **{str(point): point for point in points}}
        instruction = instructed(self.question, on_screen, person)
        return answer if instruction is None else {**answer, "value": instruction}


@dataclass(frozen=True, kw_only=True)
class SliderBlock(ScaleBlock):
    """A slider."""

    type = "slider"
    title = "Slider"
    about = "a slider, such as from 0 to 100"
    form = "slider"
    inputs = _inputs("slider", 0, 100)

    @property
    def slider(self) -> Scale:
        return self.scale
