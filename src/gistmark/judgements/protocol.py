"""`Protocol`: what is asked of annotators, on which scale, and with which checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from gistmark.judgements.scales import Scale
from gistmark.records import About

Kind = Literal["highlight", "rating", "comparison"]
Shown = Literal["document", "heat-map", "reference", "title"]
Action = Literal["off", "flag", "reject"]
CheckKind = Literal[
    "question", "planted", "untouched", "no_highlights", "straight_line", "too_fast"
]

KINDS: tuple[Kind, ...] = get_args(Kind)
SHOWN: tuple[Shown, ...] = get_args(Shown)
ACTIONS: tuple[Action, ...] = get_args(Action)
CHECK_KINDS: tuple[CheckKind, ...] = get_args(CheckKind)

CHECKS_IN_WORDS: Mapping[CheckKind, str] = {
    "question": "a True/False question at the end must be answered rightly",
    "planted": "three planted summaries must be rated bad < mediocre < good",
    "untouched": "the sliders of an item must have been moved",
    "no_highlights": "something must be highlighted",
    "straight_line": "not all answers of a task may be the same",
    "too_fast": "the work must take the minimum time",
}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One quality that is judged; its name is the one in `ratings.csv` and `comparisons.csv`.

    `scale` is for a dimension that needs another scale than the protocol's.
    """

    name: str
    question: str
    guidance: str = ""
    scale: Scale | None = None


@dataclass(frozen=True, slots=True)
class Checks:
    """What happens when work fails a check: nothing, a flag for the manager, or rejection."""

    question: Action = "off"
    planted: Action = "off"
    untouched: Action = "off"
    no_highlights: Action = "off"
    straight_line: Action = "off"
    too_fast: Action = "off"

    def action(self, kind: CheckKind) -> Action:
        """What happens when this check fails."""
        found: Action = getattr(self, kind)
        return found


@dataclass(frozen=True, slots=True)
class Protocol:
    """How one kind of judgement is collected.

    >>> from gistmark.judgements import configured, get_protocol
    >>> protocol = configured(get_protocol("fluency"), {"judges": 5, "items_per_task": 4})
    >>> protocol.judges, protocol.scale_of("fluency").high
    (5, 100)

    `shows` is what the annotator sees beside the summary (or, to highlight, alone).
    `confidence` and `weight` are scales that are asked for with every dimension. `budget` is the
    number of words that may be highlighted. `minimum_seconds` counts for each item of a task.
    """

    name: str
    kind: Kind
    about: str
    shows: tuple[Shown, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    scale: Scale | None = None
    confidence: Scale | None = None
    weight: Scale | None = None
    budget: int | None = None
    judges: int = 3
    """How many annotators judge each item."""
    items_per_task: int = 1
    """How many items a task has at most; planted ones come on top."""
    minimum_seconds: float = 0.0
    checks: Checks = field(default_factory=Checks)
    consent: str = ""
    instructions: str = ""
    example: str = ""
    several_of_a_document: bool = False
    """Whether a task may have two summaries of one document."""
    judge_references: bool = False
    """Whether references are judged like the summaries of systems."""
    editable: bool = False
    """Whether answers may be changed until the campaign closes."""
    one_dimension_per_screen: bool = False

    def dimension(self, name: str) -> Dimension:
        """The dimension of this name."""
        return next(each for each in self.dimensions if each.name == name)

    def scale_of(self, name: str) -> Scale:
        """The scale of a dimension: its own, or the protocol's."""
        found = self.dimension(name).scale or self.scale
        assert found is not None, "a rating protocol that was checked has a scale"
        return found

    @property
    def plants(self) -> bool:
        """Whether tasks have planted summaries."""
        return self.checks.planted != "off"

    @property
    def asks_question(self) -> bool:
        """Whether a task ends with a True/False question."""
        return self.checks.question != "off"

    @property
    def question_about(self) -> About:
        """What the True/False question is about: the reference only where no document is shown."""
        return "document" if {"document", "heat-map"} & set(self.shows) else "reference"
