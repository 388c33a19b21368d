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


def test_a_range_of_lengths_restricts_what_is_drawn_from(run: Run, tmp_path: Path):
    folder = corpus_of_lengths(tmp_path, 2, 3, 4, 5, 6)
    target = tmp_path / "chosen"
    done = run("sample", folder, "-n", "2", "--min-words", "3", "--max-words", "5", "-o", target)
    assert done.status == 0
    assert done.out.startswith(
        f"{target} has 2 of 3 documents of this length (2 of 5 left out) (random), chosen with "
        "probability 0.667."
    )
    chosen = gistmark.load(target)
    assert {record.probability for record in chosen.sampling} == {2 / 3}
    assert {record.method for record in chosen.sampling} == {
        "random among documents of 3 to 5 words"
    }
    assert set(chosen.document_ids) <= {"d3", "d4", "d5"}


def test_without_a_number_all_documents_of_the_range_are_taken(run: Run, tmp_path: Path):
    folder = corpus_of_lengths(tmp_path, 2, 3, 4)
    done = run("sample", folder, "--min-words", "3", "-o", tmp_path / "chosen", "--json")
    assert [(row["document"], row["probability"]) for row in json.loads(done.out)] == [
        ("d3", 1.0),
        ("d4", 1.0),
    ]


def test_ranges_that_cannot_be_met_get_a_sentence(run: Run, tmp_path: Path):
    folder = corpus_of_lengths(tmp_path, 2, 3, 4)
    textless = tmp_path / "textless"
    textless.mkdir()
    (textless / "summaries.jsonl").write_text('{"document": "a", "system": "s", "text": "x"}\n')
    for source, arguments, sentence in (
        (folder, (), "Say how many documents to choose"),
        (folder, ("--min-words", "5", "--max-words", "4"), "at least 5 and at most 4 words"),
        (folder, ("--min-words", "9"), "the shortest has 2, the longest 4"),
        (folder, ("-n", "3", "--min-words", "3"), "the corpus has 2 of this length"),
        (textless, ("--min-words", "1"), "its text is not in the corpus"),
    ):
        done = run("sample", source, *arguments, "-o", tmp_path / "chosen")
        assert done.status == 2
        assert sentence in done.err


def corpus_of_lengths(tmp_path: Path, *lengths: int) -> Path:
    """A corpus of documents called d2, d3, ... after their numbers of words."""
    folder = tmp_path / "lengths"
    folder.mkdir()
    (folder / "documents.jsonl").write_text(
        "".join(json.dumps({"id": f"d{n}", "text": "word " * n}) + "\n" for n in lengths)
    )
    return folder
