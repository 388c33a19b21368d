"""Ratings that an annotator gave twice: refused, or settled as the user says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import Corpus, load, save
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Rating, Summary

SUMMARIES = '{"document": "d", "system": "lead", "text": "s"}\n'
HEADER = "document,system,annotator,dimension,value,confidence,weight,seconds,campaign\n"


def load_ratings(folder: Path, *rows: str, on_duplicate: OnDuplicate = "refuse") -> Corpus:
    (folder / "summaries.jsonl").write_text(SUMMARIES)
    (folder / "ratings.csv").write_text(HEADER + "".join(f"d,lead,{row}\n" for row in rows))
    return load(folder, on_duplicate=on_duplicate)


THRICE = ("ann,overall,1,2,,10,", "bob,overall,5,,,,", "ann,overall,2,,3,20,", "ann,overall,6,4,,,")


@pytest.mark.parametrize(
    ("how", "kept"),
    [
        ("first", Rating("d", "lead", "ann", "overall", 1.0, confidence=2.0, seconds=10.0)),
        ("last", Rating("d", "lead", "ann", "overall", 6.0, confidence=4.0)),
        # value (1 + 2 + 6) / 3, confidence (2 + 4) / 2, weight 3 / 1, seconds 10 + 20
        ("mean", Rating("d", "lead", "ann", "overall", 3.0, 3.0, 3.0, 30.0)),
    ],
)
def test_one_rating_stands_where_the_first_stood(
    tmp_path: Path, how: OnDuplicate, kept: Rating
) -> None:
    corpus = load_ratings(tmp_path, *THRICE, on_duplicate=how)
    assert corpus.ratings == (kept, Rating("d", "lead", "bob", "overall", 5.0))


@pytest.mark.parametrize(
    ("how", "rows", "note"),
    [
        ("first", THRICE, "2 ratings were left out, because {}; the first one counts."),
        ("last", THRICE, "2 ratings were left out, because {}; the last one counts."),
        ("last", THRICE[:3], "1 rating was left out, because {}; the last one counts."),
        ("mean", THRICE, "3 ratings became one mean, because {}."),
        (
            "mean",
            (*THRICE, "bob,overall,4,,,,"),
            "5 ratings became 2 means, because {}.",
        ),
    ],
)
def test_a_note_counts_what_was_settled(
    tmp_path: Path, how: OnDuplicate, rows: tuple[str, ...], note: str
) -> None:
    corpus = load_ratings(tmp_path, *rows, on_duplicate=how)
    again = "an annotator had rated the same dimension of the same summary more than once"
    assert [str(result) for result in corpus.notes] == [
        f"{tmp_path / 'ratings.csv'}: {note.format(again)}"
    ]


@pytest.mark.parametrize("how", ["first", "last", "mean"])
def test_ratings_of_other_campaigns_and_dimensions_are_no_duplicates(
    tmp_path: Path, how: OnDuplicate
) -> None:
    rows = ("ann,overall,1,,,,", "ann,overall,2,,,,second", "ann,focus,3,,,,")
    corpus = load_ratings(tmp_path, *rows, on_duplicate=how)
    assert [rating.value for rating in corpus.ratings] == [1.0, 2.0, 3.0]
    assert corpus.notes == ()


def test_the_refusal_names_the_option_once(tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        load_ratings(tmp_path, *THRICE)
    first, second = (problem.message for problem in caught.value.problems)
    assert first.endswith(
        "the first is on line 2. To read such data, say which rating counts: on_duplicate= "
        "(on the command line --on-duplicate) first, last or mean."
    )
    assert second.endswith("the first is on line 2.")


def test_a_corpus_in_memory_is_refused_without_an_option_that_saving_does_not_have(
    tmp_path: Path,
) -> None:
    rating = Rating("d", "lead", "ann", "overall", 1.0)
    corpus = Corpus(summaries=(Summary("d", "lead", "s"),), ratings=(rating, rating))
    with pytest.raises(CorpusError) as caught:
        save(corpus, tmp_path / "c")
    assert "on_duplicate" not in str(caught.value)


def test_other_things_that_are_there_twice_are_refused_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "summaries.jsonl").write_text(SUMMARIES * 2)
    with pytest.raises(CorpusError) as caught:
        load(tmp_path, on_duplicate="first")
    assert "on_duplicate" not in str(caught.value)


def test_an_unknown_choice_is_an_error_that_lists_the_choices(tmp_path: Path) -> None:
    unknown: Any = "median"
    with pytest.raises(UsageError, match="one of refuse, first, last, mean, not 'median'"):
        load(tmp_path, on_duplicate=unknown)
