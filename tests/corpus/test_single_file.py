from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load
from gistmark.corpus.single_file import write_single_file
from gistmark.errors import CorpusError
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
