"""The corpus folder: its files, its forms, and how it is replaced."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus import Corpus, folder, load, sample_folder, save
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Highlight, Planted, Question, Rating, Summary

SMALL = Corpus(
    documents=(Document("a", ("Ä text.",), title="T", lang="en"), Document("b", ("x", "y"))),
    summaries=(Summary("a", "lead", "S"), Summary("a", "gold", "R", reference=True)),
    ratings=(
        Rating("a", "lead", "ann", "overall", 4.0),
        Rating("a", "lead", "ann", "focus, sharp", 0.1, confidence=2.0, campaign="c"),
    ),
    highlights=(Highlight("a", "ann", 0, 2, 30),),
    questions=(Question("a", "Is it?", True), Question("a", "Is it not?", False, "reference")),
    planted=(Planted("good", "so-so", "bad"),),
)


def names(where: Path) -> list[str]:
    return sorted(path.name for path in where.iterdir())


def test_a_folder_is_written_as_the_design_describes_it(tmp_path: Path) -> None:
    save(SMALL, tmp_path)
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert written == {
        "documents.jsonl": (
            '{"id": "a", "text": "Ä text.", "title": "T", "lang": "en"}\n'
            '{"id": "b", "texts": ["x", "y"]}\n'
        ),
        "summaries.jsonl": (
            '{"document": "a", "system": "lead", "text": "S"}\n'
            '{"document": "a", "system": "gold", "text": "R", "reference": true}\n'
        ),
        "ratings.csv": (
            "document,system,annotator,dimension,value,confidence,campaign\n"
            "a,lead,ann,overall,4,,\n"
            'a,lead,ann,"focus, sharp",0.1,2,c\n'
        ),
        "highlights.csv": "document,annotator,start,end,budget\na,ann,0,2,30\n",
        "questions.jsonl": (
            '{"document": "a", "statement": "Is it?", "answer": true}\n'
            '{"document": "a", "statement": "Is it not?", "answer": false, "about": "reference"}\n'
        ),
        "planted.jsonl": '{"good": "good", "mediocre": "so-so", "bad": "bad"}\n',
    }


def test_tables_may_be_json_lines(tmp_path: Path) -> None:
    save(SMALL, tmp_path, tables="jsonl")
    first = (tmp_path / "ratings.jsonl").read_text().split("\n")[0]
    assert first == (
        '{"document": "a", "system": "lead", "annotator": "ann", '
        '"dimension": "overall", "value": 4}'
    )
    assert load(tmp_path) == SMALL


def test_numbers_of_numpy_are_written_as_plain_ones(tmp_path: Path) -> None:
    rating = Rating("a", "lead", "ann", "overall", np.float64(3.5))
    save(Corpus(summaries=SMALL.summaries, ratings=(rating,)), tmp_path)
    assert (tmp_path / "ratings.csv").read_text().endswith("a,lead,ann,overall,3.5\n")


def test_saving_again_removes_what_the_new_corpus_lacks_and_nothing_else(tmp_path: Path) -> None:
    save(SMALL, tmp_path, tables="parquet")
    (tmp_path / "README.md").write_text("mine")
    save(Corpus(summaries=SMALL.summaries, ratings=SMALL.ratings), tmp_path)
    assert names(tmp_path) == ["README.md", "ratings.csv", "summaries.jsonl"]


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match="no corpus folder"):
        save(SMALL, tmp_path)
    assert names(tmp_path) == ["thesis.tex"]


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        save(SMALL, tmp_path / "c")


def test_a_corpus_that_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    bad = Corpus(
        summaries=(Summary("a", "x", "\ud800"), Summary("a", "", "t"), Summary("b", "y", "t")),
        ratings=(Rating("b", "y", "ann", "overall", float("nan")),),
    )
    with pytest.raises(CorpusError) as caught:
        save(bad, tmp_path / "new")
    messages = " ".join(str(problem) for problem in caught.value.problems)
    assert len(caught.value.problems) == 3
    assert "surrogate" in messages
    assert "'system' is empty" in messages
    assert "finite" in messages
    assert not (tmp_path / "new").exists()


def test_a_corpus_with_the_same_summary_twice_is_not_written(tmp_path: Path) -> None:
    twice = (Summary("a", "x", "1"), Summary("a", "x", "2"))
    with pytest.raises(CorpusError, match="already a summary with document 'a', system 'x'"):
        save(Corpus(summaries=twice), tmp_path / "new")


def test_a_failure_while_writing_leaves_the_old_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(SMALL, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(folder.csv, "dump_table", fail)
    with pytest.raises(OSError, match="disk full"):
        save(
            Corpus(
                documents=(Document("z", ("new",)),),
                summaries=(),
                highlights=(Highlight("z", "ann", 0, 1),),
            ),
            tmp_path,
        )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_empty_corpus_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="neither documents nor summaries"):
        save(Corpus(), tmp_path / "new")


def test_an_unknown_form_of_tables_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="csv, jsonl, parquet"):
        save(SMALL, tmp_path, tables="xlsx")  # type: ignore[arg-type]


def test_the_sample_is_a_corpus_without_a_note() -> None:
    sample = load(sample_folder())
    assert sample.notes == ()
    assert min(sample.counts().values()) > 0, "the sample shows every kind of record"
