"""Results: accepted answers as the records of a corpus, so that an export is a corpus folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gistmark.corpus.corpus import Corpus
from gistmark.judgements.answers import Answer, ItemAnswer
from gistmark.judgements.protocol import Protocol
from gistmark.judgements.tasks import Entry, Task
from gistmark.records import Comparison, Highlight, Rating


@dataclass(frozen=True, slots=True)
class Result:
    """An accepted answer and its task."""

    task: Task
    answer: Answer


@dataclass(frozen=True, slots=True)
class Judgements:
    """What people said, as records."""

    ratings: tuple[Rating, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    highlights: tuple[Highlight, ...] = ()


def judgements_from(
    results: Iterable[Result], protocol: Protocol, *, campaign: str | None = None
) -> Judgements:
    """The records of accepted answers, in their order; planted summaries leave none.

    The time that an item took is shared out evenly among its dimensions, so that the times of
    an annotator add up to the time of the work. Overlapping marks of one annotator are kept as
    they were made; metrics and agreement count a word once.
    """
    ratings: list[Rating] = []
    comparisons: list[Comparison] = []
    highlights: list[Highlight] = []
    for result in results:
        for entry in result.task.entries:
            given = result.answer.items.get(entry.key)
            if entry.planted is not None or entry.document is None or given is None:
                continue
            annotator = result.task.annotator
            ratings += _ratings(entry, entry.document, annotator, given, campaign)
            comparisons += _comparisons(entry, entry.document, annotator, given)
            highlights += (
                Highlight(entry.document, annotator, start, end, protocol.budget)
                for start, end in given.highlights or ()
            )
    return Judgements(tuple(ratings), tuple(comparisons), tuple(highlights))


def export_corpus(
    corpus: Corpus,
    results: Iterable[Result],
    protocol: Protocol,
    *,
    campaign: str | None = None,
) -> Corpus:
    """The corpus with the judgements of this campaign and of no other.

    Highlights that were shown as a heat map stay, because the ratings rest on them.
    """
    found = judgements_from(results, protocol, campaign=campaign)
    shown = corpus.highlights if "heat-map" in protocol.shows else ()
    return replace(
        corpus,
        ratings=found.ratings,
        comparisons=found.comparisons,
        highlights=shown + found.highlights,
    )


def _ratings(
    entry: Entry, document: str, annotator: str, given: ItemAnswer, campaign: str | None
) -> Iterator[Rating]:
    rated = {name: each for name, each in given.ratings.items() if each.value is not None}
    share = None if given.seconds is None or not rated else given.seconds / len(rated)
    for dimension, each in rated.items():
        assert each.value is not None, "ratings without a value were left out"
        yield Rating(
            document,
            entry.systems[0],
            annotator,
            dimension,
            float(each.value),
            _float(each.confidence),
            _float(each.weight),
            share,
            campaign,
        )


def _comparisons(
    entry: Entry, document: str, annotator: str, given: ItemAnswer
) -> Iterator[Comparison]:
    for dimension, choice in given.choices.items():
        left, right = entry.systems
        yield Comparison(document, left, right, annotator, dimension, choice)


def _float(value: int | None) -> float | None:
    return None if value is None else float(value)
