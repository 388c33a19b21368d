"""What can be loaded: files and folders, frames, data sets; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gistmark.corpus import Corpus, from_datasets, from_frame, load
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Summary
from on_use import on_use

datasets = on_use("datasets")
pl = on_use("polars")

TABLE: dict[str, list[Any]] = {
    "document": ["a", "a", "b"],
    "system": ["lead", "mmr", "lead"],
    "summary": ["s1", "s2", ""],
    "text": ["T", None, "U"],
    "reference": ["r", "r", None],
}
EXPECTED = Corpus(
    documents=(Document("a", ("T",)), Document("b", ("U",))),
    summaries=(
        Summary("a", "reference", "r", reference=True),
        Summary("a", "lead", "s1"),
        Summary("a", "mmr", "s2"),
        Summary("b", "lead", ""),
    ),
)


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


def test_pandas_polars_and_datasets_give_the_same_corpus() -> None:
    assert from_frame(pd.DataFrame(TABLE)) == EXPECTED
    assert from_frame(pl.DataFrame(TABLE)) == EXPECTED
    assert from_datasets(datasets.Dataset.from_dict(TABLE)) == EXPECTED


def test_a_data_set_keeps_its_selection() -> None:
    chosen = datasets.Dataset.from_dict(TABLE).select([2])
    assert from_datasets(chosen).documents == (Document("b", ("U",)),)


def test_numbers_as_ids_are_read_as_text_with_a_note() -> None:
    frame = pd.DataFrame({"document": [1, 2], "system": "x", "summary": ["s", "t"]})
    corpus = from_frame(frame)
    assert corpus.document_ids == ("1", "2")
    assert [str(note) for note in corpus.notes] == [
        "frame: Numbers in 'document' were read as text."
    ]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_value_of_pandas_is_no_value(missing: object) -> None:
    frame = pd.DataFrame({**TABLE, "text": pd.Series(["T", missing, "U"], dtype=object)})
    assert from_frame(frame) == EXPECTED


def test_categories_and_lists_are_read() -> None:
    frame = pd.DataFrame({"document": ["a"], "summary": ["s"], "reference": [["r1", "r2"]]})
    frame["system"] = pd.Categorical(["x"])
    assert [s.system for s in from_frame(frame).summaries] == ["reference", "reference-2", "x"]


def test_lists_of_texts_are_documents_of_several_texts() -> None:
    frame = pl.DataFrame(
        {"document": ["a"], "system": ["x"], "summary": ["s"], "text": [["one", "two"]]}
    )
    assert from_frame(frame).documents == (Document("a", ("one", "two")),)


@pytest.mark.parametrize(
    "columns",
    [
        {"article": ["T"], "highlights": ["r"], "id": ["a"]},
        {"document": ["T"], "summary": ["r"], "id": ["a"]},
        {"dialogue": ["T"], "summary": ["r"], "id": ["a"]},
        {"text": ["T"], "summary": ["r"], "id": ["a"]},
        {"source": ["T"], "target": ["r"], "doc_id": ["a"]},
    ],
)
def test_the_data_sets_of_the_field_give_documents_and_references(
    columns: dict[str, list[str]],
) -> None:
    assert from_frame(pd.DataFrame(columns)) == Corpus(
        documents=(Document("a", ("T",)),),
        summaries=(Summary("a", "reference", "r", reference=True),),
    )


def test_without_ids_documents_are_numbered() -> None:
    corpus = from_frame(pd.DataFrame({"document": ["T", "U"], "summary": ["r", "q"]}))
    assert [document.id for document in corpus.documents] == ["1", "2"]


def test_a_system_name_makes_the_summaries_that_systems() -> None:
    frame = pd.DataFrame({"id": ["a"], "article": ["T"], "highlights": ["r"], "summary": ["s"]})
    with pytest.raises(UsageError, match="give system_name"):
        from_frame(frame)
    corpus = from_frame(frame, system_name="mine")
    assert corpus.systems == ("mine",)
    assert corpus.references["a"][0].text == "r"


def test_columns_may_be_named_by_role() -> None:
    frame = pd.DataFrame(
        {"key": ["a"], "body": ["T"], "g1": ["r"], "g2": ["q"], "who": ["x"], "o": ["s"]}
    )
    columns = {
        "document": "key",
        "text": "body",
        "reference": ["g1", "g2"],
        "system": "who",
        "summary": "o",
    }
    corpus = from_frame(frame, columns=columns)
    assert [(s.system, s.text) for s in corpus.summaries] == [
        ("reference", "r"),
        ("reference-2", "q"),
        ("x", "s"),
    ]
    assert corpus.notes == ()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["article", "source", "highlights"], "Both 'article' and 'source' could be the text"),
        (["document", "id", "system", "summary"], "Both 'document' and 'id' could be the id"),
        (["system", "summary"], "No column plays the role of 'document'"),
        (["a", "b"], "No column holds summaries or references; say which with columns= "),
    ],
)
def test_unclear_columns_are_an_error_that_lists_them(columns: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        from_frame(pd.DataFrame({name: ["x"] for name in columns}))
    assert message in str(caught.value)
    assert f"The columns are: {', '.join(columns)}." in str(caught.value)


def test_a_column_or_role_that_is_not_there_is_an_error() -> None:
    frame = pd.DataFrame(TABLE)
    with pytest.raises(UsageError, match="no column 'body'"):
        from_frame(frame, columns={"text": "body"})
    with pytest.raises(UsageError, match="no role 'body'"):
        from_frame(frame, columns={"body": "text"})


def test_a_column_that_comes_twice_is_an_error() -> None:
    frame = pd.DataFrame([["a", "b"]], columns=["document", "document"])
    with pytest.raises(UsageError, match="'document' comes twice"):
        from_frame(frame)


def test_bad_values_are_problems_with_their_row() -> None:
    frame = pd.DataFrame({**TABLE, "summary": ["s", 3, None]})
    with pytest.raises(CorpusError) as caught:
        from_frame(frame)
    assert [str(problem) for problem in caught.value.problems] == [
        "frame:2: The column 'summary' must be text, but is the number 3.",
        "frame:3: The row has a system, but no summary.",
    ]


def test_other_objects_are_refused() -> None:
    with pytest.raises(UsageError, match="not list"):
        from_frame([1])
    with pytest.raises(UsageError, match="not DataFrame"):
        from_datasets(pd.DataFrame(TABLE))


def test_one_split_is_taken_and_several_must_be_chosen_from() -> None:
    data = datasets.Dataset.from_dict(TABLE)
    assert from_datasets(datasets.DatasetDict(test=data)) == EXPECTED
    both = datasets.DatasetDict(train=data, test=data)
    assert from_datasets(both, split="test") == EXPECTED
    with pytest.raises(UsageError, match="choose one with split=: train, test"):
        from_datasets(both)
    with pytest.raises(UsageError, match="no split 'dev'; there are: train, test"):
        from_datasets(both, split="dev")
    with pytest.raises(UsageError, match="for a DatasetDict"):
        from_datasets(data, split="test")
