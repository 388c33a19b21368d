"""Answers to other questions than ratings and comparisons: what is read, kept and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.schemas.test_checks import loaded, problems
from gistmark.corpus import Corpus, load, save
from gistmark.corpus.formats.bundles import left_out
from gistmark.records import Comparison, Document, Response, Summary

ANSWERS = "document,item,system,annotator,question,type,value\n"


def test_answers_of_every_type_are_read(tmp_path: Path) -> None:
    rows = (
        "d1,lead,lead,ann,genre,choice,news\n"
        "d1,lead,lead,ann,faults,choices,too long\nd1,lead,lead,ann,faults,choices,dull\n"
        "d1,mmr,mmr,ann,faults,choices,\n"
        "d1,,,ann,readable,yes-no,unsure\n"
        'd1,lead/mmr,,ann,why,text,"Since, well"\n'
        "d1,lead/mmr,lead,ann,order,ranking,1\nd1,lead/mmr,mmr,ann,order,ranking,1\n"
        "d1,lead/mmr,lead,ann,extremes,best-worst,worst\n"
        "d1,lead/mmr,mmr,ann,extremes,best-worst,best\n"
    )
    corpus, notes = loaded(tmp_path, answers__csv=ANSWERS + rows)
    assert notes == []
    assert corpus.responses[0] == Response("d1", "lead", "lead", "ann", "genre", "choice", "news")
    assert [r.value for r in corpus.responses[1:4]] == ["too long", "dull", ""]
    assert corpus.responses[4].systems == ()
    assert corpus.responses[5].systems == ("lead", "mmr")
    assert corpus.counts()["answers"] == 10


def test_a_file_by_hand_needs_no_items(tmp_path: Path) -> None:
    rows = "d1,lead,ann,order,ranking,1\nd1,mmr,ann,order,ranking,2\n"
    corpus, notes = loaded(tmp_path, answers__csv=ANSWERS.replace("item,", "") + rows)
    assert notes == []
    assert [(r.item, r.system, r.value) for r in corpus.responses] == [
        ("", "lead", "1"),
        ("", "mmr", "2"),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("d1,,,ann,q,guess,x", "The column 'type' must be 'choice' or"),
        ("d1,,,ann,q,yes-no,maybe", "must be 'yes' or 'no' or 'unsure'"),
        ("d1,,,ann,q,choice,", "The answer to a question of type 'choice' is empty."),
        ("d1,lead/mmr,lead,ann,q,ranking,0", "must be a rank, a whole number from 1."),
        ("d1,lead/mmr,,ann,q,ranking,1", "must name the system that it is about."),
        ("d1,mmr,lead,ann,q,text,x", "The item 'mmr' does not have the system 'lead'."),
        ("d9,,,ann,q,text,x", "There is no document 'd9'."),
        ("d1,,,ann,q,text,x\nd1,,,ann,q,text,y", "There is already an answer with"),
        ("d1,,,ann,q,text,x\nd1,,,bob,q,yes-no,yes", "has the type 'yes-no' here, but has 'text'"),
        ("d1,lead/mmr,lead,ann,q,ranking,1", "The ranking leaves out 'mmr', which was shown"),
        ("d1,,lead,ann,q,ranking,1", "The ranking has one summary only"),
        ("d1,lead/mmr,lead,ann,q,best-worst,best", "must be worst, but no summary is"),
        (
            "d1,lead/mmr,lead,ann,q,best-worst,best\nd1,lead/mmr,mmr,ann,q,best-worst,best",
            "One summary must be best, but 2 summaries are",
        ),
        ("d1,,,ann,q,choices,x\nd1,,,ann,q,choices,", "A row says that no option was chosen"),
    ],
)
def test_an_answer_that_cannot_be_is_a_problem(tmp_path: Path, rows: str, message: str) -> None:
    result = problems(tmp_path, answers__csv=f"{ANSWERS}{rows}\n")
    assert any(message in each and each.startswith("answers.csv:") for each in result), result


def test_an_unknown_system_is_noted(tmp_path: Path) -> None:
    _, notes = loaded(tmp_path, answers__csv=ANSWERS + "d1,new,new,ann,q,text,x\n")
    assert notes == ["answers.csv:2: No summary is by a system 'new', which answers name."]


def test_old_comparisons_are_written_as_before_and_ties_have_no_strength(tmp_path: Path) -> None:
    written = tuple(Summary("d", name, "Text.") for name in "ab")
    for comparison, row in (
        (Comparison("d", "a", "b", "ann", "q", "left"), "d,a,b,ann,q,left"),
        (Comparison("d", "a", "b", "ann", "q", "tie"), "d,a,b,ann,q,tie"),
        (Comparison("d", "a", "b", "ann", "q", "left", 2), "d,a,b,ann,q,left,2"),
    ):
        save(Corpus(summaries=written, comparisons=(comparison,)), tmp_path / "corpus")
        assert (tmp_path / "corpus" / "comparisons.csv").read_text().splitlines()[1] == row
        assert load(tmp_path / "corpus").comparisons == (comparison,)
    header = "document,left,right,annotator,dimension,choice,strength\n"
    assert problems(tmp_path, comparisons__csv=header + "d1,lead,mmr,ann,q,tie,1\n") == [
        "comparisons.csv:2: A tie has no strength."
    ]


def test_answers_follow_their_documents_and_are_lost_in_other_formats() -> None:
    corpus = Corpus(
        tuple(Document(id, ("Text.",)) for id in ("d1", "d2")),
        responses=tuple(Response(id, "", None, "a", "q", "text", "x") for id in ("d1", "d2")),
    )
    assert corpus.only(["d2"]).responses == corpus.responses[1:]
    assert left_out(corpus) == ["The format cannot hold 2 answers."]
