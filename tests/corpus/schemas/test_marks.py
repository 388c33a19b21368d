"""Content units, presence marks and error spans in the folder: what is read, kept and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.schemas.test_checks import loaded, problems
from gistmark.corpus import Corpus, load, save
from gistmark.records import ContentUnit, Document, ErrorSpan, Presence, Summary

UNITS = '{"document": "d1", "id": "1", "text": "A cat sat.", "weight": 2}\n'
PRESENCE = "document,unit,system,annotator,present\n"
SPANS = "document,system,annotator,start,end,category,severity,comment\n"


def test_units_and_marks_are_read(tmp_path: Path) -> None:
    marks = "d1,1,lead,ann,true\nd1,1,mmr,ann,0\nd1,1,mmr,bob,1\n"
    corpus, notes = loaded(tmp_path, units__jsonl=UNITS, presence__csv=PRESENCE + marks)
    assert notes == []
    assert corpus.units == (ContentUnit("d1", "1", "A cat sat.", 2.0),)
    assert [mark.present for mark in corpus.presence] == [True, False, True]


def test_spans_errors_of_the_whole_summary_and_summaries_without_errors_are_read(
    tmp_path: Path,
) -> None:
    rows = "d1,lead,ann,0,3,grammar,minor,odd\nd1,mmr,ann,,,missing,major,\nd2,lead,ann,,,,,\n"
    corpus, notes = loaded(tmp_path, spans__csv=SPANS + rows)
    assert notes == []
    assert corpus.spans == (
        ErrorSpan("d1", "lead", "ann", 0, 3, "grammar", "minor", "odd"),
        ErrorSpan("d1", "mmr", "ann", category="missing", severity="major"),
        ErrorSpan("d2", "lead", "ann"),
    )


def test_the_columns_of_written_spans_are_the_same_whatever_they_hold(tmp_path: Path) -> None:
    corpus = Corpus((Document("d", ("Text.",)),), (Summary("d", "s", "Some."),))
    for spans in ((ErrorSpan("d", "s", "a"),), (ErrorSpan("d", "s", "a", 0, 4, "x", "minor"),)):
        save(Corpus(corpus.documents, corpus.summaries, spans=spans), tmp_path / "corpus")
        header, _ = (tmp_path / "corpus" / "spans.csv").read_text().splitlines()
        assert header == SPANS.strip()
        assert load(tmp_path / "corpus").spans == spans


def test_a_part_of_a_corpus_keeps_its_units_marks_and_spans() -> None:
    ids = ("d1", "d2")
    corpus = Corpus(
        summaries=tuple(Summary(id, "s", "Some.") for id in ids),
        units=tuple(ContentUnit(id, "1", "A fact.") for id in ids),
        presence=tuple(Presence(id, "1", "s", "a", True) for id in ids),
        spans=tuple(ErrorSpan(id, "s", "a") for id in ids),
    )
    part = corpus.only(["d2"])
    assert (part.units, part.presence, part.spans) == (
        corpus.units[1:],
        corpus.presence[1:],
        corpus.spans[1:],
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("d1,lead,ann,3,3,x,,", "The span is empty: start 3 is not before end 3."),
        (
            "d1,lead,ann,0,5,x,,",
            "The span ends at 5, but the summary of document 'd1' by 'lead' has 4 characters.",
        ),
        ("d1,lead,ann,-1,2,x,,", "The column 'start' must be at least 0, but is -1."),
        ("d1,lead,ann,1,,x,,", "Only one of the fields 'start' and 'end' is there."),
        ("d1,lead,ann,0,1,,minor,", "The field 'category' is missing; only a row without"),
        ("d1,lead,ann,,,,minor,", "The field 'category' is missing; only a row without"),
        ("d9,lead,ann,,,,,", "There is no document 'd9'."),
        ("d1,lead,ann,0,2,a,major,", "There is already a span with document 'd1', system 'lead',"),
        (
            "d1,lead,ann,,,,,",
            "The row says that 'ann' marked no error in the summary of document 'd1' by 'lead', "
            "but another row has one.",
        ),
    ],
)
def test_a_bad_span_is_a_problem_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    (result,) = problems(tmp_path, spans__csv=f"{SPANS}d1,lead,ann,0,2,a,minor,\n{row}\n")
    assert result.startswith(f"spans.csv:3: {message}")


def test_a_span_of_the_source_must_lie_in_the_document(tmp_path: Path) -> None:
    header = SPANS.strip() + ",source_start,source_end\n"
    rows = "d1,lead,ann,0,2,a,,,0,12\nd1,mmr,ann,0,2,a,,,0,13\nd2,lead,ann,0,2,a,,,4,\n"
    assert problems(tmp_path, spans__csv=header + rows) == [
        "spans.csv:3: The span of the source ends at 13, but the text of document 'd1' has 12 "
        "characters.",
        "spans.csv:4: Only one of the fields 'source_start' and 'source_end' is there.",
    ]


def test_spans_without_their_columns_are_not_taken_for_summaries_without_errors(
    tmp_path: Path,
) -> None:
    (result,) = problems(
        tmp_path, spans__csv="document,system,annotator,from,to\nd1,lead,ann,0,2\n"
    )
    assert result.startswith("spans.csv:1: The columns 'start', 'end', 'category' are missing")


def test_errors_of_a_summary_that_is_not_there_are_a_note(tmp_path: Path) -> None:
    _, notes = loaded(tmp_path, spans__csv=SPANS + "d2,mmr,ann,0,900,a,,\n")
    assert notes == [
        "spans.csv:2: There are error annotations of a summary that is not there: of document "
        "'d2' by system 'mmr'."
    ]


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ('{"document": "d1", "id": "2", "text": " "}', "The field 'text' is empty."),
        (
            '{"document": "d1", "id": "2", "text": "x", "weight": 0}',
            "The field 'weight' must be above 0, but is 0.",
        ),
        ('{"document": "d1", "id": "1", "text": "x"}', "There is already a unit with document"),
        ('{"document": "d9", "id": "1", "text": "x"}', "There is no document 'd9'."),
    ],
)
def test_a_bad_unit_is_a_problem_with_its_line(tmp_path: Path, unit: str, message: str) -> None:
    (result,) = problems(tmp_path, units__jsonl=f"{UNITS}{unit}\n")
    assert result.startswith(f"units.jsonl:2: {message}")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("d1,2,lead,ann,true", "There is no unit '2' of document 'd1'."),
        ("d1,1,lead,bob,maybe", "The column 'present' must be true or false (or 1 or 0), but is"),
        ("d1,1,lead,ann,false", "There is already a mark with document 'd1', unit '1'"),
    ],
)
def test_a_bad_mark_is_a_problem_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    marks = f"{PRESENCE}d1,1,lead,ann,true\n{row}\n"
    (result,) = problems(tmp_path, units__jsonl=UNITS, presence__csv=marks)
    assert result.startswith(f"presence.csv:3: {message}")


def test_marks_without_units_are_one_problem(tmp_path: Path) -> None:
    assert problems(tmp_path, presence__csv=PRESENCE + "d1,1,lead,ann,1\nd1,2,lead,ann,1\n") == [
        "presence.csv: There are presence marks, but no units.jsonl that says what the units are."
    ]


def test_a_unit_of_a_reference_that_is_not_there_is_a_note(tmp_path: Path) -> None:
    unit = '{"document": "d2", "id": "1", "text": "x", "reference": "mmr"}\n'
    _, notes = loaded(tmp_path, units__jsonl=unit)
    assert notes == [
        "units.jsonl:1: There are units of a summary that is not there: of document 'd2' by "
        "system 'mmr'."
    ]
