"""`gistmark score`: what it refuses before it runs, and `--fail-under` to guard a summariser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
WriteCorpus = Callable[..., Path]


def never_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the run itself fail the test: what is wrong must be found before."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the run was started")

    monkeypatch.setattr("gistmark.scoring.score", fail)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "rogue1"), r"There is no metric 'rogue1'. Did you mean 'rouge1'?"),
        (("-m", ""), "There is no metric ''."),
        (("-m", "rougeL:stm=yes"), "Did you mean 'stem'?"),
        (("-m", "rougeL:stem"), "write options as name=value, not 'stem'"),
        (("-m", "rougeL:stem=maybe"), "'maybe' is neither yes nor no"),
        (("-m", "rougeL:refs=all"), "'all' is not one of max, mean, jackknife"),
        (("-m", "rouge1:n=2"), "There is no option of rouge1 named 'n'."),
        (("-o", "scores.xlsx"), "scores are written as .csv, .jsonl, .parquet, not '.xlsx'"),
        (("-o", "scores"), "scores are written as"),
        (("-o", "no/such/folder/scores.csv"), "the folder no/such/folder does not exist"),
        (("--fail-under", "rouge1"), "write METRIC=VALUE or METRIC.PART=VALUE, not 'rouge1'"),
        (("--fail-under", "rouge1=high"), "not 'rouge1=high'"),
        (("--fail-under", "=0.3"), "not '=0.3'"),
        (("--fail-under", "rouge1=nan"), "not 'rouge1=nan'"),
        (("-m", "words", "--fail-under", "rouge1=0.3"), "'rouge1' is not among the metrics"),
        (("-m", "words", "--fail-under", "words.f=3"), "words has no part 'f', only value"),
    ],
)
def test_what_cannot_work_is_said_before_the_run(
    run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    arguments: tuple[str, ...], message: str,
):  # fmt: skip
    monkeypatch.chdir(tmp_path)
    if arguments[0] != "-m" or "--fail-under" in arguments:
        never_run(monkeypatch)
    done = run("score", sample, *arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("gistmark: ")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_scores_never_overwrite_what_they_were_computed_from(
    run: Run, tmp_path: Path, corpus_of: WriteCorpus, monkeypatch: pytest.MonkeyPatch
):
    path = corpus_of(s="the cat")
    before = path.read_text()
    monkeypatch.chdir(tmp_path)
    done = run("score", path, "-m", "words", "-o", "corpus.jsonl")
    assert done.status == 2
    assert "would overwrite the corpus" in done.err
    assert path.read_text() == before
    folder = tmp_path / "folder"
    folder.mkdir()
    summaries = folder / "summaries.jsonl"
    summaries.write_text('{"document": "d", "system": "s", "text": "the cat"}\n')
    done = run("score", folder, "-m", "words", "-o", summaries)
    assert done.status == 2
    assert "would overwrite the corpus" in done.err
    assert run("score", folder, "-m", "words", "-o", folder / "scores.csv").status == 0


def test_a_corpus_without_summaries_says_so(run: Run, tmp_path: Path):
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n')
    done = run("score", path, "-m", "words")
    assert done.status == 1
    assert "c.jsonl: there are no summaries to score." in done.err


def test_a_device_that_is_not_there_is_told_before_the_run(
    run: Run, lines: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_DEVICE", "cpu")
    never_run(monkeypatch)
    done = run("score", *lines, "-m", "bertscore", "--device", "cuda:99")
    assert done.status == 2
    assert "cuda:99 is not on this machine; here: cpu" in done.err


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "cpu:1", ""])
def test_what_is_no_device_is_a_wrong_command(run: Run, lines: tuple[Path, Path], name: str):
    done = run("score", *lines, "-m", "rouge1", "--device", name)
    assert done.status == 2
    assert "is not one of cpu, cuda, cuda:N, mps" in done.err


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("rouge1", "--units shows what the metric pyramid finds; add -m pyramid."),
        ("pyramid:presence=nli", "presence=nli needs a model of inference"),
    ],
)
def test_pages_of_units_need_a_pyramid(
    run: Run, corpus_of: WriteCorpus, monkeypatch: pytest.MonkeyPatch, metric: str, message: str
):
    never_run(monkeypatch)
    done = run("score", corpus_of(a="A."), "-m", metric, "--units", "u")
    assert done.status == 2
    assert message in done.err


def test_pages_of_units_bury_nothing(
    run: Run, tmp_path: Path, corpus_of: WriteCorpus, monkeypatch: pytest.MonkeyPatch
):
    never_run(monkeypatch)
    corpus = corpus_of(a="A.")
    done = run("score", corpus, "-m", "pyramid:presence=words", "--units", tmp_path)
    assert done.status == 2
    assert "is not empty and holds no pages of units" in done.err


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
    assert line.startswith(
        "gistmark: Worse than required: garbled: rouge1.f is 0.2975, not at least 0.35;"
    )
    assert "; terse: rouge1.f is 0.2207, not at least 0.35." in line
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
