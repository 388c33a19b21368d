"""How simulated annotators go about a question of a form.

They see what a browser sees, so that an attention check is to them what it is to people: a question
whose text says what to choose. Whoever reads finds that and does it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from gistmark.seeds import generator

if TYPE_CHECKING:
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
    """How much an annotator makes of an item in some respect, about 0 to 1.

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
