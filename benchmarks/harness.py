"""Timing, memory and printing for the benchmarks: run in turns, take the best, show the ratio."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def best_of(
    runs: int, *functions: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[list[float], list[Any]]:
    """The best time of each function by a clock, run in turns, and their last results."""
    times = [float("inf")] * len(functions)
    results: list[Any] = [None] * len(functions)
    for _ in range(runs):
        for place, function in enumerate(functions):
            started = clock()
            results[place] = function()
            times[place] = min(times[place], clock() - started)
    return times, results


def report(claim: str, value: float, wanted: str, met: bool) -> None:
    print(f"{'ok  ' if met else 'MISS'}  {claim}: {value:.2f} (wanted {wanted})")


def peak() -> float:
    """The most memory that this process has had, in GiB.

    On Linux getrusage also counts the process that started it, so the kernel's own mark is read.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024**2
