"""Devices: what is chosen, what is not there, and what is out of memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gistmark.errors import GistmarkError, UsageError
from gistmark.models.runtime import (
    CPU_TOKENS,
    GPU_TOKENS,
    device,
    is_out_of_memory,
    number_type,
    one_at_a_time,
    set_threads,
    token_budget,
)

torch = pytest.importorskip("torch")

HERE = ["cpu"]
HERE += ["mps"] if torch.backends.mps.is_available() else []
HERE += ["cuda"] if torch.cuda.is_available() else []


def test_the_best_device_is_the_default(monkeypatch: pytest.MonkeyPatch):
    for name in (None, "", "auto"):
        monkeypatch.delenv("GISTMARK_DEVICE", raising=False)
        if name is not None:
            monkeypatch.setenv("GISTMARK_DEVICE", name)
        assert device().type == HERE[-1]


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


@pytest.mark.parametrize("name", ["cuda:99", *sorted({"cuda", "mps"} - set(HERE))])
def test_a_device_that_is_not_here_is_an_error_that_says_what_is(
    name: str, monkeypatch: pytest.MonkeyPatch
):
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
        torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB"),
    ],
)  # fmt: skip
def test_every_want_of_memory_is_known(error: Exception):
    assert is_out_of_memory(error)


def test_what_torch_itself_raises_is_known():
    with pytest.raises(RuntimeError) as raised:
        torch.empty(1 << 46, dtype=torch.float32)
    assert is_out_of_memory(raised.value)


@pytest.mark.parametrize("error", [RuntimeError("shapes differ"), ValueError("out of memory")])
def test_other_errors_are_no_want_of_memory(error: Exception):
    assert not is_out_of_memory(error)


def test_who_holds_the_device_may_take_it_again():
    """BLANC-tune asks the model that it is tuning."""
    with one_at_a_time(), one_at_a_time():
        pass
