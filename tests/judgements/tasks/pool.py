"""A pool of slots in memory, for tests in which people claim tasks one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from gistmark.judgements import Slot, choose_batch, claim


class Slots:
    """The batches that an annotator may get."""

    def __init__(self, slots: Iterable[Slot], annotator: str, expired: Iterable[str] = ()) -> None:
        slots = list(slots)
        had = {each for slot in slots if slot.annotator == annotator for each in slot.exclusive}
        self.free = sorted({slot.batch for slot in slots if had.isdisjoint(slot.exclusive)})
        self.open = Counter(slot.batch for slot in slots if slot.state == "open")
        self.ended = {slot.batch for slot in slots if slot.id in set(expired)}

    def most_open(self) -> int | None:
        return max((self.open[batch] for batch in self.free), default=None)

    def count(self, open: int) -> int:
        return sum(self.open[batch] == open for batch in self.free)

    def at(self, open: int, index: int) -> int | None:
        equals = [batch for batch in self.free if self.open[batch] == open]
        return equals[index] if index < len(equals) else None

    def expired(self) -> int | None:
        return next((batch for batch in self.free if batch in self.ended), None)


def claimed_by_turns(
    slots: Sequence[Slot], people: Sequence[str], *, seed: int
) -> dict[str, list[Slot]]:
    """What everybody has once nobody finds a task any more; in every round the order is another."""
    rng = np.random.default_rng(seed)
    known = {slot.id: slot for slot in slots}
    held: dict[str, list[Slot]] = defaultdict(list)
    waiting = list(people)
    while waiting:
        waiting = [waiting[index] for index in rng.permutation(len(waiting))]
        for name in list(waiting):
            batch = choose_batch(Slots(known.values(), name), name, seed=seed)
            mine = (s for s in known.values() if s.batch == batch and s.state == "open")
            if (slot := next(mine, None)) is None:
                waiting.remove(name)
                continue
            known[slot.id] = claim(slot, name)
            held[name].append(known[slot.id])
    return held
