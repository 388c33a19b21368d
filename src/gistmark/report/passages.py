"""Texts in passages: who highlighted each of them, and which systems took it for a summary."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gistmark.records import Highlight
from gistmark.summarizers import Sentence

HighlightedPassage = tuple[str, int]


def highlighted_passages(text: str, highlights: Sequence[Highlight]) -> list[HighlightedPassage]:
    """The text cut where the number of annotators changes; the passages joined are the text.

    An annotator who marked a passage twice counts once.
    """
    marked: dict[str, list[tuple[int, int]]] = {}
    for mark in highlights:
        start, end = max(0, mark.start), min(len(text), mark.end)
        if start < end:
            marked.setdefault(mark.annotator, []).append((start, end))
    changes: dict[int, int] = {0: 0, len(text): 0}
    for spans in marked.values():
        for start, end in _merged(spans):
            changes[start] = changes.get(start, 0) + 1
            changes[end] = changes.get(end, 0) - 1
    return _passages(text, changes)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _passages(text: str, changes: dict[int, int]) -> list[HighlightedPassage]:
    rows: list[HighlightedPassage] = []
    edges = sorted(changes)
    count = 0
    for start, end in pairwise(edges):
        count += changes[start]
        if rows and rows[-1][1] == count:
            rows[-1] = (rows[-1][0] + text[start:end], count)
        else:
            rows.append((text[start:end], count))
    return rows


@dataclass(frozen=True, slots=True)
class TakenPassage:
    """A part of a text, taken by the same systems throughout; `start` counts in the document.

    `starts` says that an explained sentence begins here, `ends` names the systems that took one
    which ends here.
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
    positions: Collection[int] = (),
) -> list[TakenPassage]:
    """The text, which starts at `offset` of the document, cut where a sentence starts or ends.

    It is also cut at `positions` of the document, whether anything was taken there or not. The
    passages joined are the text. What stands outside of it does not count.
    """
    inside = [
        (system, each.start - offset, each.end - offset)
        for system, each in taken
        if offset <= each.start < each.end <= offset + len(text)
    ]
    begun = {position - offset for position in positions if 0 <= position - offset < len(text)}
    begun |= {start for _, start, _ in inside}
    edges = sorted({0, len(text), *begun, *(end for _, _, end in inside)})
    return [
        TakenPassage(
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
