"""`gistmark score --fail-under`: guarding a summariser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(
    "floor",
    ["rouge1=0.2", "rouge1.f=0.2", "rouge1.recall=0.1", "js=0.9", "words=11", "rouge1=-1"],
)
def test_a_floor_that_all_systems_reach_passes(run: Run, sample: Path, floor: str):
    metrics = ("-m", "rouge1", "-m", "js", "-m", "words")
    done = run("score", sample, *metrics, "--fail-under", floor)
    assert done.status == 0
    assert done.err == ""


def test_a_floor_that_a_system_misses_ends_with_3_and_names_it(run: Run, sample: Path):
    done = run("score", sample, "-m", "rouge1", "--fail-under", "rouge1=0.35")
    assert done.status == 3
    assert done.out
    (line,) = done.err.splitlines()
    assert line.startswith("gistmark: Worse than required: garbled: rouge1.f is 0.2975, not 0.35;")
    assert "; terse: rouge1.f is 0.2207, not 0.35." in line
    assert "careful" not in line


def test_where_lower_is_better_a_floor_is_a_ceiling(run: Run, sample: Path):
    done = run("score", sample, "-m", "js", "--fail-under", "js=0.7")
    assert done.status == 3
    assert "terse: js.value is 0.846" in done.err
    assert "careful" not in done.err


def test_a_floor_may_be_set_for_a_metric_with_options(run: Run, sample: Path):
    floors = ("--fail-under", "rougeL:stem=yes=0.9", "--fail-under", "rougeL:stem=yes.recall=0.9")
    done = run("score", sample, "-m", "rougeL:stem=yes", *floors)
    assert done.status == 3
    assert "careful: rougeL:stem=yes.f is" in done.err
    assert "careful: rougeL:stem=yes.recall is" in done.err


def test_a_mean_that_is_missing_is_a_failed_run_and_not_one_below_the_floor(
    run: Run, tmp_path: Path
):
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id": "a", "references": ["the cat"], "summaries": {"s": "the cat"}}\n'
        '{"id": "b", "summaries": {"t": "a dog"}}\n'
    )
    done = run("score", path, "-m", "rouge1", "--fail-under", "rouge1=0")
    assert done.status == 1
    assert done.err.splitlines() == [
        "rouge1: 1 missing (the document has no reference)",
        "gistmark: --fail-under: t has no rouge1.f; the reasons are above.",
    ]


def test_a_file_that_is_not_there_is_told_from_a_floor_that_is_missed(run: Run, tmp_path: Path):
    done = run("score", tmp_path / "nowhere", "-m", "rouge1", "--fail-under", "rouge1=0.99")
    assert done.status == 1


def test_scores_are_written_even_where_a_floor_is_missed(run: Run, sample: Path, tmp_path: Path):
    target = tmp_path / "scores.csv"
    done = run("score", sample, "-m", "rouge1", "--fail-under", "rouge1=0.99", "-o", target)
    assert done.status == 3
    assert target.is_file()
