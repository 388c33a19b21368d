"""Engines: where the tasks of a run are worked on. Results come in order, a few tasks at a time.

A task has several results, each of which is passed on as soon as it is there. Once a run is
cancelled, no further task is started, and those under way return what they have; one that does not
stop within the grace period, because it loads a model or is in a long pass, is abandoned.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any, Generic, Literal, Protocol, TypeVar, get_args

from gistmark.errors import MissingExtraError, UsageError, unknown_name
from gistmark.runtime.cancellation import Cancellation, Cancelled

Task = TypeVar("Task")
Result = TypeVar("Result")

EngineName = Literal["local", "ray"]


GRACE = 0.5
"""How many seconds a cancelled task has to stop by itself."""

_POLL = 0.1


class Engine(Protocol):
    """Something that applies a function to tasks, to `workers` of them at once."""

    workers: int

    def map(
        self,
        function: Callable[[Task], Iterable[Result]],
        tasks: Iterable[Task],
        cancellation: Cancellation,
    ) -> Iterator[tuple[Task, Result]]:
        """Each result with its task, in order; tasks are taken only a few ahead."""


@dataclass(frozen=True)
class _Running(Generic[Task, Result]):
    """A task that a thread works on; what it has done so far waits in a queue."""

    function: Callable[[Task], Iterable[Result]]
    task: Task
    cancellation: Cancellation
    queue: SimpleQueue[tuple[Result] | None] = field(default_factory=SimpleQueue)

    def work(self) -> None:
        """What the worker does: put each result into the queue, and None at the end."""
        try:
            with self.cancellation.followed():
                for result in self.function(self.task):
                    self.queue.put((result,))
        except Cancelled:
            pass
        finally:
            self.queue.put(None)

    def results(self, future: Future[None]) -> Iterator[tuple[Task, Result]]:
        """What comes out of the queue until the work ends, fails, or is abandoned."""
        while True:
            try:
                result = self.queue.get(timeout=_POLL)
            except Empty:
                cancelled = self.cancellation.cancelled
                if cancelled and (future.cancel() or self.cancellation.age > GRACE):
                    return
                continue
            if result is None:
                future.result()
                return
            yield self.task, result[0]


class LocalEngine:
    """Threads on this machine: the compiled inner loops run without the GIL, on every core."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or _cores()

    def map(
        self,
        function: Callable[[Task], Iterable[Result]],
        tasks: Iterable[Task],
        cancellation: Cancellation,
    ) -> Iterator[tuple[Task, Result]]:
        pool = ThreadPoolExecutor(self.workers)
        waiting: deque[tuple[_Running[Task, Result], Future[None]]] = deque()
        try:
            for task in tasks:
                if cancellation.cancelled:
                    break
                running = _Running(function, task, cancellation)
                waiting.append((running, pool.submit(running.work)))
                if len(waiting) > self.workers:
                    first, future = waiting.popleft()
                    yield from first.results(future)
            for running, future in waiting:
                yield from running.results(future)
        except BaseException:
            cancellation.cancel()
            raise
        finally:
            pool.shutdown(wait=not cancellation.cancelled, cancel_futures=True)


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
        self,
        function: Callable[[Task], Iterable[Result]],
        tasks: Iterable[Task],
        cancellation: Cancellation,
    ) -> Iterator[tuple[Task, Result]]:
        def apply(task: Task) -> list[Result]:
            return list(function(task))

        remote = self._ray.remote(apply)
        waiting: deque[tuple[Task, Any]] = deque()
        for task in tasks:
            if cancellation.cancelled:
                break
            waiting.append((task, remote.remote(task)))
            if len(waiting) > 2 * self.workers:
                yield from self._results(*waiting.popleft(), cancellation)
        for task, handle in waiting:
            yield from self._results(task, handle, cancellation)

    def _results(
        self, task: Task, handle: Any, cancellation: Cancellation
    ) -> Iterator[tuple[Task, Any]]:
        """The results of a task, all at its end; none if it is cancelled before."""
        while not self._ray.wait([handle], timeout=_POLL)[0]:
            if cancellation.cancelled:
                self._ray.cancel(handle, force=True)
                return
        for result in self._ray.get(handle):
            yield task, result


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
