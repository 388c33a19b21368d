"""Allocation up front: balanced, nobody twice, and what is left is told."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gistmark.judgements import (
    Item,
    Left,
    Slot,
    allocate,
    configured,
    get_protocol,
    make_slots,
    what_is_left,
)

FLUENCY = get_protocol("fluency")


def slots_of(batches: int, judges: int) -> tuple[Slot, ...]:
    """Batches of one item each."""
    protocol = configured(FLUENCY, {"judges": judges, "items_per_task": 1})
    return make_slots([Item(f"d{n}", ("s",)) for n in range(batches)], protocol, seed=1)


counts = st.tuples(st.integers(1, 12), st.integers(1, 5), st.integers(0, 8), st.integers(0, 50))


@given(counts)
def test_each_item_gets_its_judges_from_different_people_and_the_rest_is_told(
    shape: tuple[int, int, int, int],
):
    batches, judges, people, seed = shape
    slots = slots_of(batches, judges)
    found = allocate(slots, [f"p{n}" for n in range(people)], seed=seed)
    items = {slot.id: slot.items[0] for slot in slots}
    given_to = Counter((items[id], name) for name, ids in found.slots.items() for id in ids)
    assert set(given_to.values()) <= {1}
    per_item = Counter(item for item, _ in given_to)
    assert all(per_item[item] == min(judges, people) for item in items.values())
    handed_out = [id for ids in found.slots.values() for id in ids]
    lost = [each.slot for each in found.unallocated]
    assert sorted(handed_out + lost) == sorted(items)


@given(counts, st.none() | st.integers(0, 9))
def test_loads_differ_by_one_at_most_and_limits_are_used_up(
    shape: tuple[int, int, int, int], limit: int | None
):
    batches, judges, people, seed = shape
    slots = slots_of(batches, judges)
    found = allocate(slots, [f"p{n}" for n in range(people)], seed=seed, limit=limit)
    loads = [len(ids) for ids in found.slots.values()]
    assert len(loads) == people
    assert max(loads, default=0) - min(loads, default=0) <= 1
    most = batches if limit is None else min(limit, batches)
    # No more than each batch has judges for, and no more than each person may take.
    assert sum(loads) == min(batches * min(judges, people), people * most)


def test_work_already_done_counts_and_its_items_are_not_given_again():
    slots = [
        Slot("1.1", 1, ("a",), "done", "ann"),
        Slot("1.2", 1, ("a",)),
        Slot("2.1", 2, ("b",), "rejected", "bob"),
        Slot("2.2", 2, ("b",)),
    ]
    found = allocate(slots, ["ann", "bob"], seed=1)
    assert found.slots == {"ann": ("2.2",), "bob": ("1.2",)}
    assert not found.unallocated


def test_the_reason_says_what_is_short():
    slots = slots_of(1, 3)
    assert {u.reason for u in allocate(slots, [], seed=1).unallocated} == {
        "There are no annotators."
    }
    assert [u.reason for u in allocate(slots, ["a", "b"], seed=1).unallocated] == [
        "There are too few annotators: all 2 annotators have these items already."
    ]
    assert {u.reason for u in allocate(slots, ["a", "b"], seed=1, limit=0).unallocated} == {
        "Everybody who could do it has as many slots as the limit allows."
    }


def test_a_name_that_comes_twice_is_one_person():
    assert set(allocate(slots_of(1, 2), ["ann", "ann"], seed=1).slots) == {"ann"}
    assert len(allocate(slots_of(1, 2), ["ann", "ann"], seed=1).unallocated) == 1


def test_the_seed_decides_who_gets_what():
    people = ["a", "b", "c", "d"]
    first = [allocate(slots_of(8, 2), people, seed=seed).slots for seed in range(5)]
    assert first == [allocate(slots_of(8, 2), people, seed=seed).slots for seed in range(5)]
    assert len({str(each) for each in first}) > 1


def test_what_is_left_counts_slots_by_state():
    slots = [
        Slot("1.1", 1, ("a",), "done", "ann"),
        Slot("1.2", 1, ("a",), "held", "bob"),
        Slot("1.3", 1, ("a",), "rejected", "eve"),
        Slot("2.1", 2, ("b",)),
    ]
    left = what_is_left(slots, FLUENCY)
    assert left == (Left("a", 3, 1, 1, 0), Left("b", 3, 0, 0, 1))
    # a: 3 wanted, 1 done, 1 held, so 1 has no slot; b: 3 wanted, 1 open, so 2 have none.
    assert [each.short for each in left] == [1, 2]
    assert not left[0].complete
