"""Allocation up front: all open slots shared out among known annotators; and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gistmark.judgements.protocol import Protocol
from gistmark.judgements.seeds import generator
from gistmark.judgements.slots import Slot


@dataclass(frozen=True, slots=True)
class Unallocated:
    """A slot that nobody could be given, and why."""

    slot: str
    reason: str


@dataclass(frozen=True, slots=True)
class Allocation:
    """Which slots each annotator gets, by slot id; what could not be allocated is told."""

    slots: Mapping[str, tuple[str, ...]]
    unallocated: tuple[Unallocated, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """How far one item has come: judges wanted, and slots by state."""

    item: str
    wanted: int
    done: int
    held: int
    open: int

    @property
    def short(self) -> int:
        """How many judges have no slot at all: what a top-up has to add."""
        return max(0, self.wanted - self.done - self.held - self.open)

    @property
    def complete(self) -> bool:
        return self.done >= self.wanted


def allocate(
    slots: Sequence[Slot], annotators: Sequence[str], *, seed: int, limit: int | None = None
) -> Allocation:
    """Share the open slots out: nobody gets a batch twice, and all get about the same.

    What annotators hold or have done already counts as their load; `limit` is the most slots
    that one may get now. From nothing, the loads differ by one slot at most. A batch goes to
    those with the lowest load, which uses limits up evenly, so as few slots as possible are left.

    >>> from gistmark.judgements import Slot, allocate
    >>> slots = [Slot("1.1", 1, ("a",)), Slot("1.2", 1, ("a",)), Slot("1.3", 1, ("a",))]
    >>> found = allocate(slots, ["ann", "bob"], seed=1)
    >>> len(found.slots["ann"]), len(found.slots["bob"]), len(found.unallocated)
    (1, 1, 1)
    """
    people = list(dict.fromkeys(annotators))
    load = Counter(slot.annotator for slot in slots if slot.counts)
    had = {
        name: {item for slot in slots if slot.annotator == name for item in slot.items}
        for name in people
    }
    given: dict[str, list[str]] = {name: [] for name in people}
    unallocated: list[Unallocated] = []
    draw = generator(seed, "allocation")
    for slot in _by_fewest_candidates(slots, had):
        free = [name for name in people if had[name].isdisjoint(slot.items)]
        able = [name for name in free if limit is None or len(given[name]) < limit]
        if not able:
            unallocated.append(Unallocated(slot.id, _reason(people, free)))
            continue
        lowest = min(load[name] for name in able)
        equals = [name for name in able if load[name] == lowest]
        chosen = equals[int(draw.integers(len(equals)))]
        load[chosen] += 1
        had[chosen].update(slot.items)
        given[chosen].append(slot.id)
    return Allocation({name: tuple(ids) for name, ids in given.items()}, tuple(unallocated))


def what_is_left(slots: Iterable[Slot], protocol: Protocol) -> tuple[Left, ...]:
    """Item by item, how many judges it has, and how many it still waits for."""
    slots = list(slots)
    counts = Counter((item, slot.state) for slot in slots for item in slot.items)
    return tuple(
        Left(
            item,
            wanted=protocol.judges,
            done=counts[item, "done"],
            held=counts[item, "held"],
            open=counts[item, "open"],
        )
        for item in dict.fromkeys(item for slot in slots for item in slot.items)
    )


def _by_fewest_candidates(slots: Sequence[Slot], had: Mapping[str, set[str]]) -> Iterator[Slot]:
    """The open slots batch by batch, those that fewest people can do first.

    The slots of a batch stay together: that is what keeps the loads within one of each other.
    """
    waiting = sorted((slot for slot in slots if slot.state == "open"), key=lambda slot: slot.batch)
    batches = [list(members) for _, members in groupby(waiting, key=lambda slot: slot.batch)]
    batches.sort(key=lambda members: sum(had[n].isdisjoint(members[0].items) for n in had))
    for members in batches:
        yield from members


def _reason(people: Sequence[str], free: Sequence[str]) -> str:
    if not people:
        return "There are no annotators."
    if free:
        return "Everybody who could do it has as many slots as the limit allows."
    count = len(people)
    noun = "the only annotator has" if count == 1 else f"all {count} annotators have"
    return f"There are too few annotators: {noun} these items already."
