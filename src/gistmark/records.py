"""The nouns of Gistmark as frozen records; this file imports no other module of Gistmark.

A record holds what one line of a corpus file says and checks nothing by itself: the checks,
which know the file and the line, are in `gistmark.corpus`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import quote, unquote

TEXT_SEPARATOR = "\n\n"
"""Stands between the texts of a multi-document document; highlights count offsets across it."""

Choice = Literal["left", "right", "tie"]
ResponseType = Literal["choice", "choices", "yes-no", "text", "ranking", "best-worst"]
About = Literal["document", "reference"]
Part = Literal[
    "precision", "recall", "f", "value", "per_token", "s00", "s01", "s10", "s11", "known", "se",
    "sd", "content", "support", "repetition", "order", "copying", "style",
]  # fmt: skip

CHOICES: tuple[Choice, ...] = get_args(Choice)
RESPONSE_TYPES: tuple[ResponseType, ...] = get_args(ResponseType)
PARTS: tuple[Part, ...] = get_args(Part)
COUNTS: tuple[Part, ...] = ("s00", "s01", "s10", "s11")
"""How BLANC's predictions went."""
CONTRIBUTIONS: tuple[Part, ...] = (
    "content", "support", "repetition", "order", "copying", "style",
)  # fmt: skip
"""What each group of features adds to the value of a learnt metric."""
DETAILS: tuple[Part, ...] = (*COUNTS, "known", "se", "sd", *CONTRIBUTIONS)
"""Parts that only show how a value came about: written with the scores, but never ranked."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is summarised: one text, or several for multi-document summarisation."""

    id: str
    texts: tuple[str, ...]
    title: str | None = None
    lang: str | None = None

    @property
    def text(self) -> str:
        """All texts as one, joined by `TEXT_SEPARATOR`."""
        return self.texts[0] if len(self.texts) == 1 else TEXT_SEPARATOR.join(self.texts)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a system (a program or a person) wrote about a document.

    A reference is a summary that serves as gold. Its `system` tells several references of one
    document apart. In an `anonymous` summary, the system's name does only that, too: it is an order
    of appearance, not a system, and cannot be compared across documents.
    """

    document: str
    system: str
    text: str
    title: str | None = None
    reference: bool = False
    anonymous: bool = False


@dataclass(frozen=True, slots=True)
class Highlight:
    """A span of a document's text that an annotator marked: offsets in characters, end exclusive.

    `budget` is the number of words that the annotator was allowed to mark in the document.
    """

    document: str
    annotator: str
    start: int
    end: int
    budget: int | None = None
    campaign: str | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """An annotator's value for one dimension of one summary."""

    document: str
    system: str
    annotator: str
    dimension: str
    value: float
    confidence: float | None = None
    weight: float | None = None
    seconds: float | None = None
    campaign: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """An annotator's choice between two systems' summaries of one document.

    A tie says that they are equally good; nobody wins it. `strength` says how much better the
    winner is, where that was asked: 1 is the weakest preference.
    """

    document: str
    left: str
    right: str
    annotator: str
    dimension: str
    choice: Choice
    strength: int | None = None
    campaign: str | None = None

    @property
    def winner(self) -> str | None:
        """The system of the chosen summary; None where it is a tie."""
        if self.choice == "tie":
            return None
        return self.left if self.choice == "left" else self.right

    @property
    def loser(self) -> str | None:
        """The system of the other summary; None where it is a tie."""
        if self.choice == "tie":
            return None
        return self.right if self.choice == "left" else self.left


