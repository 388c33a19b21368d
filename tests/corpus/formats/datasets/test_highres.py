from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.highres import FORMAT
from gistmark.corpus.formats.datasets.highres_text import (
    dump_document,
    parse_document,
    split_document,
)
from gistmark.errors import CorpusError
from gistmark.records import Document, Highlight, Planted, Question, Rating, Summary

SENTENCES = [["The", '"', "cat", '"', "sat", "."], ["It", "slept", "."], ["Stop"]]
WORDS = {'"': "``"}
TEXT = 'The " cat " sat . It slept .\n\nStop'
# Components, with _ for white space and none after the last but one token of a sentence:
#   The _ "  _ cat _ "  _ sat . _  It _  slept . _  Stop _
#   0   1 2  3 4   5 6  7 8   9 10 11 12 13   14 15 16   17


def document(sentences: list[list[str]] = SENTENCES, **fields: Any) -> dict[str, Any]:
    tokens = [[{"originalText": t, "word": WORDS.get(t, t)} for t in s] for s in sentences]
    paragraph = {"endSentIndex": [0, 2, 3, 9]}
    return {"sentences": [{"tokens": t} for t in tokens], "paragraph": paragraph, **fields}


def folder(tmp_path: Path, **results: Any) -> Path:
    """A data folder with one document "7" and these results."""
    files = {
        "documents/7.data": json.dumps(document(results=results)),
        "summaries/ref_gold/7.data": "a cat sat .\n",
        "summaries/system_ptgen/7.data": "",
        "sanity/7.json": '{"statement": "A cat sat.", "answer": true}',
        "sanity_2/7.json": '{"statement": "A dog sat.", "answer": false}',
        "sanity_summary/7.json": '{"best": "b", "average": "a", "worst": "w"}',
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path


def marks(tmp_path: Path, *indexes: int, text: str) -> list[str]:
    """What the highlight of these components covers."""
    result = {"highlights": {"0": {"indexes": list(indexes), "text": text}}}
    corpus = FORMAT.read(folder(tmp_path, r1=result))
    assert corpus.notes == ()
    return [corpus.documents[0].text[h.start : h.end] for h in corpus.highlights]


def test_the_folder_is_read_whole(tmp_path: Path) -> None:
    assert FORMAT.read(folder(tmp_path)) == Corpus(
        documents=(Document("7", (TEXT,)),),
        summaries=(
            Summary("7", "gold", "a cat sat .\n", reference=True),
            Summary("7", "ptgen", ""),
        ),
        questions=(
            Question("7", "A cat sat.", True, "document"),
            Question("7", "A dog sat.", False, "reference"),
        ),
        planted=(Planted("b", "a", "w", "7"),),
    )


def test_splitting_the_text_gives_the_tokens_back() -> None:
    assert parse_document(document()).text.split() == [t for s in SENTENCES for t in s]


@pytest.mark.parametrize(
    ("indexes", "text", "covered"),
    [
        ([0], "The", ["The"]),
        ([2, 3, 4, 5, 6], '" cat "', ['" cat "']),
        ([8, 9], "sat .", ["sat ."]),
        ([9, 10, 11], ". It", [". It"]),
        ([13, 14, 15, 16], "slept . Stop", ["slept .\n\nStop"]),
        ([4, 5, 11, 12], "cat It", ["cat", "It"]),
        ([12, 4, 3], "cat", ["cat"]),
        ([0, 2], 'The "', ["The", '"']),
        ([17, 16], "Stop", ["Stop"]),
    ],
)
def test_component_indexes_become_spans(
    tmp_path: Path, indexes: list[int], text: str, covered: list[str]
) -> None:
    assert marks(tmp_path, *indexes, text=text) == covered


def test_each_result_is_an_annotator_with_thirty_words(tmp_path: Path) -> None:
    one = {"highlights": {"0": {"indexes": [0], "text": "The"}}}
    two = {
        "highlights": {"0": {"indexes": [0], "text": "The"}, "1": {"indexes": [4], "text": "cat"}}
    }
    corpus = FORMAT.read(folder(tmp_path, **{"12": one, "15": two}))
    assert corpus.highlights == (
        Highlight("7", "12", 0, 3, 30),
        Highlight("7", "15", 0, 3, 30),
        Highlight("7", "15", 6, 9, 30),
    )


def test_a_highlight_that_says_another_text_is_noted(tmp_path: Path) -> None:
    result = {"highlights": {"0": {"indexes": [1, 2], "text": "cat"}}}
    (note,) = FORMAT.read(folder(tmp_path, r1=result)).notes
    assert "a text that differs from the one its indexes point to" in note.message


def test_a_result_without_marks_is_noted(tmp_path: Path) -> None:
    (note,) = FORMAT.read(folder(tmp_path, r1={"highlights": {}})).notes
    assert "'r1' marks nothing" in note.message


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    source = folder(tmp_path, r1={}, r2={"highlights": {"0": {"indexes": ["x"]}}})
    (source / "documents" / "8.data").write_text('{"sentences": [{"tokens": [{}]}]}')
    (source / "documents" / "9.data").write_text("{")
    (source / "sanity" / "8.json").write_text("[]")
    (source / "sanity_2" / "7.json").write_text('{"statement": 1, "answer": "yes"}')
    (source / "summaries" / "other").mkdir()
    (source / "summaries" / "other" / "7.data").write_text("s")
    with pytest.raises(CorpusError) as caught:
        FORMAT.read(source)
    result = {str(problem).replace(f"{source}/", "") for problem in caught.value.problems}
    assert result == {
        "documents/7.data: The result 'r1' has no highlights.",
        "documents/7.data: Highlight '0' of the result 'r2' has no list of indexes.",
        "documents/8.data: This is not a document of HighRES: 'originalText' was expected.",
        "documents/9.data:1: Broken JSON at column 2: "
        "Expecting property name enclosed in double quotes.",
        "sanity/8.json: The file must hold an object, but holds a list.",
        "sanity_2/7.json: The field 'statement' must be text, but is the number 1.",
        "sanity_2/7.json: The field 'answer' must be true or false, but is the text 'yes'.",
        "summaries/other/7.data: A folder of summaries is called ref_NAME or system_NAME.",
    }


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no folder 'documents'"):
        FORMAT.read(tmp_path)


def test_sentences_end_at_marks_and_at_paragraphs() -> None:
    assert split_document("One two. Three!\n \n Four\nfive") == (
        [["One", "two."], ["Three!"], ["Four", "five"]],
        [2, 3],
    )


def test_a_document_is_written_with_offsets_and_indexes() -> None:
    content, _ = dump_document("7", "Hi  you.\n\nBye")
    assert content == {
        "doc_id": "7",
        "sentences": [
            {"index": 0, "tokens": [_token(1, "Hi", 0, 2), _token(2, "you.", 3, 7)]},
            {"index": 1, "tokens": [_token(1, "Bye", 9, 12)]},
        ],
        "corefs": {},
        "paragraph": {"endSentIndex": [1, 2]},
    }


def _token(index: int, word: str, start: int, end: int) -> dict[str, object]:
    return {
        "index": index,
        "word": word,
        "originalText": word,
        "characterOffsetBegin": start,
        "characterOffsetEnd": end,
    }


def test_what_is_changed_or_left_out_on_writing_is_said(tmp_path: Path) -> None:
    corpus = Corpus(
        documents=(Document("a", ("one  two three",), title="T"),),
        summaries=(Summary("a", "x", "s"),),
        ratings=(Rating("a", "x", "ann", "overall", 1.0),),
        highlights=(Highlight("a", "ann", 1, 7, 20), Highlight("a", "ann", 3, 4, 30)),
        questions=(Question("a", "s", True), Question("a", "t", True)),
        planted=(Planted("g", "m", "b"),),
    )
    assert FORMAT.write(corpus, tmp_path) == (
        "The format cannot hold 1 ratings.",
        "The format cannot hold 1 titles of documents.",
        "The format cannot hold 1 documents' white space as it is: words are joined by single "
        "spaces.",
        "The format cannot hold 2 highlights as they are: they end where words end.",
        "The format cannot hold 1 highlights' budgets, which are 30 instead.",
        "The format cannot hold 1 further questions: there is one about each document and "
        "reference.",
        "The format cannot hold 1 planted summaries that are further ones or belong to no "
        "document.",
    )
    back = FORMAT.read(tmp_path)
    assert back.documents[0].text == "one two three"
    assert back.highlights == (Highlight("a", "ann", 0, 7, 30),)
