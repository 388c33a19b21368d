from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gistmark.corpus import load
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Summary


def test_a_path_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nowhere: There is no such file or folder"):
        load(tmp_path / "nowhere")


def test_an_unknown_extension_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "c.docx"
    path.write_text("x")
    with pytest.raises(CorpusError, match=r"\.jsonl, \.csv, \.tsv, \.parquet"):
        load(path)


def test_an_extension_may_be_in_capitals(tmp_path: Path) -> None:
    path = tmp_path / "C.CSV"
    path.write_text("document,system,summary\na,lead,s\n")
    assert load(str(path)).systems == ("lead",)


def test_references_go_with_a_file_of_lines_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        load(tmp_path, references="r.txt")


ROWS = [
    {"src": "T", "output": "s", "model_name": "lead", "gold_1": "r", "gold_2": "q"},
    {"src": "T", "output": "t", "model_name": "mmr", "gold_1": "r", "gold_2": "q"},
    {"src": "U", "output": "u", "model_name": "lead", "gold_1": "p", "gold_2": "o"},
]
COLUMNS = {
    "text": "src",
    "summary": "output",
    "system": "model_name",
    "reference": ["gold_1", "gold_2"],
}


def write_rows(folder: Path, form: str) -> Path:
    path = folder / f"rows.{form}"
    frame = pd.DataFrame(ROWS)
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif form == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if form == "tsv" else ",")
    return path


FORMS = pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])


@FORMS
def test_columns_map_any_names_in_every_form_of_a_single_file(tmp_path: Path, form: str) -> None:
    corpus = load(write_rows(tmp_path, form), columns=COLUMNS)
    assert corpus.documents == (Document("1", ("T",)), Document("3", ("U",)))
    assert [(s.document, s.system, s.text) for s in corpus.summaries if not s.reference] == [
        ("1", "lead", "s"),
        ("1", "mmr", "t"),
        ("3", "lead", "u"),
    ]
    assert [r.text for r in corpus.references["3"]] == ["p", "o"]
    assert corpus.notes == ()


@FORMS
def test_a_column_that_is_not_in_the_file_is_an_error_that_lists_its_columns(
    tmp_path: Path, form: str
) -> None:
    path = write_rows(tmp_path, form)
    with pytest.raises(UsageError) as caught:
        load(path, columns={**COLUMNS, "text": "source"})
    assert str(caught.value) == (
        f"{path}: There is no column 'source'. "
        "The columns are: src, output, model_name, gold_1, gold_2."
    )


@FORMS
def test_a_role_that_does_not_exist_is_an_error_that_lists_the_roles(
    tmp_path: Path, form: str
) -> None:
    with pytest.raises(UsageError) as caught:
        load(write_rows(tmp_path, form), columns={"source": "src"})
    assert str(caught.value) == (
        "There is no role 'source' for a column; "
        "roles: document, system, summary, text, reference, title, anonymous."
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": ["src", "output"]}, "Only 'reference' may have several columns, not 'text'."),
        ({"text": ""}, "The role 'text' has no column."),
        ({"reference": []}, "The role 'reference' has no column."),
    ],
)
def test_a_role_has_one_column(tmp_path: Path, columns: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(write_rows(tmp_path, "csv"), columns=columns)
    assert str(caught.value) == message


def test_a_column_that_is_given_to_one_role_does_not_play_another(tmp_path: Path) -> None:
    """`document` would be the id; as the text it leaves the documents to be numbered."""
    path = tmp_path / "t.csv"
    path.write_text("document,system,summary\nT,lead,s\nT,mmr,t\n")
    corpus = load(path, columns={"text": "document"})
    assert corpus.documents == (Document("1", ("T",)),)
    assert [s.document for s in corpus.summaries] == ["1", "1"]


def test_a_row_needs_the_id_or_the_text_of_its_document(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,system,summary\nT,lead,s\n,mmr,t\n")
    with pytest.raises(CorpusError, match="3: The row has neither the id nor the text of its"):
        load(path)


@FORMS
def test_a_system_name_is_for_files_without_systems(tmp_path: Path, form: str) -> None:
    path = write_rows(tmp_path, form)
    columns = {"document": "src", "summary": "output", "reference": "gold_1"}
    with pytest.raises(CorpusError, match="give system_name="):
        load(path, columns={**columns, "document": "gold_2"})
    with pytest.raises(UsageError, match="The column 'model_name' names the systems already"):
        load(path, columns=COLUMNS, system_name="mine")


def test_a_system_name_names_the_system_of_every_row(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "a", "source": "T", "prediction": "s", "target": "r"}\n')
    corpus = load(path, system_name="mine")
    assert corpus.summaries[-1] == Summary("a", "mine", "s")
    assert corpus.references["a"][0].text == "r"


@pytest.mark.parametrize("option", [{"columns": {"text": "body"}}, {"system_name": "x"}])
def test_folders_and_text_files_have_no_columns(tmp_path: Path, option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="is a folder, whose files have fixed names"):
        load(tmp_path, **option)
    path = tmp_path / "s.txt"
    path.write_text("s\n")
    with pytest.raises(UsageError, match="is a text file"):
        load(path, references=path, **option)
