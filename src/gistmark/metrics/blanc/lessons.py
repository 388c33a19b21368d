"""What BLANC-tune lets a model learn: the summary, cut into chunks, with words to be foreseen.

The chunks overlap, as in the authors' package: each starts `stride` tokens after the one before,
and what a short first chunk would have left out of the top of the summary is added, so that the
first words are learnt as often as the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gistmark.metrics.blanc.eligible import Least, Pieces, Places, Rule, maskings

Tokens = tuple[int, ...]
Masking = Literal["random", "even"]


@dataclass(frozen=True)
class Lesson:
    """Tokens that a model reads, and the places and tokens that it has to say."""

    read: Tokens
    places: Places
    answers: Tokens


@dataclass(frozen=True)
class Hiding:
    """How words are hidden from a masked model.

    Of the words to be said, the share `replaced` is shown as a random token, `kept` as it is, the
    rest as the `mask`. `vocabulary` is how many tokens there are.
    """

    replaced: float
    kept: float
    mask: int
    vocabulary: int


def chunks(count: int, size: int, stride: int) -> list[slice]:
    """Where the chunks of a summary of `count` tokens start and end."""
    found = []
    for start in range(0, count, stride):
        found.append(slice(start, min(start + size, count)))
        if 0 < start < size:
            found.append(slice(0, start))
    return found


def causal_lessons(
    tokens: Tokens, wanted: Places, start: int, cut: Sequence[slice]
) -> list[Lesson]:
    """A lesson per chunk: after the token that starts a text, the long words are to be foreseen.

    The place of a word is where the token before it stands.
    """
    asked = set(wanted)
    lessons = []
    for piece in cut:
        places = tuple(p - piece.start for p in range(piece.start, piece.stop) if p in asked)
        body = tokens[piece]
        lessons.append(Lesson((start, *body), places, tuple(body[place] for place in places)))
    return [lesson for lesson in lessons if lesson.places]


def masked_lessons(
    tokens: Tokens,
    groups: Sequence[Places],
    hiding: Hiding,
    around: tuple[Tokens, Tokens],
    rng: np.random.Generator,
) -> list[Lesson]:
    """A lesson for each group of places that is hidden together; `around` stands on both sides."""
    opening, closing = around
    lessons = []
    for group in groups:
        shown = list(tokens)
        for place, chance in zip(group, rng.random(len(group)), strict=True):
            if chance < hiding.replaced:
                shown[place] = int(rng.integers(hiding.vocabulary))
            elif chance >= hiding.replaced + hiding.kept:
                shown[place] = hiding.mask
        places = tuple(len(opening) + place for place in group)
        answers = tuple(tokens[place] for place in group)
        lessons.append(Lesson((*opening, *shown, *closing), places, answers))
    return lessons


def shuffled(
    pieces: Pieces, share: float, rule: Rule, least: Least, rng: np.random.Generator
) -> Iterator[Places]:
    """All places that may be hidden, in random order, `share` of the tokens at a time."""
    (eligible,) = maskings(pieces, gap=1, rule=rule, least=least) or [()]
    size = max(1, int(len(pieces.tokens) * share))
    order = rng.permutation(len(eligible))
    for begin in range(0, len(order), size):
        yield tuple(sorted(eligible[place] for place in order[begin : begin + size]))
