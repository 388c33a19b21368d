"""Verdicts follow from numbers, worked out beside them; finding a paper and its released data."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gistmark.analysis.data.columns import columns_by_dimension
from gistmark.analysis.data.measures import LENGTHS, length_measures
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import GistmarkError, UsageError
from gistmark.papers import (
    Cell,
    Paper,
    Release,
    Verdict,
    cell,
    locate,
    paper_named,
    paper_names,
    summary_line,
    verdict_on,
)
from gistmark.papers.dip_sumeval import _preferences_agreement
from gistmark.papers.emfos import ALIASES, SAME_NUMBERS, TABLES
from gistmark.papers.paper import UNDEFINED, UNEXPLAINED, beside, unchecked
from gistmark.records import Rating

VERDICTS: list[tuple[float | None, float | None, int, Verdict]] = [
    (0.41, 0.4068, 2, "exact"),  # 0.4068 rounds to 0.41
    (4.20, 4.2, 2, "exact"),
    (0.31, 0.3049, 2, "within rounding"),  # rounds to 0.30, but is 0.0051 away
    (0.597, 0.59646, 3, "within rounding"),  # rounds to 0.596, 0.00054 away
    (0.30, 0.31, 2, "within rounding"),  # exactly one unit
    (0.30, 0.2899, 2, "differs"),  # rounds to 0.29, but is 0.0101 away
    (0.379260, 0.377958, 6, "differs"),
    (-0.27, -0.2651, 2, "exact"),
    (0.004, -0.004, 2, "exact"),  # both are printed as 0.00, whatever their sign
    (1274, 1247, 0, "differs"),
    (43218, 43218.0, 0, "exact"),
    (0.5, None, 2, "not checked"),
    (None, 0.5, 2, "no print"),
    (None, None, 2, "not checked"),
]

HOMES = {
    "highres": "github.com/blodstone/HighRES, folder dataset/BBC",
    "blanc": "github.com/PrimerAI/blanc, folder data",
    "dip-sumeval": "github.com/keelm/DIP-SumEval",
    "emfos": "github.com/TarangRanpara/EMFoS, folder Dataset",
}


@pytest.mark.parametrize(("published", "value", "decimals", "expected"), VERDICTS)
def test_the_verdict_follows_from_the_numbers(
    published: float | None, value: float | None, decimals: int, expected: Verdict
) -> None:
    assert verdict_on(published, value, decimals) == expected


def test_what_is_not_a_number_is_no_value() -> None:
    made = cell("T", "r", "c", 0.5, math.nan, 2, why="The column is constant.")
    assert (made.value, made.verdict) == (None, "not checked")


def test_what_differs_or_was_not_checked_always_says_why() -> None:
    assert cell("T", "r", "c", 0.5, 0.7, 2).why == UNEXPLAINED
    assert cell("T", "r", "c", 0.5, None, 2).why == UNDEFINED
    assert cell("T", "r", "c", 0.5, 0.7, 2, why="Rows are missing.").why == "Rows are missing."
    assert cell("T", "r", "c", 0.5, 0.5, 2).why == ""


def test_a_printed_table_beside_values_explains_only_what_differs() -> None:
    values = {("a", "x"): 0.104, ("a", "y"): 0.3}
    result = list(beside("T", ("x", "y"), {"a": (0.10, 0.20)}, values, 2, why="Old data."))
    assert [(made.column, made.verdict, made.why) for made in result] == [
        ("x", "exact", ""),
        ("y", "differs", "Old data."),
    ]


def test_a_printed_table_without_values_leaves_out_what_the_print_leaves_empty() -> None:
    result = list(unchecked("T", ("x", "y"), {"a": (0.1, None), "b": (0.2, 0.3)}, 1, "No data."))
    assert [(made.row, made.column) for made in result] == [("a", "x"), ("b", "x"), ("b", "y")]
    assert {(made.verdict, made.why) for made in result} == {("not checked", "No data.")}


def made_up() -> list[Cell]:
    return [
        cell("T", "a", "x", 0.1, 0.1, 1),
        cell("T", "b", "x", 0.1, 0.16, 1),
        cell("T", "c", "x", 0.1, 0.9, 1),
        cell("T", "d", "x", 0.1, None, 1, why="No data."),
        cell("F", "e", "x", 0.1, 0.1, 1, source="recomputed"),
        cell("F", "f", "x", 0.1, 0.2, 1, source="recomputed"),
        cell("F", "g", "x", None, 0.2, 1),
        cell("F", "h", "x", None, None, 1, why="No data."),
    ]


def test_the_summary_counts_each_kind_apart() -> None:
    assert summary_line(made_up()) == (
        "Checked 3 of 4 printed values: 1 exact, 1 within rounding, 1 different; 1 not checked. "
        "Behind figures: 1 of 2 values agree with another program to the last digit. "
        "Not in the paper: 1 further value."
    )


def test_the_summary_says_nothing_of_kinds_that_do_not_occur() -> None:
    assert summary_line(made_up()[:1]) == (
        "Checked 1 of 1 printed value: 1 exact, 0 within rounding, 0 different; 0 not checked."
    )


def fill(folder: Path, paper: Paper) -> Path:
    for name in paper.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


@pytest.mark.parametrize("name", paper_names())
def test_missing_data_are_one_sentence_with_the_files_and_the_public_copy(
    name: str, tmp_path: Path
) -> None:
    paper = paper_named(name)
    with pytest.raises(GistmarkError) as caught:
        locate(paper, tmp_path)
    message = str(caught.value)
    assert message.startswith(f"The released data of {name} are not in {tmp_path}; expected: ")
    assert message.endswith(f"; the public copy is at {HOMES[name]}.")
    assert all(file in message for file in paper.files)


@pytest.mark.parametrize("name", paper_names())
def test_the_data_are_found_in_every_place_they_may_be(name: str, tmp_path: Path) -> None:
    paper = paper_named(name)
    for position in ("", name, paper.inside):
        data = tmp_path / f"data-{position.replace('/', '-')}"
        assert locate(paper, fill(data / position, paper) and data) == data / position


def test_incomplete_data_name_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "dip-sumeval").mkdir()
    (tmp_path / "dip-sumeval" / "PairAnno.csv").touch()
    with pytest.raises(GistmarkError, match=r"dip-sumeval lack LikertAnno\.csv; expected"):
        locate(paper_named("dip-sumeval"), tmp_path)


def test_an_unknown_paper_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"Did you mean 'emfos'.*highres, blanc"):
        paper_named("emfoz")


@pytest.mark.parametrize("name", paper_names())
def test_data_of_the_right_form_and_other_content_are_refused(name: str) -> None:
    for other in (Corpus(), load(sample_folder())):
        with pytest.raises(GistmarkError, match=f"These are not the released data of {name}: "):
            paper_named(name).cells(Release(other))


def test_a_corpus_without_summaries_has_no_lengths() -> None:
    assert length_measures(Corpus()).values.shape == (len(LENGTHS), 0)


def test_the_tables_have_all_forty_metrics() -> None:
    pearson = [row for table in list(TABLES)[:6] for row in TABLES[table]]
    assert sorted(pearson) == sorted(ALIASES)
    assert {table: len(rows) for table, rows in TABLES.items()} == {
        "Table 7.1": 3, "Table 7.2": 5, "Table 7.3": 2, "Table 7.4": 21, "Table 7.5": 5,
        "Table 7.6": 4, "Table 7.7": 3, "Table 7.8": 5, "Table 7.9": 2,
    }  # fmt: skip
    assert set(SAME_NUMBERS.values()) <= set(TABLES)
    assert ALIASES["CS8"] == "wordvec-cosine:vectors=en_core_web_sm"
    assert ALIASES["BS20"].endswith("google/pegasus-xsum")


def test_agreement_on_pairs_of_ratings_by_each_rule_for_equal_ones() -> None:
    """Three annotators of two summaries: one has the first higher, one equal, one the second."""
    ratings = [
        Rating(document, "s", annotator, "d", value)
        for annotator, values in {"a": (5, 3), "b": (4, 4), "c": (2, 3)}.items()
        for document, value in zip(("x", "y"), values, strict=True)
    ]
    neither, no, half = _preferences_agreement(columns_by_dimension(ratings)["d"])
    assert (neither, no, half) == (1 / 2, 2 / 3, 1.5 / 3)
