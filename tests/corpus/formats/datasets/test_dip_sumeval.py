from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.dip_sumeval import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import Comparison, Document, Rating, Summary

LIKERT = "method,annotator,topic,Focus,Overall Quality\nH1,a1,1001,5,4\nMMR*,a1,1001,,2.5\n"
PAIRS = (
    "HIT_Id,annotator,method_i,method_j,topic,criterion,i greater j?\n"
    "X1,w1,H1,MMR*,1001,Readability,0\n"
    "X1,w2,H1,MMR*,1001,Readability,1\n"
)


def folder(tmp_path: Path, likert: str | None = LIKERT, pairs: str | None = PAIRS) -> Path:
    for system, text in (("H1", "first\n"), ("MMR_star", "")):
        path = tmp_path / "summaries" / system / "1001.txt"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    for name, content in (("LikertAnno.csv", likert), ("PairAnno.csv", pairs)):
        if content is not None:
            (tmp_path / name).write_text(content)
    return tmp_path


def test_the_folder_is_read_whole(tmp_path: Path) -> None:
    corpus = FORMAT.read(folder(tmp_path))
    assert corpus == Corpus(
        summaries=(Summary("1001", "H1", "first\n"), Summary("1001", "MMR*", "")),
        ratings=(
            Rating("1001", "H1", "a1", "Focus", 5.0),
            Rating("1001", "H1", "a1", "Overall Quality", 4.0),
            Rating("1001", "MMR*", "a1", "Overall Quality", 2.5),
        ),
        comparisons=(
            Comparison("1001", "H1", "MMR*", "w1", "Readability", "right"),
            Comparison("1001", "H1", "MMR*", "w2", "Readability", "left"),
        ),
    )
    assert [note.message for note in corpus.notes] == ["The column 'HIT_Id' was left out."]


def test_either_table_may_be_missing(tmp_path: Path) -> None:
    corpus = FORMAT.read(folder(tmp_path, likert=None, pairs=None))
    assert (len(corpus.summaries), corpus.ratings, corpus.comparisons) == (2, (), ())


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    source = folder(
        tmp_path,
        LIKERT + "H1,a2,1001,good,3\n",
        PAIRS + "X2,w3,H1,MMR*,1001,Readability,2\n",
    )
    with pytest.raises(CorpusError) as caught:
        FORMAT.read(source)
    assert [str(problem).replace(f"{source}/", "") for problem in caught.value.problems] == [
        "LikertAnno.csv:4: The column 'Focus' must be a number, but is the text 'good'.",
        "PairAnno.csv:4: The column 'i greater j?' must be 0 or 1, but is '2'.",
    ]


def test_a_table_without_its_columns_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"LikertAnno.csv:1: These columns are missing: 'topic'"):
        FORMAT.read(folder(tmp_path, "method,annotator,Focus\nH1,a,3\n"))


def test_a_vote_twice_is_a_problem_and_not_dropped(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="already a comparison"):
        FORMAT.read(folder(tmp_path, pairs=PAIRS + "X9,w1,H1,MMR*,1001,Readability,1\n"))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="has none of"):
        FORMAT.read(tmp_path)


def test_what_is_left_out_on_writing_is_said(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("a", ("T",)),),
        summaries=(Summary("a", "x", "s"), Summary("a", "gold", "r", title="H", reference=True)),
        ratings=(
            Rating("a", "x", "ann", "focus", 1.0, confidence=2.0),
            Rating("a", "x", "ann", "focus", 3.0, campaign="again"),
        ),
    )
    assert FORMAT.write(corpus, tmp_path) == (
        "The format cannot hold 1 documents.",
        "The format cannot hold 1 marks that a summary is a reference.",
        "The format cannot hold 1 titles of summaries.",
        "The format cannot hold 1 ratings whose annotator had rated the same in another campaign.",
        "The format cannot hold 1 ratings' confidence values.",
        "The format cannot hold 1 ratings' campaign values.",
    )
    assert (tmp_path / "LikertAnno.csv").read_text() == (
        "method,annotator,topic,focus\nx,ann,a,1\n"
    )
