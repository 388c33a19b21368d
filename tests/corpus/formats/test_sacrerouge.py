from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.sacrerouge import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import Document, Summary

LINE = {
    "instance_id": "d1",
    "summarizer_id": "7",
    "summarizer_type": "peer",
    "summary": {"text": "s"},
    "references": [{"text": "r1"}, {"text": ["One.", "Two."]}],
    "document": {"text": "T"},
}


def read(tmp_path: Path, *lines: dict[str, Any]) -> Corpus:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return FORMAT.read(path)


def test_a_line_is_read_whole(tmp_path: Path) -> None:
    assert read(tmp_path, LINE) == Corpus(
        documents=(Document("d1", ("T",)),),
        summaries=(
            Summary("d1", "reference", "r1", reference=True),
            Summary("d1", "reference-2", "One.\nTwo.", reference=True),
            Summary("d1", "7", "s"),
        ),
    )


def test_references_keep_their_names_and_may_be_scored_as_peers(tmp_path: Path) -> None:
    a, b = ({"text": name, "summarizer_id": name} for name in ("A", "B"))
    corpus = read(
        tmp_path,
        LINE | {"references": [a, b]},
        LINE
        | {"summarizer_id": "A", "summarizer_type": "reference", "summary": a, "references": [b]},
    )
    assert [(s.system, s.reference) for s in corpus.summaries] == [
        ("A", True),
        ("B", True),
        ("7", False),
    ]


def test_a_reference_without_a_name_does_not_contradict_the_peers(tmp_path: Path) -> None:
    """Scored as a peer, a reference comes with the others only: here r2 as the first of one."""
    lines = {"summarizer_id": "A", "summarizer_type": "reference", "references": ["r2"]}
    corpus = read(tmp_path, LINE, LINE | lines)
    assert [s.system for s in corpus.summaries] == ["reference", "reference-2", "7", "A"]


def test_several_documents_are_several_texts(tmp_path: Path) -> None:
    line = {k: v for k, v in LINE.items() if k != "document"}
    corpus = read(tmp_path, line | {"documents": ["T", {"text": "U"}]})
    assert corpus.documents == (Document("d1", ("T", "U")),)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"summary": {"words": "s"}}, "'summary' must be text, or an object with a text"),
        ({"references": {"text": "r"}}, "'references' must be a list of texts or of objects"),
        ({"references": [3]}, "'references' must be text, or an object with a text"),
        ({"summarizer_type": "human"}, "must be 'peer' or 'reference', but is the text 'human'"),
        ({"documents": ["T"]}, "Only one of the fields 'document' and 'documents'"),
        ({"instance_id": None}, "'instance_id' is missing"),
    ],
)
def test_a_bad_line_is_a_problem(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, LINE | change)
    (problem,) = caught.value.problems
    assert problem.line == 1
    assert message in problem.message


def test_a_document_with_references_only_is_written_with_the_first_as_summary(
    tmp_path: Path,
) -> None:
    corpus = Corpus(
        documents=(Document("a", ("T",)), Document("b", ("U",))),
        summaries=(
            Summary("a", "Ann", "r1", reference=True),
            Summary("a", "Bob", "r2", reference=True),
        ),
    )
    assert FORMAT.write(corpus, tmp_path / "s.jsonl") == (
        "The format cannot hold 1 documents without any summary.",
    )
    assert json.loads((tmp_path / "s.jsonl").read_text()) == {
        "instance_id": "a",
        "summarizer_id": "Ann",
        "summarizer_type": "reference",
        "summary": {"text": "r1"},
        "references": [{"text": "r2", "summarizer_id": "Bob", "summarizer_type": "reference"}],
        "document": {"text": "T"},
    }
