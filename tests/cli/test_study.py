"""`gistmark study`: from a corpus to a report, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gistmark

Run = Callable[..., Any]
QUICK = ("--resamples", "20", "-m", "rouge1", "-m", "js")


def test_a_study_prints_findings_and_writes_the_report(run: Run, tmp_path: Path):
    done = run("study", gistmark.sample_folder(), *QUICK, "-o", tmp_path / "out")
    assert done.status == 0
    assert "Best by ratings of Overall Quality (mean): careful" in done.out
    assert str(tmp_path / "out" / "report.html") in done.out
    for name in ("report.html", "report.md", "study.json"):
        assert (tmp_path / "out" / name).stat().st_size > 1000
    content = json.loads((tmp_path / "out" / "study.json").read_text())
    assert {entry["metric"] for entry in content["signatures"]} == {"rouge1", "js"}


def test_scores_can_come_from_a_file_and_json_goes_to_programs(run: Run, tmp_path: Path):
    scores = tmp_path / "scores.csv"
    assert run("score", gistmark.sample_folder(), "-m", "rouge2", "-o", scores).status == 0
    done = run("study", gistmark.sample_folder(), "--scores", scores, "--resamples", "20", "--json")
    assert done.status == 0
    content = json.loads(done.out)
    assert content["signatures"][0]["metric"] == "rouge2"
    assert content["signatures"][0]["signature"].startswith("rouge|v:")


def test_a_leaderboard_of_metrics_grows_and_takes_nothing_twice(run: Run, tmp_path: Path):
    file = tmp_path / "metrics.json"
    first = run("study", gistmark.sample_folder(), *QUICK, "--leaderboard", file)
    again = run("study", gistmark.sample_folder(), *QUICK, "--leaderboard", file)
    assert first.status == again.status == 0
    assert "4 new entries" in first.out  # rouge1 has three parts, js one
    assert "0 new entries" in again.out
    assert "rouge1" in (tmp_path / "metrics.md").read_text()
    assert "<html" in (tmp_path / "metrics.html").read_text()


def test_a_scale_names_what_is_outside_of_it(run: Run):
    done = run("study", gistmark.sample_folder(), *QUICK, "--scale", "Readability=1-4")
    assert done.status == 0
    assert "outside the scale from 1 to 4" in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--scale", "many"), 2, "write LOW-HIGH"),
        (("--scale", "5-1"), 2, "write LOW-HIGH"),
        (("--scale", "Taste=1-5"), 2, "nobody rated a dimension 'Taste'"),
        (("--subset", "chars <"), 2, "chars <"),
        (("--combine", "rouge1+nosuch"), 2, "nosuch"),
        (("-m", "rogue1"), 2, "There is no metric 'rogue1'"),
        (("--scores", "nosuch.csv"), 1, "no such file"),
        (("--scores", "x.csv", "-m", "js"), 2, "either --scores or -m"),
        (("--overall", "Taste"), 2, "Taste"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    run: Run, arguments: tuple[str, ...], status: int, sentence: str
):
    done = run("study", gistmark.sample_folder(), "--resamples", "5", *arguments)
    assert done.status == status
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_a_corpus_without_judgements_and_systems_is_a_sentence(run: Run, tmp_path: Path):
    (tmp_path / "documents.jsonl").write_text('{"id": "d", "text": "words"}\n')
    done = run("study", tmp_path)
    assert done.status == 1
    assert "nothing to study" in done.err
