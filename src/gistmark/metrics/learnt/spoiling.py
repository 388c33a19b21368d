"""Summaries spoiled on purpose, to teach and to check a learnt metric: none may score higher.

lead        the first sentences of the document, about as many words as the summary has
doubled     the summary twice
shuffled    its sentences in another order
names       its names and numbers in each other's places, or replaced by others of the document
scrambled   the words of each sentence in another order
foreign     the summary of another document
empty       nothing
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from gistmark.metrics.batch import Item
from gistmark.metrics.learnt.texts import is_name
from gistmark.text import ENGLISH, sentences

Spoiling = Literal["lead", "doubled", "shuffled", "names", "scrambled", "foreign", "empty"]
SPOILINGS: tuple[Spoiling, ...] = get_args(Spoiling)

_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")


def spoiled(
    item: Item, others: Sequence[Item], rng: np.random.Generator, lang: str = ENGLISH
) -> Mapping[Spoiling, str]:
    """The summary of an item spoiled in each way in which it can be.

    Sentences cannot be shuffled where there is one, nor names swapped where there are none; a
    foreign summary is one of `others` about another document. What comes out as it was is left out.
    """
    rows = sentences(item.summary, lang)
    foreign = [other.summary for other in others if other.document != item.document]
    variants: dict[Spoiling, str] = {
        "lead": _lead(item, lang),
        "doubled": f"{item.summary} {item.summary}",
        "shuffled": " ".join(_shuffle(rows, rng)),
        "names": _swap_names(item.summary, item.document or "", rng),
        "scrambled": " ".join(" ".join(_shuffle(row.split(), rng)) for row in rows),
        "foreign": foreign[int(rng.integers(len(foreign)))] if foreign else item.summary,
        "empty": "",
    }
    return _without_unchanged(variants, item, lang)


def copied_lead(item: Item, lang: str = ENGLISH) -> Mapping[Spoiling, str]:
    """The summary of an item spoiled by copying alone, for which nothing is drawn."""
    return _without_unchanged({"lead": _lead(item, lang)}, item, lang)


def _without_unchanged(
    variants: Mapping[Spoiling, str], item: Item, lang: str
) -> Mapping[Spoiling, str]:
    unchanged = {item.summary.strip(), " ".join(sentences(item.summary, lang))}
    return {kind: text for kind, text in variants.items() if text.strip() not in unchanged}


def _lead(item: Item, lang: str) -> str:
    """The document's first sentences, until there are as many words as in the summary."""
    words = len(item.summary.split())
    lead: list[str] = []
    for sentence in sentences(item.document or "", lang):
        if sum(len(lead_sentence.split()) for lead_sentence in lead) >= words:
            break
        lead.append(sentence)
    return " ".join(lead)


def _shuffle(parts: Sequence[str], rng: np.random.Generator) -> list[str]:
    """All parts in another order, if there is one: none of a few tries is the same."""
    moved = list(parts)
    for _ in range(8):
        moved = [parts[i] for i in rng.permutation(len(parts)).tolist()]
        if moved != list(parts):
            break
    return moved


def _swap_names(summary: str, document: str, rng: np.random.Generator) -> str:
    """Each name takes the next one's place; a single one makes way for one of the document."""
    names = list(dict.fromkeys(_names(summary)))
    if not names:
        return summary
    if len(names) == 1:
        names += [name for name in dict.fromkeys(_names(document)) if name != names[0]]
        if len(names) == 1:
            return summary
        partner = names[1 + int(rng.integers(len(names) - 1))]
        names = [names[0], partner]
    replacements = dict(zip(names, [*names[1:], names[0]], strict=True))
    return _WORD.sub(lambda match: replacements.get(match.group(), match.group()), summary)


def _names(text: str) -> list[str]:
    """The names and numbers of a text, as they are written."""
    return [
        word
        for sentence in sentences(text)
        for index, word in enumerate(_WORD.findall(sentence))
        if is_name(word, index)
    ]
