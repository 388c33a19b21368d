"""The corpus folder: its files and forms, how it is replaced, and how summaries are added to it.

When summaries are added, what was there stays byte for byte, or nothing happens.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus import Corpus, load, sample_folder, save
from gistmark.corpus.folder import add_summaries, write_signatures
from gistmark.errors import CorpusError, GistmarkError, UsageError
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
    with pytest.raises(UsageError, match="is not a corpus folder"):
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

    monkeypatch.setattr("gistmark.corpus.folder.dump_csv", fail)
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
    none = {kind for kind, count in sample.counts().items() if not count}
    judged = {"content units", "presence marks", "error annotations", "answers"}
    assert none == judged | {"sampled documents", "turns", "machines", "conditions"}


DOCUMENTS = '{"id": "a", "text": "A text."}\n{"id": "b", "text": "B text."}\n'
OLD = (
    '{"document": "a", "system": "old", "text": "1", "mine": {"x": [1]}}\n'
    "\n"
    '{"document":"b","system":"lead","text":"2"}\r\n'
    '{"document": "a", "system": "lead", "text": "3", "reference": true}'
)
NEW = [Summary("a", "lead", "new a"), Summary("b", "lead", "")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "corpus"
    made.mkdir()
    (made / "documents.jsonl").write_text(DOCUMENTS)
    (made / "ratings.jsonl").write_text(
        '{"document": "a", "system": "old", "annotator": "x", "dimension": "d", "value": 1}\n'
    )
    return made


def lines(folder: Path) -> list[str]:
    return (folder / "summaries.jsonl").read_bytes().decode().split("\n")


def test_a_folder_without_summaries_gets_its_first(folder: Path):
    add_summaries(folder, NEW, {"lead": "lead|v:1"})
    assert lines(folder) == [
        '{"document": "a", "system": "lead", "text": "new a"}',
        '{"document": "b", "system": "lead", "text": ""}',
        "",
    ]
    assert load(folder).systems == ("lead",)


def test_lines_that_stay_are_not_touched_and_fields_of_others_are_kept(folder: Path):
    (folder / "summaries.jsonl").write_bytes(b"\xef\xbb\xbf" + OLD.encode())
    add_summaries(folder, [Summary("b", "lead", "new")], {})
    first, *_, last, end = lines(folder)
    assert first == '{"document": "a", "system": "old", "text": "1", "mine": {"x": [1]}}'
    assert json.loads(last) == {"document": "b", "system": "lead", "text": "new"}
    assert end == ""
    texts = [(s.document, s.system, s.text) for s in load(folder).summaries]
    assert texts == [("a", "old", "1"), ("a", "lead", "3"), ("b", "lead", "new")]


def test_other_files_are_not_touched(folder: Path):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    add_summaries(folder, NEW, {})
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_signatures_are_merged_and_the_reader_does_not_mind_them(folder: Path):
    (folder / "summaries.jsonl").write_text('{"document":"a","system":"old","text":"1"}\n')
    write_signatures(folder, {"old": "old|v:1", "lead": "lead|v:0"})
    add_summaries(folder, NEW, {"lead": "lead|v:1"})
    result = json.loads((folder / "summaries.signatures.json").read_text())
    assert result == {"old": "old|v:1", "lead": "lead|v:1"}
    assert load(folder).notes == ()


def test_what_others_added_in_the_meantime_is_kept(folder: Path):
    add_summaries(folder, [Summary("a", "first", "1")], {})
    add_summaries(folder, [Summary("a", "second", "2")], {})
    assert load(folder).systems == ("first", "second")


@pytest.mark.parametrize("broken", ["{", "[]"])
def test_signatures_that_cannot_be_read_stop_everything(folder: Path, broken: str):
    (folder / "summaries.jsonl").write_bytes(OLD.encode())
    (folder / "summaries.signatures.json").write_text(broken)
    with pytest.raises(GistmarkError, match=r"summaries\.signatures\.json: the signatures"):
        add_summaries(folder, NEW[:1], {"lead": "x"})
    assert "\n".join(lines(folder)) == OLD
    assert [path.name for path in folder.glob(".*")] == []


def test_a_summary_of_a_document_that_is_not_there_stops_everything(folder: Path):
    with pytest.raises(CorpusError, match="There is no document 'z'"):
        add_summaries(folder, [Summary("z", "lead", "x")], {})
    assert not (folder / "summaries.jsonl").exists()
