from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.summeval import FORMAT
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Rating, Summary

LINE = {
    "id": "cnn-1",
    "model_id": "M0",
    "decoded": "s",
    "references": ["r1", "r2"],
    "text": "T",
    "expert_annotations": [{"coherence": 2, "fluency": 5}, {"coherence": 1}],
    "turker_annotations": [{"coherence": 4}],
}


def read(tmp_path: Path, *lines: dict[str, Any]) -> Corpus:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return FORMAT.read(path)


def test_lines_are_read_whole_and_shared_texts_once(tmp_path: Path) -> None:
    other = LINE | {"model_id": "M1", "expert_annotations": [], "turker_annotations": []}
    assert read(tmp_path, LINE, other) == Corpus(
        documents=(Document("cnn-1", ("T",)),),
        summaries=(
            Summary("cnn-1", "reference", "r1", reference=True),
            Summary("cnn-1", "reference-2", "r2", reference=True),
            Summary("cnn-1", "M0", "s"),
            Summary("cnn-1", "M1", "s"),
        ),
        ratings=(
            Rating("cnn-1", "M0", "expert1", "coherence", 2.0),
            Rating("cnn-1", "M0", "expert1", "fluency", 5.0),
            Rating("cnn-1", "M0", "expert2", "coherence", 1.0),
            Rating("cnn-1", "M0", "turker1", "coherence", 4.0),
        ),
    )


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        read(
            tmp_path,
            LINE,
            LINE | {"model_id": "M1", "text": "U", "references": ["r1", "q2"]},
            LINE | {"model_id": "M2", "expert_annotations": [3]},
            LINE | {"model_id": "M3", "turker_annotations": [{"coherence": "4"}]},
            LINE,
        )
    result = [(problem.line, problem.message) for problem in caught.value.problems]
    assert result[:4] == [
        (2, "The text of document 'cnn-1' differs from the one on line 1."),
        (
            2,
            "The text of reference 'reference-2' of document 'cnn-1' differs from the one "
            "on line 1.",
        ),
        (3, "The field 'expert_annotations' must be a list of objects, but one is the number 3."),
        (4, "The field 'value' must be a number, but is the text '4'."),
    ]
    assert {line for line, _ in result[4:]} == {5}


def test_annotators_of_other_names_become_experts(tmp_path: Path) -> None:
    corpus = Corpus(
        summaries=(Summary("a", "x", "s"),),
        ratings=(
            Rating("a", "x", "zoe", "fluency", 4.0),
            Rating("a", "x", "expert1", "fluency", 2.5),
        ),
    )
    assert FORMAT.write(corpus, tmp_path / "s.jsonl") == (
        "The format cannot hold 2 names of annotators.",
    )
    assert json.loads((tmp_path / "s.jsonl").read_text()) == {
        "id": "a",
        "model_id": "x",
        "decoded": "s",
        "references": [],
        "expert_annotations": [{"fluency": 4}, {"fluency": 2.5}],
        "turker_annotations": [],
    }


def test_what_is_left_out_on_writing_is_said(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("a", ("T", "U"), title="H", lang="en"), Document("b", ("V",))),
        summaries=(Summary("a", "x", "s"), Summary("a", "gold", "r", reference=True)),
        ratings=(Rating("a", "gold", "expert1", "fluency", 4.0, weight=1.0),),
    )
    assert FORMAT.write(corpus, tmp_path / "s.jsonl") == (
        "The format cannot hold 1 documents without a system's summary.",
        "The format cannot hold 1 ratings of references.",
        "The format cannot hold 1 titles of documents.",
        "The format cannot hold 1 languages of documents.",
        "The format cannot hold 1 documents of several texts, which are joined instead.",
        "The format cannot hold 1 names of references, which are numbered instead.",
        "The format cannot hold 1 ratings' weight values.",
    )


def test_a_system_called_like_a_reference_cannot_be_written(tmp_path: Path) -> None:
    corpus = Corpus(
        summaries=(Summary("a", "reference-2", "s"), Summary("a", "gold", "r", reference=True))
    )
    with pytest.raises(UsageError, match="cannot be called 'reference-2'"):
        FORMAT.write(corpus, tmp_path / "s.jsonl")
