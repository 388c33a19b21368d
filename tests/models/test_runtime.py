"""Devices, what is out of memory, and batches: under the budget, of like length, and halved."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmark.errors import GistmarkError, UsageError
from gistmark.models.runtime import (
    CPU_TOKENS,
    GPU_TOKENS,
    by_length,
    device,
    is_out_of_memory,
    number_type,
    one_at_a_time,
    pass_cost,
    run,
    run_all,
    set_threads,
    side_by_side,
    token_budget,
)
from gistmark.runtime.cancellation import Cancellation, Cancelled
from on_use import on_use

torch = on_use("torch")


def kinds_here() -> list[str]:
    """The kinds of device of this machine, the best one last."""
    others = {"mps": torch.backends.mps.is_available(), "cuda": torch.cuda.is_available()}
    return ["cpu", *(kind for kind, is_here in others.items() if is_here)]


def test_the_best_device_is_the_default(monkeypatch: pytest.MonkeyPatch):
    for name in (None, "", "auto"):
        monkeypatch.delenv("GISTMARK_DEVICE", raising=False)
        if name is not None:
            monkeypatch.setenv("GISTMARK_DEVICE", name)
        assert device().type == kinds_here()[-1]


def test_the_cpu_can_be_chosen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GISTMARK_DEVICE", "cpu")
    assert device() == torch.device("cpu")


@pytest.mark.parametrize("name", ["gpu", "cuda:first", "cpu:-1", "cuda:1:2", "CPU", "cpu "])
def test_a_device_that_there_cannot_be_is_an_error_that_lists_the_kinds(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_DEVICE", name)
    with pytest.raises(UsageError, match=f"'{name}' is not one of auto, cpu, cuda, cuda:N, mps"):
        device()


@pytest.mark.parametrize("name", ["cuda:99", "cuda", "mps"])
def test_a_device_that_is_not_here_is_an_error_that_says_what_is(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    if name in kinds_here():
        pytest.skip(f"{name} is here")
    monkeypatch.setenv("GISTMARK_DEVICE", name)
    with pytest.raises(UsageError, match=f"{name} is not on this machine; here: cpu"):
        device()


def test_half_precision_needs_more_than_a_cpu():
    assert number_type("full", torch.device("cpu")) == torch.float32
    assert number_type("half", torch.device("cuda")) == torch.float16
    with pytest.raises(GistmarkError, match="leave out precision=half"):
        number_type("half", torch.device("cpu"))


def test_the_token_budget_is_larger_on_a_gpu_and_can_be_set(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("GISTMARK_TOKENS", raising=False)
    assert token_budget(torch.device("cpu")) == CPU_TOKENS
    assert token_budget(torch.device("cuda")) == GPU_TOKENS > CPU_TOKENS
    monkeypatch.setenv("GISTMARK_TOKENS", "77")
    assert token_budget(torch.device("cpu")) == token_budget(torch.device("cuda")) == 77


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", "²"])
def test_a_budget_that_is_no_number_is_an_error(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GISTMARK_TOKENS", text)
    with pytest.raises(UsageError, match=r"GISTMARK_TOKENS: .* is not a whole number of 1 or more"):
        token_budget(torch.device("cpu"))


def test_threads_are_as_many_as_the_variable_says():
    """In a process of its own, because torch keeps the number."""
    program = (
        "import os, torch; from gistmark.models.runtime import set_threads;"
        "set_threads(); before = torch.get_num_threads();"
        "os.environ['GISTMARK_THREADS'] = str(before + 1); set_threads();"
        "assert torch.get_num_threads() == before + 1"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_threads_that_are_no_number_are_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GISTMARK_THREADS", "all")
    with pytest.raises(UsageError, match="GISTMARK_THREADS: 'all' is not a whole number"):
        set_threads()


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("[enforce fail at alloc_cpu.cpp:126] . DefaultCPUAllocator: can't allocate "
                     "memory: you tried to allocate 4398046511104 bytes."),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 4 bytes."),
        RuntimeError("MPS backend out of memory (MPS allocated: 9.06 GB)"),
    ],
)  # fmt: skip
def test_every_want_of_memory_is_known(error: Exception):
    assert is_out_of_memory(error)


def test_what_torch_itself_raises_is_known():
    with pytest.raises(RuntimeError) as raised:
        torch.empty(1 << 46, dtype=torch.float32)
    assert is_out_of_memory(raised.value)
    on_a_gpu = torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB")
    assert is_out_of_memory(on_a_gpu)


@pytest.mark.parametrize("error", [RuntimeError("shapes differ"), ValueError("out of memory")])
def test_other_errors_are_no_want_of_memory(error: Exception):
    assert not is_out_of_memory(error)


def test_who_holds_the_device_may_take_it_again():
    """BLANC-tune asks the model that it is tuning."""
    with one_at_a_time(), one_at_a_time():
        pass


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
        run_all(work, [5] * 50, budget=5)
    assert len(passes) <= torch.get_num_threads()


@given(lengths=LENGTHS, capacity=st.integers(1, 8))
@settings(max_examples=10)
def test_results_stand_in_the_order_of_the_sequences(lengths: list[int], capacity: int):
    results = run_all(Machine(capacity, NO_MEMORY), lengths, 512)
    assert results == [f"result {index}" for index in range(len(lengths))]


@pytest.fixture
def two_cores(monkeypatch):
    """What torch would use on a machine with two cores."""
    monkeypatch.setenv("GISTMARK_DEVICE", "cpu")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_cores")
def test_jobs_run_side_by_side_on_a_core_each_and_as_the_caller_does():
    both_run = threading.Barrier(2)
    number = ContextVar("number", default=0)
    number.set(7)

    def job(name: str) -> tuple[str, int, bool, int]:
        both_run.wait(timeout=30)
        return name, torch.get_num_threads(), torch.is_inference_mode_enabled(), number.get()

    with torch.inference_mode():
        results = side_by_side([partial(job, "first"), partial(job, "second")])
    assert results == [("first", 1, True, 7), ("second", 1, True, 7)]
    assert torch.get_num_threads() == 2
    later = ThreadPoolExecutor(1).submit(torch.get_num_threads).result()
    assert later == 2, "threads that begin later have all cores"


@pytest.mark.usefixtures("two_cores")
def test_of_many_cores_each_batch_has_several():
    torch.set_num_threads(6)
    assert side_by_side([torch.get_num_threads] * 20) == [2] * 20, "3 at once: no core is left over"
    assert side_by_side([torch.get_num_threads] * 2) == [3] * 2
    assert torch.get_num_threads() == 6
    torch.set_num_threads(5)
    assert side_by_side([torch.get_num_threads] * 20) == [5] * 20, "one after the other"


@pytest.mark.usefixtures("two_cores")
def test_one_job_alone_has_every_core():
    assert side_by_side([torch.get_num_threads]) == [2]
    assert side_by_side([]) == []


@pytest.mark.usefixtures("two_cores")
def test_where_a_job_fails_what_has_not_begun_is_left_out_and_nothing_goes_on():
    begun, ended = [], []

    def job(index: int) -> None:
        begun.append(index)
        if index == 0:
            raise ValueError("wrong shape")
        time.sleep(0.05)
        ended.append(index)

    with pytest.raises(ValueError, match="wrong shape"):
        side_by_side([partial(job, index) for index in range(100)])
    assert len(begun) < 100
    assert sorted(begun) == [0, *sorted(ended)]


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("gradients", [True, False])
def test_jobs_have_gradients_where_the_caller_has(gradients: bool):
    with torch.set_grad_enabled(gradients):
        assert side_by_side([torch.is_grad_enabled] * 2) == [gradients] * 2


@pytest.mark.usefixtures("two_cores")
def test_work_for_one_thread_stays_in_it():
    threads = set()

    def work(indexes: list[int]) -> list[int]:
        threads.add(threading.current_thread())
        return indexes

    assert run_all(work, [5, 5, 5], budget=5, at_once=False) == [0, 1, 2]
    assert threads == {threading.current_thread()}
