"""Simulated annotators, to try out a campaign and its checks before people do.

They see what a browser sees (`payload`) and answer as a browser would; what a person would find
out by reading, they take from `Knowledge`.

- `careful` rates by quality, with little noise, and takes the time that reading takes;
- `noisy` does the same with much noise, and sometimes answers without looking;
- `careless` answers at random and quickly;
- `adversarial` gives the same answer throughout or alternates between two, in just enough time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from gistmark.errors import unknown_name
from gistmark.judgements.knowledge import Knowledge
from gistmark.judgements.marking import central_marks, first_marks, stray_marks
from gistmark.judgements.seeds import generator

Style = Literal["careful", "noisy", "careless", "adversarial"]
STYLES: tuple[Style, ...] = get_args(Style)

_NOISE = {"careful": 0.05, "noisy": 0.2}
_INATTENTION = {"careful": 0.0, "noisy": 0.15}
_WORDS_PER_SECOND = 4.0
_SECONDS_PER_ANSWER = 3.0


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulated annotator hands in, and how long it would have taken in seconds."""

    answer: dict[str, Any]
    seconds: float


def simulate(
    task: Mapping[str, Any], style: Style, knowledge: Knowledge, *, seed: int, annotator: str = ""
) -> Simulated:
    """The answer of an annotator of this style to a task's payload.

    The same seed, annotator and task give the same answer.

    >>> from gistmark.judgements import Knowledge, get_protocol, simulate, to_mapping
    >>> item = {"key": "1", "document": "A bridge was closed.", "summary": "Bridge closed."}
    >>> task = {**to_mapping(get_protocol("overall")), "items": [item], "question": None}
    >>> done = simulate(task, "careful", Knowledge({"Bridge closed.": 1.0}), seed=1)
    >>> done.answer["items"]["1"]["ratings"]["overall"]["value"]
    4
    """
    if style not in STYLES:
        raise unknown_name("style of annotator", style, STYLES)
    texts = [text for item in task["items"] for text in _texts(item)]
    person = _Person(task, style, knowledge, generator(seed, style, annotator, *texts))
    return person.answer()


class _Person:
    """One annotator at one task."""

    def __init__(
        self, task: Mapping[str, Any], style: Style, known: Knowledge, draw: np.random.Generator
    ) -> None:
        self.task = task
        self.style = style
        self.known = known
        self.draw = draw
        self.reads = style in _NOISE
        self.alternates = bool(draw.integers(2))
        self.given = 0

    def answer(self) -> Simulated:
        """The whole task, with a log of the controls that were moved."""
        items: dict[str, Any] = {}
        moves: list[dict[str, Any]] = []
        clock = 0.0
        for item in self.task["items"]:
            said = self._item(item)
            said["seconds"] = round(self._seconds(item), 1)
            clock += said["seconds"]
            items[item["key"]] = said
            moves += [
                {"at": round(clock, 1), "item": item["key"], "control": name, "value": one["value"]}
                for name, one in said.get("ratings", {}).items()
            ]
        seconds = round(clock, 1)
        answer: dict[str, Any] = {"items": items, "seconds": seconds, "moves": moves}
        if self.task["question"] is not None:
            answer["reply"] = self._reply()
        return Simulated(answer, seconds)

    def _item(self, item: Mapping[str, Any]) -> dict[str, Any]:
        dimensions = self.task["dimensions"]
        if self.task["kind"] == "highlight":
            return {"highlights": self._marks(item["document"])}
        if self.task["kind"] == "comparison":
            return {
                "choices": {each["name"]: self._choice(item, each["name"]) for each in dimensions}
            }
        return {"ratings": {each["name"]: self._rating(item, each) for each in dimensions}}

    def _rating(self, item: Mapping[str, Any], dimension: Mapping[str, Any]) -> dict[str, int]:
        scale = dimension["scale"] or self.task["scale"]
        rating = {"value": _on(scale, self._level(item["summary"], dimension["name"]))}
        for part in ("confidence", "weight"):
            if self.task[part] is not None:
                level = self.draw.uniform(0.5, 1.0) if self.reads else self.draw.uniform()
                rating[part] = _on(self.task[part], float(level))
        return rating

    def _level(self, text: str, dimension: str) -> float:
        """How good a text is said to be in a dimension, from 0 to 1."""
        if self.reads and self.draw.uniform() >= _INATTENTION[self.style]:
            noise = float(self.draw.normal(0, _NOISE[self.style]))
            return self.known.quality_of(text, dimension) + noise
        if self.style == "adversarial":
            self.given += 1
            return 0.9 if not self.alternates or self.given % 2 else 0.6
        return float(self.draw.uniform())

    def _choice(self, item: Mapping[str, Any], dimension: str) -> str:
        if self.style == "adversarial":
            self.given += 1
            return "left" if not self.alternates or self.given % 2 else "right"
        left, right = (self._level(item[side], dimension) for side in ("left", "right"))
        return "left" if left >= right else "right"

    def _marks(self, text: str) -> list[dict[str, int]]:
        budget = self.task["budget"]
        if self.style == "adversarial":
            marks = first_marks(text, budget)
        elif self.style == "careless":
            marks = stray_marks(text, min(budget, int(self.draw.integers(4))), self.draw)
        else:
            marks = central_marks(text, budget, self.draw, noise=_NOISE[self.style])
        return [{"start": start, "end": end} for start, end in marks]

    def _reply(self) -> bool:
        looks = self.reads and self.draw.uniform() >= _INATTENTION[self.style]
        if not looks:
            return bool(self.draw.integers(2))
        read = "\n".join(text for item in self.task["items"] for text in _beside(item))
        return self.known.holds(self.task["question"], read)

    def _seconds(self, item: Mapping[str, Any]) -> float:
        least = self.task["minimum_seconds"]
        if self.style == "careless":
            return float(least * self.draw.uniform(0.1, 0.7) + self.draw.uniform(0.2, 1.0))
        if self.style == "adversarial":
            return float(least * self.draw.uniform(1.02, 1.3) + 0.5)
        words = sum(len(text.split()) for text in _texts(item))
        answers = max(len(self.task["dimensions"]), 1)
        needed = words / _WORDS_PER_SECOND + answers * _SECONDS_PER_ANSWER
        return float(max(least * 1.1, needed) * self.draw.uniform(1.0, 1.4))


def _on(scale: Mapping[str, Any], level: float) -> int:
    """The point of a scale that is nearest to a level from 0 to 1."""
    low, high = scale["low"], scale["high"]
    return int(np.clip(round(low + level * (high - low)), low, high))


def _texts(item: Mapping[str, Any]) -> list[str]:
    judged = [item[name] for name in ("summary", "left", "right") if name in item]
    return [*_beside(item), *judged]


def _beside(item: Mapping[str, Any]) -> list[str]:
    document = [item["document"]] if "document" in item else []
    return document + list(item.get("references", ()))
