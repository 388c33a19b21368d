"""Questions that are answered by choosing: one option, several, or yes and no. As JSON:

    "too long"            one option
    ["too long", "odd"]   several, in the order of the options
    "yes"                 or "no", or "unsure" where that is offered

The values are the options as the manager wrote them, whatever the order they are shown in.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmark.corpus.fields import FLAG, Count, Kind, OneOf, Wording, WrongValueError, describe
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import Plain, QuestionBlock
from gistmark.judgements.forms.inputs import Setting
from gistmark.judgements.forms.simulated import instructed, liking
from gistmark.judgements.questions.base import Faults, Origin, Reading
from gistmark.records import Response
from gistmark.runtime.seeds import generator

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry, Task

MOST_OPTIONS = 50
_OPTIONS = Setting(
    name="options", label="Options", input="texts", start=["", ""], least=2, most=MOST_OPTIONS
)
_SHUFFLE = Setting(
    name="shuffle_options",
    label="Shuffle the options for every item",
    input="flag",
    start=False,
)
YES, NO, UNSURE = "yes", "no", "unsure"
ON_SCREEN: Mapping[str, str] = {
    **dict.fromkeys(("yes", "ja", "sí", "oui", "是", "نعم"), YES),
    **dict.fromkeys(("no", "nein", "non", "否", "لا"), NO),
    **dict.fromkeys(
        ("unsure", "unsicher", "no estoy seguro", "je ne sais pas", "不确定", "غير متأكد"), UNSURE
    ),
}
"""The texts of each answer on the screen, in the languages of the platform, for simulations."""


class SomeOf(Kind):
    """Several of a few options, each once; as read they are in the order of the options."""

    def __init__(self, options: Sequence[str], fewest: int = 0, most: int | None = None) -> None:
        self.options = options
        self.fewest, self.most = fewest, most

    def value(self, value: object) -> list[str]:
        if not isinstance(value, list | tuple):
            raise WrongValueError(f"must be a list of options, but is {describe(value)}")
        for member in value:
            if not isinstance(member, str) or member not in self.options:
                allowed = ", ".join(map(repr, self.options))
                raise WrongValueError(f"holds {describe(member)}; the options are {allowed}")
        if len(set(value)) < len(value):
            raise WrongValueError("holds an option twice")
        if len(value) < self.fewest:
            raise WrongValueError(f"must hold at least {self.fewest}, but holds {len(value)}")
        if self.most is not None and len(value) > self.most:
            raise WrongValueError(f"must hold at most {self.most}, but holds {len(value)}")
        return [option for option in self.options if option in value]


@dataclass(frozen=True, kw_only=True)
class OneChoiceBlock(QuestionBlock):
    """What a choice of one option and a yes/no question share."""

    instructable = True

    @property
    @abstractmethod
    def values(self) -> tuple[str, ...]:
        """What an answer can be."""

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> str | None:
        answer: str | None = answers.take(self.name, OneOf(self.values), None)
        return answer

    def records(self, answer: str, origin: Origin) -> Iterator[Response]:
        yield self.response(answer, origin)

    def condition_values(self) -> tuple[Plain, ...]:
        return self.values

    def selected(self, answer: str) -> tuple[Plain, ...]:
        return (answer,)


@dataclass(frozen=True, kw_only=True)
class ChoiceBlock(OneChoiceBlock):
    """One of a few options."""

    type = "choice"
    title = "Single choice"
    about = "one of several options"
    inputs = (_OPTIONS, _SHUFFLE)

    options: tuple[str, ...]
    shuffle_options: bool = False

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return read_options(given)

    @property
    def values(self) -> tuple[str, ...]:
        return self.options

    def faults(self, protocol: Protocol) -> Faults:
        yield from super().faults(protocol)
        yield from option_faults(self.options)

    def item_payload(self, entry: Entry, task: Task) -> Mapping[str, Any]:
        return shuffled_options(self, entry, task) if self.shuffle_options else {}

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> str:
        instruction = instructed(self.question, {option: option for option in self.options}, person)
        if instruction is not None:
            return instruction
        last = len(self.options) - 1
        return self.options[min(max(round(liking(item, person, self.name) * last), 0), last)]


@dataclass(frozen=True, kw_only=True)
class ChoicesBlock(QuestionBlock):
    """Several of a few options.

    Where `fewest` is 0, "None of these" is an answer of its own, so that a question that was
    passed over can be instruction from one to which nothing applies.
    """

    type = "choices"
    title = "Multiple choice"
    about = "any number of several options"
    instructable = True
    inputs = (
        _OPTIONS,
        Setting(name="fewest", label="Choose at least", input="count", start=0, least=0),
        Setting(name="most", label="Choose at most", input="count", optional=True, least=1),
        _SHUFFLE,
    )

    options: tuple[str, ...]
    fewest: int = 0
    most: int | None = None
    shuffle_options: bool = False

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {
            **read_options(given),
            "fewest": given.take("fewest", Count(), 0),
            "most": given.take("most", Count(least=1), None),
        }

    def faults(self, protocol: Protocol) -> Faults:
        yield from super().faults(protocol)
        yield from option_faults(self.options)
        count = len(self.options)
        if self.fewest > count:
            yield "fewest", f"must be at most the number of options ({count}), but is {self.fewest}"
        if self.most is not None and self.most > count:
            yield "most", f"must be at most the number of options ({count}), but is {self.most}"
        elif self.most is not None and self.most < self.fewest:
            yield "most", f"must be at least fewest ({self.fewest}), but is {self.most}"
        if self.attention and self.fewest > 1:
            yield "expected", "is one option, so fewest must be at most 1"

    def item_payload(self, entry: Entry, task: Task) -> Mapping[str, Any]:
        return shuffled_options(self, entry, task) if self.shuffle_options else {}

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> list[str] | None:
        """A draft may hold too few options or too many, because they are ticked one by one."""
        limits = (0, None) if reading.draft else (self.fewest, self.most)
        answer: list[str] | None = answers.take(self.name, SomeOf(self.options, *limits), None)
        return answer

    def records(self, answer: list[str], origin: Origin) -> Iterator[Response]:
        """A record for each chosen option; an empty one where none applies."""
        yield from (self.response(option, origin) for option in answer or [""])

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> list[str]:
        instruction = instructed(self.question, {option: option for option in self.options}, person)
        if instruction is not None:
            return [instruction]
        levels = {option: liking(item, person, f"{self.name}: {option}") for option in self.options}
        ranked = sorted(levels, key=lambda option: -levels[option])
        applying = sum(level > 0.7 for level in levels.values())
        most = len(ranked) if self.most is None else self.most
        chosen = ranked[: min(max(applying, self.fewest), most)]
        return [option for option in self.options if option in chosen]

    def condition_values(self) -> tuple[Plain, ...]:
        return self.options

    def selected(self, answer: list[str]) -> tuple[Plain, ...]:
        return tuple(answer)

    def meets(self, answer: Any) -> bool:
        return list(answer) == [self.expected]

    def wording(self, answer: list[str]) -> str:
        return ", ".join(answer) or "–"


@dataclass(frozen=True, kw_only=True)
class YesNoBlock(OneChoiceBlock):
    """Yes or no, and "unsure" for those who cannot tell."""

    type = "yes-no"
    title = "Yes or no"
    about = "yes or no, with or without “unsure”"
    inputs = (Setting(name="unsure", label="Offer “unsure” too", input="flag", start=True),)

    unsure: bool = True

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {"unsure": given.take("unsure", FLAG, True)}

    @property
    def values(self) -> tuple[str, ...]:
        return (YES, NO, UNSURE) if self.unsure else (YES, NO)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> str:
        instruction = instructed(self.question, ON_SCREEN, person)
        if instruction in self.values:
            return instruction
        level = liking(item, person, self.name)
        if self.unsure and abs(level - 0.5) < 0.03:
            return UNSURE
        return YES if level > 0.5 else NO


def read_options(given: Fields) -> dict[str, Any]:
    """The settings of a question with options."""
    if not given.has("options"):
        given.missing("options")
    return {
        "options": given.members("options", Wording()),
        "shuffle_options": given.take("shuffle_options", FLAG, False),
    }


def option_faults(options: tuple[str, ...]) -> Faults:
    """What is wrong with the options of a question."""
    if not 2 <= len(options) <= MOST_OPTIONS:
        yield "options", f"must hold 2 to {MOST_OPTIONS} options, but holds {len(options)}"
    counts = Counter(option.strip() for option in options)
    for number, option in enumerate(options):
        if counts[option.strip()] > 1:
            count = counts[option.strip()]
            yield f"options[{number}]", f"is {option!r}, which is there {count} times"


def shuffled_options(
    block: ChoiceBlock | ChoicesBlock, entry: Entry, task: Task
) -> Mapping[str, Any]:
    """The order of the options on this screen, as indices: the same one at every visit."""
    rng = generator(task.seed, "options", task.slot, task.annotator, entry.key, block.name)
    return {"options": rng.permutation(len(block.options)).tolist()}
