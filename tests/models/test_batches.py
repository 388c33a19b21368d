"""Batches: under the budget, of like length, and halved where memory is short."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmark.models.runtime import by_length, pass_cost, run, run_all
from gistmark.runtime.cancellation import Cancellation, Cancelled

pytest.importorskip("torch")

LENGTHS = st.lists(st.integers(0, 300), max_size=60)


@given(lengths=LENGTHS, budget=st.integers(1, 4096), extra=st.integers(0, 500))
def test_batches_hold_everything_once_and_keep_to_the_budget(
    lengths: list[int], budget: int, extra: int
):
    batches = list(by_length(lengths, budget, extra=extra))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[index] for index in batch)
        assert len(batch) == 1 or len(batch) * (longest + extra) <= budget
        filling = sum(longest - lengths[index] for index in batch)
        assert filling <= pass_cost(budget), "filling is never dearer than another pass"


def test_the_longest_go_first_and_like_go_with_like():
    # 2048 tokens allow a filling of 64: beside 50, 49 and 48 fill 1 + 2, 10 fills 40, 9 fills 41.
    assert list(by_length([10, 50, 9, 48, 49], 2048)) == [[1, 4, 3, 0], [2]]
    assert list(by_length([50, 50, 50], 100)) == [[0, 1], [2]]
    assert list(by_length([50, 50, 50], 100, extra=50)) == [[0], [1], [2]]
    assert list(by_length([300, 20], 100)) == [[0], [1]], "too long goes alone"
    assert list(by_length([], 100)) == []


class Machine:
    """Work that has memory for so many sequences at once."""

    def __init__(self, capacity: int, error: Exception) -> None:
        self.capacity, self.error = capacity, error
        self.tried: list[int] = []

    def __call__(self, indexes: list[int]) -> Sequence[str]:
        self.tried.append(len(indexes))
        if len(indexes) > self.capacity:
            raise self.error
        return [f"result {index}" for index in indexes]


NO_MEMORY = RuntimeError(
    "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"
)


def test_where_memory_is_short_the_batch_is_halved_and_nothing_is_lost():
    machine = Machine(2, NO_MEMORY)
    assert run(machine, [7, 3, 5, 1, 9]) == [f"result {index}" for index in (7, 3, 5, 1, 9)]
    # 5 fail; 2 go; 3 fail; 1 goes; 2 go.
    assert machine.tried == [5, 2, 3, 1, 2]


def test_a_single_sequence_that_does_not_fit_is_an_error():
    with pytest.raises(RuntimeError, match="can't allocate memory"):
        run(Machine(0, NO_MEMORY), [1, 2])


def test_other_errors_are_not_tried_again():
    machine = Machine(0, ValueError("wrong shape"))
    with pytest.raises(ValueError, match="wrong shape"):
        run(machine, [1, 2, 3])
    assert machine.tried == [3]


def test_once_cancelled_no_further_pass_starts():
    cancellation = Cancellation()
    passes: list[list[int]] = []

    def work(indexes: list[int]) -> Sequence[int]:
        passes.append(indexes)
        cancellation.cancel()
        return indexes

    with cancellation.followed(), pytest.raises(Cancelled):
        run_all(work, [5, 5, 5], budget=5)
    assert len(passes) == 1


@given(lengths=LENGTHS, capacity=st.integers(1, 8))
@settings(max_examples=10)
def test_results_stand_in_the_order_of_the_sequences(lengths: list[int], capacity: int):
    results = run_all(Machine(capacity, NO_MEMORY), lengths, 512)
    assert results == [f"result {index}" for index in range(len(lengths))]
