from __future__ import annotations

from typing import Any

import datasets
import pandas as pd
import polars as pl
import pytest

from gistmark.corpus import Corpus, from_datasets, from_frame
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Summary

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
