"""`gistmark score`: what it prints and writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gistmark.corpus import open_lines
from gistmark.metrics import metric_from
from gistmark.metrics.batch import Batch
from gistmark.metrics.content_units import presence
from gistmark.metrics.content_units.options import PyramidOptions
from gistmark.scoring import score

Run = Callable[..., Any]
WriteCorpus = Callable[..., Path]


# What is printed


def test_the_leaderboard_has_a_row_per_system_from_best_to_worst(run: Run, sample: Path):
    done = run("score", sample, "-m", "rouge1", "-m", "words")
    assert done.status == 0
    assert done.err == ""
    head, *rows = done.out.splitlines()
    assert head.split() == ["system", "rouge1", "↑", "words"]
    assert [row.split()[0] for row in rows if row] == ["careful", "lead", "garbled", "terse"]
    mean = score(sample, ["rouge1"]).leaderboard().of("careful", "rouge1").mean
    assert f"{mean:.3f} ±" in rows[0]


def test_json_has_every_standing_and_the_signatures(run: Run, sample: Path):
    done = run("score", sample, "-m", "rouge1", "-m", "rougeL:stem=yes", "--json")
    result = json.loads(done.out)
    scores = score(sample, ["rouge1", "rougeL:stem=yes"])
    assert result["signatures"] == scores.signatures
    assert len(result["leaderboard"]) == 2 * 3 * 4
    first = result["leaderboard"][0]
    assert first == {
        "system": "careful", "metric": "rouge1", "part": "f", "better": "higher", "n": 14,
        "missing": 0, "mean": first["mean"], "low": first["low"], "high": first["high"],
    }  # fmt: skip
    assert first["low"] < first["mean"] < first["high"]
    assert first["mean"] == scores.leaderboard().of("careful", "rouge1").mean


def test_without_metrics_those_run_that_the_data_can_feed(run: Run, lines: tuple[Path, Path]):
    result = json.loads(run("score", *lines, "--json").out)
    assert list(result["signatures"]) == [
        "rouge1", "rouge2", "rougeL", "rougeLsum", "words", "repeated2",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["[/red]", "[bold]loud[/bold]", ":smile:", "<b>", "a|b"])
def test_a_system_may_call_itself_anything(run: Run, corpus_of: WriteCorpus, name: str):
    done = run("score", corpus_of(**{name: "the cat"}), "-m", "rouge1")
    assert done.status == 0
    assert done.out.splitlines()[1].split() == [name, "0.800"]


def test_many_metrics_are_broken_into_several_tables(run: Run, sample: Path):
    done = run("score", sample, "-m", "rouge")
    heads = [line for line in done.out.splitlines() if line.startswith("system ")]
    assert len(heads) == 2
    assert sum(head.count("rouge") for head in heads) == 9


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_missing_is_told_on_standard_error(run: Run, tmp_path: Path, form: tuple[str]):
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id": "a", "references": ["the cat"], "summaries": {"s": "the cat"}}\n'
        '{"id": "b", "summaries": {"s": "a dog"}}\n'
    )
    done = run("score", path, "-m", "rouge1", "-m", "words", *form)
    assert done.status == 0
    assert done.err == "rouge1: 1 missing (the document has no reference)\n"
    if not form:
        assert done.out.splitlines()[1].split() == ["s", "1.000", "(1)", "2.000"]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_run_that_scored_nothing_failed(run: Run, tmp_path: Path, form: tuple[str]):
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "b", "summaries": {"s": "a dog"}}\n')
    done = run("score", path, "-m", "rouge1", *form)
    assert done.status == 1
    assert done.err.splitlines() == [
        "rouge1: 1 missing (the document has no reference)",
        "gistmark: No summary could be scored; the reasons are above.",
    ]


def test_notes_about_the_data_go_to_standard_error(run: Run, corpus_of: WriteCorpus):
    path = corpus_of(s="the cat")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    done = run("score", path, "-m", "words", "--json")
    assert done.status == 0
    assert done.err.startswith("note: ")
    assert "corpus.jsonl" in done.err
    json.loads(done.out)


def test_a_warning_is_one_plain_line_on_standard_error(
    run: Run, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "file"))
    done = run("score", sample, "-m", "words", "-m", "rouge1")
    assert done.status == 0
    (line,) = done.err.splitlines()
    assert line.startswith("warning: Scores are not cached: ")


# What is written


def test_scores_are_written_with_their_signatures(run: Run, sample: Path, tmp_path: Path):
    target = tmp_path / "scores.csv"
    done = run("score", sample, "-m", "rouge1", "-o", target)
    assert done.status == 0
    assert done.out.splitlines()[-1] == f"Scores: {target} (signatures beside it)"
    frame = pd.read_csv(target)
    assert list(frame.columns) == ["document", "system", "metric", "part", "value", "reason"]
    assert len(frame) == 56 * 3
    signatures = json.loads((tmp_path / "scores.csv.signatures.json").read_text())
    assert signatures == score(sample, ["rouge1"]).signatures


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_wide_scores_have_a_row_per_summary(run: Run, sample: Path, tmp_path: Path, suffix: str):
    target = tmp_path / f"scores.{suffix}"
    assert run("score", sample, "-m", "rouge1", "--wide", "-o", target).status == 0
    read = {
        "csv": pd.read_csv,
        "parquet": pd.read_parquet,
        "jsonl": lambda path: pd.read_json(path, lines=True),
    }
    frame = read[suffix](target)
    assert len(frame) == 56
    assert "rouge1.f" in frame.columns


def test_no_cache_writes_nothing(run: Run, sample: Path, cache_folder: Path):
    assert run("score", sample, "-m", "words", "--no-cache").status == 0
    assert not cache_folder.exists()
    assert run("score", sample, "-m", "words").status == 0
    assert cache_folder.exists()


def test_references_can_be_scored_too(run: Run, sample: Path):
    result = json.loads(run("score", sample, "-m", "rouge1", "--with-references", "--json").out)
    assert {s["system"] for s in result["leaderboard"]} >= {"careful", "reference", "reference-b"}


def test_workers_do_not_change_the_scores(run: Run, sample: Path):
    outcomes = [
        run("score", sample, "-m", "rouge", "--no-cache", "--workers", n, "--json").out
        for n in (1, 2)
    ]
    assert outcomes[0] == outcomes[1]


# Lines


def test_line_aligned_files_are_scored(run: Run, lines: tuple[Path, Path]):
    done = run("score", *lines, "-m", "rouge1")
    assert done.status == 0
    # "the cat sat" and "the cat ran": F 2/3; "a dog ran" twice: 1; the mean is 5/6.
    assert done.out.splitlines()[1].split()[:2] == ["sys", "0.833"]


def test_several_files_of_references_go_with_one_of_summaries(
    run: Run, lines: tuple[Path, Path], tmp_path: Path
):
    (tmp_path / "ref2.txt").write_text("the cat sat\nno\n")
    done = run("score", *lines, tmp_path / "ref2.txt", "-m", "rouge1")
    assert done.out.splitlines()[1].split()[:2] == ["sys", "1.000"]


def test_files_with_different_numbers_of_lines_are_refused(run: Run, lines: tuple[Path, Path]):
    lines[1].write_text("one line\n")
    done = run("score", *lines, "-m", "rouge1")
    assert done.status == 1
    assert done.out == ""
    assert "sys.txt has 2" in done.err
    assert "ref.txt has 1" in done.err


def test_a_text_file_alone_needs_its_references(run: Run, lines: tuple[Path, Path]):
    done = run("score", lines[0])
    assert done.status == 1
    assert "needs its references too" in done.err


def test_a_corpus_of_references_is_scored_when_references_are_asked_for(run: Run, tmp_path: Path):
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "references": ["the cat", "the dog"]}\n')
    done = run("score", path, "-m", "rouge1")
    assert done.status == 1
    assert "only references; --with-references scores them" in done.err
    done = run("score", path, "-m", "rouge1", "--with-references")
    assert done.status == 0
    assert "0.500" in done.out


# Models


def test_a_metric_that_has_no_value_at_all_is_told_and_not_in_the_table(
    run: Run, sample: Path, tmp_path: Path
):
    spec = "wordvec-cosine:vectors=glove-twitter-25"
    done = run("score", sample, "-m", "rouge1", "-m", spec, "-o", tmp_path / "scores.csv")
    assert done.status == 0
    assert done.out.splitlines()[0].split() == ["system", "rouge1", "↑"]
    (line,) = done.err.splitlines()
    assert line.startswith(f"{spec}: 56 missing (There is no ")
    assert line.endswith("python -m gensim.downloader -d glove-twitter-25)")
    frame = pd.read_csv(tmp_path / "scores.csv")
    assert frame[frame["metric"] == spec]["reason"].notna().all()


def test_long_names_of_metrics_are_not_cut_off(run: Run, lines: tuple[Path, Path]):
    specs = [f"rouge{n}:stem=yes,tok=space-cased,norm=quotes,refs=jackknife" for n in (1, 2, 3, 4)]
    done = run("score", *lines, *(part for spec in specs for part in ("-m", spec)))
    assert done.status == 0
    assert "…" not in done.out


def test_models_run_on_the_device_that_was_asked_for(
    run: Run, lines: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_DEVICE", "mps")
    done = run("score", *lines, "-m", "sentence-cosine", "--device", "cpu")
    assert done.status == 0
    assert done.err == ""


# Signatures


def test_signatures_are_printed_where_they_are_asked_for(run: Run, lines: tuple[Path, Path]):
    signature = metric_from("rouge1").signature
    assert f"rouge1: {signature}" in run("score", *lines, "-m", "rouge1", "--signatures").out
    assert signature not in run("score", *lines, "-m", "rouge1").out
    shown = run("score", *lines, "-m", "rouge1", "--signatures", "--json").out
    assert json.loads(shown)["signatures"] == {"rouge1": signature}


def test_the_json_of_a_leaderboard_has_the_names_of_its_frame(run: Run, lines: tuple[Path, Path]):
    shown = json.loads(run("score", *lines, "-m", "rouge1", "--json").out)["leaderboard"]
    frame = score(open_lines(*lines), ["rouge1"]).leaderboard().to_pandas()
    assert [list(entry) for entry in shown] == [list(frame.columns)] * len(frame)


def test_a_run_that_ends_well_removes_what_an_interrupted_one_left(
    run: Run, lines: tuple[Path, Path], tmp_path: Path
):
    left = [tmp_path / "scores.partial.csv", tmp_path / "scores.partial.csv.signatures.json"]
    other = tmp_path / "others.partial.csv"
    for file in (*left, other):
        file.write_text("old")
    assert run("score", *lines, "-m", "words", "-o", tmp_path / "scores.csv").status == 0
    assert not any(file.exists() for file in left)
    assert other.exists()


# Content units


def test_pages_show_where_units_were_found(run: Run, tmp_path: Path, corpus_of: WriteCorpus):
    corpus = corpus_of(a="The cat sat.", b="A dog ran.")
    pages = tmp_path / "stated"
    done = run("score", corpus, "-m", "rouge1", "-m", "pyramid:presence=words", "--units", pages)
    assert done.status == 0
    assert f"Units: {pages / 'index.html'}" in done.err
    content = json.loads((pages / "units.json").read_text(encoding="utf-8"))
    assert [each["value"] for each in content["summaries"]] == [1.0, 0.0]


def test_units_are_looked_for_once_for_the_scores_and_the_pages(
    run: Run, tmp_path: Path, corpus_of: WriteCorpus, monkeypatch: pytest.MonkeyPatch
):
    looked_for: list[presence.Pair] = []

    def counting(
        batch: Batch, options: PyramidOptions, pairs: Sequence[presence.Pair]
    ) -> presence.Float64:
        looked_for.extend(pairs)
        return presence.word_shares(batch, options, pairs)

    monkeypatch.setitem(presence._METHODS, "words", counting)
    corpus = corpus_of(a="A cat ran off.", b="A dog ran.")
    command = ("score", corpus, "-m", "pyramid:presence=words", "--no-cache")
    assert run(*command).status == 0
    without = list(looked_for)
    assert run(*command, "--units", tmp_path / "stated").status == 0
    assert sorted(text for _, text in without) == ["A cat ran off.", "A dog ran."]
    assert looked_for == without * 2
    assert run(*command).status == 0
    assert looked_for == without * 3
