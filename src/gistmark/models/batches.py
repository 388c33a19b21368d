"""Many sequences through a model: by length, under a token budget, halved if memory is short."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from gistmark.cancellation import check
from gistmark.models.devices import is_out_of_memory

Result = TypeVar("Result")


def pass_cost(budget: int) -> int:
    """What a pass costs besides its tokens, in tokens; it grows with what the device does at once.

    Measured on two cores, where a pass of a small model is as slow as some fifty tokens more.
    """
    return budget // 32


def by_length(lengths: Sequence[int], budget: int, *, extra: int = 0) -> Iterator[list[int]]:
    """Places of the sequences in batches of like length, the longest first.

    A batch, filled up to its longest sequence and with `extra` tokens beside each, has at most
    `budget` tokens, and the filling is not dearer than another pass; a sequence that is longer
    than the budget goes alone.
    """
    batch: list[int] = []
    longest = filling = 0
    for place in sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)):
        filling += longest - lengths[place]
        too_many = (len(batch) + 1) * (longest + extra) > budget
        if batch and (too_many or filling > pass_cost(budget)):
            yield batch
            batch = []
        if not batch:
            longest, filling = lengths[place], 0
        batch.append(place)
    if batch:
        yield batch


def run(work: Callable[[list[int]], Sequence[Result]], places: list[int]) -> list[Result]:
    """The results of a batch; where memory is short, those of its halves.

    A cancelled run stops here, before the next pass.
    """
    check()
    try:
        return list(work(places))
    except Exception as error:
        if len(places) == 1 or not is_out_of_memory(error):
            raise
    _give_back()
    half = len(places) // 2
    return run(work, places[:half]) + run(work, places[half:])


def run_all(
    work: Callable[[list[int]], Sequence[Result]],
    lengths: Sequence[int],
    budget: int,
    *,
    extra: int = 0,
) -> list[Result]:
    """The result of every sequence, in order."""
    found: dict[int, Result] = {}
    for places in by_length(lengths, budget, extra=extra):
        found.update(zip(places, run(work, places), strict=True))
    return [found[place] for place in range(len(lengths))]


def _give_back() -> None:
    """Let the device have what the failed pass had taken."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
