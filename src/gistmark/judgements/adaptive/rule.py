"""The rule by which an adaptive campaign decides which of two systems is better."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Self

from gistmark._version import __version__
from gistmark.errors import UsageError
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.signature import Signature

Kind = Literal["ratings", "comparisons"]
_FAMILY = "adaptive"


@dataclass(frozen=True, slots=True)
class Rule:
    """When a difference between two systems counts as known.

    Ratings of a `dimension` lie between `low` and `high`; a comparison is 1 for the winner and 0
    for the loser. `level` is the probability of any false decision, shared among all pairs.
    Differences of at most `margin` do not matter: pairs that are known to be that close count as
    equal; without a margin, no pair does. A document counts once all its `judges` have judged it.
    The share `floor` of tasks is chosen by chance alone.
    """

    kind: Kind
    dimension: str
    low: float = 0.0
    high: float = 1.0
    level: float = 0.05
    margin: float = 0.0
    judges: int = 1
    floor: float = 0.1

    def __post_init__(self) -> None:
        if not 0 < self.level < 0.5:
            raise UsageError(f"The level must be above 0 and below 0.5, not {self.level:g}.")
        if not 0 < self.floor <= 1:
            raise UsageError(
                f"The share of random choice must be above 0 and at most 1, not {self.floor:g}: "
                "without one, tasks that are never chosen would leave estimates biased."
            )
        if not 0 <= self.margin < self.span:
            raise UsageError(
                f"The margin must be at least 0 and below {self.span:g}, the length of the scale, "
                f"not {self.margin:g}."
            )

    @property
    def span(self) -> float:
        """The largest difference that there can be."""
        return self.high - self.low

    def unit(self, gap: float) -> float:
        """A difference between two systems as a value from 0 to 1, with 1/2 for none."""
        return 0.5 + gap / (2 * self.span)

    def gap(self, value: float) -> float:
        """The difference that a value from 0 to 1 stands for."""
        return (value - 0.5) * 2 * self.span

    @property
    def signature(self) -> str:
        """The rule in one line, enough to apply it again."""
        fields = {name: str(getattr(self, name)) for name in _FIELDS}
        return str(Signature(_FAMILY, __version__, fields))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rule that a signature stands for."""
        try:
            fields = Signature.parse(text).fields
            numbers = {name: float(fields[name]) for name in _NUMBERS}
            kind, judges = fields["kind"], int(fields["judges"])
            if Signature.parse(text).family != _FAMILY or kind not in ("ratings", "comparisons"):
                raise ValueError(kind)
            return cls(kind, fields["dimension"], judges=judges, **numbers)  # type: ignore[arg-type]
        except (KeyError, ValueError):
            raise UsageError(f"This is not the rule of an adaptive campaign: {text!r}.") from None


_NUMBERS = ("low", "high", "level", "margin", "floor")
_FIELDS = ("kind", "dimension", "judges", *_NUMBERS)


_UNSUITABLE = ("one_per_document_and_annotator", "one_dimension_per_task", "judges_by_system")


def rule_for(
    protocol: Protocol, *, dimension: str = "", level: float, margin: float, floor: float
) -> Rule:
    """The rule of a campaign under a protocol; its first dimension decides unless one is named.

    A `UsageError` says why a protocol cannot be run adaptively.
    """
    names = [each.name for each in protocol.dimensions]
    compares = protocol.subject == "pair" and "comparisons" in protocol.question_type.tables(
        protocol
    )
    rates = protocol.subject == "summary" and protocol.scaled
    if not names or not (compares or rates):
        raise UsageError(
            "Only campaigns in which summaries are rated on a scale, or two of them compared, can "
            f"choose their tasks adaptively; the protocol {protocol.name!r} does neither."
        )
    for name in _UNSUITABLE:
        if getattr(protocol, name):
            raise UsageError(
                "A campaign that chooses its tasks adaptively decides by itself who judges what: "
                f"leave {name} out."
            )
    if dimension and dimension not in names:
        raise UsageError(f"The protocol has no dimension {dimension!r}; it has {', '.join(names)}.")
    chosen, judges = dimension or names[0], protocol.judges
    if compares:
        return Rule("comparisons", chosen, 0.0, 1.0, level, margin, judges, floor)
    if protocol.items_per_task < 2 or not protocol.several_of_a_document:
        raise UsageError(
            "To compare systems, a task of an adaptive campaign of ratings must have two or more "
            "summaries of one document: set items per task to 2 or more, and let a task have "
            "several summaries of one document."
        )
    scale = protocol.scale_of(chosen)
    return Rule("ratings", chosen, scale.low, scale.high, level, margin, judges, floor)


def promise(level: float, *, through: bool) -> str:
    """What holds of all decisions, and what that assumes; `through`: some are through others.

    Values are judgements of these annotators, so nothing is promised about others.
    """
    circles = "; and, for decisions through others, if preferences do not run in circles"
    return (
        f"With a probability of at least {100 * (1 - level):g} % no decision is false with these "
        "annotators, however often one looks at the data, if documents and annotators come in an "
        f"order that has nothing to do with the systems{circles if through else ''}. Other "
        "annotators may prefer other systems."
    )


def pairs_of(systems: tuple[str, ...]) -> list[tuple[str, str]]:
    """All pairs of some systems, in one order of names."""
    return list(combinations(sorted(systems), 2))
