"""Breaking a text on purpose: grammatical mistakes, and scrambled words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

_WRONG = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has",
    "had": "having", "does": "do", "do": "does", "did": "done", "be": "been", "been": "being",
    "can": "can to", "must": "must to", "could": "could to", "a": "an", "an": "a", "the": "",
    "in": "at", "on": "in", "at": "on", "of": "from", "to": "for", "for": "to", "by": "from",
    "with": "by", "from": "of", "its": "it", "it": "its", "their": "them", "they": "them",
    "he": "him", "him": "he", "she": "her", "his": "he", "we": "us", "i": "me",
    "this": "these", "these": "this", "that": "what", "who": "which", "which": "who",
    "more": "most", "says": "say", "say": "says", "said": "say", "every": "all",
}  # fmt: skip
_WORD = re.compile(r"^(\W*)([\w’'-]+)(\W*)$")
_EDGES = re.compile(r"^\W+|\W+$")
_SHARE = 0.4
"""How many of the words that can be broken are."""


def with_mistakes(text: str, draw: np.random.Generator) -> str:
    """The text with wrong forms in place of some of its words.

    English words are put into a wrong form; a text in which none is known gets words doubled and
    swapped, which is wrong in any language.
    """
    words = text.split()
    forms = ((place, _wrong_form(word)) for place, word in enumerate(words))
    broken = {place: wrong for place, wrong in forms if wrong is not None}
    if len(broken) < 2:
        return " ".join(_stuttered(words, draw))
    count = max(2, round(len(broken) * _SHARE))
    places = list(broken)
    for chosen in draw.permutation(len(places))[:count].tolist():
        words[places[chosen]] = broken[places[chosen]]
    return " ".join(filter(None, words))


def scrambled(text: str, draw: np.random.Generator) -> str:
    """The words of a text in an order in which few neighbours are left beside each other."""
    words = list(filter(None, (_EDGES.sub("", word).lower() for word in text.split())))
    if len(words) < 2:
        return text
    pairs = set(pairwise(words))
    orders = [[words[place] for place in draw.permutation(len(words))] for _ in range(12)]
    best = min(orders, key=lambda order: _kept(order, pairs))
    sentence = " ".join(best)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _kept(order: Sequence[str], pairs: set[tuple[str, str]]) -> int:
    return sum(pair in pairs for pair in pairwise(order))


def _wrong_form(word: str) -> str | None:
    """A word in a form that is wrong in its place; None where no rule knows one."""
    match = _WORD.match(word)
    if match is None:
        return None
    before, core, behind = match.groups()
    wrong = _WRONG.get(core.lower(), _other_ending(core))
    if wrong is None:
        return None
    cased = wrong.capitalize() if core[0].isupper() else wrong
    return f"{before}{cased}{behind}"


def _other_ending(word: str) -> str | None:
    if len(word) < 5 or not word.islower() or word.endswith("thing"):
        return None
    for ending, other in (("ing", "ed"), ("ied", "ying"), ("ed", "ing"), ("ies", "y")):
        if word.endswith(ending):
            return word[: -len(ending)] + other
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return None


def _stuttered(words: Sequence[str], draw: np.random.Generator) -> list[str]:
    """One word in five said twice, and another in five swapped with its neighbour."""
    made = list(words)
    count = max(1, len(made) // 5)
    for place in draw.permutation(max(len(made) - 1, 0))[:count].tolist():
        made[place], made[place + 1] = made[place + 1], made[place]
    for place in sorted(draw.permutation(len(made))[:count].tolist(), reverse=True):
        made.insert(place, made[place])
    return made
