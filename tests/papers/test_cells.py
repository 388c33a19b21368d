"""Verdicts follow from numbers; every expected one is worked out beside its numbers."""

from __future__ import annotations

import math

import pytest

from gistmark.papers import Cell, Verdict, cell, summary_line, verdict_on
from gistmark.papers.paper import UNDEFINED, UNEXPLAINED, beside, unchecked

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
