"""Slots: how items become tasks, who gets which, and that nothing is lost on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.judgements import (
    VERDICTS,
    Item,
    Slot,
    allocate,
    balance,
    choose_batch,
    claim,
    configured,
    decide,
    get_protocol,
    make_slots,
    regain,
    release,
    submit,
)
from gistmark.judgements.tasks.batches import cut
from gistmark.judgements.tasks.slots import verdict_in
from judgements.tasks.pool import Slots

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


def test_nobody_is_given_a_batch_again_not_even_after_a_rejection():
    slot = Slot("1.1", 1, ("a", "b"))
    for state in ("held", "done", "paid", "rejected", "late", "lapsed"):
        slots = [slot, Slot("1.2", 1, ("a", "b"), state, "ann")]  # type: ignore[arg-type]
        assert choose_batch(Slots(slots, "ann"), "ann", seed=1) is None
        assert choose_batch(Slots(slots, "bob"), "bob", seed=1) == 1


def test_the_batch_with_the_fewest_results_comes_first_and_held_ones_count():
    slots = [
        Slot("1.1", 1, ("a",), "done", "ann"),
        Slot("1.2", 1, ("a",)),
        Slot("2.1", 2, ("b",), "held", "ann"),
        Slot("2.2", 2, ("b",)),
        Slot("3.1", 3, ("c",), "rejected", "ann"),
        Slot("3.2", 3, ("c",)),
        Slot("3.3", 3, ("c",)),
    ]
    names = [f"p{number}" for number in range(20)]
    assert {choose_batch(Slots(slots, name), name, seed=1) for name in names} == {3}


def test_equals_are_drawn_by_the_seed():
    slots = make_slots(grid(40, 1), configured(FLUENCY, {"items_per_task": 1}), seed=1)

    def choose(name: str, seed: int) -> int | None:
        return choose_batch(Slots(slots, name), name, seed=seed)

    chosen = [choose("ann", seed) for seed in range(20)]
    assert chosen == [choose("ann", seed) for seed in range(20)]
    assert len(set(chosen)) > 10
    assert choose("ann", 1) != choose("bob", 1)


def test_a_lease_that_has_ended_is_passed_on_only_when_nothing_is_open():
    held = Slot("1.1", 1, ("a",), "held", "ann")
    waiting = Slot("2.1", 2, ("b",))
    assert choose_batch(Slots([held, waiting], "bob", ["1.1"]), "bob", seed=1) == 2
    assert choose_batch(Slots([held], "bob", ["1.1"]), "bob", seed=1) == 1
    assert choose_batch(Slots([held], "bob"), "bob", seed=1) is None
    assert choose_batch(Slots([held], "ann", ["1.1"]), "ann", seed=1) is None


class Contested(Slots):
    """A pool in which others claim the batches with two open slots as soon as they are counted."""

    def at(self, open: int, index: int) -> int | None:
        self.free = [batch for batch in self.free if self.open[batch] < 2]
        return super().at(open, index)


def test_what_others_claim_between_two_looks_is_not_chosen():
    slots = [
        Slot("1.1", 1, ("a",)),
        Slot("1.2", 1, ("a",)),
        Slot("2.1", 2, ("b",)),
    ]
    assert choose_batch(Contested(slots, "ann"), "ann", seed=1) == 2
    assert choose_batch(Contested(slots[:2], "ann"), "ann", seed=1) is None


def test_a_slot_goes_from_hand_to_hand():
    slot = Slot("1.1", 1, ("a",))
    held = claim(slot, "ann")
    assert (held.state, held.annotator) == ("held", "ann")
    assert release(held) == slot
    assert submit(held, verdict="counts", open_slots=0).slot.state == "done"
    rejected = submit(held, verdict="rejected", open_slots=0).slot
    assert (rejected.state, rejected.annotator) == ("rejected", "ann")
    assert decide(rejected, verdict="counts").state == "done"
    assert decide(decide(rejected, verdict="counts"), verdict="rejected") == rejected


def test_what_somebody_opened_stays_theirs_and_counts_again_while_a_slot_is_open():
    opened = Slot("1.1", 1, ("a",), "held", "ann", opened=True)
    lapsed = release(opened)
    assert (lapsed.state, lapsed.annotator, lapsed.counts) == ("lapsed", "ann", False)
    assert regain(lapsed, open_slots=1) == opened
    assert regain(lapsed, open_slots=0) is None
    assert regain(opened, open_slots=1) is None
    in_time = submit(lapsed, verdict="counts", open_slots=1)
    assert (in_time.slot.state, in_time.late) == ("done", False)
    late = submit(lapsed, verdict="counts", open_slots=0)
    assert (late.slot.state, late.late) == ("late", True)
    assert submit(in_time.slot, verdict="counts", open_slots=0) == in_time, "an edit"


def test_a_batch_gets_the_open_slots_that_it_lacks_and_loses_those_that_it_does_not_need():
    rejected = Slot("1.1", 1, ("a",), "rejected", "ann")
    done = Slot("1.2", 1, ("a",), "done", "bob")
    new = Slot("1.3", 1, ("a",))
    assert balance([rejected, done], 2).added == (new,)
    assert balance([rejected, done, new], 2) == balance([done, new], 2)
    both = decide(rejected, verdict="counts")
    assert balance([both, done, new], 2).removed == (new,)
    taken = claim(new, "eve")
    assert balance([both, done, taken], 2).surplus == 1
    # Of three open slots, one of which is needless, the last goes.
    waiting = [Slot(f"1.{copy}", 1, ("a",)) for copy in (1, 2, 3)]
    assert balance(waiting, 2).removed == (waiting[2],)


@pytest.mark.parametrize("state", ["held", "done", "paid", "rejected", "late", "lapsed"])
def test_only_an_open_slot_can_be_claimed(state: str):
    with pytest.raises(UsageError, match=f"Slot 1.1 is {state} and cannot be claimed"):
        claim(Slot("1.1", 1, ("a",), state, "ann"), "bob")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "refuse",
    [
        release,
        lambda slot: submit(slot, verdict="counts", open_slots=1),
        lambda slot: decide(slot, verdict="counts"),
    ],
)
def test_an_open_slot_can_neither_be_released_nor_submitted_nor_decided_on(
    refuse: Callable[[Slot], object],
):
    with pytest.raises(UsageError, match=r"Slot 1\.1 is open and cannot be"):
        refuse(Slot("1.1", 1, ("a",)))


@pytest.mark.parametrize("state", ["paid", "rejected", "late"])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_work_that_does_not_count_stays_so_whatever_is_submitted_again(state, verdict):
    uncounted = Slot("1.1", 1, ("a",), state, "ann")
    again = submit(uncounted, verdict=verdict, open_slots=1)
    assert (again.slot, again.late) == (uncounted, state == "late")


@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_work_that_counts_keeps_its_slot(verdict):
    held = Slot("1.1", 1, ("a",), "held", "ann")
    slot = submit(held, verdict=verdict, open_slots=0).slot
    assert verdict_in(slot.state) == verdict
    assert slot.counts == (verdict == "counts")
    assert len(balance([slot], 1).added) == (verdict != "counts")
    assert decide(decide(slot, verdict="rejected"), verdict=verdict) == slot


def test_late_work_has_no_verdict_and_is_late_again_once_decisions_are_undone():
    late = Slot("1.1", 1, ("a",), "late", "ann")
    assert verdict_in(late.state) is None
    assert not late.counts
    assert decide(decide(late, verdict="counts"), verdict=None) == late


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
    waiting = [f"p{number}" for number in range(judges + rejections)]
    while waiting:
        person = data.draw(st.sampled_from(waiting))
        batch = choose_batch(Slots(slots.values(), person), person, seed=5)
        if batch is None:
            waiting.remove(person)
            continue
        members = [slot for slot in slots.values() if slot.batch == batch]
        held = claim(next(slot for slot in members if slot.state == "open"), person)
        event = data.draw(st.sampled_from(("accept", "accept", "release", "reject")))
        if event == "release":
            held = claim(release(held), person)
        accepted = not (event == "reject" and rejections)
        rejections -= not accepted
        verdict = "counts" if accepted else data.draw(st.sampled_from(("paid", "rejected")))
        slots[held.id] = submit(held, verdict=verdict, open_slots=0).slot
        members = [slot for slot in slots.values() if slot.batch == batch]
        change = balance(members, judges)
        assert (len(change.added), change.removed, change.surplus) == (int(not accepted), (), 0)
        assert slots.keys().isdisjoint(slot.id for slot in change.added)
        slots |= {slot.id: slot for slot in change.added}
    done = Counter(i for slot in slots.values() if slot.state == "done" for i in slot.items)
    assert len(done) == documents * systems
    assert set(done.values()) == {judges}
    assert {slot.state for slot in slots.values()} <= {"done", "paid", "rejected"}
    had = Counter((item, slot.annotator) for slot in slots.values() for item in slot.items)
    assert max(had.values()) == 1


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
    allocation = allocate(slots, [f"p{n}" for n in range(people)], seed=seed)
    items = {slot.id: slot.items[0] for slot in slots}
    given_to = Counter((items[id], name) for name, ids in allocation.slots.items() for id in ids)
    assert set(given_to.values()) <= {1}
    per_item = Counter(item for item, _ in given_to)
    assert all(per_item[item] == min(judges, people) for item in items.values())
    handed_out = [id for ids in allocation.slots.values() for id in ids]
    lost = [each.slot for each in allocation.unallocated]
    assert sorted(handed_out + lost) == sorted(items)


@given(counts, st.none() | st.integers(0, 9))
def test_loads_differ_by_one_at_most_and_limits_are_used_up(
    shape: tuple[int, int, int, int], limit: int | None
):
    batches, judges, people, seed = shape
    slots = slots_of(batches, judges)
    allocation = allocate(slots, [f"p{n}" for n in range(people)], seed=seed, limit=limit)
    loads = [len(ids) for ids in allocation.slots.values()]
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
    allocation = allocate(slots, ["ann", "bob"], seed=1)
    assert allocation.slots == {"ann": ("2.2",), "bob": ("1.2",)}
    assert not allocation.unallocated


def test_the_reason_says_what_is_short():
    slots = slots_of(1, 3)
    assert {u.reason for u in allocate(slots, [], seed=1).unallocated} == {
        "There are no annotators."
    }
    assert [u.reason for u in allocate(slots, ["a", "b"], seed=1).unallocated] == [
        "There are too few annotators: all 2 annotators have these items already."
    ]
    assert {u.reason for u in allocate(slots, ["a", "b"], seed=1, limit=0).unallocated} == {
        "Everybody who could do it has as many tasks as the limit allows."
    }


def test_a_name_that_comes_twice_is_one_person():
    assert set(allocate(slots_of(1, 2), ["ann", "ann"], seed=1).slots) == {"ann"}
    assert len(allocate(slots_of(1, 2), ["ann", "ann"], seed=1).unallocated) == 1


def test_the_seed_decides_who_gets_what():
    people = ["a", "b", "c", "d"]
    first = [allocate(slots_of(8, 2), people, seed=seed).slots for seed in range(5)]
    assert first == [allocate(slots_of(8, 2), people, seed=seed).slots for seed in range(5)]
    assert len({str(each) for each in first}) > 1
