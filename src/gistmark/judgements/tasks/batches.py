"""Batches: the items of a campaign, cut into tasks as its design demands.

- A task has at most `items_per_task` items, of different documents unless the protocol says so.
- With `one_dimension_per_task` every item is in a task for each dimension.
- With `judges_by_system` a task holds only items with the same number of judges.
- With `one_per_document_and_annotator` (each annotator of Mieskes and others' DIP-SumEval got one
  summary of a topic) the documents are put into groups of at most `items_per_task`. All tasks about
  the documents of a group form a group, and an annotator gets one of them. Each has one item of
  every document of the group, with the systems rotated as in a Latin square. Two tasks have a
  document in common exactly if they are of one group, so whoever has had none of a group can do any
  of it: no order of arrival leads to a dead end, but a group needs as many annotators as it has
  judges in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from math import floor

import numpy as np

from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.items import Item
from gistmark.runtime.seeds import generator


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """The items of one task, and how many annotators do it.

    `dimension` is the only one that it asks, if the design says so. Of all batches with the same
    number `group` nobody gets two.
    """

    items: tuple[Item, ...]
    judges: int
    dimension: str = ""
    group: int | None = None


def plan_batches(
    items: Sequence[Item], protocol: Protocol, *, seed: int, adaptive: bool = False
) -> list[PlannedBatch]:
    """The items in batches, as the protocol's design demands.

    Those of an `adaptive` campaign are about the same systems (`cut_alike`).

    >>> from gistmark.judgements import Item, configured, get_protocol
    >>> from gistmark.judgements.tasks.batches import plan_batches
    >>> items = [Item(f"d{number}", (system,)) for number in range(4) for system in "abc"]
    >>> settings = {"items_per_task": 2, "one_per_document_and_annotator": True}
    >>> batches = plan_batches(items, configured(get_protocol("clarity"), settings), seed=1)
    >>> [batch.group for batch in batches]
    [1, 2, 1, 2, 1, 2]
    """
    size = protocol.items_per_task
    if adaptive:
        alike = cut_alike(items, size, seed=seed)
        return [PlannedBatch(tuple(members), protocol.judges) for members in alike]
    judges = judges_of(items, protocol, seed=seed)
    dimensions = [""]
    if protocol.one_dimension_per_task:
        dimensions = [each.name for each in protocol.dimensions]
    if protocol.one_per_document_and_annotator:
        return _in_groups(items, judges, size, dimensions, seed=seed)
    by_dimension = []
    for dimension in dimensions:
        batches: list[PlannedBatch] = []
        for count in sorted(set(judges.values())):
            alike_judged = [item for item in items if judges[item.id] == count]
            purpose = [dimension] * bool(dimension) + [str(count)] * bool(protocol.judges_by_system)
            several = protocol.several_of_a_document
            members = cut(alike_judged, size, several, *purpose, seed=seed)
            batches += [PlannedBatch(tuple(each), count, dimension) for each in members]
        by_dimension.append(batches)
    return [each for row in zip_longest(*by_dimension) for each in row if each is not None]


def judges_of(items: Sequence[Item], protocol: Protocol, *, seed: int) -> dict[str, int]:
    """How many judges each item has, by its id.

    A number such as 2.5 means two or three, at random over the documents of the system, so that
    the mean is as near to it as their number allows.
    """
    judges = dict.fromkeys((item.id for item in items), protocol.judges)
    for system, average in protocol.judges_by_system.items():
        ids = [item.id for item in items if item.systems == (system,)]
        least = floor(average)
        with_more = round((average - least) * len(ids))
        order = generator(seed, "judges", system).permutation(len(ids)).tolist()
        judges |= {ids[i]: least + (rank < with_more) for rank, i in enumerate(order)}
    return judges


def cut(
    items: Sequence[Item], size: int, several_of_a_document: bool, *purpose: str, seed: int
) -> list[list[Item]]:
    """The items in as few batches of at most `size` as possible, all about equally full.

    Unless it is allowed, no batch has two items of one document: the items are dealt out
    document by document, so those of one document fall into different batches.
    """
    rng = generator(seed, "batches", *purpose)
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault("" if several_of_a_document else item.document, []).append(item)
    if not groups:
        return []
    count = -(-len(items) // size)
    if not several_of_a_document:
        count = max(count, *map(len, groups.values()))
    batches: list[list[Item]] = [[] for _ in range(count)]
    dealt = 0
    names = list(groups)
    for name in rng.permutation(len(names)):
        members = groups[names[name]]
        for number in rng.permutation(len(members)):
            batches[dealt % count].append(members[number])
            dealt += 1
    return batches


def cut_alike(items: Sequence[Item], size: int, *, seed: int) -> list[list[Item]]:
    """The items in batches of at most `size` that compare the same systems.

    Summaries that are rated are put together by document, which systems being left to chance;
    comparisons by their systems, about different documents.
    """
    rng = generator(seed, "batches")
    groups: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        alike = item.systems if len(item.systems) > 1 else (item.document,)
        groups.setdefault(alike, []).append(item)
    batches: list[list[Item]] = []
    for members in groups.values():
        order = [members[number] for number in rng.permutation(len(members))]
        count = -(-len(order) // size)
        batches += [order[start::count] for start in range(count)]
    return batches


def _in_groups(
    items: Sequence[Item],
    judges: dict[str, int],
    size: int,
    dimensions: Sequence[str],
    *,
    seed: int,
) -> list[PlannedBatch]:
    """Batches in groups of documents; their order takes one of every group, then the next.

    So a pilot, which has the first batches, has no two of a group as long as it can.
    """
    rng = generator(seed, "batches")
    groups = []
    for number, documents in enumerate(_document_groups(items, judges, size, rng), start=1):
        batches = [
            PlannedBatch(members, count, dimension, number)
            for count in sorted({judges[item.id] for document in documents for item in document})
            for members in _rotated(
                [[item for item in each if judges[item.id] == count] for each in documents], rng
            )
            for dimension in dimensions
        ]
        groups.append([batches[i] for i in rng.permutation(len(batches))])
    return [each for row in zip_longest(*groups) for each in row if each is not None]


def _document_groups(
    items: Sequence[Item], judges: dict[str, int], size: int, rng: np.random.Generator
) -> list[list[list[Item]]]:
    """The items document by document, in groups of at most `size` documents.

    Documents with as many items, for as many judges, come together, so that tasks are full.
    """
    documents: dict[str, list[Item]] = {}
    for item in items:
        documents.setdefault(item.document, []).append(item)
    shuffled = [list(documents.values())[i] for i in rng.permutation(len(documents))]
    shuffled.sort(key=lambda members: sorted(judges[item.id] for item in members))
    count = -(-len(shuffled) // size)
    bounds = [len(shuffled) * number // max(count, 1) for number in range(count + 1)]
    groups = [shuffled[start:end] for start, end in pairwise(bounds)]
    return [groups[i] for i in rng.permutation(len(groups))]


def _rotated(documents: list[list[Item]], rng: np.random.Generator) -> list[tuple[Item, ...]]:
    """Batches with one item of each document, whose systems rotate from document to document.

    A document with fewer items than others is missing in some batches.
    """
    systems = sorted({item.systems for members in documents for item in members})
    rank = dict(zip(systems, rng.permutation(len(systems)).tolist(), strict=True))
    ordered = [sorted(members, key=lambda item: rank[item.systems]) for members in documents]
    most = max(map(len, ordered), default=0)
    batches = []
    for batch in range(most):
        turns = ((members, (batch + turn) % most) for turn, members in enumerate(ordered))
        batches.append(tuple(members[index] for members, index in turns if index < len(members)))
    return batches
