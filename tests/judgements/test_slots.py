"""Slots: how items are cut into tasks, who gets which, and that nothing is lost on the way."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.judgements import (
    Item,
    Slot,
    choose_slot,
    configured,
    finish,
    get_protocol,
    make_slots,
    release,
    take,
    top_up,
    what_is_left,
)
from gistmark.judgements.slots import cut

FLUENCY = get_protocol("fluency")


def grid(documents: int, systems: int) -> list[Item]:
    return [Item(f"d{d}", (f"s{s}",)) for d in range(documents) for s in range(systems)]


shapes = st.tuples(st.integers(1, 9), st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))


@given(shapes)
def test_no_batch_has_two_summaries_of_a_document(shape: tuple[int, int, int, int]):
    documents, systems, size, seed = shape
    batches = cut(grid(documents, systems), size, False, seed=seed)
    for batch in batches:
        assert len({item.document for item in batch}) == len(batch)


@given(shapes, st.booleans())
def test_every_item_is_in_one_batch_and_batches_are_as_few_and_as_even_as_can_be(
    shape: tuple[int, int, int, int], several: bool
):
    documents, systems, size, seed = shape
    items = grid(documents, systems)
    batches = cut(items, size, several, seed=seed)
    assert Counter(item.id for batch in batches for item in batch) == Counter(i.id for i in items)
    sizes = [len(batch) for batch in batches]
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1
    fewest = -(-len(items) // size)
    assert len(batches) == (fewest if several else max(fewest, systems))


def test_the_cut_depends_on_the_seed_alone():
    items = grid(9, 3)
    assert cut(items, 4, False, seed=1) == cut(items, 4, False, seed=1)
    assert cut(items, 4, False, seed=1) != cut(items, 4, False, seed=2)
    assert cut([], 4, False, seed=1) == []


def test_every_batch_has_a_slot_for_each_judge():
    slots = make_slots(grid(5, 2), configured(FLUENCY, {"judges": 4}), seed=1)
    assert len(slots) == 2 * 4
    assert len({slot.id for slot in slots}) == 8
    assert all(slot.state == "open" and slot.annotator is None for slot in slots)
    assert set(Counter(item for slot in slots for item in slot.items).values()) == {4}


def test_nobody_is_given_an_item_again_not_even_after_a_rejection():
    slot = Slot("1.1", 1, ("a", "b"))
    for state in ("held", "done", "rejected"):
        had = Slot("1.2", 1, ("b", "c"), state, "ann")
        assert choose_slot([slot, had], "ann", seed=1) is None
        assert choose_slot([slot, had], "bob", seed=1) == slot


def test_the_batch_with_the_fewest_results_comes_first_and_held_ones_count():
    slots = [
        Slot("1.1", 1, ("a",), "done", "ann"),
        Slot("1.2", 1, ("a",)),
        Slot("2.1", 2, ("b",), "held", "ann"),
        Slot("2.2", 2, ("b",)),
        Slot("3.1", 3, ("c",), "rejected", "ann"),
        Slot("3.2", 3, ("c",)),
    ]
    assert {choose_slot(slots, f"p{n}", seed=n).id for n in range(20)} == {"3.2"}


def test_equals_are_drawn_by_the_seed():
    slots = make_slots(grid(40, 1), configured(FLUENCY, {"items_per_task": 1}), seed=1)
    chosen = [choose_slot(slots, "ann", seed=seed) for seed in range(20)]
    assert chosen == [choose_slot(slots, "ann", seed=seed) for seed in range(20)]
    assert len({slot.id for slot in chosen if slot}) > 10
    assert choose_slot(slots, "ann", seed=1) != choose_slot(slots, "bob", seed=1)


def test_a_slot_goes_from_hand_to_hand():
    slot = Slot("1.1", 1, ("a",))
    held = take(slot, "ann")
    assert (held.state, held.annotator) == ("held", "ann")
    assert release(held) == slot
    assert finish(held, accepted=True).state == "done"
    rejected = finish(held, accepted=False)
    assert (rejected.state, rejected.annotator) == ("rejected", "ann")
    assert top_up([rejected, Slot("1.2", 1, ("a",)), Slot("2.1", 2, ("b",))], rejected) == Slot(
        "1.3", 1, ("a",)
    )


@pytest.mark.parametrize("state", ["held", "done", "rejected"])
def test_only_an_open_slot_can_be_taken(state: str):
    with pytest.raises(UsageError, match=f"Slot 1.1 is {state} and cannot be taken"):
        take(Slot("1.1", 1, ("a",), state, "ann"), "bob")  # type: ignore[arg-type]


def test_only_a_held_slot_can_be_released_or_finished_and_only_a_rejected_one_replaced():
    slot = Slot("1.1", 1, ("a",))
    for refuse in (release, lambda s: finish(s, accepted=True), lambda s: top_up([s], s)):
        with pytest.raises(UsageError, match=r"Slot 1\.1 is open and cannot be"):
            refuse(slot)


@given(
    st.integers(1, 6),
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(1, 3),
    st.data(),
)
def test_whatever_happens_every_item_gets_its_judges_from_different_people(
    documents: int, systems: int, size: int, judges: int, data: st.DataObject
):
    """People come in any order, give work back and are rejected (each once at most)."""
    protocol = configured(FLUENCY, {"judges": judges, "items_per_task": size})
    slots = {slot.id: slot for slot in make_slots(grid(documents, systems), protocol, seed=5)}
    rejections = data.draw(st.integers(0, 3))
    people = [f"p{number}" for number in range(judges + rejections)]
    waiting = list(people)
    while waiting:
        person = data.draw(st.sampled_from(waiting))
        chosen = choose_slot(slots.values(), person, seed=5)
        if chosen is None:
            waiting.remove(person)
            continue
        slots[chosen.id] = take(chosen, person)
        event = data.draw(st.sampled_from(("accept", "accept", "release", "reject")))
        if event == "release":
            slots[chosen.id] = release(slots[chosen.id])
            event = "accept"
            slots[chosen.id] = take(slots[chosen.id], person)
        if event == "reject" and rejections:
            rejections -= 1
            rejected = slots[chosen.id] = finish(slots[chosen.id], accepted=False)
            new = top_up(slots.values(), rejected)
            assert new.id not in slots
            slots[new.id] = new
            continue
        slots[chosen.id] = finish(slots[chosen.id], accepted=True)
    left = what_is_left(slots.values(), protocol)
    assert len(left) == documents * systems
    assert all((each.done, each.held, each.short) == (judges, 0, 0) for each in left)
    had = Counter((item, slot.annotator) for slot in slots.values() for item in slot.items)
    assert max(had.values()) == 1
