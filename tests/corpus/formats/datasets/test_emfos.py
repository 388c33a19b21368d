from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load
from gistmark.corpus.formats.datasets.emfos import DIMENSIONS, FORMAT
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Rating, Summary

MEASURES = tuple(DIMENSIONS)
HEADER = ",".join(
    [
        *("", "summaryID", "candidate", "gold", "title"),
        *(f"{measure}_1" for measure in MEASURES),
        "annotator_1",
        *(f"{measure}_2" for measure in MEASURES),
        "annotator_2",
        "url",
    ]
)


def source(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "DATA.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    return path


def test_a_row_is_a_summary_its_reference_and_two_reviews(tmp_path: Path) -> None:
    path = source(tmp_path, "0,17,cand,gold,Title,1,2,3,4,5,1,ann,5,4,3,2,1,5,bob,http://x")
    corpus = FORMAT.read(path)
    assert corpus.documents == ()
    assert corpus.summaries == (
        Summary("17", "candidate", "cand", "Title"),
        Summary("17", "reference", "gold", "Title", reference=True),
    )
    dimensions = [
        "grammatical correctness",
        "arrangement",
        "text quality",
        "conciseness",
        "exhaustiveness",
        "overall",
    ]
    assert [(r.annotator, r.campaign, r.dimension, r.value) for r in corpus.ratings] == [
        *(("ann", "set1", d, v) for d, v in zip(dimensions, [1, 2, 3, 4, 5, 1], strict=True)),
        *(("bob", "set2", d, v) for d, v in zip(dimensions, [5, 4, 3, 2, 1, 5], strict=True)),
    ]
    assert [note.message for note in corpus.notes] == [
        "The column '' is unknown and was left out.",
        "The column 'url' is unknown and was left out.",
    ]


def test_one_person_in_both_sets_stays_two_reviewers(tmp_path: Path) -> None:
    path = source(tmp_path, "0,1,c,g,t,1,1,1,1,1,1,ann,2,2,2,2,2,2,ann,u")
    assert len(FORMAT.read(path).ratings) == 12


def test_the_folder_of_the_file_will_do(tmp_path: Path) -> None:
    source(tmp_path, "0,1,c,g,t,1,1,1,1,1,1,ann,,,,,,,,u")
    assert len(FORMAT.read(tmp_path).ratings) == 6


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    path = source(
        tmp_path,
        "0,1,c,g,t,1,1,1,1,1,1,,2,2,2,2,2,2,bob,u",
        "1,2,c,g,t,bad,1,1,1,1,1,ann,2,2,2,2,2,2,bob,u",
        "2,1,c,g,t,1,1,1,1,1,1,ann,2,2,2,2,2,2,bob,u",
        "3,1,c,g,t,1,1,1,1,1,1,ann,2,2,2,2,2,2,bob,u",
    )
    with pytest.raises(CorpusError) as caught:
        FORMAT.read(path)
    result = [(problem.line, problem.message) for problem in caught.value.problems]
    assert result[:2] == [
        (2, "There are ratings, but the column 'annotator_1' is empty."),
        (3, "The column 'grammatical_correctness_1' must be a number, but is the text 'bad'."),
    ]
    assert result[2][0] == 5
    assert "already a summary" in result[2][1]


def test_the_reviewers_of_other_campaigns_take_the_free_places(tmp_path: Path) -> None:
    summaries = (Summary("a", "lead", "s"), Summary("a", "human", "r", reference=True))
    corpus = Corpus(
        summaries=summaries,
        ratings=(
            Rating("a", "lead", "carol", "overall", 3.0),
            Rating("a", "lead", "ann", "overall", 1.0, campaign="set1"),
            Rating("a", "lead", "dave", "overall", 4.0),
            Rating("a", "lead", "ann", "fun", 5.0, campaign="set1"),
        ),
    )
    assert FORMAT.write(corpus, tmp_path / "DATA.csv") == (
        "The format cannot hold 1 names of references, which are numbered instead.",
        "The format has no names of systems: 'lead' will be 'candidate'.",
        "The format cannot hold 2 ratings: it has two reviewers and six dimensions for each "
        "summary.",
        "The format cannot hold 2 campaigns of ratings, which are set1 and set2 instead.",
    )
    back = FORMAT.read(tmp_path / "DATA.csv").ratings
    assert [(r.annotator, r.value, r.campaign) for r in back] == [
        ("ann", 1.0, "set1"),
        ("carol", 3.0, "set2"),
    ]


def test_several_systems_cannot_be_written(tmp_path: Path) -> None:
    corpus = Corpus(summaries=(Summary("a", "x", "s"), Summary("a", "y", "s")))
    with pytest.raises(UsageError, match="one system; the corpus has: x, y"):
        FORMAT.write(corpus, tmp_path / "DATA.csv")


def bulk_table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(text)
    return path


def test_the_table_of_bulk_entry_is_recognised_by_its_header(tmp_path: Path) -> None:
    path = bulk_table(
        tmp_path,
        'idx,title,gold,bart_summaries,t5_summaries\n7,Rain,"It rained, much.",Wet.,Rainy.\n',
    )
    corpus = FORMAT.read(path)
    assert corpus.summaries == (
        Summary("7", "bart", "Wet.", "Rain"),
        Summary("7", "t5", "Rainy.", "Rain"),
        Summary("7", "reference", "It rained, much.", "Rain", reference=True),
    )
    assert load(path) == corpus


def test_bulk_entry_without_a_system_in_its_header_has_the_system_of_the_released_data(
    tmp_path: Path,
) -> None:
    path = bulk_table(tmp_path, "idx,title,gold,summary\n7,T,g,s\n")
    assert load(path).systems == FORMAT.read(path).systems == ("candidate",)


def test_missing_cells_and_repeated_articles_of_bulk_entry_are_shown_together(
    tmp_path: Path,
) -> None:
    rows = "1,T,g,s\n2,,g,s\n3,T,,s\n4,T,g,\n,T,g,s\n1,T,g,other\n"
    path = bulk_table(tmp_path, f"idx,title,gold,bart_summaries\n{rows}")
    with pytest.raises(CorpusError) as caught:
        load(path)
    assert [(problem.line, problem.message) for problem in caught.value.problems] == [
        (3, "The column 'title' is empty."),
        (4, "The column 'gold' is empty."),
        (5, "The column 'bart_summaries' is empty."),
        (6, "The column 'idx' is empty."),
        (7, caught.value.problems[-1].message),
    ]
    assert caught.value.problems[-1].message.startswith("There is already a summary")


def test_a_table_of_bulk_entry_without_summaries_says_which_column_is_missing(
    tmp_path: Path,
) -> None:
    with pytest.raises(CorpusError, match="column 'summary' is missing; found: 'idx', 'title'"):
        FORMAT.read(bulk_table(tmp_path, "idx,title,gold\n1,T,g\n"))


def test_a_summary_table_with_other_columns_is_no_bulk_entry(tmp_path: Path) -> None:
    path = bulk_table(tmp_path, "document,system,summary,gold,idx,title\nd,s,Text.,Gold.,1,T\n")
    assert load(path).systems == ("s",)
