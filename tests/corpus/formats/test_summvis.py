from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.summvis import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import Document, Summary


def read(tmp_path: Path, *lines: dict[str, Any]) -> Corpus:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return FORMAT.read(path)


def test_documents_are_numbered_unless_they_have_an_id(tmp_path: Path) -> None:
    corpus = read(
        tmp_path,
        {"document": "T", "summary:reference": "r", "summary:bart": "s"},
        {"document": "U", "summary:reference-2": "q", "summary:pegasus": "t", "id": "x"},
    )
    assert corpus == Corpus(
        documents=(Document("1", ("T",)), Document("x", ("U",))),
        summaries=(
            Summary("1", "reference", "r", reference=True),
            Summary("1", "bart", "s"),
            Summary("x", "reference-2", "q", reference=True),
            Summary("x", "pegasus", "t"),
        ),
    )


def test_problems_and_unknown_fields_are_told(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"document": "T", "summary:a": "s", "mood": "x"})
    assert [note.message for note in corpus.notes] == [
        "The field 'mood' is unknown and was left out."
    ]
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, {"summary:a": "s"}, {"document": "T", "summary:a": 3})
    assert [(problem.line, problem.message) for problem in caught.value.problems] == [
        (1, "The field 'text' (or 'texts') is missing."),
        (2, "The field 'text' must be text, but is the number 3."),
    ]


def test_ids_are_written_where_they_are_no_numbers(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("1", ("T",)), Document("b", ("U",))),
        summaries=(Summary("1", "x", "s"), Summary("b", "gold", "r", reference=True)),
    )
    assert FORMAT.write(corpus, tmp_path / "s.jsonl") == (
        "The format cannot hold 1 names of references, which are numbered instead.",
    )
    lines = (tmp_path / "s.jsonl").read_text().split("\n")[:-1]
    assert [json.loads(line) for line in lines] == [
        {"document": "T", "summary:x": "s"},
        {"document": "U", "id": "b", "summary:reference": "r"},
    ]
