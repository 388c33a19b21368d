from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load, sample_folder, save
from gistmark.corpus.corpus import reference_name, reference_number
from gistmark.errors import Problem, UsageError
from gistmark.records import Document, Highlight, Summary

CORPUS = Corpus(
    documents=(Document("d2", ("two",)), Document("d1", ("one",))),
    summaries=(
        Summary("d1", "gold", "g1", reference=True),
        Summary("d1", "lead", "l1"),
        Summary("d2", "mmr", "m2"),
        Summary("d2", "lead", "l2"),
        Summary("d1", "silver", "h1", reference=True),
        Summary("d3", "lead", "l3"),
    ),
    highlights=(
        Highlight("d1", "ann", 0, 1),
        Highlight("d2", "ann", 0, 2),
        Highlight("d1", "bob", 1, 3),
    ),
)


def test_systems_come_in_the_order_of_their_first_summary_without_references() -> None:
    assert CORPUS.systems == ("lead", "mmr")


def test_document_ids_are_those_of_documents_then_of_summaries() -> None:
    assert CORPUS.document_ids == ("d2", "d1", "d3")


def test_references_are_grouped_by_document() -> None:
    assert {id: [s.text for s in result] for id, result in CORPUS.references.items()} == {
        "d1": ["g1", "h1"]
    }


def test_a_document_is_found_by_its_id() -> None:
    assert CORPUS.document("d1").text == "one"


def test_an_unknown_document_is_an_error_that_names_it() -> None:
    with pytest.raises(UsageError, match=r"no document 'd9' among the 2"):
        CORPUS.document("d9")


def test_highlights_are_found_by_document_and_none_are_an_empty_tuple() -> None:
    assert [h.annotator for h in CORPUS.highlights_of("d1")] == ["ann", "bob"]
    assert CORPUS.highlights_of("d3") == ()


def test_new_summaries_are_added_and_known_ones_replaced_in_their_place() -> None:
    more = CORPUS.with_summaries([Summary("d1", "lead", "new"), Summary("d1", "mmr", "m1")])
    assert [s.text for s in more.summaries] == ["g1", "new", "m2", "l2", "h1", "l3", "m1"]
    assert more.documents == CORPUS.documents
    assert [s.text for s in CORPUS.summaries][1] == "l1", "the first corpus is unchanged"


def test_views_of_a_corpus_with_more_summaries_are_its_own() -> None:
    assert CORPUS.systems == ("lead", "mmr")
    assert CORPUS.with_summaries([Summary("d1", "new", "n")]).systems == ("lead", "mmr", "new")


def test_the_repr_counts_what_is_there() -> None:
    assert (
        repr(CORPUS) == "<Corpus documents=2, systems=2, summaries=4, references=2, highlights=3>"
    )
    assert repr(Corpus()) == "<Corpus, empty>"


def test_the_notebook_view_escapes_names() -> None:
    shown = Corpus(summaries=(Summary("d", "<b>", "text"),))._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


def test_notes_do_not_count_when_corpora_are_compared() -> None:
    assert Corpus(notes=(Problem("odd"),)) == Corpus()


def test_importing_the_corpus_layer_imports_no_heavy_library() -> None:
    code = (
        "import sys, gistmark.corpus, gistmark.corpus.formats as f\n"
        "[f.FORMATS.get(name) for name in f.FORMATS]\n"
        "print(*{'pandas', 'pyarrow', 'polars', 'datasets', 'numpy'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_a_part_of_a_corpus_has_all_that_is_said_about_its_documents(tmp_path: Path) -> None:
    whole = load(sample_folder())
    first, last = whole.document_ids[0], whole.document_ids[-1]
    part = whole.only([last, first])
    save(part, tmp_path / "part")
    assert load(tmp_path / "part") == part
    assert part.document_ids == (first, last)
    assert {rating.document for rating in part.ratings} == {first, last}
    rest = whole.only(set(whole.document_ids) - {first, last})
    for name in ("summaries", "ratings", "comparisons", "highlights", "questions", "planted"):
        assert len(getattr(part, name)) + len(getattr(rest, name)) == len(getattr(whole, name)) > 0


def test_a_part_with_an_unknown_document_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no document 'nowhere' among the 14"):
        load(sample_folder()).only(["nowhere"])


def test_anonymous_systems_are_those_of_which_no_summary_has_a_real_name() -> None:
    corpus = Corpus(
        summaries=(
            Summary("a", "s1", "t", anonymous=True),
            Summary("b", "s1", "t", anonymous=True),
            Summary("a", "s2", "t", anonymous=True),
            Summary("b", "s2", "t"),
            Summary("a", "lead", "t"),
            Summary("a", "gold", "t", reference=True, anonymous=True),
        )
    )
    assert corpus.anonymous_systems == {"s1"}
    assert CORPUS.anonymous_systems == frozenset()


def test_the_mark_of_an_anonymous_summary_is_written_only_where_it_is_true(tmp_path: Path) -> None:
    corpus = Corpus(summaries=(Summary("a", "s1", "t", anonymous=True), Summary("a", "lead", "u")))
    save(corpus, tmp_path)
    assert (tmp_path / "summaries.jsonl").read_text() == (
        '{"document": "a", "system": "s1", "text": "t", "anonymous": true}\n'
        '{"document": "a", "system": "lead", "text": "u"}\n'
    )
    assert load(tmp_path) == corpus


def test_references_are_numbered_from_the_second() -> None:
    assert [reference_name(number) for number in (1, 2, 10)] == [
        "reference",
        "reference-2",
        "reference-10",
    ]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("reference", 1),
        ("reference-2", 2),
        ("reference-1", None),
        ("reference-02", None),
        ("reference-b", None),
        ("gold", None),
    ],
)
def test_only_names_that_were_given_have_a_number(name: str, number: int | None) -> None:
    assert reference_number(name) == number
