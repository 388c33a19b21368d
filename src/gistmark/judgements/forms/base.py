"""The interface of every block of a form."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from gistmark.corpus.fields import FLAG, NAME, TEXT, Kind, Wording, WrongValueError, describe
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.inputs import Setting, Start
from gistmark.judgements.questions.base import (
    Faults,
    Origin,
    Reading,
    Record,
    Subject,
    TextKind,
)
from gistmark.records import Response, ResponseType, item_name

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Dimension, Protocol, Scale
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry, Task

Plain = str | int
"""A value that a condition can name: an option, a word such as yes, or a point of a scale."""


class PlainValue(Kind):
    """A text or a whole number."""

    expected = "text or a whole number"

    def value(self, value: object) -> Plain:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise WrongValueError(f"must be {self.expected}, but is {describe(value)}")
        return value


PLAIN = PlainValue()


@dataclass(frozen=True, slots=True)
class Condition:
    """Asks a question only if the answer to an earlier one is among the values."""

    question: str
    values: tuple[Plain, ...]


@dataclass(frozen=True, kw_only=True)
class Block:
    """One part of a form, as a manager designs it and an annotator sees it."""

    type: ClassVar[str]
    """Its name in a protocol, and, for a question, that of its ES module."""
    about: ClassVar[str]
    """What it is, in a few words for the designer of a study."""
    title: ClassVar[str] = ""
    """Its name for the designer of a study; without one, that of its type."""
    inputs: ClassVar[tuple[Setting, ...]] = ()
    """What can be set beyond what all have; a field that is left out gets a plain input."""
    starts: ClassVar[tuple[Start, ...]] = ()
    """What a designer can add, where that is more than one thing."""

    @classmethod
    @abstractmethod
    def from_fields(cls, given: Fields) -> Self:
        """The block of an object; what is wrong becomes a fault of `given`."""

    def to_mapping(self) -> dict[str, Any]:
        """The block as JSON can hold it, with every setting; `from_fields` reads it back."""
        return {"type": self.type, **asdict(self)}

    def payload(self) -> dict[str, Any]:
        """What the annotator's browser gets."""
        return self.to_mapping()

    def words(self) -> tuple[str, ...]:
        """Its own texts that annotators read, for a study in another language."""
        return ()

    def faults(self, protocol: Protocol) -> Faults:
        """What is wrong with it in this protocol: a field of the block, the end of a sentence."""
        yield from ()


@dataclass(frozen=True, kw_only=True)
class UnreadBlock(Block):
    """A placeholder for a block with faults, so that the others can still be checked."""

    type = "unread"
    about = "a block that could not be read"

    name: str | None = None
    shows: bool = False

    @classmethod
    def from_fields(cls, given: Fields) -> Self:
        name = given.peek("name")
        shows = given.peek("type") == "show"
        return cls(name=name if isinstance(name, str) else None, shows=shows)


