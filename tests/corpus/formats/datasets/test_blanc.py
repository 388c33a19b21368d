from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.blanc import FORMAT
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.errors import CorpusError
from gistmark.records import Document, Rating, Summary

ORDER = (
    "The format names no systems: s1, s2, … are the order in which the summaries of a text appear, "
    "so the s1 of two texts need not be by the same system."
)
TWICE = [
    {
        "text": "T",
        "summary": "s",
        "map_quality_scores": {
            "Fluent": {"annotators_ids": [15, 4, 15], "scores": [2, 4, 3]},
            "Overall": {"annotators_ids": [15, 15], "scores": [3, 3]},
        },
    }
]


def read(tmp_path: Path, content: Any, on_duplicate: OnDuplicate = "refuse") -> Corpus:
    path = tmp_path / "b.json"
    path.write_text(json.dumps(content))
    return FORMAT.read(path, on_duplicate=on_duplicate)


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
        summaries=(
            Summary("1", "s1", "s1", anonymous=True),
            Summary("2", "s1", "s2", anonymous=True),
            Summary("1", "s2", "s3", anonymous=True),
        ),
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
    assert corpus.summaries == (
        Summary("1", "s1", "s", anonymous=True),
        Summary("1", "s2", "t", anonymous=True),
    )


def test_systems_are_anonymous_and_a_note_says_once_that_they_are_an_order(tmp_path: Path) -> None:
    corpus = read(tmp_path, [{"doc": "T", "summaries": ["s", "t"]}, {"doc": "U", "summary": "v"}])
    assert corpus.anonymous_systems == {"s1", "s2"}
    assert [note.message for note in corpus.notes] == [ORDER]


def test_an_annotator_who_rated_twice_is_refused_with_the_option_that_reads_it(
    tmp_path: Path,
) -> None:
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, TWICE)
    assert [str(problem).partition("): ")[2] for problem in caught.value.problems] == [
        "There is already a rating with document '1', system 's1', annotator '15', "
        "dimension 'Fluent'. To read such data, say which rating counts: on_duplicate= (on the "
        "command line --on-duplicate) first, last or mean.",
        "There is already a rating with document '1', system 's1', annotator '15', "
        "dimension 'Overall'.",
    ]


def test_an_annotator_who_rated_twice_counts_with_the_mean_if_asked(tmp_path: Path) -> None:
    corpus = read(tmp_path, TWICE, on_duplicate="mean")
    assert [(r.annotator, r.dimension, r.value) for r in corpus.ratings] == [
        ("15", "Fluent", 2.5),
        ("4", "Fluent", 4.0),
        ("15", "Overall", 3.0),
    ]
    assert (
        "4 ratings became 2 means, because an annotator had rated the same dimension of the same "
        "summary more than once."
    ) in [note.message for note in corpus.notes]


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
        "The field 'url' is unknown and was left out.",
        ORDER,
    ]


def test_numbers_are_written_as_numbers_and_names_as_names(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("1", ("T",)),),
        summaries=(Summary("1", "s1", "s", anonymous=True),),
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


def test_a_system_that_happens_to_be_called_s1_loses_its_name(tmp_path: Path) -> None:
    corpus = Corpus(documents=(Document("1", ("T",)),), summaries=(Summary("1", "s1", "s"),))
    assert FORMAT.write(corpus, tmp_path / "b.json") == (
        "The format cannot hold 1 names of systems, which are numbered instead.",
    )
