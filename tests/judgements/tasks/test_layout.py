"""Layouts: that the numbers which are said before the start are those that come."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from gistmark.judgements import Item, Protocol, configured, get_protocol
from gistmark.judgements.tasks.batches import plan_batches
from gistmark.judgements.tasks.designs import DESIGNS, designs_of
from gistmark.judgements.tasks.layout import Layout, Spread, layout_of
from gistmark.judgements.tasks.slots import slots_of
from judgements.tasks.pool import claimed_by_turns

OVERALL = get_protocol("overall")
ITEMS = [Item(f"d{d}", (f"s{s}",)) for d in range(20) for s in range(4)]


def layout(items: list[Item], protocol: Protocol, annotators: int | None = None) -> Layout:
    return layout_of(plan_batches(items, protocol, seed=1), protocol, annotators=annotators)


def test_every_design_is_a_setting_of_a_protocol():
    assert {each.name for each in DESIGNS} <= set(Protocol.__dataclass_fields__)
    assert [each.name for each in designs_of(get_protocol("fluency"))] == ["judge_references"]


def test_judges_and_tasks_are_counted():
    changes = {"judges": 3, "items_per_task": 5, "judges_by_system": {"s0": 1.5}}
    found = layout(ITEMS, configured(OVERALL, changes))
    assert found.items == 80
    assert found.judges == Spread(1, (20 * 1.5 + 60 * 3) / 80, 3)
    assert found.judges_by_system["s0"] == Spread(1, 1.5, 2)
    assert found.judges_by_system["s1"] == Spread(3, 3.0, 3)
    assert found.tasks == sum(
        each.judges for each in plan_batches(ITEMS, configured(OVERALL, changes), seed=1)
    )
    assert "By system: s0 1 to 2, 1.50 on average; s1 3; s2 3; s3 3." in found.sentences()


def test_pairs_of_systems_meet_once_for_each_judge_of_a_comparison():
    pairs = [Item(f"d{d}", pair) for d in range(5) for pair in combinations("abc", 2)]
    found = layout(pairs, configured(get_protocol("pairwise"), {"one_dimension_per_task": False}))
    assert found.meetings == Spread(5 * 7, 5 * 7, 5 * 7)
    assert "Two systems are compared this many times: 35." in found.sentences()
    alone = layout([Item("d", ("a",))], OVERALL)
    assert alone.meetings is None


def test_systems_that_are_rated_one_at_a_time_never_meet():
    assert "No task has summaries of two systems." in layout(ITEMS, OVERALL).sentences()


@pytest.mark.parametrize(
    ("changes", "needed"),
    [
        ({}, 10),
        ({"one_per_document_and_annotator": True}, 40),
        ({"judges_by_system": {"s1": 12}}, 12),
    ],
)
def test_annotators_needed_are_the_judges_of_a_task_or_of_a_document(changes, needed):
    found = layout(ITEMS, configured(OVERALL, changes), 8)
    assert found.annotators_needed == needed
    assert (found.documents_per_annotator, found.repeats) == (None, None)
    short = needed - 8
    assert (
        f"All tasks need {needed} annotators at least; 8 so far, so tasks stay open until "
        + (f"{short} more join.")
        in found.sentences()
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"judges": 3},
        {"judges": 2, "items_per_task": 4},
        {"judges": 2, "items_per_task": 4, "several_of_a_document": True},
        {"judges": 2, "one_per_document_and_annotator": True},
    ],
)
def test_the_expected_shares_are_those_of_tasks_that_people_claim(changes):
    protocol = configured(OVERALL, changes)
    people = [f"p{number}" for number in range(12)]
    seen = repeated = 0
    expected = []
    for seed in range(8):
        batches = plan_batches(ITEMS, protocol, seed=seed)
        expected.append(layout_of(batches, protocol, annotators=12))
        for mine in claimed_by_turns(slots_of(batches), people, seed=seed).values():
            documents = Counter(item.split("/")[0] for slot in mine for item in slot.items)
            seen += len(documents)
            repeated += sum(count > 1 for count in documents.values())
    mean = sum(each.documents_per_annotator for each in expected) / 8
    share = sum(each.repeats for each in expected) / 8
    assert seen / (8 * 12) == pytest.approx(mean, abs=0.4)
    assert repeated / seen == pytest.approx(share, abs=0.04)
    if "one_per_document_and_annotator" in changes:
        assert (share, repeated) == (0, 0)


def test_whoever_has_everything_sees_several_items_of_all_documents():
    found = layout(ITEMS, configured(OVERALL, {"judges": 5}), 5)
    assert (found.documents_per_annotator, found.repeats) == (20, 1)


def test_the_same_item_in_two_dimensions_is_not_two_items_of_a_document():
    pairs = [Item(f"d{d}", ("a", "b")) for d in range(5)]
    protocol = configured(get_protocol("pairwise"), {"one_dimension_per_task": True})
    assert layout(pairs, protocol).repeats == 0


def test_nothing_to_judge_has_an_empty_layout():
    assert layout([], OVERALL).tasks == 0
