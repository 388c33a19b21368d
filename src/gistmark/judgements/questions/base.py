"""The interface of every question type."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar

from gistmark.judgements.fields import REQUIRED, Fields
from gistmark.records import (
    Comparison,
    ContentUnit,
    ErrorSpan,
    Highlight,
    Presence,
    Rating,
    Response,
)

if TYPE_CHECKING:
    from gistmark.corpus.corpus import Corpus
    from gistmark.judgements.protocols.protocol import Protocol, Scale
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry, Task

Subject = Literal["document", "summary", "pair", "set"]
TextKind = Literal["document", "summary"]
Record = Rating | Comparison | Highlight | Response | ErrorSpan | ContentUnit | Presence
Faults = Iterator[tuple[str, str]]
"""Fields of a protocol, and the end of a sentence about what is wrong with each."""

FEWEST_ANSWERS = 5
"""Fewer equal answers than this are not a sign of straight-lining."""


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """The answer to one entry of a task; each question type adds its own part.

    `seconds` is how long the entry was on the screen.
    """

    seconds: float | None = field(default=None, kw_only=True)

    def parts(self) -> dict[str, Any]:
        """What the question type adds, as JSON can hold it."""
        return {}

    def to_mapping(self) -> dict[str, Any]:
        """The answer as JSON can hold it; `QuestionType.read` reads it back."""
        return {"seconds": self.seconds, **self.parts()}


@dataclass(frozen=True, slots=True)
class Texts:
    """The stored texts that marks are made on: documents by id, summaries by document and system.

    Only the texts that a protocol needs have to be there (`Protocol.needs`).
    """

    documents: Mapping[str, str] = field(default_factory=dict)
    summaries: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """All texts of a corpus."""
        return cls(
            {document.id: document.text for document in corpus.documents},
            {(summary.document, summary.system): summary.text for summary in corpus.summaries},
        )

    def document(self, entry: Entry) -> str:
        """The text of an entry's document; empty where it is not known."""
        return self.documents.get(entry.document or "", "")

    def summary(self, entry: Entry) -> str:
        """The text of an entry's only summary; empty where it is not known."""
        if entry.text is not None:
            return entry.text
        system = entry.systems[0] if len(entry.systems) == 1 else ""
        return self.summaries.get((entry.document or "", system), "")


@dataclass(frozen=True, slots=True)
class Reading:
    """How an answer is read: under a protocol, whole or as a draft, which may lack anything."""

    protocol: Protocol
    draft: bool = False
    texts: Texts = field(default_factory=Texts)

    @property
    def default(self) -> object:
        """The default of what has to be there unless this is a draft."""
        return None if self.draft else REQUIRED

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(dimension.name for dimension in self.protocol.dimensions)


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of an answer: what was judged, by whom, and in which campaign.

    `references` are those that were shown, in their order, where the question type names them.
    """

    document: str
    systems: tuple[str, ...]
    annotator: str
    protocol: Protocol
    campaign: str | None = None
    seconds: float | None = None
    """The share of the item's time that one answer of a form took."""
    references: tuple[str, ...] = ()


def language_of(entry: Entry, corpus: Corpus) -> dict[str, str]:
    """The language of an entry's document, for texts that are shown without the document."""
    known = next((each.lang for each in corpus.documents if each.id == entry.document), None)
    return {} if known is None else {"lang": known}


A = TypeVar("A", bound=ItemAnswer)


