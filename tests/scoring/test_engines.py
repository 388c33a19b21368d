"""Engines: the same scores wherever the work runs."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.runtime.cancellation import Cancellation, check
from gistmark.scoring import score
from gistmark.scoring.engines import LocalEngine, RayEngine, engine_from


def test_results_come_in_the_order_of_the_tasks():
    first_may_go_on = threading.Event()

    def work(task: int) -> list[int]:
        if task == 0:
            assert first_may_go_on.wait(60)
        elif task == 1:
            first_may_go_on.set()
        return [task * 10]

    result = list(LocalEngine(2).map(work, range(5), Cancellation()))
    assert result == [(0, 0), (1, 10), (2, 20), (3, 30), (4, 40)]


def test_tasks_are_drawn_only_a_few_ahead():
    sampled: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(100):
            sampled.append(task)
            yield task

    results = LocalEngine(2).map(lambda task: [task], tasks(), Cancellation())
    next(results)
    assert len(sampled) <= 3
    results.close()  # type: ignore[attr-defined]


def test_an_error_in_a_task_reaches_the_caller_and_ends_the_rest():
    started: list[int] = []

    def work(task: int) -> list[int]:
        started.append(task)
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        list(LocalEngine(1).map(work, range(100), Cancellation()))
    assert len(started) < 5


def test_a_result_is_handed_over_while_its_task_still_runs():
    seen = threading.Event()

    def work(task: int) -> Iterator[str]:
        yield "first"
        assert seen.wait(60)
        yield "second"

    results = LocalEngine(1).map(work, [7], Cancellation())
    assert next(results) == (7, "first")
    seen.set()
    assert list(results) == [(7, "second")]


def test_once_cancelled_tasks_give_what_they_have_and_none_is_started():
    cancellation = Cancellation()
    started: list[int] = []

    def work(task: int) -> Iterator[str]:
        started.append(task)
        yield "done"
        cancellation.cancel()
        check()
        yield "never"

    result = list(LocalEngine(1).map(work, range(100), cancellation))
    assert result == [(0, "done")]
    assert started == [0]


def test_a_task_that_does_not_stop_is_left_behind_with_what_it_had():
    cancellation = Cancellation()
    may_end = threading.Event()

    def work(task: int) -> Iterator[str]:
        yield "done"
        cancellation.cancel()
        may_end.wait(60)
        yield "too late"

    try:
        assert list(LocalEngine(1).map(work, [0], cancellation)) == [(0, "done")]
    finally:
        may_end.set()


def test_two_runs_at_once_are_cancelled_one_by_one():
    stopped, other = Cancellation(), Cancellation()
    stopped.cancel()

    def work(task: int) -> Iterator[int]:
        check()
        yield task

    assert list(LocalEngine(1).map(work, range(3), stopped)) == []
    assert list(LocalEngine(1).map(work, range(3), other)) == [(0, 0), (1, 1), (2, 2)]


def test_without_a_number_all_cores_of_this_process_work():
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert LocalEngine().workers == cores
    assert engine_from("local", 3).workers == 3  # type: ignore[attr-defined]


def fake_ray(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A ray that only notes how it was started."""
    started: dict[str, Any] = {}
    ray = SimpleNamespace(
        is_initialized=lambda: False,
        init=lambda **options: started.update(options),
        cluster_resources=lambda: {"CPU": 4.0},
    )
    monkeypatch.setitem(sys.modules, "ray", ray)  # type: ignore[arg-type]
    return started


def test_ray_is_started_with_the_cores_that_were_asked_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    started = fake_ray(monkeypatch)
    assert RayEngine(2).workers == 4
    assert started["num_cpus"] == 2


def test_a_cluster_that_is_there_keeps_its_own_cores(monkeypatch: pytest.MonkeyPatch):
    # ray.init refuses num_cpus when it joins a cluster.
    monkeypatch.setenv("RAY_ADDRESS", "cluster.example:6379")
    started = fake_ray(monkeypatch)
    RayEngine(2)
    assert started["num_cpus"] is None


def test_without_ray_one_sentence_names_the_extra():
    code = """
        import sys

        class NoRay:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "ray":
                    raise ModuleNotFoundError("No module named 'ray'", name="ray")

        sys.meta_path.insert(0, NoRay())
        from gistmark.cli.main import main
        from gistmark.corpus import sample_folder
        main(["score", str(sample_folder()), "-m", "words", "--engine", "ray"])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr == (
        "gistmark: The package ray is not installed; get it with: pip install 'gistmark[ray]'\n"
    )
    assert done.stdout == ""


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A real Ray on this machine, ended after the test."""
    ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_ray_scores_like_this_machine(
    sample: Corpus, ray: Any, monkeypatch: pytest.MonkeyPatch, cache_folder: Any
):

    monkeypatch.setattr("gistmark.scoring.run.block_size", lambda *_: 9)
    asked = ["rouge1", "rougeLsum", "hrouge2", "js", "rougeL:stem=yes"]
    local = list(score(sample, asked, cache=False))
    assert not ray.is_initialized()
    computed = list(score(sample, asked, engine="ray", workers=2))
    assert ray.is_initialized()
    assert ray.cluster_resources()["CPU"] == 2
    assert computed == local
    assert len(list(cache_folder.rglob("*.scores"))) > 0
    from_cache = list(score(sample, asked, engine="ray", workers=2))
    assert from_cache == local
