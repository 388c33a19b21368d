"""The quality and the habits of annotators."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gistmark.analysis.agreement.annotators.quality import (
    AnnotatorQuality,
    annotator_quality,
    majority_shares,
    severities,
    side,
    sides,
    spreads,
    straight_lines,
)
from gistmark.analysis.data.columns import RatingColumns, columns_by_dimension, votes_by_dimension
from gistmark.corpus.corpus import Corpus
from gistmark.records import Comparison, Rating


@pytest.fixture(scope="module")
def crowd() -> Corpus:
    """Twenty documents of known quality; `careful` sees it, `harsh` is one lower, `random` is."""
    rng = np.random.default_rng(0)
    ratings: list[Rating] = []
    comparisons: list[Comparison] = []
    for document, quality in enumerate(rng.integers(2, 6, size=30).tolist()):
        values = {
            "careful": quality,
            "second": min(5, quality + int(rng.random() < 0.1)),
            "harsh": quality - 1,
            "random": int(rng.integers(1, 6)),
        }
        for annotator, value in values.items():
            for dimension in ("Focus", "Clarity", "Overall"):
                rating = Rating(
                    str(document), "s", annotator, dimension, float(value), seconds=10.0
                )
                ratings.append(rating)
        for annotator in ("careful", "second", "leftist"):
            choice = "left" if annotator == "leftist" or quality > 3 else "right"
            comparisons.append(Comparison(str(document), "s", "t", annotator, "Overall", choice))
    return Corpus(ratings=tuple(ratings), comparisons=tuple(comparisons))


@pytest.fixture(scope="module")
def result(crowd: Corpus) -> dict[tuple[str, str, str], AnnotatorQuality]:
    every = annotator_quality(crowd)
    return {(one.subject, one.annotator, one.dimension): one for one in every}


Found = dict[tuple[str, str, str], AnnotatorQuality]


def test_the_whole_comes_before_its_dimensions(crowd: Corpus) -> None:
    order = [(one.annotator, one.dimension) for one in annotator_quality(crowd)[:4]]
    assert order == [(("careful"), name) for name in ("", "Focus", "Clarity", "Overall")]


def test_numbers_and_times(result: Found) -> None:
    part, total = result["ratings", "harsh", "Focus"], result["ratings", "harsh", ""]
    assert (part.n, part.mean_seconds, part.total_seconds) == (30, 10.0, 300.0)
    assert (total.n, total.mean_seconds, total.total_seconds) == (90, 10.0, 900.0)


def test_the_harsh_one_is_severe(result: Found) -> None:
    harsh = result["ratings", "harsh", "Focus"]
    assert harsh.severity is not None
    assert harsh.severity > 0.5
    assert harsh.bias == "severe"
    assert result["ratings", "harsh", ""].severity is None


def test_the_random_one_agrees_least_and_is_least_competent(result: Found) -> None:
    names = ("careful", "second", "harsh", "random")
    agreement = {name: result["ratings", name, "Focus"].agreement or 0.0 for name in names}
    competence = {name: result["ratings", name, "Focus"].competence or 0.0 for name in names}
    assert min(agreement, key=agreement.__getitem__) == "random"
    assert competence["random"] < competence["careful"]


def test_equal_values_in_all_dimensions_are_straight_lines(result: Found) -> None:
    assert result["ratings", "careful", ""].straight_lining == 1.0
    assert result["ratings", "careful", "Focus"].straight_lining is None


def test_who_always_chooses_left_has_a_bias(result: Found) -> None:
    for dimension in ("Overall", ""):
        leftist = result["comparisons", "leftist", dimension]
        assert (leftist.left_share, leftist.bias, leftist.n) == (1.0, "left", 30)
    careful = result["comparisons", "careful", "Overall"]
    assert careful.agreement == 1.0
    assert careful.competence is not None


def test_nobody_gives_nothing() -> None:
    assert annotator_quality(Corpus()) == []


@pytest.mark.parametrize(
    "ratings",
    [
        [("x", "1", 3.0)],
        [("x", "1", 3.0), ("y", "1", 3.0)],
        [("x", "1", 3.0), ("y", "2", 4.0)],
        [("x", str(d), 3.0) for d in range(12)] + [("y", str(d), 3.0) for d in range(12)],
        [("x", str(d), d * 7.5) for d in range(12)] + [("y", str(d), 50.0) for d in range(12)],
    ],
    ids=["one rating", "one unit", "no overlap", "constant", "slider"],
)
def test_what_cannot_be_told_has_a_reason(ratings: list[tuple[str, str, float]]) -> None:
    corpus = Corpus(ratings=tuple(Rating(doc, "s", who, "d", v) for who, doc, v in ratings))
    for one in annotator_quality(corpus):
        assert one.competence is None
        assert "competence: " in str(one.reason)
        if one.agreement is None:
            assert "agreement: " in str(one.reason)
        for value in (one.severity, one.spread, one.agreement):
            assert value is None or math.isfinite(value)


def test_raters_of_two_campaigns_keep_their_times_apart() -> None:
    ratings = tuple(
        Rating("1", "s", "x", "d", 3.0, seconds=seconds, campaign=campaign)
        for campaign, seconds in (("a", 5.0), ("b", 9.0))
    )
    result = {one.annotator: one for one in annotator_quality(Corpus(ratings=ratings))}
    assert result["x (a)"].total_seconds == 5.0
    assert result["x (b)"].total_seconds == 9.0


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
    result = severities(columns_of(x=[2, 2], y=[4, 5], z=[4, 3]))
    assert result[0].size.value == pytest.approx(2.0)
    assert result[1].size.value == pytest.approx(-1.75)
    assert result[0].direction == "severe"


@pytest.mark.parametrize(
    ("own", "direction"),
    [([2, 1, 2, 1], "severe"), ([5, 4, 5, 4], "lenient"), ([3, 2, 3, 4], "none"), ([1], "")],
)
def test_a_bias_must_be_more_than_chance(own: list[float], direction: str) -> None:
    """Against 3, 3, 3, 3: the third deviates by 0, 1, 0 and -1."""
    assert severities(columns_of(own=own, other=[3, 3, 3, 3]))[0].direction == direction


def test_ratings_equal_to_all_others_show_no_bias() -> None:
    result = severities(columns_of(x=[1, 2, 3], y=[1, 2, 3]))
    assert [(one.size.value, one.direction) for one in result] == [(0.0, "none")] * 2


def test_somebody_alone_is_neither_severe_nor_lenient() -> None:
    result = severities(columns_of(x=[1, 2, 3]))
    assert (result[0].size.value, result[0].direction) == (None, "")
    assert result[0].size.reason == "No unit in common with another annotator."


def test_spread_is_the_sample_standard_deviation() -> None:
    result = spreads(columns_of(x=[1, 3], y=[4]))
    assert result[0].value == pytest.approx(2**0.5)
    assert result[1].value is None
    assert result[1].reason == "Fewer than two ratings."


def sheet(annotator: str, document: str, *values: float) -> list[Rating]:
    return [
        Rating(document, "s", annotator, f"d{position}", value)
        for position, value in enumerate(values)
    ]


def test_straight_lining_is_one_value_in_all_of_three_dimensions() -> None:
    ratings = [
        *sheet("x", "1", 4, 4, 4),
        *sheet("x", "2", 4, 4, 5),
        *sheet("x", "3", 4, 4),
        *sheet("y", "1", 2, 2),
    ]
    result = straight_lines(ratings)
    assert (result["x"].value, result["x"].n) == (0.5, 2)
    assert result["y"].value is None
    assert result["y"].reason == "No summary was rated in 3 dimensions."
    assert straight_lines([]) == {}


def test_sheets_of_two_campaigns_stay_apart() -> None:
    ratings = [
        Rating("1", "s", "x", dimension, value, campaign=campaign)
        for campaign, values in (("a", (3, 3, 3)), ("b", (1, 2, 3)))
        for dimension, value in zip("def", values, strict=True)
    ]
    result = straight_lines(ratings)
    assert {name: one.value for name, one in result.items()} == {"x": 0.5, "x (a)": 1, "x (b)": 0}


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
    result = majority_shares(votes)
    assert [(one.value, one.n) for one in result] == [(0.0, 1), (0.0, 1), (0.0, 1)]


def test_who_votes_with_the_others() -> None:
    votes = votes_by_dimension(
        [Comparison("1", "A", "B", name, "d", "left") for name in "xyz"]
        + [Comparison("1", "A", "C", "x", "d", "left")]
    )["d"]
    result = majority_shares(votes)
    assert [(one.value, one.n) for one in result] == [(1.0, 1)] * 3


@pytest.mark.parametrize(
    ("left", "n", "direction"),
    [(10, 10, "left"), (0, 10, "right"), (6, 10, "none"), (1, 1, "none")],
)
def test_a_liking_for_one_side(left: int, n: int, direction: str) -> None:
    result = side(left, n)
    assert (result.size.value, result.size.n, result.direction) == (left / n, n, direction)


def test_sides_are_as_shown_not_as_stored() -> None:
    votes = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "d", "left"),
            Comparison("1", "B", "A", "x", "d", "left"),
        ]
    )["d"]
    assert sides(votes)[0].size.value == 1.0


def test_ties_are_a_choice_but_no_side() -> None:
    """x and z agree on a tie; y, the only one who chose, is with nobody."""
    corpus = Corpus(
        comparisons=(
            Comparison("1", "A", "B", "x", "d", "tie"),
            Comparison("1", "A", "B", "y", "d", "left"),
            Comparison("1", "A", "B", "z", "d", "tie"),
        )
    )
    result = {each.annotator: each for each in annotator_quality(corpus) if not each.dimension}
    assert [(result[a].n, result[a].left_share, result[a].tie_share) for a in "xyz"] == [
        (1, None, 1.0),
        (1, 1.0, 0.0),
        (1, None, 1.0),
    ]
    shares = majority_shares(votes_by_dimension(corpus.comparisons)["d"])
    assert [share.value for share in shares] == [None, 0.0, None]
