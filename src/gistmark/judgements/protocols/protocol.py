"""`Protocol`: what is asked of annotators, on which scale, and with which checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from gistmark.corpus.fields import TEXT, Count, OneOf
from gistmark.judgements.fields import REQUIRED, Fields
from gistmark.judgements.questions import get_question_type
from gistmark.judgements.verdicts import Action
from gistmark.records import About

if TYPE_CHECKING:
    from gistmark.judgements.forms.base import Block
    from gistmark.judgements.questions.base import QuestionType, Subject, TextKind

Form = Literal["slider", "points"]
Shown = Literal["document", "heat-map", "reference", "title"]
Order = Literal["fixed", "shuffled"]
TextSource = Literal["own", "original"]

FORMS: tuple[Form, ...] = get_args(Form)
SHOWN: tuple[Shown, ...] = get_args(Shown)
ORDERS: tuple[Order, ...] = get_args(Order)
WORDINGS: Mapping[TextSource, str] = {
    "own": "In words of their own; where the protocol follows a publication, reworded",
    "original": "As the publication that the protocol follows has them",
}
"""How the texts that annotators read are worded."""

MOST_POINTS = 21
"""A scale with more points than this has to be a slider."""

_POINT = Count(least=-1_000_000)


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

    def faults(self) -> Iterator[tuple[str, str]]:
        """What is wrong with the scale: the field, and the end of a sentence about it."""
        if self.low >= self.high:
            yield "high", f"must be above low ({self.low}), but is {self.high}"
            return
        points = self.high - self.low + 1
        if self.form == "points" and points > MOST_POINTS:
            yield "high", f"gives {points} points; {MOST_POINTS} are allowed, or make it a slider"
        wanted, what = (points, "point") if self.form == "points" else (2, "end")
        if self.labels and len(self.labels) != wanted:
            count = len(self.labels)
            yield (
                "labels",
                f"must hold a label for each {what} ({wanted}) or none, but holds {count}",
            )
        if self.start is not None and self.form == "points":
            yield "start", "must be left out: only a slider can have one"
        elif self.start is not None and self.start not in self:
            yield "start", f"must be from {self}, but is {self.start}"


@dataclass(frozen=True, slots=True)
class Dimension:
    """One quality that is judged; its name is the one in `ratings.csv` and `comparisons.csv`.

    `scale` is for a dimension that needs another scale than the protocol's.
    """

    name: str
    question: str
    guidance: str = ""
    scale: Scale | None = None


@dataclass(frozen=True, init=False)
class Checks:
    """What happens when work fails a check: nothing, a flag for the manager, or a verdict.

    By `paid` the work does not count but is paid for, by `reject` it is rejected
    (`gistmark.judgements.verdicts`).

    Checks go by the names in `gistmark.judgements.CHECKS`; one that is not named is off.

    >>> from gistmark.judgements import Checks
    >>> checks = Checks(too_fast="flag")
    >>> checks["too_fast"], checks["planted"]
    ('flag', 'off')
    """

    actions: Mapping[str, Action]

    def __init__(self, **actions: Action) -> None:
        on = {name: action for name, action in actions.items() if action != "off"}
        object.__setattr__(self, "actions", on)

    def __getitem__(self, name: str) -> Action:
        return self.actions.get(name, "off")

    def __hash__(self) -> int:
        return hash(frozenset(self.actions.items()))


@dataclass(frozen=True, slots=True)
class Protocol:
    """How one kind of judgement is collected.

    >>> from gistmark.judgements import configured, get_protocol
    >>> protocol = configured(get_protocol("fluency"), {"judges": 5, "items_per_task": 4})
    >>> protocol.judges, protocol.scale_of("fluency").high
    (5, 100)

    `kind` is the name of its question type (`gistmark.judgements.QUESTION_TYPES`). `shows` is what
    the annotator sees beside the summary (or, to highlight, alone). `confidence` and `weight` are
    scales that are asked for with every dimension. `budget` is the number of words that may be
    highlighted (`gistmark.text.markable`). `minimum_seconds` counts for each item of a task.

    A protocol of the kind `form` is composed of `blocks` (`gistmark.judgements.forms`), from which
    `shows` and `dimensions` follow; `order` is that of its questions. Where an item is several
    summaries of a document, `set_size` is how many, and `sets_per_system` in how many items of the
    document each system is; without a size, all of them are one item.
    """

    name: str
    kind: str
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
    judges_by_system: Mapping[str, float] = field(default_factory=dict, hash=False)
    """How many judge each summary of these systems instead, on average over documents."""
    several_of_a_document: bool = False
    """Whether a task may have two summaries of one document."""
    one_per_document_and_annotator: bool = False
    """Whether an annotator gets at most one item of a document in the whole campaign."""
    one_dimension_per_task: bool = False
    """Whether a task asks one dimension, so that each item has a task for each."""
    judge_references: bool = False
    """Whether references are judged like the summaries of systems."""
    editable: bool = False
    """Whether answers may be changed until the campaign closes."""
    one_dimension_per_screen: bool = False
    wording: TextSource = "own"
    """Whether the texts are those of the publication that the protocol follows; presets' are not,
    so that whoever enters the original ones says so here."""
    blocks: tuple[Block, ...] = ()
    order: Order = "fixed"
    set_size: int | None = None
    sets_per_system: int = 1

    def __post_init__(self) -> None:
        if self.blocks:
            from gistmark.judgements.forms.form import dimensions_of, shows_of

            object.__setattr__(self, "shows", shows_of(self.blocks))
            object.__setattr__(self, "dimensions", dimensions_of(self.blocks))

    @property
    def question_type(self) -> QuestionType[Any]:
        """The question type: how an answer is read, checked, exported and simulated."""
        return get_question_type(self.kind)

    @property
    def subject(self) -> Subject:
        """What an item is: a document, or one, two or several summaries of one."""
        return self.question_type.subject_of(self)

    @property
    def scaled(self) -> bool:
        """Whether its dimensions are rated on scales."""
        return self.question_type.scaled_in(self)

    @property
    def needs(self) -> frozenset[TextKind]:
        """The texts without which an answer cannot be read, since it marks them."""
        return self.question_type.needs(self)

    def limited_to(self, dimension: str) -> Protocol:
        """The protocol with this dimension alone; with an empty name, as it is."""
        return replace(self, dimensions=(self.dimension(dimension),)) if dimension else self

    def dimension(self, name: str) -> Dimension:
        """The dimension of this name."""
        return next(each for each in self.dimensions if each.name == name)

    def showing(self, shows: tuple[Shown, ...]) -> Protocol:
        """The protocol with exactly this shown beside what is judged."""
        if not self.blocks:
            return replace(self, shows=shows)
        from gistmark.judgements.forms.shown import showing

        return replace(self, blocks=showing(self.blocks, shows))

    def scale_of(self, name: str) -> Scale:
        """The scale of a dimension: its own, or the protocol's."""
        scale = self.dimension(name).scale or self.scale
        assert scale is not None, "a rating protocol that was checked has a scale"
        return scale

    @property
    def about_wording(self) -> str:
        """How its texts are worded, as a phrase."""
        return WORDINGS[self.wording]

    @property
    def plants(self) -> bool:
        """Whether tasks have planted summaries."""
        return self.checks["planted"] != "off"

    @property
    def asks_question(self) -> bool:
        """Whether a task ends with a True/False question."""
        return self.checks["question"] != "off"

    @property
    def times_work(self) -> bool:
        """Whether work that was done too fast has any consequence."""
        return self.checks["too_fast"] != "off"

    @property
    def shows_document(self) -> bool:
        """Whether the text of the document is shown, plain or as a heat map."""
        return bool({"document", "heat-map"} & set(self.shows))

    @property
    def question_about(self) -> About:
        """What the True/False question is about: the reference only where no document is shown."""
        return "document" if self.shows_document else "reference"


def read_scale(given: Fields, name: str, *, form: Form | None = None) -> Scale | None:
    """The scale in a field; None where there is none, or where something is wrong with it.

    With a `form`, the scale need not say which it has, but cannot have another.
    """
    inner = given.optional(name)
    if inner is None:
        return None
    before = len(given.faults)
    read = {
        "form": inner.take("form", OneOf(FORMS if form is None else (form,)), form or REQUIRED),
        "low": inner.take("low", _POINT),
        "high": inner.take("high", _POINT),
        "labels": inner.members("labels", TEXT),
        "start": inner.take("start", _POINT, None),
    }
    inner.refuse_others()
    return Scale(**read) if len(given.faults) == before else None
