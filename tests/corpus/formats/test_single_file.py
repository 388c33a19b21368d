from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load
from gistmark.corpus.formats.single_file import write_single_file
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Document, Rating, Summary


def load_lines(folder: Path, *lines: str) -> Corpus:
    path = folder / "c.jsonl"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return load(path)


def test_a_line_holds_a_document_with_its_references_and_summaries(tmp_path: Path) -> None:
    corpus = load_lines(
        tmp_path,
        '{"id": "a", "text": "T", "title": "H", "lang": "en", "references": ["r1", "r2"],'
        ' "summaries": {"lead": "s"}}',
        '{"id": "b", "texts": ["x", "y"], "references": {"Ann": "r"}}',
    )
    assert corpus.documents == (Document("a", ("T",), "H", "en"), Document("b", ("x", "y")))
    assert corpus.summaries == (
        Summary("a", "reference", "r1", reference=True),
        Summary("a", "reference-2", "r2", reference=True),
        Summary("a", "lead", "s"),
        Summary("b", "Ann", "r", reference=True),
    )


def test_without_a_text_there_is_no_document_and_summaries_bear_the_title(tmp_path: Path) -> None:
    corpus = load_lines(
        tmp_path, '{"id": "a", "title": "H", "lang": "en", "summaries": {"lead": "s"}}'
    )
    assert corpus.documents == ()
    assert corpus.summaries == (Summary("a", "lead", "s", title="H"),)
    assert "'lang' was left out" in corpus.notes[0].message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "T"}', "The field 'id' is missing."),
        ('{"id": "b", "references": "r"}', "must be a list of texts, or an object"),
        ('{"id": "b", "references": [1]}', "is wrong for 'reference': it must be text"),
        ('{"id": "b", "summaries": ["s"]}', "must be an object of names and texts, but is a list"),
        (
            '{"id": "b", "summaries": {"x": null}}',
            "is wrong for 'x': it must be text, but is missing",
        ),
        ('{"id": "b", "summaries": {"": "s"}}', "The field 'summaries' has a name that is empty"),
        ('{"id": "b", "summaries": {"x": "s", "x": "t"}}', "The key 'x' comes twice"),
        ('{"id": "a", "text": "T"}', "already a document with id 'a'; the first is on line 1"),
        (
            '{"id": "b", "text": "", "references": ["r"], "summaries": {"reference": "s"}}',
            "already a summary with document 'b', system 'reference'",
        ),
    ],
)
def test_a_bad_line_is_a_problem_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        load_lines(tmp_path, '{"id": "a", "text": "T"}', line)
    (problem,) = caught.value.problems
    assert problem.line == 2
    assert message in problem.message


def test_what_a_single_file_cannot_hold_is_said(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("a", ("T",)),),
        summaries=(Summary("a", "lead", "s", title="H"),),
        ratings=(Rating("a", "lead", "ann", "overall", 3.0),),
    )
    assert write_single_file(corpus, tmp_path / "c.jsonl") == (
        "The format cannot hold 1 ratings.",
        "The format cannot hold 1 titles of summaries.",
    )


ROW = '{"document": "a", "system": "lead", "summary": "s", "text": "T", "reference": "r"}'


def test_lines_per_summary_are_read_like_the_rows_of_a_csv_file(tmp_path: Path) -> None:
    corpus = load_lines(
        tmp_path, ROW, '{"document": "a", "system": "mmr", "summary": "t", "mood": "fine"}'
    )
    table = tmp_path / "t.csv"
    table.write_text("document,system,summary,text,reference,mood\na,lead,s,T,r,\na,mmr,t,,,fine\n")
    assert corpus == load(table)
    assert corpus.documents == (Document("a", ("T",)),)
    assert corpus.systems == ("lead", "mmr")
    assert [str(note) for note in corpus.notes] == [
        f"{tmp_path / 'c.jsonl'}:2: The field 'mood' is unknown and was left out."
    ]


@pytest.mark.parametrize(
    ("line", "documents", "references", "systems"),
    [
        ('{"id": "a", "article": "T", "highlights": "r"}', 1, 1, ()),  # CNN/DailyMail
        ('{"id": "a", "document": "T", "summary": "r"}', 1, 1, ()),  # XSum
        ('{"id": "a", "dialogue": "T", "summary": "r"}', 1, 1, ()),  # SAMSum
        ('{"id": "a", "model_id": "M", "decoded": "s", "references": ["r", "q"]}', 0, 2, ("M",)),
        ('{"source": "T", "model": "M", "prediction": "s", "target": "r"}', 1, 1, ("M",)),
        # what was read as a document before lines per summary were known stays one
        ('{"id": "a", "text": "T", "model": "M"}', 1, 0, ()),
        ('{"id": "a", "text": "T", "prediction": 0.5}', 1, 0, ()),
        ('{"id": "a", "text": "T", "references": ["r"], "summary": "s"}', 1, 1, ()),
        ('{"id": "a", "summaries": {"M": "s"}, "system": "x", "summary": "y"}', 0, 0, ("M",)),
    ],
)
def test_the_shape_of_a_file_is_told_by_its_fields(
    tmp_path: Path, line: str, documents: int, references: int, systems: tuple[str, ...]
) -> None:
    corpus = load_lines(tmp_path, line)
    assert len(corpus.documents) == documents
    assert corpus.counts()["references"] == references
    assert corpus.systems == systems


