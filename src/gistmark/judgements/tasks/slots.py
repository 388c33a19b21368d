"""Slots: who may do which task, and what happens to it. The web layer stores and locks them.

A slot is one task to be done by one annotator. A batch is the items of one task
(`gistmark.judgements.tasks.batches`); it has as many slots as the protocol wants judges. Anyone who
has not had a batch, nor another of its group where there are groups, may do it, so no order of
arrival can lead to a dead end.

Every function is pure: it takes slots and returns new ones.

- `make_slots` when a campaign starts; `choose_batch` and `claim` when somebody asks for work;
  `allocate` when a manager hands tasks out up front;
- `release` when an annotator gives a task back or a lease ends; `regain` when they return to it;
- `submit` and `decide` when work comes in and when a manager decides on it;
- `balance` after each of these, so that a batch has the slots that it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar
from typing import Protocol as Interface

from gistmark.errors import UsageError
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.batches import PlannedBatch, plan_batches
from gistmark.judgements.tasks.items import Item
from gistmark.judgements.verdicts import Verdict
from gistmark.runtime.seeds import generator

State = Literal["open", "held", "done", "paid", "rejected", "late", "lapsed"]
_STATES: Mapping[Verdict, State] = {"counts": "done", "paid": "paid", "rejected": "rejected"}
_VERDICTS: Mapping[State, Verdict] = {state: verdict for verdict, state in _STATES.items()}
SUBMITTED: tuple[State, ...] = (*_VERDICTS, "late")
"""The states of a slot whose work has come in."""
B = TypeVar("B")
B_co = TypeVar("B_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Slot:
    """One annotator's share of a batch.

    `open` waits for an annotator and never had one; `held` is being worked on by `annotator`;
    `done` has a result that counts; `paid` and `rejected` have one that does not, by the verdict of
    that name; `late` has one that came after its share of the batch was gone, on which only a
    manager decides. `lapsed` was released after its annotator had `opened` it: it stays theirs,
    with what they did, but counts no longer.
    """

    id: str
    batch: int
    items: tuple[str, ...]
    state: State = "open"
    annotator: str | None = None
    opened: bool = False
    dimension: str = ""
    """The only one that it asks, where tasks ask one."""
    group: int | None = None
    """The group of batches of which nobody gets two, where there are groups."""

    @property
    def exclusive(self) -> frozenset[str]:
        """What nobody gets twice: its group, or its items in its dimension."""
        if self.group is not None:
            return frozenset({f"group {self.group}"})
        return frozenset(f"{self.dimension}/{item}" for item in self.items)

    @property
    def occupied(self) -> bool:
        """Whether somebody works on it or has done it: the load of an annotator."""
        return takes_part(self.state)

    @property
    def counts(self) -> bool:
        """Whether the slot has, or may still get, a result that counts."""
        return self.state in ("open", "held", "done")


@dataclass(frozen=True, slots=True)
class Submitted:
    """A slot after its work came in; `late` where its share of the batch was gone by then."""

    slot: Slot
    late: bool


@dataclass(frozen=True, slots=True)
class Balance:
    """Open slots that a batch lacks, those that it no longer needs, and its surplus of judges."""

    added: tuple[Slot, ...] = ()
    removed: tuple[Slot, ...] = ()
    surplus: int = 0


@dataclass(frozen=True, slots=True)
class Unallocated:
    """A slot that nobody could be given, and why."""

    slot: str
    reason: str


@dataclass(frozen=True, slots=True)
class Allocation:
    """The slots that each annotator gets, by slot id, and those that nobody could be given."""

    slots: Mapping[str, tuple[str, ...]]
    unallocated: tuple[Unallocated, ...]


def reasons_of(unallocated: Sequence[Unallocated]) -> list[tuple[str, int]]:
    """Why slots could not be allocated, and how many for each reason, the most frequent first."""
    return Counter(each.reason for each in unallocated).most_common()


class Pool(Interface[B_co]):
    """The batches that one annotator may get, as a database can look them up.

    They have had none of these, and no other of its group.

    Between two calls others may claim slots, so that a counted slot may be gone.
    """

    def most_open(self) -> int | None:
        """The highest number of open slots that a batch has; None where no slot is open."""

    def count(self, open: int) -> int:
        """How many batches have this many open slots."""

    def at(self, open: int, index: int) -> B_co | None:
        """One of these batches, in the order of their numbers; None where there is none."""

    def expired(self) -> B_co | None:
        """The first batch in which the lease of a held slot has ended."""


def takes_part(state: State) -> bool:
    """Whether a slot in this state makes its annotator one of those who do a pilot."""
    return state in ("held", "done")


def admits(people: Collection[int], annotator: int, most: int) -> bool:
    """Whether somebody may claim a slot of a pilot for `most` annotators.

    `people` are those who take part. Annotators who gave everything back, or none of whose work
    counts, are not among them, so that others can take their place.
    """
    return annotator in people or len(people) < most


def make_slots(
    items: Sequence[Item], protocol: Protocol, *, seed: int, adaptive: bool = False
) -> tuple[Slot, ...]:
    """All slots of a campaign: the items cut into batches, each batch once for every judge.

    Those of an `adaptive` campaign are about the same systems (`cut_alike`).

    >>> from gistmark.judgements import Item, get_protocol, make_slots
    >>> items = [Item(f"document-{number}", ("lead",)) for number in range(10)]
    >>> slots = make_slots(items, get_protocol("fluency"), seed=1)
    >>> len(slots), {len(slot.items) for slot in slots}
    (6, {5})
    """
    batches = plan_batches(items, protocol, seed=seed, adaptive=adaptive)
    return slots_of(batches)


def slots_of(batches: Iterable[PlannedBatch]) -> tuple[Slot, ...]:
    """The open slots of batches, which are numbered from 1."""
    return tuple(
        Slot(
            _slot_id(number, copy),
            number,
            tuple(item.id for item in batch.items),
            dimension=batch.dimension,
            group=batch.group,
        )
        for number, batch in enumerate(batches, start=1)
        for copy in range(1, batch.judges + 1)
    )


def choose_batch(pool: Pool[B], annotator: str, *, seed: int) -> B | None:
    """The batch that an annotator should work on next; None where nothing is left for them.

    The batches with the most open slots come first: as the slots that count are as many as
    judges are wanted, these have the fewest results in sight. Ties are broken by the seed. When
    no slot is open for them, a lease that has ended is passed on.
    """
    while most := pool.most_open():
        count = pool.count(most)
        rng = generator(seed, "next", annotator, most, count)
        index = int(rng.integers(count)) if count else 0
        batch = pool.at(most, index)
        batch = pool.at(most, 0) if batch is None else batch
        if batch is not None:
            return batch
    return pool.expired()


def claim(slot: Slot, annotator: str) -> Slot:
    """The slot, now held by the annotator."""
    _require(slot, "claimed", "open")
    return replace(slot, state="held", annotator=annotator)


def release(slot: Slot) -> Slot:
    """The slot after its annotator gave it back, a manager released it, or its lease ended.

    One that was never opened becomes anybody's again. One that was opened stays with its
    annotator as lapsed, so nothing that somebody has begun is lost; `balance` adds an open slot.
    """
    _require(slot, "released", "held")
    if slot.opened:
        return replace(slot, state="lapsed")
    return replace(slot, state="open", annotator=None)


def regain(slot: Slot, *, open_slots: int) -> Slot | None:
    """A lapsed slot, held again if its batch still has an open one in its place; else None."""
    if slot.state != "lapsed" or not open_slots:
        return None
    return replace(slot, state="held")


def submit(slot: Slot, *, verdict: Verdict, open_slots: int) -> Submitted:
    """The slot with its work submitted, or submitted again; the verdict is that of the checks.

    Lapsed work counts if its batch still has an open slot. Else it is late and does not count,
    until a manager decides otherwise. Work that does not count stays so, whatever its annotator
    changes: its slot is now somebody else's, and a check that can be repeated until it passes
    checks nothing.
    """
    _require(slot, "submitted", "held", "lapsed", *SUBMITTED)
    if slot.state in ("paid", "rejected", "late"):
        return Submitted(slot, late=slot.state == "late")
    late = slot.state == "lapsed" and regain(slot, open_slots=open_slots) is None
    return Submitted(replace(slot, state="late" if late else _STATES[verdict]), late)


def verdict_in(state: State) -> Verdict | None:
    """The verdict on the work of a slot in this state; None where there is none yet."""
    return _VERDICTS.get(state)


def may_change(slot: Slot, protocol: Protocol) -> bool:
    """Whether the answer of a slot may still change.

    Where the protocol lets annotators correct themselves, work that was submitted may change. That
    is so for work that does not count too, and that stays so: else it could be told from work that
    counts.
    """
    return slot.state not in SUBMITTED or protocol.editable


def decide(slot: Slot, *, verdict: Verdict | None) -> Slot:
    """The slot after a manager's decision on its work, which overrules the checks.

    Without a verdict the work is late again, as it was before anybody decided on it.
    """
    _require(slot, "decided on", *SUBMITTED)
    return replace(slot, state="late" if verdict is None else _STATES[verdict])


def balance(slots: Sequence[Slot], judges: int) -> Balance:
    """What to change in the slots of one batch so that as many count as the protocol wants judges.

    Work that does not count, or lapses, leaves a batch one short, and an open slot is added. Work
    that counts after all makes an open slot unnecessary, and the last one is removed: open slots
    never had an annotator, so nothing is lost. Where none is open, the batch has too many judges.
    """
    surplus = sum(slot.counts for slot in slots) - judges
    if surplus < 0:
        highest = max(int(slot.id.partition(".")[2]) for slot in slots)
        added = replace(slots[0], state="open", annotator=None, opened=False)
        copies = range(highest + 1, highest + 1 - surplus)
        return Balance(
            added=tuple(replace(added, id=_slot_id(added.batch, copy)) for copy in copies)
        )
    waiting = [slot for slot in slots if slot.state == "open"]
    needless = tuple(waiting[max(0, len(waiting) - surplus) :])
    return Balance(removed=needless, surplus=surplus - len(needless))


def allocate(
    slots: Sequence[Slot], annotators: Sequence[str], *, seed: int, limit: int | None = None
) -> Allocation:
    """Share the open slots out: nobody gets a batch or a group twice, and all get about the same.

    What annotators hold or have done already counts as their load; `limit` is the most slots
    that one may get now. From nothing, the loads differ by one slot at most. A batch goes to
    those with the lowest load, which uses limits up evenly, so as few slots as possible are left.

    >>> from gistmark.judgements import Slot, allocate
    >>> slots = [Slot("1.1", 1, ("a",)), Slot("1.2", 1, ("a",)), Slot("1.3", 1, ("a",))]
    >>> allocation = allocate(slots, ["ann", "bob"], seed=1)
    >>> {name: len(ids) for name, ids in allocation.slots.items()}, len(allocation.unallocated)
    ({'ann': 1, 'bob': 1}, 1)
    """
    people = list(dict.fromkeys(annotators))
    load = Counter(slot.annotator for slot in slots if slot.occupied)
    had = {
        name: {each for slot in slots if slot.annotator == name for each in slot.exclusive}
        for name in people
    }
    given: dict[str, list[str]] = {name: [] for name in people}
    unallocated: list[Unallocated] = []
    rng = generator(seed, "allocation")
    for slot in _by_fewest_candidates(slots, had):
        free = [name for name in people if had[name].isdisjoint(slot.exclusive)]
        able = [name for name in free if limit is None or len(given[name]) < limit]
        if not able:
            unallocated.append(Unallocated(slot.id, _reason(people, free, slot)))
            continue
        lowest = min(load[name] for name in able)
        equals = [name for name in able if load[name] == lowest]
        chosen = equals[int(rng.integers(len(equals)))]
        load[chosen] += 1
        had[chosen].update(slot.exclusive)
        given[chosen].append(slot.id)
    return Allocation({name: tuple(ids) for name, ids in given.items()}, tuple(unallocated))


def _by_fewest_candidates(slots: Sequence[Slot], had: Mapping[str, set[str]]) -> Iterator[Slot]:
    """The open slots batch by batch, or group by group, first those that the fewest people can do.

    The slots that need different people stay together: that is what keeps the loads within one of
    each other.
    """
    together: dict[frozenset[str], list[Slot]] = {}
    waiting = (slot for slot in slots if slot.state == "open")
    for slot in sorted(waiting, key=lambda slot: slot.batch):
        together.setdefault(slot.exclusive, []).append(slot)
    for exclusive in sorted(
        together, key=lambda exclusive: sum(had[name].isdisjoint(exclusive) for name in had)
    ):
        yield from together[exclusive]


def _reason(people: Sequence[str], free: Sequence[str], slot: Slot) -> str:
    if not people:
        return "There are no annotators."
    if free:
        return "Everybody who could do it has as many tasks as the limit allows."
    count = len(people)
    noun = "the only annotator has" if count == 1 else f"all {count} annotators have"
    what = "these items" if slot.group is None else "an item of each of these documents"
    return f"There are too few annotators: {noun} {what} already."


def _require(slot: Slot, verb: str, *states: State) -> None:
    if slot.state not in states:
        raise UsageError(
            f"Slot {slot.id} is {slot.state} and cannot be {verb}: only a slot that is "
            f"{' or '.join(states)} can."
        )


def _slot_id(batch: int, copy: int) -> str:
    return f"{batch}.{copy}"