class QuestionType(ABC, Generic[A]):
    """One way to ask: its settings, its answers, and what follows from them.

    `subject` is what an item is: a document, or one, two or several summaries of one document.
    """

    name: ClassVar[str]
    """Its name in a protocol (`kind`), and that of its ES module."""
    subject: ClassVar[Subject]
    Answer: type[A]
    """What `read` returns; without arguments, an answer that is still empty."""

    dimensional: ClassVar[bool] = True
    """Whether it asks once for each dimension of the protocol."""
    scaled: ClassVar[bool] = False
    """Whether it uses the scales of the protocol."""
    budgeted: ClassVar[bool] = False
    """Whether it uses the budget of the protocol."""
    needs_texts: ClassVar[bool] = False
    """Whether an answer can only be read beside the documents' texts (but see `needs`)."""
    plantable: ClassVar[bool] = False
    """Whether its `values` can tell a good planted summary from a mediocre and a bad one."""
    agreement: ClassVar[str] = ""
    """What an annotator's agreement with the rest means, in a sentence, if there is one."""
    may_be_blank: ClassVar[bool] = False
    """Whether a complete answer may say nothing, so that a check has to look for that."""
    table: ClassVar[str] = "ratings"
    """The records that its answers become, as `Judgements` names them (but see `tables`)."""
    composed: ClassVar[bool] = False
    """Whether the protocol's blocks say what is asked, and so what it shows and rates."""
    completed: ClassVar[bool] = False
    """Whether an entry is completed from the corpus (`complete`) before it can be answered."""

    def subject_of(self, protocol: Protocol) -> Subject:
        """What an item of this protocol is."""
        return self.subject

    def scaled_in(self, protocol: Protocol) -> bool:
        """Whether this protocol has dimensions that are rated on a scale."""
        return self.scaled

    def needs(self, protocol: Protocol) -> frozenset[TextKind]:
        """The texts that its answers mark, without which they cannot be read."""
        return frozenset({"document"}) if self.needs_texts else frozenset()

    def marked_text(self, entry: Entry, texts: Texts, protocol: Protocol) -> str:
        """The text that `distances` and `wording` need to tell what is marked; mostly none."""
        return texts.document(entry)

    def tables(self, protocol: Protocol) -> tuple[str, ...]:
        """All kinds of records that answers under this protocol become."""
        return (self.table,)

    def controls(self, protocol: Protocol) -> tuple[str, ...]:
        """The names of the controls that the log of moves may name."""
        return tuple(dimension.name for dimension in protocol.dimensions)

    def faults(self, protocol: Protocol) -> Faults:
        """Why a protocol cannot ask this, beyond the flags above."""
        yield from ()

    def payload(self, protocol: Protocol) -> Mapping[str, Any]:
        """What its ES module needs beyond the settings that every browser gets."""
        return {}

    def item_payload(self, entry: Entry, task: Task, protocol: Protocol) -> Mapping[str, Any]:
        """What its ES module needs to know about one item beyond what all items have."""
        return {}

    def lacking(self, document: str, corpus: Corpus) -> Iterator[str]:
        """What the question needs but the corpus lacks for a document, as nouns."""
        yield from ()

    def complete(self, entry: Entry, corpus: Corpus) -> Entry:
        """The entry with whatever an answer to it refers to, such as the ids of content units."""
        return entry

    def shown(self, entry: Entry, corpus: Corpus) -> Mapping[str, Any]:
        """What its ES module needs of an item beyond the texts that every browser gets."""
        return {}

    @abstractmethod
    def read(self, given: Fields, entry: Entry, reading: Reading) -> A:
        """The answer to an entry from JSON; what is wrong becomes a fault of `given`.

        The whole answer has everything; a draft may lack anything, but what it has must be right.
        """

    @abstractmethod
    def records(self, answer: A, origin: Origin) -> Iterator[Record]:
        """The records of an export that an accepted answer becomes."""

    @abstractmethod
    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        """What a simulated annotator answers to an item of a payload, as JSON."""

    def moves(self, answer: Mapping[str, Any]) -> Mapping[str, float]:
        """The controls that a simulated annotator moved to give an answer, and where to."""
        return {}

    def values(self, answer: A, protocol: Protocol) -> Mapping[str, int]:
        """The values of an answer by dimension, for checks; empty where there are none."""
        return {}

    def sliders(self, protocol: Protocol) -> Mapping[str, Scale]:
        """The scales of the dimensions that are answered on a slider."""
        return {}

    def decided(self, answer: A, entry: Entry, reading: Reading) -> dict[str, Any]:
        """The parts of a draft that are complete, as JSON: a decision may lack the rest."""
        return answer.parts()

    def is_blank(self, answer: A) -> bool:
        """Whether an answer says nothing."""
        return False

    def distances(self, answer: A, right: A, protocol: Protocol, text: str) -> Mapping[str, float]:
        """How far a practice answer is from the right one, by dimension; "" is the whole item.

        0 is the same. Only what `right` says is compared, so that a dimension without a right
        answer is left out. `text` is the text that answers mark, if they do (`marked_text`).
        """
        expected, given = self.values(right, protocol), self.values(answer, protocol)
        if expected:
            return {
                name: abs(given[name] - value) if name in given else inf
                for name, value in expected.items()
            }
        if not right.parts():
            return {}
        return {"": 0.0 if answer.parts() == right.parts() else inf}

    def tolerance_label(self, protocol: Protocol) -> str | None:
        """What a tolerance of practice answers means; None where an answer is right or wrong."""
        return None

    def usual_tolerance(self, protocol: Protocol) -> float:
        """The distance up to which a practice answer counts as right, unless a manager says."""
        return 0.0

    def wording(self, answer: A, protocol: Protocol, text: str) -> Mapping[str, str]:
        """What an answer says, for people to read, by dimension; "" is the whole item."""
        values = self.values(answer, protocol)
        if values:
            return {name: str(value) for name, value in values.items()}
        return {"": json.dumps(answer.parts(), ensure_ascii=False)}

    def prompts(self, protocol: Protocol) -> Mapping[str, str]:
        """The questions, by the names that `wording` uses; empty where the item is the question."""
        return {dimension.name: dimension.question for dimension in protocol.dimensions}

    def straight_line(self, answers: Sequence[A], protocol: Protocol) -> str | None:
        """A sentence about a task in which all answers are the same; None where they are not."""
        given = [self.values(answer, protocol).values() for answer in answers]
        values = [value for each in given for value in each]
        if len(values) < FEWEST_ANSWERS or len(set(values)) > 1:
            return None
        return f"All {len(values)} values of the task are {values[0]}."
