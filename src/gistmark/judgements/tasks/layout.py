"""Layout: what a campaign's design comes to, before anybody has judged anything.

How many tasks there are, how many people judge what, which systems come together, how many
annotators it takes, and how often somebody will judge two items of one document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, combinations
from math import prod
from operator import mul
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

    A task is one annotator's. `meetings` says in how many tasks two systems come together, over all
    pairs of systems; None where there are fewer than two. `annotators_needed` is the fewest people
    with whom all tasks can be done. What depends on how many there are is for `annotators` people
    who share the work evenly, tasks being handed out by chance: `documents_per_annotator`, and
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
        yield f"Annotators per item{_in_each(self.designs)}: {self.judges}."
        if len({(each.least, each.most) for each in self.judges_by_system.values()}) > 1:
            counts = (f"{name} {each}" for name, each in self.judges_by_system.items())
            yield f"By system: {'; '.join(counts)}."
        if self.meetings is not None and self.meetings.most:
            yield f"Two systems come together in {self.meetings} task{_s(self.meetings.most)}."
        elif self.meetings is not None:
            yield "No task has summaries of two systems."
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
                f"{with_so_many}; of {100 * self.repeats:.0f} % of these they are expected to "
                "judge two or more items."
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
    (120, 10, 3.5)
    """
    needed = _annotators_needed(batches)
    people = needed if annotators is None else annotators
    judges: Counter[tuple[str, str]] = Counter()
    for batch in batches:
        for item in batch.items:
            judges[item.id, batch.dimension] += batch.judges
    ids = {item.id: item for batch in batches for item in batch.items}
    by_system: dict[str, list[int]] = defaultdict(list)
    for (id, _), count in judges.items():
        if protocol.subject == "summary":
            by_system[ids[id].systems[0]].append(count)
    seen, repeated = (
        _documents_seen(batches, people) if needed <= people and people else (None, None)
    )
    return Layout(
        designs=tuple(each.name for each in designs_of(protocol)),
        items=len(ids),
        tasks=sum(batch.judges for batch in batches),
        items_per_task=_spread(len(batch.items) for batch in batches for _ in range(batch.judges)),
        judges=_spread(judges.values()),
        judges_by_system={name: _spread(by_system[name]) for name in sorted(by_system)},
        meetings=_meetings(batches, protocol),
        annotators_needed=needed,
        annotators=people,
        documents_per_annotator=None if seen is None else round(seen, 4),
        repeats=None if not seen or repeated is None else round(repeated / seen, 4),
    )


def _annotators_needed(batches: Iterable[PlannedBatch]) -> int:
    """The most judges of a group, or of a batch that is in none."""
    needed: Counter[tuple[str, int]] = Counter()
    for number, batch in enumerate(batches):
        key = ("batch", number) if batch.group is None else ("group", batch.group)
        needed[key] += batch.judges
    return max(needed.values(), default=0)


def _meetings(batches: Sequence[PlannedBatch], protocol: Protocol) -> Spread | None:
    """In how many tasks two systems come together: within an item, or as items of the task."""
    systems = sorted({name for batch in batches for item in batch.items for name in item.systems})
    if len(systems) < 2:
        return None
    counts = dict.fromkeys(combinations(systems, 2), 0)
    for batch in batches:
        if protocol.subject == "summary":
            groups = [{name for item in batch.items for name in item.systems}]
        else:
            groups = [set(item.systems) for item in batch.items]
        pairs = {pair for names in groups for pair in combinations(sorted(names), 2)}
        for pair in pairs:
            counts[pair] += batch.judges
    return _spread(counts.values())


def _documents_seen(batches: Iterable[PlannedBatch], people: int) -> tuple[float, float]:
    """The documents that one of so many people judges, and those with two or more of their items.

    Of a group somebody has one batch at most. All others are had or not independently, with the
    share of people that a batch needs as the probability.
    """
    shares: dict[str, dict[str | None, float]] = defaultdict(dict)
    seen = repeated = 0.0
    for batch in batches:
        share = batch.judges / people
        ids: dict[str, set[str]] = defaultdict(set)
        for item in batch.items:
            ids[item.document].add(item.id)
        for document, members in ids.items():
            if batch.group is not None:
                seen += share
                continue
            only = next(iter(members)) if len(members) == 1 else None
            without = shares[document].get(only, 1.0)
            shares[document][only] = without * (1 - share)
    for by_item in shares.values():
        nothing = prod(by_item.values())
        one = _exactly_one(by_item)
        seen += 1 - nothing
        repeated += max(0.0, 1 - nothing - one)
    return seen, repeated


def _exactly_one(without: Mapping[str | None, float]) -> float:
    """The probability of having one item of a document, from those of not having each.

    None stands for batches with several items of the document.
    """
    values = list(without.values())
    before = [1.0, *accumulate(values, mul)][:-1]
    after = [1.0, *accumulate(reversed(values), mul)][:-1][::-1]
    one = sum(
        first * (1 - value) * last
        for item, value, first, last in zip(without, values, before, after, strict=True)
        if item is not None
    )
    return float(one)


def _spread(numbers: Iterable[int]) -> Spread:
    values = list(numbers)
    if not values:
        return Spread(0, 0.0, 0)
    return Spread(min(values), round(sum(values) / len(values), 4), max(values))


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _in_each(designs: Sequence[str]) -> str:
    return " and dimension" if "one_dimension_per_task" in designs else ""
