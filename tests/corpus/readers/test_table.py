from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.readers.table import CSV, PARQUET
from gistmark.errors import UsageError
from gistmark.records import Document, Question, Summary

CORPUS = Corpus(
    documents=(Document("a", ("T", "U"), title="H"), Document("b", ("",))),
    summaries=(
        Summary("a", "gold", "r", reference=True),
        Summary("a", "lead", "s"),
        Summary("a", "mmr", ' "t" '),
    ),
    questions=(Question("a", "q", True),),
)


def test_a_document_is_written_on_its_first_row(tmp_path: Path) -> None:
    CSV.write(CORPUS, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == (
        b"document,system,summary,text,title,reference\n"
        b'a,lead,s,"T\n\nU",H,r\n'
        b'a,mmr," ""t"" ",,,\n'
        b"b,,,,,\n"
    )


def test_what_csv_cannot_hold_is_said(tmp_path: Path) -> None:
    assert CSV.write(CORPUS, tmp_path / "t.csv") == (
        "The format cannot hold 1 questions.",
        "The format cannot hold 1 documents of several texts, which are joined instead.",
        "The format cannot hold 1 names of references, which are numbered instead.",
        "The format cannot hold 1 empty texts of documents or of references and empty titles: "
        "an empty cell means that there is none.",
    )


def test_parquet_holds_several_and_empty_texts(tmp_path: Path) -> None:
    assert PARQUET.write(CORPUS, tmp_path / "t") == (
        "The format cannot hold 1 questions.",
        "The format cannot hold 1 names of references, which are numbered instead.",
    )
    assert PARQUET.read(tmp_path / "t").documents == CORPUS.documents


def test_a_system_called_like_a_reference_cannot_be_written(tmp_path: Path) -> None:
    corpus = CORPUS.with_summaries([Summary("a", "reference", "x")])
    with pytest.raises(UsageError, match="cannot be called 'reference'"):
        CSV.write(corpus, tmp_path / "t.csv")
    assert not (tmp_path / "t.csv").exists()
