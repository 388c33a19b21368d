"""Making a true sentence false by rule: another number, another name, or a negation.

The rules know nothing of meaning, so what they make is to be reviewed by a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np

Change = Literal["number", "name", "negation"]

_DIGITS = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w)")
_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_WRITTEN_NUMBER = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b")
_ENDS = re.compile(r"[’']s$|[^\w’'-]+$")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_NEGATED = re.compile(r"\b(is|are|was|were|has|have|had|will|can|could|would|should|must) not\b")
_NEVER = re.compile(r"\bnever ")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|will|can|could|would|should|must)\b(?! not\b)(?!n[’'])"
)


def altered(
    sentence: str, names: Sequence[str], draw: np.random.Generator, *, english: bool
) -> Iterator[tuple[str, Change]]:
    """The sentence, made false in one way after another, in an order drawn at random.

    `names` are those of the document. Negation knows English only.
    """
    ways: list[tuple[Change, Callable[[], str | None]]] = [
        ("number", lambda: _other_number(sentence, draw)),
        ("name", lambda: _other_name(sentence, names, draw)),
    ]
    if english:
        ways.append(("negation", lambda: _negated(sentence)))
    for place in draw.permutation(len(ways)).tolist():
        change, way = ways[place]
        made = way()
        if made is not None and made != sentence:
            yield made, change


def names_in(sentences: Sequence[str]) -> tuple[str, ...]:
    """The names of a text: runs of capitalised words, without those that begin a sentence."""
    found: dict[str, None] = {}
    for sentence in sentences:
        run: list[str] = []
        for word in (*sentence.split()[1:], ""):
            plain = _ENDS.sub("", _ENDS.sub("", word))
            capital = len(plain) > 1 and plain[0].isupper()
            if capital:
                run.append(plain)
            if run and (not capital or plain != word):
                found[" ".join(run)] = None
                run = []
    return tuple(found)


def _other_number(sentence: str, draw: np.random.Generator) -> str | None:
    digits = list(_DIGITS.finditer(sentence))
    written = list(_WRITTEN_NUMBER.finditer(sentence))
    matches = digits + written
    if not matches:
        return None
    chosen = matches[int(draw.integers(len(matches)))]
    if chosen in written:
        others = [word for word in _NUMBER_WORDS if word != chosen.group()]
        return _put(sentence, chosen, others[int(draw.integers(len(others)))])
    return _put(sentence, chosen, _another(chosen.group(), draw))


def _another(number: str, draw: np.random.Generator) -> str:
    """A number of the same look that is clearly different: a year moves, others grow."""
    plain = number.replace(",", "")
    if "." in plain:
        places = len(plain.partition(".")[2])
        return f"{float(plain) * 2 + 1:.{places}f}"
    value = int(plain)
    year = len(number) == 4 and 1500 <= value <= 2100
    moved = value + int(draw.integers(3, 9)) if year else value * 2 + int(draw.integers(1, 4))
    return f"{moved:,}" if "," in number else str(moved)


def _other_name(sentence: str, names: Sequence[str], draw: np.random.Generator) -> str | None:
    there = [name for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)]
    there += [day for day in (*_DAYS, *_MONTHS) if re.search(rf"\b{day}\b", sentence)]
    for place in draw.permutation(len(there)).tolist():
        name = there[place]
        others = _alternatives(name, sentence, names)
        if others:
            match = re.search(rf"\b{re.escape(name)}\b", sentence)
            assert match is not None, "the name was found in the sentence"
            return _put(sentence, match, others[int(draw.integers(len(others)))])
    return None


def _alternatives(name: str, sentence: str, names: Sequence[str]) -> list[str]:
    """Days for a day, months for a month, other names of the document for a name."""
    for group in (_DAYS, _MONTHS):
        if name in group:
            return [other for other in group if other not in sentence]
    calendar = {*_DAYS, *_MONTHS}
    words = set(name.split())
    return [
        other
        for other in names
        if other not in sentence and words.isdisjoint(other.split()) and other not in calendar
    ]


def _negated(sentence: str) -> str | None:
    """Without its negation, or with one behind its first auxiliary."""
    if match := _NEGATED.search(sentence):
        return _put(sentence, match, match.group(1))
    if match := _NEVER.search(sentence):
        return _put(sentence, match, "")
    if match := _AUXILIARY.search(sentence):
        return _put(sentence, match, f"{match.group()} not")
    return None


def _put(sentence: str, match: re.Match[str], word: str) -> str:
    return sentence[: match.start()] + word + sentence[match.end() :]
