"""Engines: where the pieces of work run. Both give the results back in order, a few at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, Literal, Protocol, TypeVar, get_args

from gistmark.errors import MissingExtraError, UsageError, unknown_name

Task = TypeVar("Task")
Result = TypeVar("Result")

EngineName = Literal["local", "ray"]


class Engine(Protocol):
    """Something that applies a function to tasks, on so many `workers` at once."""

    workers: int

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        """Each task with its result, in order; tasks are drawn only a few ahead."""


class LocalEngine:
    """Threads on this machine: the compiled inner loops run without the GIL, on every core."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or _cores()

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        with ThreadPoolExecutor(self.workers) as pool:
            waiting: deque[Any] = deque()
            try:
                for task in tasks:
                    waiting.append((task, pool.submit(function, task)))
                    if len(waiting) > self.workers:
                        done, future = waiting.popleft()
                        yield done, future.result()
                while waiting:
                    done, future = waiting.popleft()
                    yield done, future.result()
            finally:
                for _, future in waiting:
                    future.cancel()


class RayEngine:
    """Ray tasks: on this machine, or on the cluster that RAY_ADDRESS names."""

    def __init__(self, workers: int | None = None) -> None:
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise MissingExtraError("ray", extra="ray") from None
        self._ray = ray
        if not ray.is_initialized():
            cores = None if "RAY_ADDRESS" in os.environ else workers
            ray.init(num_cpus=cores, log_to_driver=False, include_dashboard=False)
        self.workers = int(ray.cluster_resources().get("CPU", 1))

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        def apply(task: Task) -> Result:
            return function(task)

        remote = self._ray.remote(apply)
        waiting: deque[Any] = deque()
        for task in tasks:
            waiting.append((task, remote.remote(task)))
            if len(waiting) > 2 * self.workers:
                done, handle = waiting.popleft()
                yield done, self._ray.get(handle)
        while waiting:
            done, handle = waiting.popleft()
            yield done, self._ray.get(handle)


def engine_from(name: EngineName, workers: int | None = None) -> Engine:
    """The engine of this name; `workers` is how many cores to use, all by default."""
    if name not in get_args(EngineName):
        raise unknown_name("engine", name, get_args(EngineName))
    if workers is not None and workers < 1:
        raise UsageError(f"There must be at least 1 worker, not {workers}.")
    return RayEngine(workers) if name == "ray" else LocalEngine(workers)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
