from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load
from gistmark.corpus.formats.summary_table import CSV, PARQUET
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Question, Summary


def load_table(folder: Path, text: str, name: str = "t.csv") -> Corpus:
    path = folder / name
    path.write_bytes(text.encode())
    return load(path)


def problems(folder: Path, text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(CorpusError) as caught:
        load_table(folder, text)
    return [(problem.line, problem.message) for problem in caught.value.problems]


def test_a_table_gives_documents_references_and_summaries(tmp_path: Path) -> None:
    corpus = load_table(
        tmp_path,
        "document,system,summary,text,title,reference,reference_2\n"
        "a,lead,s1,T,H,r1,r2\n"
        "a,mmr,s2,,,,\n"
        "b,lead,,U,,,q2\n",
    )
    assert corpus.documents == (Document("a", ("T",), "H"), Document("b", ("U",)))
    assert corpus.summaries == (
        Summary("a", "reference", "r1", reference=True),
        Summary("a", "reference-2", "r2", reference=True),
        Summary("a", "lead", "s1"),
        Summary("a", "mmr", "s2"),
        Summary("b", "reference-2", "q2", reference=True),
        Summary("b", "lead", ""),
    )


def test_a_text_may_stand_on_every_row_and_after_the_first(tmp_path: Path) -> None:
    corpus = load_table(tmp_path, "document,system,summary,text\na,x,s,\na,y,s,T\na,z,s,T\n")
    assert corpus.documents == (Document("a", ("T",)),)


def test_contradictions_are_problems(tmp_path: Path) -> None:
    assert problems(
        tmp_path,
        "document,system,summary,text,title,reference\na,x,s,T,H,r\na,y,s,U,I,q\n",
    ) == [
        (3, "The text of document 'a' differs from the one on line 2."),
        (3, "The title of document 'a' differs from the one on line 2."),
        (3, "The text of reference 'reference' of document 'a' differs from the one on line 2."),
    ]


def test_without_texts_the_title_belongs_to_the_summaries(tmp_path: Path) -> None:
    corpus = load_table(tmp_path, "document,system,summary,title,reference\na,x,s,H,r\n")
    assert corpus.documents == ()
    assert {summary.title for summary in corpus.summaries} == {"H"}


def test_a_row_without_a_system_holds_only_the_document(tmp_path: Path) -> None:
    corpus = load_table(tmp_path, "document,system,summary,text,reference\na,,,T,r\n")
    assert [(s.system, s.reference) for s in corpus.summaries] == [("reference", True)]


def test_bad_rows_are_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, "document,system,summary\na,,s\n,x,s\na,x,s\na,x,t\n") == [
        (2, "The row has a summary, but no system."),
        (3, "The column 'document' is empty."),
        (5, "There is already a summary with document 'a', system 'x'; the first is on line 4."),
    ]


def test_missing_columns_are_a_problem_that_lists_what_there_is(tmp_path: Path) -> None:
    assert problems(tmp_path, "document,system,text\na,x,T\n") == [
        (
            1,
            "No column plays the role of 'summary'; say which with columns= (on the command line "
            "--columns summary=NAME). The columns are: document, system, text.",
        )
    ]


def test_unknown_columns_are_noted(tmp_path: Path) -> None:
    corpus = load_table(tmp_path, "document,system,summary,mood\na,x,s,fine\n")
    assert [note.message for note in corpus.notes] == [
        "The column 'mood' is unknown and was left out."
    ]


def test_a_tsv_file_is_separated_by_tabs(tmp_path: Path) -> None:
    corpus = load_table(tmp_path, 'document\tsystem\tsummary\na\tx\t"s\tt"\n', "t.tsv")
    assert corpus.summaries == (Summary("a", "x", "s\tt"),)


@pytest.mark.parametrize(("length", "is_text"), [(199, False), (200, True)])
def test_ids_that_are_as_long_as_texts_are_texts(
    tmp_path: Path, length: int, is_text: bool
) -> None:
    value = "a" * length
    corpus = load_table(tmp_path, f"document,system,summary\n{value},x,s\n{value},y,t\n")
    assert [document.text for document in corpus.documents] == is_text * [value]
    assert {summary.document for summary in corpus.summaries} == {"1" if is_text else value}
    assert [str(note) for note in corpus.notes] == is_text * [
        f"{tmp_path / 't.csv'}: 'document' was read as the texts of documents, because its longest "
        "value has 200 characters; documents are numbered."
    ]


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
