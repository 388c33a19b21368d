"""Scales: a slider over a range of whole numbers, or a few points that may have labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

Form = Literal["slider", "points"]
FORMS: tuple[Form, ...] = get_args(Form)

MOST_POINTS = 21
"""More points than this are a slider."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Whole numbers from `low` to `high`, both included.

    `labels` name every point, or the two ends of a slider. A slider is unset until it is moved,
    unless it has a `start`; points are never pre-selected.
    """

    form: Form
    low: int
    high: int
    labels: tuple[str, ...] = ()
    start: int | None = None

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"

    def label(self, value: int) -> str:
        """What a point is called; empty where it has no label."""
        place = value - self.low
        labelled = self.form == "points" and 0 <= place < len(self.labels)
        return self.labels[place] if labelled else ""


def scale_faults(scale: Scale) -> Iterator[tuple[str, str]]:
    """What is wrong with a scale: the field, and the end of a sentence about it."""
    if scale.low >= scale.high:
        yield "high", f"must be above low ({scale.low}), but is {scale.high}"
        return
    points = scale.high - scale.low + 1
    if scale.form == "points" and points > MOST_POINTS:
        yield "high", f"gives {points} points; {MOST_POINTS} are allowed, or make it a slider"
    wanted, what = (points, "point") if scale.form == "points" else (2, "end")
    if scale.labels and len(scale.labels) != wanted:
        yield (
            "labels",
            f"must hold a label for each {what} ({wanted}) or none, but holds {len(scale.labels)}",
        )
    if scale.start is not None and scale.form == "points":
        yield "start", "must be left out: only a slider can have one"
    elif scale.start is not None and scale.start not in scale:
        yield "start", f"must be from {scale}, but is {scale.start}"
