from __future__ import annotations

import pytest

from gistmark.analysis.agreement.habits import (
    majority_shares,
    severities,
    side,
    sides,
    spreads,
    straight_lines,
)
from gistmark.analysis.agreement.votes import votes_by_dimension
from gistmark.analysis.ratings import RatingColumns, columns_by_dimension
from gistmark.records import Comparison, Rating


def columns_of(**values: list[float]) -> RatingColumns:
    """The ratings of each annotator, for documents 0, 1, 2 and so on."""
    ratings = [
        Rating(str(document), "s", annotator, "d", value)
        for annotator, row in values.items()
        for document, value in enumerate(row)
    ]
    return columns_by_dimension(ratings)["d"]


def test_severity_is_the_mean_distance_below_the_others() -> None:
    """x: ((4+4)/2 - 2 + (5+3)/2 - 2) / 2 = 2; y: ((2+4)/2 - 4 + (2+3)/2 - 5) / 2 = -1.75."""
    found = severities(columns_of(x=[2, 2], y=[4, 5], z=[4, 3]))
    assert found[0].size.value == pytest.approx(2.0)
    assert found[1].size.value == pytest.approx(-1.75)
    assert found[0].direction == "severe"


@pytest.mark.parametrize(
    ("own", "direction"),
    [([2, 1, 2, 1], "severe"), ([5, 4, 5, 4], "lenient"), ([3, 2, 3, 4], "none"), ([1], "")],
)
def test_a_bias_must_be_more_than_chance(own: list[float], direction: str) -> None:
    """Against 3, 3, 3, 3: the third deviates by 0, 1, 0 and -1."""
    assert severities(columns_of(own=own, other=[3, 3, 3, 3]))[0].direction == direction


def test_ratings_equal_to_all_others_show_no_bias() -> None:
    found = severities(columns_of(x=[1, 2, 3], y=[1, 2, 3]))
    assert [(one.size.value, one.direction) for one in found] == [(0.0, "none")] * 2


def test_somebody_alone_is_neither_severe_nor_lenient() -> None:
    found = severities(columns_of(x=[1, 2, 3]))
    assert (found[0].size.value, found[0].direction) == (None, "")
    assert found[0].size.reason == "No unit in common with another annotator."


def test_spread_is_the_sample_standard_deviation() -> None:
    found = spreads(columns_of(x=[1, 3], y=[4]))
    assert found[0].value == pytest.approx(2**0.5)
    assert found[1].value is None
    assert found[1].reason == "Fewer than two ratings."


def sheet(annotator: str, document: str, *values: float) -> list[Rating]:
    return [
        Rating(document, "s", annotator, f"d{place}", value) for place, value in enumerate(values)
    ]


def test_straight_lining_is_one_value_in_all_of_three_dimensions() -> None:
    ratings = [
        *sheet("x", "1", 4, 4, 4),
        *sheet("x", "2", 4, 4, 5),
        *sheet("x", "3", 4, 4),
        *sheet("y", "1", 2, 2),
    ]
    found = straight_lines(ratings)
    assert (found["x"].value, found["x"].n) == (0.5, 2)
    assert found["y"].value is None
    assert found["y"].reason == "No summary was rated in 3 dimensions."
    assert straight_lines([]) == {}


def test_sheets_of_two_campaigns_stay_apart() -> None:
    ratings = [
        Rating("1", "s", "x", dimension, value, campaign=campaign)
        for campaign, values in (("a", (3, 3, 3)), ("b", (1, 2, 3)))
        for dimension, value in zip("def", values, strict=True)
    ]
    found = straight_lines(ratings)
    assert {name: one.value for name, one in found.items()} == {"x": 0.5, "x (a)": 1, "x (b)": 0}


def test_the_majority_is_that_of_the_others() -> None:
    """Pair 1: x and y for A, z for B. Pair 2: x for A, y for B: each against the one other."""
    votes = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "d", "left"),
            Comparison("1", "A", "B", "y", "d", "left"),
            Comparison("1", "A", "B", "z", "d", "right"),
            Comparison("2", "A", "B", "x", "d", "left"),
            Comparison("2", "A", "B", "y", "d", "right"),
        ]
    )["d"]
    found = majority_shares(votes)
    assert [(one.value, one.n) for one in found] == [(0.0, 1), (0.0, 1), (0.0, 1)]


def test_who_votes_with_the_others() -> None:
    votes = votes_by_dimension(
        [Comparison("1", "A", "B", name, "d", "left") for name in "xyz"]
        + [Comparison("1", "A", "C", "x", "d", "left")]
    )["d"]
    found = majority_shares(votes)
    assert [(one.value, one.n) for one in found] == [(1.0, 1)] * 3


@pytest.mark.parametrize(
    ("left", "n", "direction"),
    [(10, 10, "left"), (0, 10, "right"), (6, 10, "none"), (1, 1, "none")],
)
def test_a_liking_for_one_side(left: int, n: int, direction: str) -> None:
    found = side(left, n)
    assert (found.size.value, found.size.n, found.direction) == (left / n, n, direction)


def test_sides_are_as_shown_not_as_stored() -> None:
    votes = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "d", "left"),
            Comparison("1", "B", "A", "x", "d", "left"),
        ]
    )["d"]
    assert sides(votes)[0].size.value == 1.0
