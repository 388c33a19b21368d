"""Putting a protocol's questions to a judge: ratings, choices, and pairs in both orders.

Of a pair, a judge often prefers the summary that it sees first, whichever that is. So each pair is
shown in both orders; where the two answers disagree, it is a tie (Zheng and others, "Judging
LLM-as-a-Judge with MT-Bench and Chatbot Arena", 2023).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor

from gistmark.errors import UsageError, unknown_name
from gistmark.judgements.protocols.protocol import Dimension, Protocol, Scale
from gistmark.judges.judge import Judge, Opinion
from gistmark.judges.prompts import (
    NO_GUIDE,
    Guide,
    Texts,
    choice_prompt,
    comparison_prompt,
    rating_prompt,
)
from gistmark.records import Choice


@dataclass(frozen=True)
class Preference:
    """Which of two summaries a judge prefers; `choice` is None where a `reason` says why.

    `left` is the mean share over both orders that the left one has against the right one.
    """

    choice: Choice | None
    left: float | None = None
    reason: str | None = None
    transient: bool = False

    @property
    def forced(self) -> Choice | None:
        """The choice where no tie is allowed: the side with the greater share, left if equal."""
        if self.choice != "tie" or self.left is None:
            return self.choice
        return "left" if self.left >= 0.5 else "right"


def rate(
    judge: Judge,
    protocol: Protocol,
    texts: Sequence[Texts],
    *,
    dimensions: Sequence[str] | None = None,
    guide: Guide = NO_GUIDE,
) -> list[dict[str, Opinion]]:
    """An opinion on each summary in each dimension of a protocol that is rated on scales."""
    chosen = dimensions_of(protocol, dimensions)
    prompts = [
        rating_prompt(each, protocol.scale_of(each.name), item, guide=guide)
        for item in texts
        for each in chosen
    ]
    opinions = iter(judge.ask(prompts))
    return [{each.name: next(opinions) for each in chosen} for _ in texts]


def choose(
    judge: Judge,
    question: str,
    options: Sequence[str],
    texts: Sequence[Texts],
    *,
    guidance: str = "",
    guide: Guide = NO_GUIDE,
) -> list[Opinion]:
    """Which of the options is the answer to a question about each of the texts."""
    return judge.ask(
        [choice_prompt(question, options, item, guidance=guidance, guide=guide) for item in texts]
    )


def compare(
    judge: Judge,
    dimensions: Protocol | Sequence[Dimension],
    pairs: Sequence[Texts],
    *,
    ties: bool = False,
    guide: Guide = NO_GUIDE,
) -> list[dict[str, Preference]]:
    """Which summary of each pair is better in each dimension; `ties` lets the judge say neither."""
    chosen = dimensions_of(dimensions) if isinstance(dimensions, Protocol) else tuple(dimensions)
    prompts = [
        comparison_prompt(each, order, ties=ties, guide=guide)
        for pair in pairs
        for each in chosen
        for order in (pair, pair.swapped)
    ]
    opinions = iter(judge.ask(prompts))
    return [{each.name: preference(next(opinions), next(opinions)) for each in chosen}
            for _ in pairs]  # fmt: skip


def preference(first: Opinion, second: Opinion) -> Preference:
    """What the answers to both orders of a pair say; in the second, the sides are swapped."""
    for opinion in (first, second):
        if not opinion.shares:
            return Preference(None, None, opinion.reason, opinion.transient)
    choices = first.choice, {"left": "right", "right": "left"}.get(second.choice or "", "tie")
    left = (_share(first, "left") + _share(second, "right")) / 2
    if choices == ("left", "left"):
        return Preference("left", left)
    return Preference("right" if choices == ("right", "right") else "tie", left)


def dimensions_of(protocol: Protocol, names: Sequence[str] | None = None) -> tuple[Dimension, ...]:
    """The dimensions of a protocol that are named, whatever the case of the letters; or all."""
    if not protocol.dimensions:
        raise UsageError(f"The protocol {protocol.name} has no dimensions for a judge.")
    if names is None:
        return protocol.dimensions
    by_name = {each.name.casefold(): each for each in protocol.dimensions}
    known = tuple(each.name for each in protocol.dimensions)
    for name in names:
        if name.casefold() not in by_name:
            raise unknown_name(f"dimension of the protocol {protocol.name} named", name, known)
    return tuple(by_name[name.casefold()] for name in names)


def nearest_point(scale: Scale, value: float) -> int:
    """The point of a scale nearest to a value; halfway, the higher one."""
    return min(max(floor(value + 0.5), scale.low), scale.high)


def _share(opinion: Opinion, side: str) -> float:
    """The share of a side, with half of a tie's."""
    shares: Mapping[str, float] = opinion.shares
    return shares.get(side, 0.0) + shares.get("tie", 0.0) / 2
