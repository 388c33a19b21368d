"""Layout: what a campaign's design comes to, before anybody has judged anything.

How many tasks there are, how many people judge what, which systems come together, how many
annotators it takes, and how often somebody will judge two items of one document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import prod
from typing import Any

from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.batches import PlannedBatch
from gistmark.judgements.tasks.designs import designs_of


@dataclass(frozen=True, slots=True)
class Spread:
    """The smallest, the mean and the largest of some numbers."""

    least: int
    mean: float
    most: int

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} to {self.most}, {self.mean:.2f} on average"


@dataclass(frozen=True, slots=True)
class Layout:
    """A campaign's tasks in numbers.

    A task is one annotator's. `meetings` says, over all pairs of systems, how often somebody
    compares the two in an item or, where single summaries are judged, in how many tasks they come
    together; None where there are fewer than two. `annotators_needed` is the fewest people
    with whom all tasks can be done. What depends on how many there are is for `annotators` people
    who come for tasks one by one and do equally much: `documents_per_annotator`, and
    `repeats`, the share of the documents of an annotator of which they judge two or more different
    items. Both are None where fewer than are needed take part.
    """

    designs: tuple[str, ...]
    items: int
    tasks: int
    items_per_task: Spread
    judges: Spread
    judges_by_system: Mapping[str, Spread]
    meetings: Spread | None
    annotators_needed: int
    annotators: int
    documents_per_annotator: float | None
    repeats: float | None

    def to_mapping(self) -> dict[str, Any]:
        """The layout as JSON can hold it, with its sentences."""
        return {**asdict(self), "sentences": list(self.sentences())}

    def sentences(self) -> Iterator[str]:
        """The layout for people to read, one sentence after the other."""
        yield (
            f"{self.items:,} item{_s(self.items)} to judge make {self.tasks:,} "
            f"task{_s(self.tasks)}, with {self.items_per_task} "
            f"item{_s(self.items_per_task.most)} each."
        )
        unit = "item and dimension" if "one_dimension_per_task" in self.designs else "item"
        yield f"Annotators per {unit}: {self.judges}."
        if len({(each.least, each.most) for each in self.judges_by_system.values()}) > 1:
            counts = (f"{name} {each}" for name, each in self.judges_by_system.items())
            yield f"By system: {'; '.join(counts)}."
        if self.meetings is not None and self.judges_by_system:
            together = f"Two systems come together in this many tasks: {self.meetings}."
            yield together if self.meetings.most else "No task has summaries of two systems."
        elif self.meetings is not None:
            over = " in all dimensions" if "one_dimension_per_task" in self.designs else ""
            yield f"Two systems are compared this many times{over}: {self.meetings}."
        needed = self.annotators_needed
        enough = f"All tasks need {needed} annotator{_s(needed)} at least"
        short = needed - self.annotators
        if short > 0:
            enough += f"; {self.annotators} so far, so tasks stay open until {short} more join"
        yield f"{enough}."
        if self.documents_per_annotator is None or self.repeats is None:
            return
        with_so_many = (
            f"With {self.annotators} annotator{_s(self.annotators)} who do equally much, each "
            f"judges about {self.documents_per_annotator:.1f} documents"
        )
        if "one_per_document_and_annotator" in self.designs:
            yield f"{with_so_many}, one item of each."
        else:
            yield (
                f"{with_so_many}, and two or more items of about {100 * self.repeats:.0f} % of "
                "these if they come for tasks one by one."
            )


def layout_of(
    batches: Sequence[PlannedBatch], protocol: Protocol, *, annotators: int | None = None
) -> Layout:
    """The layout of some batches, for so many annotators; by default, as many as are needed.

    >>> from gistmark.judgements import Item, get_protocol
    >>> from gistmark.judgements.tasks.batches import plan_batches
    >>> from gistmark.judgements.tasks.layout import layout_of
    >>> items = [Item(f"d{number}", (system,)) for number in range(4) for system in "abc"]
    >>> protocol = get_protocol("overall")
    >>> layout = layout_of(plan_batches(items, protocol, seed=1), protocol, annotators=20)
    >>> layout.tasks, layout.annotators_needed, layout.documents_per_annotator
    (120, 10, 3.6364)
    """
    judges: Counter[tuple[str, str]] = Counter()
    group_judges: Counter[tuple[str, int]] = Counter()
    for number, batch in enumerate(batches):
        key = ("batch", number) if batch.group is None else ("group", batch.group)
        group_judges[key] += batch.judges
        for item in batch.items:
            judges[item.id, batch.dimension] += batch.judges
    needed = max(group_judges.values(), default=0)
    people = needed if annotators is None else annotators
    ids = {item.id: item for batch in batches for item in batch.items}
    by_system: dict[str, list[int]] = defaultdict(list)
    for (id, _), count in judges.items():
        if protocol.subject == "summary":
            by_system[ids[id].systems[0]].append(count)
    seen, repeated = (
        _documents_seen(batches, people) if needed <= people and people else (None, None)
    )
    return Layout(
        designs=tuple(design.name for design in designs_of(protocol)),
        items=len(ids),
        tasks=sum(batch.judges for batch in batches),
        items_per_task=_spread(len(batch.items) for batch in batches for _ in range(batch.judges)),
        judges=_spread(judges.values()),
        judges_by_system={name: _spread(by_system[name]) for name in sorted(by_system)},
        meetings=_meetings(batches, rated=protocol.subject == "summary"),
        annotators_needed=needed,
        annotators=people,
        documents_per_annotator=None if seen is None else round(seen, 4),
        repeats=None if not seen or repeated is None else round(repeated / seen, 4),
    )


def _meetings(batches: Sequence[PlannedBatch], *, rated: bool) -> Spread | None:
    """How often two systems come together: within an item, or where they are rated in a task."""
    systems = sorted({name for batch in batches for item in batch.items for name in item.systems})
    if len(systems) < 2:
        return None
    counts = dict.fromkeys(combinations(systems, 2), 0)
    for batch in batches:
        within = [item.systems for item in batch.items]
        if rated:
            within = [tuple({name for names in within for name in names})]
        for names in within:
            for pair in combinations(sorted(names), 2):
                counts[pair] += batch.judges
    return _spread(counts.values())


def _documents_seen(batches: Sequence[PlannedBatch], people: int) -> tuple[float, float]:
    """The documents that one of so many people judges, and those with two or more of their items.

    Of a group somebody has one batch at most. Else they have had as many of all batches as everyone
    has, any of them as likely as any other.
    """
    seen = repeated = 0.0
    about: dict[str, list[PlannedBatch]] = defaultdict(list)
    for batch in batches:
        for document in {item.document for item in batch.items}:
            if batch.group is None:
                about[document].append(batch)
            else:
                seen += batch.judges / people
    for document, members in about.items():
        share = sum(batch.judges for batch in members) / len(members) / people
        none = _none_of(len(members), share, len(batches))
        seen += 1 - none
        repeated += 1 - none
        for alone, items in Counter(_batches_of_one_item(document, members)).items():
            repeated -= items * (_none_of(len(members) - alone, share, len(batches)) - none)
    return seen, max(0.0, repeated)


def _none_of(count: int, share: float, batches: int) -> float:
    """The probability that somebody who has a share of all batches has none of so many of them."""
    return prod(max(0.0, 1 - share * batches / (batches - each)) for each in range(count))


def _batches_of_one_item(document: str, batches: Iterable[PlannedBatch]) -> Iterable[int]:
    """For each item of a document, how many of its batches have no other item of the document."""
    counts: Counter[str] = Counter()
    for batch in batches:
        ids = {item.id for item in batch.items if item.document == document}
        counts.update(ids if len(ids) == 1 else ())
    return counts.values()


def _spread(numbers: Iterable[int]) -> Spread:
    values = list(numbers)
    if not values:
        return Spread(0, 0.0, 0)
    return Spread(min(values), round(sum(values) / len(values), 4), max(values))


def _s(count: int) -> str:
    return "" if count == 1 else "s"
