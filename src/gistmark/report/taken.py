"""A text in passages, each with the systems that took it for their summaries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gistmark.summarizers import Sentence


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text, taken by the same systems throughout; `start` counts in the document.

    `starts` tells that a sentence begins here that is spoken of, `ends` names the systems that took
    one which ends here.
    """

    text: str
    start: int
    systems: tuple[str, ...]
    starts: bool
    ends: tuple[str, ...]


def taken_passages(
    text: str,
    offset: int,
    taken: Sequence[tuple[str, Sentence]],
    places: Collection[int] = (),
) -> list[Passage]:
    """The text, which starts at `offset` of the document, cut where a sentence starts or ends.

    It is also cut at `places` of the document, whether anything was taken there or not. The
    passages joined are the text. What stands outside of it does not count.
    """
    inside = [
        (system, each.start - offset, each.end - offset)
        for system, each in taken
        if offset <= each.start < each.end <= offset + len(text)
    ]
    begun = {place - offset for place in places if 0 <= place - offset < len(text)}
    begun |= {start for _, start, _ in inside}
    edges = sorted({0, len(text), *begun, *(end for _, _, end in inside)})
    return [
        Passage(
            text[start:end],
            offset + start,
            _names(system for system, first, last in inside if first <= start and end <= last),
            start in begun,
            _names(system for system, _, last in inside if last == end),
        )
        for start, end in pairwise(edges)
    ]


def _names(systems: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(systems))
