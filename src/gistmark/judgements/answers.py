"""Answers: what an annotator said in one task, once it has been checked for form.

As a mapping (JSON from a browser, a draft in a database) an answer is

    {"items": {"1": {"ratings": {"fluency": {"value": 80, "confidence": 4, "weight": 5}},
                     "choices": {"Structure": "left"},
                     "highlights": [{"start": 0, "end": 12}],
                     "seconds": 12.5}},
     "reply": true,
     "seconds": 60.2,
     "moves": [{"at": 3.2, "item": "1", "control": "fluency", "value": 80}]}

with those parts that the protocol asks for. `reading` turns it into an `Answer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from gistmark.records import Choice
from gistmark.text.words import Span

THRESHOLD = "threshold"
"""The control of a heat map, as the log of moves names it; the others are dimensions."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value on a dimension's scale, with confidence and weight where they are asked for."""

    value: int | None = None
    confidence: int | None = None
    weight: int | None = None


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """What was said about one entry of a task; `seconds` is how long it was on the screen.

    `highlights` is None where the entry has not been looked at, and empty where nothing is marked.
    """

    ratings: Mapping[str, Given] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    highlights: tuple[Span, ...] | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A control that was moved: when (seconds from the start), on which entry, and to what."""

    at: float
    item: str
    control: str
    value: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said in a task, by the key of each entry.

    `moves` is None where the sender keeps no log, so that nothing can be concluded from it.
    """

    items: Mapping[str, ItemAnswer] = field(default_factory=dict)
    reply: bool | None = None
    seconds: float | None = None
    moves: tuple[Move, ...] | None = None

    def to_mapping(self) -> dict[str, Any]:
        """The answer as JSON can hold it; `read_answer` reads it back."""
        plain: dict[str, Any] = {"items": {key: _item(each) for key, each in self.items.items()}}
        plain |= {"reply": self.reply, "seconds": self.seconds}
        if self.moves is not None:
            plain["moves"] = [asdict(move) for move in self.moves]
        return plain


def _item(answer: ItemAnswer) -> dict[str, Any]:
    plain: dict[str, Any] = {"seconds": answer.seconds}
    if answer.ratings:
        plain["ratings"] = {name: asdict(given) for name, given in answer.ratings.items()}
    if answer.choices:
        plain["choices"] = dict(answer.choices)
    if answer.highlights is not None:
        plain["highlights"] = [{"start": start, "end": end} for start, end in answer.highlights]
    return plain
