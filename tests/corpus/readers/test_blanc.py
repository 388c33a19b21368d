from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.readers.blanc import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import Document, Rating, Summary


def read(tmp_path: Path, content: Any) -> Corpus:
    path = tmp_path / "b.json"
    path.write_text(json.dumps(content))
    return FORMAT.read(path)


def test_scores_go_with_annotators_by_position_and_equal_texts_share_a_document(
    tmp_path: Path,
) -> None:
    corpus = read(
        tmp_path,
        [
            {"text": "T", "summary": "s1", "annotators_ids": [7, 4], "scores": [1, 3]},
            {"text": "U", "summary": "s2", "annotators_ids": ["w"], "scores": [0.5]},
            {"text": "T", "summary": "s3", "annotators_ids": [4], "scores": [2]},
        ],
    )
    assert corpus == Corpus(
        documents=(Document("1", ("T",)), Document("2", ("U",))),
        summaries=(Summary("1", "s1", "s1"), Summary("2", "s1", "s2"), Summary("1", "s2", "s3")),
        ratings=(
            Rating("1", "s1", "7", "overall", 1.0),
            Rating("1", "s1", "4", "overall", 3.0),
            Rating("2", "s1", "w", "overall", 0.5),
            Rating("1", "s2", "4", "overall", 2.0),
        ),
    )


def test_aspects_are_dimensions(tmp_path: Path) -> None:
    aspects = {
        "Fluent": {"annotators_ids": [1], "scores": [4]},
        "Factual": {"annotators_ids": [1, 2], "scores": [3, 2]},
    }
    corpus = read(tmp_path, [{"text": "T", "summary": "s", "map_quality_scores": aspects}])
    assert [(r.dimension, r.annotator, r.value) for r in corpus.ratings] == [
        ("Fluent", "1", 4.0),
        ("Factual", "1", 3.0),
        ("Factual", "2", 2.0),
    ]


@pytest.mark.parametrize(
    "content",
    [
        {"doc": "T", "summaries": ["s", "t"]},
        [{"doc": "T", "summary": "s"}, {"doc": "T", "summary": "t"}],
    ],
)
def test_the_input_of_the_command_line_is_read(tmp_path: Path, content: object) -> None:
    corpus = read(tmp_path, content)
    assert corpus.documents == (Document("1", ("T",)),)
    assert corpus.summaries == (Summary("1", "s1", "s"), Summary("1", "s2", "t"))


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        read(
            tmp_path,
            [
                "x",
                {"summary": "s"},
                {"doc": "T", "summaries": "s"},
                {"text": "T", "summary": None},
                {"text": "T", "summary": "s", "annotators_ids": [1, 2], "scores": [1]},
                {"text": "T", "summary": "s", "scores": [1]},
                {"text": "T", "summary": "s", "annotators_ids": [1], "scores": ["1"]},
            ],
        )
    file = tmp_path / "b.json"
    assert [str(problem).replace(f"{file} ", "") for problem in caught.value.problems] == [
        "(record 1): A record must be an object, but is the text 'x'.",
        "(record 2): The field 'text' (or 'doc') must be text, but is missing.",
        "(record 3): The field 'summaries' must be a list, but is the text 's'.",
        "(record 5): For 'overall' there are 2 annotators_ids, but 1 scores.",
        "(record 6): The scores of 'overall' need lists as 'annotators_ids' and 'scores'.",
        "(record 4): The field 'text' is missing.",
        "(record 7): The field 'value' must be a number, but is the text '1'.",
    ]


def test_an_unknown_field_is_noted_once(tmp_path: Path) -> None:
    corpus = read(tmp_path, [{"doc": "T", "summary": "s", "url": 1}] * 2)
    assert [note.message for note in corpus.notes] == [
        "The field 'url' is unknown and was left out."
    ]


def test_numbers_are_written_as_numbers_and_names_as_names(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("1", ("T",)),),
        summaries=(Summary("1", "s1", "s"),),
        ratings=(
            Rating("1", "s1", "7", "overall", 3.0),
            Rating("1", "s1", "07", "overall", 2.5),
        ),
    )
    assert FORMAT.write(corpus, tmp_path / "b.json") == ()
    assert json.loads((tmp_path / "b.json").read_text()) == [
        {"text": "T", "summary": "s", "annotators_ids": [7, "07"], "scores": [3, 2.5]}
    ]


def test_what_is_left_out_on_writing_is_said(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("a", ("T",)), Document("b", ("U",))),
        summaries=(Summary("a", "lead", "s"), Summary("a", "gold", "r", reference=True)),
        ratings=(Rating("a", "gold", "ann", "fluency", 3.0),),
    )
    assert FORMAT.write(corpus, tmp_path / "b.json") == (
        "The format cannot hold 1 references.",
        "The format cannot hold 1 documents without summary.",
        "The format cannot hold 1 ids of documents, which are numbered instead.",
        "The format cannot hold 1 names of systems, which are numbered instead.",
        "The format cannot hold 1 ratings of summaries that are left out.",
    )