def test_lines_of_neither_shape_are_one_problem_that_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        load_lines(tmp_path, '{"key": "a", "body": "T"}', '{"key": "b", "body": "U"}')
    assert [str(problem) for problem in caught.value.problems] == [
        f"{tmp_path / 'c.jsonl'}: The lines are neither documents (with the fields 'id' and "
        "'text', 'references' or 'summaries') nor summaries (with 'document', 'system' and "
        "'summary'). The fields are: key, body. Say which is which with columns= (on the command "
        "line --columns document=NAME,summary=NAME)."
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"document": "a", "system": "lead", "summary": 3}', "'summary' must be text, but is"),
        ('{"document": "a", "summary": "s"}', "The row has a summary, but no system."),
        ('{"system": "x", "summary": "s"}', "The field 'document' is missing."),
        ("{", "Broken JSON"),
        (ROW, "already a summary with document 'a', system 'lead'; the first is on line 1"),
        (ROW.replace('"T"', '"U"').replace("lead", "x"), "The text of document 'a' differs"),
    ],
)
def test_a_bad_line_per_summary_is_a_problem_with_its_number(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(CorpusError) as caught:
        load_lines(tmp_path, ROW, line)
    (problem,) = caught.value.problems
    assert problem.line == 2
    assert message in problem.message


def test_the_fields_of_a_line_per_document_may_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"key": "a", "body": "T", "outputs": {"lead": "s"}, "golds": ["r"]}\n')
    columns = {"document": "key", "text": "body", "summary": "outputs", "reference": "golds"}
    corpus = load(path, columns=columns)
    assert corpus.documents == (Document("a", ("T",)),)
    assert corpus.summaries == (
        Summary("a", "reference", "r", reference=True),
        Summary("a", "lead", "s"),
    )


def test_documents_alone_may_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"key": "a", "body": "T"}\n')
    corpus = load(path, columns={"document": "key", "text": "body"})
    assert corpus.documents == (Document("a", ("T",)),)


def test_systems_of_lines_per_document_cannot_be_named_from_outside(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "text": "T", "by": "x", "summaries": {"lead": "s"}}\n')
    with pytest.raises(UsageError, match="'summaries' names the systems, so no column does"):
        load(path, columns={"system": "by"})
    with pytest.raises(UsageError, match="The lines are documents, which have one field of ref"):
        load(path, columns={"reference": ["text", "by"]})
    with pytest.raises(UsageError, match="'summaries' names the systems, so system_name= "):
        load(path, system_name="mine")


@pytest.mark.parametrize(
    ("anonymous", "expected"),
    [("true", [False, True, True]), ('["s2", "Ann"]', [True, False, True]), ("false", [False] * 3)],
)
def test_anonymous_is_true_for_all_systems_of_a_line_or_a_list_of_names(
    tmp_path: Path, anonymous: str, expected: list[bool]
) -> None:
    corpus = load_lines(
        tmp_path,
        '{"id": "a", "references": {"Ann": "r"}, "summaries": {"s1": "s", "s2": "t"},'
        f' "anonymous": {anonymous}}}',
    )
    assert [summary.anonymous for summary in corpus.summaries] == expected


@pytest.mark.parametrize(
    ("anonymous", "message"),
    [
        ('["s3"]', "'anonymous' lists 's3', but no summary is by it."),
        ('"yes"', "'anonymous' must be true, false or a list of names, but is the text 'yes'"),
    ],
)
def test_a_wrong_anonymous_is_a_problem(tmp_path: Path, anonymous: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        load_lines(tmp_path, f'{{"id": "a", "summaries": {{"s1": "s"}}, "anonymous": {anonymous}}}')
    assert message in str(caught.value)


@pytest.mark.parametrize("summary", ['{"x": "s"}', "3", "null"])
def test_a_summary_that_is_no_text_is_told_as_that(tmp_path: Path, summary: str) -> None:
    with pytest.raises(CorpusError) as caught:
        load_lines(tmp_path, f'{{"document": "a", "system": "x", "summary": {summary}}}')
    (problem,) = caught.value.problems
    assert problem.line == 1
    assert "summary" in problem.message
    assert "neither" not in problem.message
