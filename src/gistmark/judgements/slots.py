"""Slots: who may do which task, and what becomes of it.

A slot is one task to be done by one annotator. A batch is the items of one task; it has as many
slots as the protocol wants judges. Batches share no item, so whoever has not had a batch may do
it, and no order of arrival can lead to a dead end.

Every function is pure: it takes slots and returns new ones. Whoever stores them does the locking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gistmark.errors import UsageError
from gistmark.judgements.items import Item
from gistmark.judgements.protocol import Protocol
from gistmark.judgements.seeds import generator

State = Literal["open", "held", "done", "rejected"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one annotator's work on a batch.

    `open` waits for somebody, `held` is being worked on by `annotator`, `done` has a result that
    counts, `rejected` has one that does not.
    """

    id: str
    batch: int
    items: tuple[str, ...]
    state: State = "open"
    annotator: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the slot has, or is about to have, a result that counts."""
        return self.state in ("held", "done")


def make_slots(items: Sequence[Item], protocol: Protocol, *, seed: int) -> tuple[Slot, ...]:
    """All slots of a campaign: the items cut into batches, each batch once for every judge.

    >>> from gistmark.judgements import Item, get_protocol, make_slots
    >>> items = [Item(f"document-{number}", ("lead",)) for number in range(10)]
    >>> slots = make_slots(items, get_protocol("fluency"), seed=1)
    >>> len(slots), {len(slot.items) for slot in slots}
    (6, {5})
    """
    batches = cut(items, protocol.items_per_task, protocol.several_of_a_document, seed=seed)
    return tuple(
        Slot(_slot_id(batch, copy), batch, tuple(item.id for item in members))
        for batch, members in enumerate(batches, start=1)
        for copy in range(1, protocol.judges + 1)
    )


def cut(
    items: Sequence[Item], size: int, several_of_a_document: bool, *, seed: int
) -> list[list[Item]]:
    """The items in as few batches of at most `size` as possible, all about equally full.

    Unless it is allowed, no batch has two items of one document: the items are dealt out
    document by document, so those of one document fall into different batches.
    """
    draw = generator(seed, "batches")
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
    for name in draw.permutation(len(names)):
        members = groups[names[name]]
        for number in draw.permutation(len(members)):
            batches[dealt % count].append(members[number])
            dealt += 1
    return batches


def choose_slot(slots: Iterable[Slot], annotator: str, *, seed: int) -> Slot | None:
    """The open slot that this annotator should do next; None where there is none left for them.

    Nobody gets an item again that they hold, have done, or were rejected on. Among the rest, the
    slots whose items have the fewest results (done or on the way) come first, and equals are
    drawn by the seed.
    """
    slots = list(slots)
    results = Counter(item for slot in slots if slot.counts for item in slot.items)
    candidates = eligible(slots, annotator)
    if not candidates:
        return None
    shares = [sum(results[item] for item in slot.items) / len(slot.items) for slot in candidates]
    least = min(shares)
    fewest = [slot for slot, share in zip(candidates, shares, strict=True) if share == least]
    draw = generator(seed, "next", annotator, sum(results.values()))
    return fewest[int(draw.integers(len(fewest)))]


def eligible(slots: Iterable[Slot], annotator: str) -> list[Slot]:
    """The open slots whose items this annotator has never had."""
    slots = list(slots)
    had = {item for slot in slots if slot.annotator == annotator for item in slot.items}
    return [slot for slot in slots if slot.state == "open" and had.isdisjoint(slot.items)]


def take(slot: Slot, annotator: str) -> Slot:
    """The slot, now held by the annotator."""
    _demand(slot, "open", "taken")
    return replace(slot, state="held", annotator=annotator)


def release(slot: Slot) -> Slot:
    """The slot, open again: its annotator gave it back or ran out of time."""
    _demand(slot, "held", "released")
    return replace(slot, state="open", annotator=None)


def finish(slot: Slot, *, accepted: bool) -> Slot:
    """The slot with its work handed in."""
    _demand(slot, "held", "finished")
    return replace(slot, state="done" if accepted else "rejected")


def top_up(slots: Iterable[Slot], rejected: Slot) -> Slot:
    """A new open slot for the items of a rejected one, so that they get their judge after all."""
    _demand(rejected, "rejected", "replaced")
    copies = sum(slot.batch == rejected.batch for slot in slots)
    return Slot(_slot_id(rejected.batch, copies + 1), rejected.batch, rejected.items)


def _demand(slot: Slot, state: State, verb: str) -> None:
    if slot.state != state:
        raise UsageError(
            f"Slot {slot.id} is {slot.state} and cannot be {verb}: only a slot that is {state} can."
        )


def _slot_id(batch: int, copy: int) -> str:
    return f"{batch}.{copy}"
