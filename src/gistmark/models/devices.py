"""Where models run: the device, the threads, half precision, and one pass at a time.

GISTMARK_DEVICE chooses `cpu`, `cuda`, `cuda:1` or `mps`; by default the best that is there.
GISTMARK_THREADS sets how many cores a pass on the CPU uses; by default torch's own choice.
GISTMARK_TOKENS sets how many tokens go through a model at once.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from threading import RLock
from typing import TYPE_CHECKING, Literal, cast

from gistmark.errors import GistmarkError, UsageError
from gistmark.models.libraries import library

if TYPE_CHECKING:
    import torch

Precision = Literal["full", "half"]

CPU_TOKENS = 2048
GPU_TOKENS = 32_768

_NUMBERS: dict[Precision, str] = {"full": "float32", "half": "float16"}
_KINDS = ("cpu", "cuda", "mps")
_AT_A_TIME = RLock()


def one_at_a_time() -> AbstractContextManager[object]:
    """Hold while a model runs: a pass uses every core, so two at once only disturb each other."""
    return _AT_A_TIME


def device() -> torch.device:
    """The chosen device; one that is not there is an error that says what is."""
    torch = library("torch")
    asked = os.environ.get("GISTMARK_DEVICE") or "auto"
    here = _here()
    if asked == "auto":
        return _named(here[-1])
    kind, _, number = asked.partition(":")
    if kind not in _KINDS or (number and not number.isdecimal()):
        raise UsageError(f"GISTMARK_DEVICE: {asked!r} is none of auto, cpu, cuda, cuda:N, mps.")
    if kind not in here or (number and int(number) >= torch.cuda.device_count()):
        raise UsageError(
            f"GISTMARK_DEVICE: {asked} is not on this machine; here: {', '.join(here)}."
        )
    return _named(asked)


def number_type(precision: Precision, where: torch.device) -> torch.dtype:
    """The numbers of a model: of 32 bits, or of 16 where the device computes with them."""
    if precision == "half" and where.type == "cpu":
        raise GistmarkError("The CPU has no fast half precision; leave out precision=half.")
    return cast("torch.dtype", getattr(library("torch"), _NUMBERS[precision]))


def token_budget(where: torch.device) -> int:
    """How many tokens go through a model at once, filling included."""
    usual = CPU_TOKENS if where.type == "cpu" else GPU_TOKENS
    return _whole_number("GISTMARK_TOKENS") or usual


def set_threads() -> None:
    """Let torch use as many cores as GISTMARK_THREADS says."""
    count = _whole_number("GISTMARK_THREADS")
    if count is not None:
        library("torch").set_num_threads(count)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a pass failed for want of memory, on whichever device."""
    torch = library("torch")
    if isinstance(error, MemoryError | torch.cuda.OutOfMemoryError):
        return True
    said = str(error).lower()
    return isinstance(error, RuntimeError) and (
        "out of memory" in said or "can't allocate memory" in said or "not enough memory" in said
    )


def _here() -> list[str]:
    """The kinds of device on this machine, the best last."""
    torch = library("torch")
    found = ["cpu"]
    if torch.backends.mps.is_available():
        found.append("mps")
    if torch.cuda.is_available():
        found.append("cuda")
    return found


def _named(name: str) -> torch.device:
    return cast("torch.device", library("torch").device(name))


def _whole_number(variable: str) -> int | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{variable}: {text!r} is not a whole number of 1 or more.")
    return int(text)
