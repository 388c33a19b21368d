from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.pairs import FORMAT
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Rating, Summary


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name.replace('__', '.')}.txt").write_text(text)
    return folder


def test_references_are_found_beside_the_summaries(tmp_path: Path) -> None:
    write(tmp_path, lead="s\n", lead__ref__2="q\n", lead__ref="r\n", other__ref="x\ny\n")
    corpus = FORMAT.read(tmp_path / "lead.txt")
    assert [(s.system, s.text) for s in corpus.summaries] == [
        ("lead", "s"),
        ("reference", "r"),
        ("reference-2", "q"),
    ]


def test_files_may_be_joined_by_commas(tmp_path: Path) -> None:
    write(tmp_path, lead="s\n", gold="r\n", silver="q\n")
    source = Path(f"{tmp_path}/lead.txt,{tmp_path}/gold.txt,{tmp_path}/silver.txt")
    assert [s.text for s in FORMAT.read(source).summaries] == ["s", "r", "q"]


def test_a_folder_holds_systems_references_and_documents(tmp_path: Path) -> None:
    write(tmp_path, lead="s\nt\n", mmr="m\nn\n", references="r\n\n", documents="T\nU\n")
    corpus = FORMAT.read(tmp_path)
    assert corpus.documents == (Document("1", ("T",)), Document("2", ("U",)))
    assert sorted((s.document, s.system, s.text) for s in corpus.summaries) == [
        ("1", "lead", "s"),
        ("1", "mmr", "m"),
        ("1", "reference", "r"),
        ("2", "lead", "t"),
        ("2", "mmr", "n"),
        ("2", "reference", ""),
    ]


def test_a_byte_order_mark_in_a_folder_is_noted(tmp_path: Path) -> None:
    write(tmp_path, lead="\ufeffs\n", references="r\n")
    corpus = FORMAT.read(tmp_path)
    assert corpus.summaries[0].text == "s"
    assert "byte order mark" in corpus.notes[0].message


def test_files_of_different_length_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, lead="s\nt\n", references="r\n")
    with pytest.raises(CorpusError, match=r"lead\.txt has 2, references\.txt has 1"):
        FORMAT.read(tmp_path)


def test_missing_files_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, lead="s\n")
    with pytest.raises(UsageError, match=r"call them lead\.ref\.txt"):
        FORMAT.read(tmp_path / "lead.txt")
    with pytest.raises(CorpusError, match="no such file"):
        FORMAT.read(tmp_path / "none.txt")
    with pytest.raises(CorpusError, match="cannot be read"):
        FORMAT.read(Path(f"{tmp_path}/lead.txt,{tmp_path}/none.txt"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match="no text files"):
        FORMAT.read(tmp_path / "empty")


def test_a_corpus_is_written_as_a_folder_and_its_losses_are_said(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("a", ("T\nU",)), Document("2", ("V",))),
        summaries=(
            Summary("a", "references", "s"),
            Summary("2", "references", "t\r"),
            Summary("a", "gold", "r", reference=True),
        ),
        ratings=(Rating("a", "gold", "ann", "overall", 3.0),),
    )
    assert FORMAT.write(corpus, tmp_path) == (
        "The format cannot hold 1 ratings.",
        "The format cannot hold 1 names of references, which are numbered instead.",
        "The format cannot hold 1 ids of documents, which are line numbers instead.",
        "The format cannot hold 2 texts with line breaks, which are spaces instead.",
        "The format needs every summary: 1 missing ones are empty lines.",
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "documents.txt": b"T U\nV\n",
        "references.txt": b"r\n\n",
        "%72eferences.txt": b"s\nt \n",
    }