@dataclass(frozen=True, slots=True)
class Response:
    """An annotator's answer to a question that is neither a rating nor a comparison.

    `item` names the systems whose summaries were shown, as `item_name` writes them: none for a
    question about the document alone. `system` is the one system that the record is about; a
    question about a pair or a set as a whole has none. A ranking or a best-worst choice is a
    record for each system of the set, a multiple choice one for each chosen option.
    `value` is the option, the text, the rank ("1" is best, equal ranks are ties), or "best",
    "worst" or, for a summary that was shown and is neither, "".
    """

    document: str
    item: str
    system: str | None
    annotator: str
    question: str
    type: ResponseType
    value: str
    campaign: str | None = None
    seconds: float | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems whose summaries were shown, in the order in which they were."""
        if self.item:
            return tuple(map(unquote, self.item.split("/")))
        return () if self.system is None else (self.system,)

    @property
    def option(self) -> str | None:
        """The option of a multiple choice, which tells its records apart; None for others."""
        return self.value if self.type == "choices" else None


def item_name(systems: Iterable[str]) -> str:
    """The systems of an item as one text: quoted, so that a name may hold the slash between."""
    return "/".join(quote(name, safe="") for name in systems)


@dataclass(frozen=True, slots=True)
class Question:
    """A True/False statement that checks whether an annotator has read the text."""

    document: str
    statement: str
    answer: bool
    about: About = "document"


@dataclass(frozen=True, slots=True)
class Planted:
    """Three summaries of known order of quality, planted among others as a check."""

    good: str
    mediocre: str
    bad: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class ContentUnit:
    """One fact that a good summary of the document states, usually written from a reference.

    `weight` says how much it counts, `reference` is the system of the reference that it was
    written from, `annotator` who wrote it.
    """

    document: str
    id: str
    text: str
    weight: float = 1.0
    reference: str | None = None
    annotator: str | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a summary states a content unit, as an annotator sees it."""

    document: str
    unit: str
    system: str
    annotator: str
    present: bool
    campaign: str | None = None


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """An error that an annotator marked in a summary: offsets in characters, end exclusive.

    Without `start` and `end`, it is an error of the summary as a whole, such as missing content.
    Without a `category` too, it is none: the annotator judged the summary and marked nothing.
    `source_start` and `source_end` are the span of the document's text that shows the error.
    `weight` is what the error costs the summary by the protocol under which it was marked.
    """

    document: str
    system: str
    annotator: str
    start: int | None = None
    end: int | None = None
    category: str | None = None
    severity: str | None = None
    comment: str | None = None
    source_start: int | None = None
    source_end: int | None = None
    weight: float | None = None
    campaign: str | None = None


@dataclass(frozen=True, slots=True)
class Sampled:
    """A document that was chosen to be judged, and the probability of that choice.

    `probability` is None where the document was not chosen at random, but for what it tells about
    the ranking of systems.
    """

    document: str
    method: str
    probability: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A judgement of an adaptive campaign: when it came in, and how its task was chosen.

    `number` counts from 1 in the order in which work came in; `item` names the systems, as
    `item_name` writes them. The task had this `probability` of being chosen `among` so many.
    `rule` is the signature of the campaign's rule for decisions.
    """

    number: int
    document: str
    item: str
    annotator: str
    probability: float
    among: int
    rule: str

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems whose summaries were judged."""
        return tuple(map(unquote, self.item.split("/")))

    @property
    def weight(self) -> float:
        """How much more often chance alone would have chosen it: 1 where chance did."""
        return 1.0 / (self.among * self.probability)


@dataclass(frozen=True, slots=True)
class Machine:
    """An annotator that is not a person, such as a language model.

    `model` names it, and `signature` says how it was asked.
    """

    annotator: str
    model: str | None = None
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """Under which condition the judgements of a campaign were made.

    `protocol` is the name of its protocol, `shows` what annotators saw beside a summary, such as
    `document` or `heat-map, title`: empty where they saw the summary alone. `judges` is how many
    judged each item. Scales are from `low` to `high`, where all dimensions have the same.
    """

    campaign: str
    protocol: str | None = None
    shows: str | None = None
    judges: int | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One value of one metric for one summary; a missing value carries its reason."""

    document: str
    system: str
    metric: str
    part: str
    value: float | None
    reason: str | None = None
