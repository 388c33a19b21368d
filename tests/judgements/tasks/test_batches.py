"""Batches: that the tasks of a design keep what it promises, in whatever order people come."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.judgements import (
    Item,
    ProtocolError,
    allocate,
    balance,
    configured,
    get_protocol,
    make_slots,
)
from gistmark.judgements.tasks.batches import PlannedBatch, judges_of, plan_batches
from gistmark.judgements.tasks.slots import slots_of
from judgements.tasks.pool import claimed_by_turns

OVERALL = get_protocol("overall")
PAIRWISE = get_protocol("pairwise")
ONE = {"one_per_document_and_annotator": True}


def grid(documents: int, systems: int) -> list[Item]:
    return [Item(f"d{d}", (f"s{s}",)) for d in range(documents) for s in range(systems)]


def of(batches: list[PlannedBatch]) -> Counter[tuple[str, str]]:
    """How many judges each item has in each dimension."""
    counts: Counter[tuple[str, str]] = Counter()
    for batch in batches:
        for item in batch.items:
            counts[item.id, batch.dimension] += batch.judges
    return counts


shapes = st.tuples(st.integers(1, 9), st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))


@given(shapes)
def test_batches_have_a_document_in_common_exactly_if_they_are_of_one_group(
    shape: tuple[int, int, int, int],
):
    documents, systems, size, seed = shape
    protocol = configured(OVERALL, {**ONE, "items_per_task": size})
    batches = plan_batches(grid(documents, systems), protocol, seed=seed)
    assert of(batches) == {(item.id, ""): 10 for item in grid(documents, systems)}
    for one, other in combinations(batches, 2):
        shared = {item.document for item in one.items} & {item.document for item in other.items}
        assert bool(shared) == (one.group == other.group)
    for batch in batches:
        assert len({item.document for item in batch.items}) == len(batch.items) <= size


@given(shapes)
def test_the_systems_of_a_group_are_spread_over_its_batches(shape: tuple[int, int, int, int]):
    documents, systems, size, seed = shape
    protocol = configured(OVERALL, {**ONE, "items_per_task": size})
    for batch in plan_batches(grid(documents, systems), protocol, seed=seed):
        counts = Counter(item.systems for item in batch.items)
        assert max(counts.values()) <= -(-len(batch.items) // systems)


def test_documents_that_lack_a_summary_are_kept_apart_from_the_others():
    items = [item for item in grid(6, 3) if item.id not in ("d1/s0", "d4/s2")]
    protocol = configured(OVERALL, {**ONE, "items_per_task": 2})
    sizes = Counter(len(batch.items) for batch in plan_batches(items, protocol, seed=3))
    assert sizes == {2: 8}  # d1 and d4 have 2 batches, two pairs of documents 3 each


@pytest.mark.parametrize("seed", range(3))
def test_as_many_people_as_a_group_needs_do_everything_in_any_order(seed: int):
    protocol = configured(OVERALL, {**ONE, "items_per_task": 3, "judges": 2})
    slots = make_slots(grid(7, 4), protocol, seed=seed)
    held = claimed_by_turns(slots, [f"p{number}" for number in range(4 * 2)], seed=seed)
    assert sum(map(len, held.values())) == len(slots)
    for mine in held.values():
        documents = [item.split("/")[0] for slot in mine for item in slot.items]
        assert sorted(documents) == sorted(f"d{d}" for d in range(7))


def test_tasks_that_are_handed_out_up_front_keep_documents_apart_and_say_who_is_missing():
    protocol = configured(OVERALL, {**ONE, "items_per_task": 2, "judges": 2})
    slots = make_slots(grid(6, 3), protocol, seed=1)
    documents = {slot.id: {item.split("/")[0] for item in slot.items} for slot in slots}
    enough = allocate(slots, [f"p{number}" for number in range(6)], seed=1)
    assert not enough.unallocated
    assert {len(ids) for ids in enough.slots.values()} == {3}
    for ids in enough.slots.values():
        assert sum(len(documents[id]) for id in ids) == len(set().union(*map(documents.get, ids)))
    few = allocate(slots, ["ann", "bob"], seed=1)
    assert {len(ids) for ids in few.slots.values()} == {3}
    assert len(few.unallocated) == 3 * 3 * 2 - 6
    assert {each.reason for each in few.unallocated} == {
        "There are too few annotators: all 2 annotators have an item of each of these documents "
        "already."
    }


def test_an_added_slot_is_of_the_same_group_and_dimension():
    [slot] = slots_of([PlannedBatch((Item("d", ("s",)),), 1, "fluency", 7)])
    [added] = balance([slot], 2).added
    assert (added.id, added.items, added.dimension, added.group) == ("1.2", ("d/s",), "fluency", 7)


def test_a_fraction_of_judges_is_reached_on_average_over_documents():
    protocol = configured(OVERALL, {"judges": 4, "judges_by_system": {"s0": 2.67, "s1": 3}})
    judges = judges_of(grid(49, 3), protocol, seed=5)
    counts = {s: Counter(judges[f"d{d}/s{s}"] for d in range(49)) for s in range(3)}
    # 0.67 * 49 = 32.83, so 33 documents have three and 16 two: 131 in all, 2.673 on average
    assert counts == {0: {3: 33, 2: 16}, 1: {3: 49}, 2: {4: 49}}
    assert judges == judges_of(grid(49, 3), protocol, seed=5)
    assert judges != judges_of(grid(49, 3), protocol, seed=6)


@pytest.mark.parametrize("settings", [{}, ONE])
def test_every_item_has_its_number_of_judges_also_where_tasks_have_several(settings):
    changes = {"judges": 4, "judges_by_system": {"s0": 1.5}, "items_per_task": 3, **settings}
    protocol = configured(OVERALL, changes)
    judges = judges_of(grid(10, 3), protocol, seed=2)
    counts = of(plan_batches(grid(10, 3), protocol, seed=2))
    assert counts == {(id, ""): count for id, count in judges.items()}


def test_a_task_asks_one_dimension_and_every_item_is_asked_in_each():
    pairs = [Item(f"d{d}", pair) for d in range(5) for pair in combinations("abc", 2)]
    protocol = configured(PAIRWISE, {"one_dimension_per_task": True, "items_per_task": 3})
    batches = plan_batches(pairs, protocol, seed=1)
    names = [each.name for each in PAIRWISE.dimensions]
    assert of(batches) == {(item.id, name): 7 for item in pairs for name in names}
    assert [batch.dimension for batch in batches[:6]] == names
    assert len({batch.items for batch in batches}) > len(batches) / 2, "each is cut anew"


def test_one_dimension_per_task_and_one_item_per_document_need_people_for_each_dimension():
    pairs = [Item("d", pair) for pair in combinations("abc", 2)]
    protocol = configured(
        PAIRWISE,
        {"one_dimension_per_task": True, "several_of_a_document": False, "judges": 2, **ONE},
    )
    batches = plan_batches(pairs, protocol, seed=1)
    assert {batch.group for batch in batches} == {1}
    assert len(batches) == 3 * 6


@pytest.mark.parametrize(
    ("name", "changes", "field"),
    [
        ("pairwise", {"judges_by_system": {"lead": 2}}, "judges_by_system"),
        ("overall", {"judges_by_system": {"lead": 0.5}}, "judges_by_system.lead"),
        ("overall", {"judges_by_system": {"lead": "two"}}, "judges_by_system.lead"),
        ("highlight", ONE, "one_per_document_and_annotator"),
        ("highlight", {"one_dimension_per_task": True}, "one_dimension_per_task"),
        ("overall", {**ONE, "several_of_a_document": True}, "several_of_a_document"),
    ],
)
def test_a_design_that_cannot_be_is_refused(name, changes, field):
    with pytest.raises(ProtocolError) as caught:
        configured(get_protocol(name), changes)
    assert [fault.field for fault in caught.value.faults] == [field]


def test_the_number_of_a_system_is_taken_away_by_null():
    protocol = configured(OVERALL, {"judges_by_system": {"lead": 2.5, "tail": 3.0}})
    assert protocol.judges_by_system == {"lead": 2.5, "tail": 3}
    again = configured(protocol, {"judges_by_system": {"lead": None}})
    assert again.judges_by_system == {"tail": 3}
    assert hash(again) == hash(OVERALL), "the numbers are no part of the hash"
