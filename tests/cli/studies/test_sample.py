"""`gistmark sample`: a corpus of the documents that people should judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gistmark

Run = Callable[..., Any]


def test_a_sample_is_a_corpus_that_says_how_it_was_chosen(run: Run, tmp_path: Path):
    target = tmp_path / "chosen"
    done = run("sample", gistmark.sample_folder(), "-n", "5", "--by", "diversity", "-o", target)
    assert done.status == 0
    assert done.out.startswith(f"{target} has 5 of 14 documents (diversity), chosen with ")
    chosen = gistmark.load(target)
    assert [each.document for each in chosen.sampling] == list(chosen.document_ids)
    again = run(
        "sample", gistmark.sample_folder(), "-n", "5", "--by", "diversity", "-o", target,
        "--force", "--json",
    )  # fmt: skip
    assert [row["document"] for row in json.loads(again.out)] == list(chosen.document_ids)


def test_a_choice_for_the_ranking_says_what_its_means_are(run: Run, tmp_path: Path):
    scores = tmp_path / "scores.csv"
    run("score", gistmark.sample_folder(), "-m", "rouge1", "-o", scores)
    done = run(
        "sample", gistmark.sample_folder(), "-n", "5", "--by", "metric-variance", "--for",
        "ranking", "--scores", scores, "-o", tmp_path / "chosen",
    )  # fmt: skip
    assert "Their means are not those of the corpus" in done.out


def test_bad_input_gets_a_sentence(run: Run, tmp_path: Path):
    folder, target = gistmark.sample_folder(), tmp_path / "chosen"
    for arguments, sentence in (
        (("-n", "99"), "99 documents are wanted, but the corpus has 14"),
        (("-n", "5", "--by", "consistency"), "the scores of a metric are needed"),
    ):
        done = run("sample", folder, *arguments, "-o", target)
        assert done.status == 2
        assert sentence in done.err
        assert not target.exists()
