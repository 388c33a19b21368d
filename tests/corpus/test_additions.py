"""Summaries added to a folder: what was there stays byte for byte, or nothing happens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmark.corpus import load
from gistmark.corpus.additions import add_summaries, write_signatures
from gistmark.errors import CorpusError, GistmarkError
from gistmark.records import Summary

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
    found = json.loads((folder / "summaries.signatures.json").read_text())
    assert found == {"old": "old|v:1", "lead": "lead|v:1"}
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
