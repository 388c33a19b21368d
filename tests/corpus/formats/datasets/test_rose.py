from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from gistmark.corpus import Corpus, load, save
from gistmark.corpus.formats.datasets.rose import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import Document, Rating, Summary


def annotation(acu: float, normalized: float, *labels: int) -> dict[str, Any]:
    return {"acu": acu, "normalized_acu": normalized, "acu_labels": list(labels)}


LINE: dict[str, Any] = {
    "source": "T",
    "reference": "r",
    "reference_acus": ["u1", "u2"],
    "count_id": 53,
    "example_id": "0a1b",
    "annotations": {"bart": annotation(0.5, 0.4, 1, 0), "gold": annotation(0, 0, 0, 0)},
    "system_outputs": {"bart": "s", "gold": "t"},
}
PROTOCOLS: dict[str, Any] = {
    "source": "U",
    "reference": "q",
    "reference_acus": ["u3"],
    "count_id": 54,
    "example_id": "0a1c",
    "annotations": {
        "bart": {**annotation(1, 0.9, 1), "prior": 4.0, "ref_free": 3.5, "ref_based": 2.5}
    },
    "system_outputs": {"bart": "v"},
}


def read(tmp_path: Path, *lines: Any) -> Corpus:
    path = tmp_path / "rose.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return FORMAT.read(path)


def rating(document: str, system: str, dimension: str, value: float) -> Rating:
    return Rating(document, system, "aggregate", dimension, value)


EXPECTED = Corpus(
    documents=(Document("0a1b", ("T",)), Document("0a1c", ("U",))),
    summaries=(
        Summary("0a1b", "reference", "r", reference=True),
        Summary("0a1b", "bart", "s"),
        Summary("0a1b", "gold", "t"),
        Summary("0a1c", "reference", "q", reference=True),
        Summary("0a1c", "bart", "v"),
    ),
    ratings=(
        rating("0a1b", "bart", "acu", 0.5),
        rating("0a1b", "bart", "normalized_acu", 0.4),
        rating("0a1b", "gold", "acu", 0.0),
        rating("0a1b", "gold", "normalized_acu", 0.0),
        rating("0a1c", "bart", "acu", 1.0),
        rating("0a1c", "bart", "normalized_acu", 0.9),
        rating("0a1c", "bart", "prior", 4.0),
        rating("0a1c", "bart", "ref_free", 3.5),
        rating("0a1c", "bart", "ref_based", 2.5),
    ),
)


def test_texts_references_systems_and_scores_are_read(tmp_path: Path) -> None:
    corpus = read(tmp_path, LINE, PROTOCOLS)
    assert corpus == EXPECTED
    save(corpus, tmp_path / "c")
    assert load(tmp_path / "c") == corpus


def test_notes_count_the_units_and_labels_that_are_left_out(tmp_path: Path) -> None:
    assert [note.message for note in read(tmp_path, LINE, PROTOCOLS).notes] == [
        "acu, normalized_acu, prior, ref_based, ref_free: one value per summary, so the annotator "
        "is called 'aggregate'; the file does not say how far people agreed.",
        "3 content units (reference_acus) and 5 labels (acu_labels) were left out.",
    ]


def test_parquet_is_read_alike_with_systems_that_some_documents_lack(tmp_path: Path) -> None:
    path = tmp_path / "rose.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([LINE, PROTOCOLS]), path)
    assert FORMAT.read(path) == EXPECTED


def test_the_outputs_of_the_protocol_files_have_another_name(tmp_path: Path) -> None:
    line = {**LINE, "model_outputs": LINE["system_outputs"]}
    del line["system_outputs"]
    assert read(tmp_path, line).systems == ("bart", "gold")


def test_without_an_example_id_the_count_or_the_line_names_the_document(tmp_path: Path) -> None:
    counted = {k: v for k, v in LINE.items() if k != "example_id"}
    bare = {k: v for k, v in counted.items() if k != "count_id"}
    assert read(tmp_path, counted, bare).document_ids == ("53", "2")


def test_an_unknown_annotation_is_noted_with_its_count(tmp_path: Path) -> None:
    line = {**LINE, "annotations": {"bart": {"acu": 1, "mood": 3}, "gold": {"mood": 4}}}
    assert [note.message for note in read(tmp_path, line).notes][-1] == (
        "The annotation 'mood' is unknown and was left out (2 times)."
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"annotations": []}, "'annotations' must be an object of systems and their annotations"),
        ({"annotations": {"bart": 1}}, "must hold objects, but that of 'bart' is the number 1."),
        ({"annotations": {"bart": {"acu": "x"}}}, "'value' must be a number, but is the text 'x'"),
        ({"system_outputs": {"bart": 3}}, "is wrong for 'bart': it must be text"),
        ({"reference_acus": "u"}, "'reference_acus' must be a list of texts"),
        ({"source": 3}, "'source' must be text"),
    ],
)
def test_a_bad_line_is_a_problem_with_its_number(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, PROTOCOLS, {**LINE, **change})
    (problem,) = caught.value.problems
    assert problem.line == 2
    assert message in problem.message
