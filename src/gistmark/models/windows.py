"""Windows over a sequence that is longer than a model reads at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Long = Literal["windows", "cut"]
"""What becomes of a text that is too long for the model: read in windows, or cut off."""


@dataclass(frozen=True)
class Window:
    """The tokens from `start` to `end`; those from `first` to `last` stand nowhere more central."""

    start: int
    end: int
    first: int
    last: int


def windows(length: int, size: int) -> list[Window]:
    """Windows of `size` tokens, evenly spread, that overlap by a quarter or a little more.

    Each token belongs to the window whose middle is nearest, so it is read with something on both
    sides but at the ends of the text. A sequence that fits is one window, and so is an empty one.
    """
    if length <= size:
        return [Window(0, length, 0, length)]
    step = max(1, size - size // 4)
    count = 1 + -(-(length - size) // step)
    starts = [(length - size) * place // (count - 1) for place in range(count)]
    borders = [(left + right + size) // 2 for left, right in pairwise(starts)]
    return [
        Window(start, start + size, first, last)
        for start, first, last in zip(starts, [0, *borders], [*borders, length], strict=True)
    ]
