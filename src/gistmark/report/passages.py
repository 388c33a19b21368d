"""Document text in passages, each with the number of annotators who highlighted it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gistmark.records import Highlight

Passage = tuple[str, int]


def highlighted_passages(text: str, highlights: Sequence[Highlight]) -> list[Passage]:
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


def _passages(text: str, changes: dict[int, int]) -> list[Passage]:
    found: list[Passage] = []
    edges = sorted(changes)
    count = 0
    for start, end in pairwise(edges):
        count += changes[start]
        if found and found[-1][1] == count:
            found[-1] = (found[-1][0] + text[start:end], count)
        else:
            found.append((text[start:end], count))
    return found