@dataclass(frozen=True, kw_only=True)
class QuestionBlock(Block):
    """One question. Its answer is kept as JSON has it, once `read` has taken it.

    A question with an `expected` answer is an instructed attention check: its own text says what to
    choose. Its answers are not data, and the browser is not told what is expected.
    """

    subjects: ClassVar[tuple[Subject, ...]] = ("document", "summary", "pair", "set")
    """The kinds of item that it can be asked about."""
    table: ClassVar[str] = "responses"
    """The records that its answers become, as `Judgements` names them."""
    instructable: ClassVar[bool] = False
    """Whether it can be an attention check."""

    name: str
    question: str
    guidance: str = ""
    required: bool = True
    when: Condition | None = None
    expected: Plain | None = None

    @classmethod
    def from_fields(cls, given: Fields) -> Self:
        return cls(
            name=given.take("name", NAME),
            question=given.take("question", Wording()),
            guidance=given.take("guidance", TEXT, ""),
            required=given.take("required", FLAG, True),
            when=_read_condition(given.optional("when")),
            expected=given.take("expected", PLAIN, None),
            **cls.settings(given),
        )

    @classmethod
    @abstractmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        """What this type of question has beyond what all have."""

    def to_mapping(self) -> dict[str, Any]:
        mapping = super().to_mapping()
        if self.when is not None:
            mapping["when"] = {"question": self.when.question, "values": list(self.when.values)}
        return mapping

    def payload(self) -> dict[str, Any]:
        return {name: value for name, value in self.to_mapping().items() if name != "expected"}

    def item_payload(self, entry: Entry, task: Task) -> Mapping[str, Any]:
        """What its ES module needs to know about one item, as `item.questions[NAME]` there."""
        return {}

    @property
    def attention(self) -> bool:
        """Whether it is only there to check whether the annotator reads."""
        return self.expected is not None

    @property
    def dimension(self) -> Dimension | None:
        """The dimension that its answers are records of, where they are ratings or comparisons."""
        return None

    @property
    def slider(self) -> Scale | None:
        """Its scale, where it is answered on a slider."""
        return None

    def needs(self, protocol: Protocol) -> frozenset[TextKind]:
        """The texts that its answers mark, without which they cannot be read."""
        return frozenset()

    def faults(self, protocol: Protocol) -> Faults:
        if protocol.subject not in self.subjects:
            wanted = " or ".join(_NEEDS[subject] for subject in self.subjects)
            about = f"this form is about {_IS[protocol.subject]}"
            yield "type", f"{self.type!r} needs a block that shows {wanted}; {about}"
        if self.expected is None:
            return
        if not self.instructable:
            yield "expected", f"must be left out: {self.type} cannot be an attention check"
        elif self.expected not in self.condition_values():
            allowed = ", ".join(map(str, self.condition_values()))
            yield "expected", f"must be one of {allowed}, but is {self.expected}"
        if not self.required or self.when is not None:
            yield "expected", "must be left out where the question is optional or has a condition"

    @abstractmethod
    def read(self, answers: Fields, entry: Entry, reading: Reading) -> Any:
        """The answer in the field of its name; what is wrong becomes a fault of `answers`.

        None where there is no answer; whether one is required is the form's concern.
        """

    @abstractmethod
    def records(self, answer: Any, origin: Origin) -> Iterator[Record]:
        """The records of an export that an accepted answer becomes."""

    @abstractmethod
    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> Any:
        """What a simulated annotator answers; None for no answer, where that is allowed."""

    def condition_values(self) -> tuple[Plain, ...]:
        """The values that a condition of a later question may name; none if it cannot be used."""
        return ()

    def selected(self, answer: Any) -> tuple[Plain, ...]:
        """Which of these values an answer has."""
        return ()

    def meets(self, answer: Any) -> bool:
        """Whether an answer is the expected one, where the question is an attention check."""
        return self.expected in self.selected(answer)

    def response(self, value: str, origin: Origin, system: str | None = None) -> Response:
        """A record of an answer that is neither a rating nor a comparison.

        It is about the `system`, else about the one whose summary was shown alone.
        """
        if system is None and len(origin.systems) == 1:
            [system] = origin.systems
        return Response(
            origin.document, item_name(origin.systems), system, origin.annotator, self.name,
            cast(ResponseType, self.type), value, origin.campaign, origin.seconds,
        )  # fmt: skip

    def value(self, answer: Any) -> int | None:
        """The number that an answer stands for, for checks and tolerances; None for others."""
        return None

    def distance(self, answer: Any, right: Any) -> float:
        """How far a practice answer is from the right one: 0 is the same, None never right."""
        if answer is None:
            return inf
        given, expected = self.value(answer), self.value(right)
        if given is not None and expected is not None:
            return float(abs(given - expected))
        return 0.0 if answer == right else inf

    def reordered(self, answer: Any, positions: Sequence[int]) -> Any:
        """The same answer where the summaries stand in another order.

        `positions` has the new index of each summary. Most answers do not name summaries.
        """
        return answer

    def wording(self, answer: Any) -> str:
        """What an answer says, for people to read."""
        return str(answer)

    def wording_in(self, answer: Any, text: str) -> str:
        """The same, where `text` is that of the summary, which some answers mark."""
        return self.wording(answer)


def _read_condition(given: Fields | None) -> Condition | None:
    if given is None:
        return None
    question = given.take("question", NAME)
    values = given.members("values", PLAIN)
    if not values:
        given.fault("values", "must hold at least one value")
    given.refuse_others()
    return Condition(question, values)


_NEEDS: Mapping[Subject, str] = {
    "document": "no summary",
    "summary": "one summary",
    "pair": "two summaries side by side",
    "set": "several summaries",
}
_IS: Mapping[Subject, str] = {
    "document": "a document alone",
    "summary": "one summary",
    "pair": "a pair of summaries",
    "set": "several summaries",
}
