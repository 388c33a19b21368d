"""What simulated annotators mark as errors in a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.judgements.forms.errors import OMISSION
from gistmark.seeds import generator

if TYPE_CHECKING:
    from gistmark.judgements.forms.spans import SpansBlock
    from gistmark.judgements.simulation import SimulatedAnnotator

_MOST_ERRORS = 6
"""So many errors the worst summary has, where it is long enough."""
_WORDS_FOR_AN_ERROR = 4
_LONGEST_ERROR = 3
"""In words."""
_LACKS_CONTENT = 0.4
"""Below this quality something important is missing."""


def simulated_errors(
    block: SpansBlock, item: Mapping[str, Any], person: SimulatedAnnotator
) -> dict[str, Any]:
    """The worse a summary is, the more errors are marked in it.

    Those who read see the same errors, in the same order, and differ in how many they mark and a
    little in where an error ends. The others mark words at random, or say that nothing is wrong.
    """
    words: Sequence[Sequence[int]] = item["summary_words"]
    if person.style == "adversarial":
        return {"none": True}
    rng = generator(0, "errors", item["summary"]) if person.reads else person.rng
    most = min(_MOST_ERRORS, -(-len(words) // _WORDS_FOR_AN_ERROR))
    errors = _errors(block, words, most, rng)
    level = person.level(item["summary"], block.name)
    count = round((1 - min(max(level, 0.0), 1.0)) * most)
    answer: dict[str, Any] = {}
    if spans := [_marked(each, words, person) for each in errors[:count]]:
        answer["spans"] = spans
    if block.missing and level < _LACKS_CONTENT:
        heaviest = {"severity": block.severities[-1].name} if block.severities else {}
        answer["missing"] = {"category": OMISSION, **heaviest}
    return answer or {"none": True}


def _errors(
    block: SpansBlock, words: Sequence[Sequence[int]], count: int, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Errors in separate parts of a summary: their first and last word, and what they are."""
    edges = np.linspace(0, len(words), count + 1).astype(int).tolist()
    errors = []
    for low, high in pairwise(edges):
        first = int(rng.integers(low, high))
        last = min(high - 1, first + int(rng.integers(_LONGEST_ERROR)))
        error: dict[str, Any] = {"first": first, "last": last}
        error["category"] = block.categories[int(rng.integers(len(block.categories)))].name
        if block.severities:
            error["severity"] = block.severities[int(rng.integers(len(block.severities)))].name
        errors.append(error)
    return [errors[index] for index in rng.permutation(count).tolist()]


def _marked(
    error: Mapping[str, Any], words: Sequence[Sequence[int]], person: SimulatedAnnotator
) -> dict[str, Any]:
    """An error as somebody marks it, who may stop one word early."""
    first, last = error["first"], error["last"]
    if person.reads and last > first and person.rng.uniform() < person.noise:
        last -= 1
    kind = {name: error[name] for name in ("category", "severity") if name in error}
    return {"start": words[first][0], "end": words[last][1], **kind}
