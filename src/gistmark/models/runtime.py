"""What every model runs on: the packages of the extra `neural`, the device, and batches.

GISTMARK_DEVICE chooses `cpu`, `cuda`, `cuda:1` or `mps`; by default the best that is there.
GISTMARK_THREADS sets how many cores a model on the CPU uses; by default torch's own choice.
GISTMARK_TOKENS sets how many tokens go through a model at once: sequences are sorted by length and
batched under that budget, and a batch is halved where memory is short. On a CPU several batches run
at once, each on its share of the cores: nothing then waits for the slower core at every step.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from functools import lru_cache, partial
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.runtime.cancellation import check

if TYPE_CHECKING:
    import torch


def library(name: str) -> Any:
    """A package of the extra `neural`, or an error that names the extra."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(name.partition(".")[0], extra="neural") from None


@contextmanager
def quiet() -> Iterator[None]:
    """Hide the progress bars and the advice of transformers in the block."""
    logging = library("transformers").utils.logging
    level, had_progress_bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if had_progress_bar:
            logging.enable_progress_bar()


Precision = Literal["full", "half", "bfloat16", "int8"]

CPU_TOKENS = 2048
GPU_TOKENS = 32_768
_MOST_WORKERS = 4
"""So many batches run at once at most: each takes memory of its own."""

_NUMBER_TYPES: dict[str, str] = {
    "full": "float32",
    "half": "float16",
    "bfloat16": "bfloat16",
}
_DEVICE_KINDS = ("cpu", "cuda", "mps")
_MODEL_LOCK = RLock()


def one_at_a_time() -> AbstractContextManager[object]:
    """Hold while a model runs: a pass uses every core, so two at once only disturb each other."""
    return _MODEL_LOCK


def device() -> torch.device:
    """The chosen device; one that is not on this machine is an error that lists those that are."""
    torch = library("torch")
    setting = os.environ.get("GISTMARK_DEVICE") or "auto"
    kinds = _device_kinds()
    if setting == "auto":
        return _torch_device(kinds[-1])
    kind, _, number = setting.partition(":")
    if kind not in _DEVICE_KINDS or (number and not number.isdecimal()):
        raise UsageError(
            f"GISTMARK_DEVICE: {setting!r} is not one of auto, cpu, cuda, cuda:N, mps."
        )
    if kind not in kinds or (number and int(number) >= torch.cuda.device_count()):
        raise UsageError(
            f"GISTMARK_DEVICE: {setting} is not on this machine; here: {', '.join(kinds)}."
        )
    return _torch_device(setting)


def number_type(precision: Precision, where: torch.device) -> torch.dtype:
    """The numbers of a model: of 32 bits, or of 16 where the device computes with them."""
    if precision == "int8":
        raise UsageError(
            "precision: int8 is only for causal language models of the Llama kind, in metrics such "
            "as blanc-help or info-diff; take bfloat16 or full."
        )
    if precision == "half" and where.type == "cpu":
        raise GistmarkError(
            "The CPU has no fast half precision; leave out precision=half, or take bfloat16."
        )
    return cast("torch.dtype", getattr(library("torch"), _NUMBER_TYPES[precision]))


def token_budget(where: torch.device) -> int:
    """How many tokens go through a model at once, filling included."""
    default = CPU_TOKENS if where.type == "cpu" else GPU_TOKENS
    return _whole_number("GISTMARK_TOKENS") or default


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
    message = str(error).lower()
    return isinstance(error, RuntimeError) and (
        "out of memory" in message
        or "can't allocate memory" in message
        or "not enough memory" in message
    )


def _device_kinds() -> list[str]:
    """The kinds of device on this machine, the best last."""
    torch = library("torch")
    kinds = ["cpu"]
    if torch.backends.mps.is_available():
        kinds.append("mps")
    if torch.cuda.is_available():
        kinds.append("cuda")
    return kinds


def _torch_device(name: str) -> torch.device:
    return cast("torch.device", library("torch").device(name))


