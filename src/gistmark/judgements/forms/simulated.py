"""How simulated annotators go about a question of a form, and which errors they mark.

They see what a browser sees, so that an attention check is for them what it is for people: a
question whose text says what to choose. Whoever reads it does so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gistmark.judgements.forms.errors import OMISSION
from gistmark.runtime.seeds import generator

if TYPE_CHECKING:
    from gistmark.judgements.forms.spans import SpansBlock
    from gistmark.judgements.simulation import SimulatedAnnotator


V = TypeVar("V")

_QUOTED = re.compile(r"[\"“”„«»‘’'「『‹]\s*([^\"“”„«»‘’「」『』‹›]+?)\s*[\"“”«»‘’'」』›]")
_VERB = re.compile(r"\b(?:choose|select|pick|tick|click|press|mark|answer)\b(.*)", re.I | re.S)
_QUESTION_MARKS = ("?", "？", "؟")


def instructed(question: str, values: Mapping[str, V], person: SimulatedAnnotator) -> V | None:
    """What a question tells to choose, as far as the annotator reads it; None where nothing.

    `values` are the answers by what stands on the screen. A question tells what to choose where
    it has one of them, and no other, in quotation marks, or behind a word such as "choose".
    """
    instruction = named(question, values)
    return instruction if instruction is not None and person.looks() else None


def named(question: str, values: Mapping[str, V]) -> V | None:
    """The one value that a question names as the one to choose.

    >>> from gistmark.judgements.forms.simulated import named
    >>> scale = {"1": 1, "2": 2, "poor": 1, "good": 2}
    >>> named("Please choose “2” here.", scale), named("Select good.", scale)
    (2, 2)
    >>> named("Is it good or poor?", scale) is None
    True
    """
    known = {text.strip().casefold(): value for text, value in values.items()}
    quoted = (each.strip(" .,").casefold() for each in _QUOTED.findall(question))
    marked = {known[each] for each in quoted if each in known}
    if marked:
        return marked.pop() if len(marked) == 1 else None
    verb = _VERB.search(question)
    if verb is None or question.rstrip().endswith(_QUESTION_MARKS):
        return None
    behind = verb.group(1).casefold()
    plain = {
        value
        for text, value in known.items()
        if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", behind)
    }
    return plain.pop() if len(plain) == 1 else None


def liking(item: Mapping[str, Any], person: SimulatedAnnotator, aspect: str) -> float:
    """How much an annotator likes an item in some respect, about 0 to 1.

    One summary by its quality, the left one of a pair by how much better it is than the right one,
    several by their mean; a document by chance, but the same for everybody who reads it.
    """
    if "summary" in item:
        return person.level(item["summary"], aspect)
    if "left" in item:
        left, right = (person.level(item[side], aspect) for side in ("left", "right"))
        return (left - right + 1) / 2
    if item.get("summaries"):
        levels = [person.level(text, aspect) for text in item["summaries"]]
        return sum(levels) / len(levels)
    if not person.looks():
        return float(person.rng.uniform())
    settled = generator(0, "aspect", aspect, item.get("document", "")).uniform()
    return float(settled + person.rng.normal(0, person.noise))


_MOST_ERRORS = 6
"""How many errors the worst summary has, if it is long enough."""
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
    if spans := [_marked(error, words, person) for error in errors[:count]]:
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
