"""Putting a protocol's questions to a judge: ratings, choices, and pairs in both orders.

Of a pair, a judge often prefers the summary that it sees first, whichever that is. So each pair is
shown in both orders; where the two answers disagree, it is a tie (Zheng and others, "Judging
LLM-as-a-Judge with MT-Bench and Chatbot Arena", 2023).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Literal

from gistmark.errors import UsageError, unknown_name
from gistmark.judgements.protocols import get_protocol
from gistmark.judgements.protocols.protocol import Dimension, Protocol, Scale
from gistmark.judgements.protocols.settings import protocol_from
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
from gistmark.runtime.files import user_path

Subject = Literal["summary", "pair"]

_KNOWN: Mapping[Subject, tuple[str, ...]] = {
    "summary": ("overall", "quality", "likert", "fluency", "clarity", "content-document",
                "content-reference"),
    "pair": ("pairwise",),
}  # fmt: skip
"""The presets whose questions a judge can answer; dimensions are looked up in this order."""


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


def protocol_named(name: str, subject: Subject = "summary") -> Protocol:
    """The protocol of a name or of a JSON file, if a judge can answer its questions."""
    protocol = read_protocol(name)
    fits = protocol.scaled if subject == "summary" else True
    if protocol.subject != subject or not fits or not protocol.dimensions:
        what = "rate summaries on scales" if subject == "summary" else "compare two summaries"
        raise UsageError(
            f"The protocol {protocol.name} does not {what}; these do: {', '.join(_KNOWN[subject])}."
        )
    if "heat-map" in protocol.shows:
        raise UsageError(
            f"The protocol {protocol.name} shows a heat map, which a judge cannot see; take "
            "content-document."
        )
    return protocol


def protocol_with(dimension: str, name: str, subject: Subject = "summary") -> Protocol:
    """The protocol of this name, or without one the first preset that has the dimension."""
    if name:
        protocol = protocol_named(name, subject)
        dimensions_of(protocol, [dimension])
        return protocol
    presets = [get_protocol(each) for each in _KNOWN[subject]]
    for preset in presets:
        if any(each.name.casefold() == dimension.casefold() for each in preset.dimensions):
            return preset
    known = dict.fromkeys(each.name for preset in presets for each in preset.dimensions)
    raise unknown_name("dimension", dimension, tuple(known))


def read_protocol(name: str) -> Protocol:
    """The preset of a name, or the protocol of a JSON file."""
    if not name.endswith(".json"):
        return get_protocol(name)
    try:
        mapping = json.loads(user_path(name).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"There is no file {name} of a protocol.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be read as JSON: {error}.") from None
    if not isinstance(mapping, dict):
        raise UsageError(f"{name} is not a protocol: it must be a JSON object.")
    return protocol_from(mapping)


def dimensions_of(protocol: Protocol, names: Sequence[str] | None = None) -> tuple[Dimension, ...]:
    """The dimensions of a protocol that are named, whatever the case of the letters; or all."""
    if not protocol.dimensions:
        raise UsageError(f"The protocol {protocol.name} has no dimensions for a judge.")
    if names is None:
        return protocol.dimensions
    by_name = {dimension.name.casefold(): dimension for dimension in protocol.dimensions}
    known = tuple(dimension.name for dimension in protocol.dimensions)
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