def _whole_number(variable: str) -> int | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{variable}: {text!r} is not a whole number of 1 or more.")
    return int(text)


Result = TypeVar("Result")


def pass_cost(budget: int) -> int:
    """The overhead of a pass in tokens; it grows with what the device computes at once.

    Measured on two cores, where a pass of a small model is as slow as some fifty tokens more.
    """
    return budget // 32


def by_length(lengths: Sequence[int], budget: int, *, extra: int = 0) -> Iterator[list[int]]:
    """Indexes of the sequences in batches of like length, the longest first.

    A batch, padded to its longest sequence and with `extra` tokens beside each, has at most
    `budget` tokens, and its padding costs no more than another pass; a sequence that is longer than
    the budget goes alone.
    """
    batch: list[int] = []
    longest = filling = 0
    for index in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        filling += longest - lengths[index]
        too_many = (len(batch) + 1) * (longest + extra) > budget
        if batch and (too_many or filling > pass_cost(budget)):
            yield batch
            batch = []
        if not batch:
            longest, filling = lengths[index], 0
        batch.append(index)
    if batch:
        yield batch


def run(work: Callable[[list[int]], Sequence[Result]], indexes: list[int]) -> list[Result]:
    """The results of a batch; it is halved and run again where memory is short.

    A cancelled run stops here, before the next pass.
    """
    check()
    try:
        return list(work(indexes))
    except Exception as error:
        if len(indexes) == 1 or not is_out_of_memory(error):
            raise
    _free_memory()
    half = len(indexes) // 2
    return run(work, indexes[:half]) + run(work, indexes[half:])


def run_all(
    work: Callable[[list[int]], Sequence[Result]],
    lengths: Sequence[int],
    budget: int,
    *,
    extra: int = 0,
    at_once: bool = True,
) -> list[Result]:
    """The result of every sequence, in order.

    Pass `at_once=False` for work that several threads cannot do at the same time.
    """
    batches = list(by_length(lengths, budget, extra=extra))
    jobs = [partial(run, work, indexes) for indexes in batches]
    rows = side_by_side(jobs) if at_once else [job() for job in jobs]
    results: dict[int, Result] = {}
    for indexes, values in zip(batches, rows, strict=True):
        results.update(zip(indexes, values, strict=True))
    return [results[index] for index in range(len(lengths))]


def side_by_side(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """The results of jobs that run at once, each on its share of the cores that torch may use.

    On devices other than the CPU they run one after the other. If one fails, those that have not
    begun are skipped, and none is still running afterwards.
    """
    import torch

    cores = torch.get_num_threads()
    workers = _worker_count(cores, len(jobs))
    if workers < 2 or device().type != "cpu":
        return [job() for job in jobs]
    work = partial(
        _on_cores, cores // workers, torch.is_inference_mode_enabled(), torch.is_grad_enabled()
    )
    futures = [_workers(workers).submit(copy_context().run, work, job) for job in jobs]
    try:
        return [future.result() for future in futures]
    finally:
        for future in futures:
            future.cancel()
        wait(futures)
        torch.set_num_threads(cores)  # what threads that begin later will have


def _worker_count(cores: int, jobs: int) -> int:
    """So many that no core is left over: of 6 cores, 3 jobs have 2 each."""
    counts = range(1, min(cores, jobs, _MOST_WORKERS) + 1)
    return max(counts, key=lambda count: (cores // count * count, count), default=1)


def _on_cores(cores: int, inference: bool, gradients: bool, job: Callable[[], Result]) -> Result:
    """Run a job on this many cores, with the caller's modes of inference and gradients."""
    import torch

    if torch.get_num_threads() != cores:
        torch.set_num_threads(cores)
    with torch.inference_mode(inference), torch.set_grad_enabled(gradients):
        return job()


@lru_cache(maxsize=_MOST_WORKERS)
def _workers(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, thread_name_prefix="model")


def _free_memory() -> None:
    """Return the memory of a failed pass to the device."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
