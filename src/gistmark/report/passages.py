"""Cut texts into passages: by who highlighted them, or by which systems extracted them."""

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
    spans_of_annotator: dict[str, list[tuple[int, int]]] = {}
    for highlight in highlights:
        start, end = max(0, highlight.start), min(len(text), highlight.end)
        if start < end:
            spans_of_annotator.setdefault(highlight.annotator, []).append((start, end))
    changes: dict[int, int] = {0: 0, len(text): 0}
    for spans in spans_of_annotator.values():
        for start, end in _merge_spans(spans):
            changes[start] = changes.get(start, 0) + 1
            changes[end] = changes.get(end, 0) - 1
    return _cut_at_changes(text, changes)


def _merge_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _cut_at_changes(text: str, changes: dict[int, int]) -> list[HighlightedPassage]:
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
    """A part of a text that the same systems extracted; `start` is its offset in the document.

    `starts` says that an extracted sentence begins here; `ends` names the systems that extracted a
    sentence which ends here.
    """

    text: str
    start: int
    systems: tuple[str, ...]
    starts: bool
    ends: tuple[str, ...]


def taken_passages(
    text: str,
    offset: int,
    system_sentences: Sequence[tuple[str, Sentence]],
    positions: Collection[int] = (),
) -> list[TakenPassage]:
    """The text, which starts at `offset` of the document, cut where a sentence starts or ends.

    It is also cut at `positions` of the document, whether a sentence starts there or not. The
    passages joined are the text. Sentences outside of it are ignored.
    """
    sentences_inside = [
        (system, sentence.start - offset, sentence.end - offset)
        for system, sentence in system_sentences
        if offset <= sentence.start < sentence.end <= offset + len(text)
    ]
    sentence_starts = {
        position - offset for position in positions if 0 <= position - offset < len(text)
    }
    sentence_starts |= {start for _, start, _ in sentences_inside}
    edges = sorted({0, len(text), *sentence_starts, *(end for _, _, end in sentences_inside)})
    return [
        TakenPassage(
            text[start:end],
            offset + start,
            _names(
                system for system, first, last in sentences_inside if first <= start and end <= last
            ),
            start in sentence_starts,
            _names(system for system, _, last in sentences_inside if last == end),
        )
        for start, end in pairwise(edges)
    ]


def _names(systems: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(systems))
