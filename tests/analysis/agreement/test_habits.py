"""The habits of annotators; their competence, by hand and against crowd-kit."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from gistmark.analysis.agreement.annotators import annotator_quality
from gistmark.analysis.agreement.habits import (
    competence,
    majority_shares,
    severities,
    side,
    sides,
    spreads,
    straight_lines,
)
from gistmark.analysis.data.columns import (
    Float64,
    Int64,
    RatingColumns,
    columns_by_dimension,
    votes_by_dimension,
)
from gistmark.corpus.corpus import Corpus
from gistmark.records import Comparison, Rating
from on_use import on_use

crowdkit = on_use("crowdkit.aggregation")

ACCURACIES = np.array([0.95, 0.8, 0.6, 0.2])


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


def ratings(seed: int = 0, points: int = 4) -> tuple[Int64, Int64, Float64]:
    """Four raters, of whom each is right as often as `ACCURACIES` says and else guesses."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, points + 1, size=250)
    units, raters = np.divmod(np.arange(1000), 4)
    keep = rng.random(1000) < 0.9
    units, raters = units[keep], raters[keep]
    right = rng.random(len(units)) < ACCURACIES[raters]
    values = np.where(right, truth[units], rng.integers(1, points + 1, size=len(units)))
    return units, raters, values.astype(np.float64)


def test_better_raters_are_more_competent() -> None:
    result = competence(*ratings(), count=4)
    values = [skill.value or 0.0 for skill in result]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.85
    assert values[-1] < 0.5
    assert all(150 < skill.n <= 250 for skill in result)


def test_the_order_of_raters_and_ratings_does_not_matter() -> None:
    units, raters, values = ratings()
    order = np.random.default_rng(1).permutation(len(units))
    plain = competence(units, raters, values, count=4)
    mixed = competence(units[order], 3 - raters[order], values[order], count=4)
    for one, other in zip(plain, reversed(mixed), strict=True):
        assert one.value == pytest.approx(other.value, abs=0.02)


def test_votes_on_pairs_are_ratings_with_two_categories() -> None:
    result = competence(*ratings(points=2), count=4)
    assert (result[0].value or 0.0) > (result[3].value or 0.0) + 0.3


@pytest.mark.parametrize(
    ("units", "raters", "values", "reason"),
    [
        ([], [], [], "0 units with two ratings"),
        (range(20), [0] * 20, range(20), "0 units with two ratings"),
        ([0, 0], [0, 1], [1, 2], "1 units with two ratings"),
        (np.arange(40) // 2, np.arange(40) % 2, [3] * 40, "All ratings are 3"),
        (np.arange(40) // 2, [0] * 40, range(40), "Only one annotator"),
    ],
    ids=["empty", "no overlap", "tiny", "constant", "one annotator"],
)
def test_undefined_values_say_why(
    units: list[int], raters: list[int], values: list[float], reason: str
) -> None:
    columns = np.array(units, np.int64), np.array(raters, np.int64), np.array(values, np.float64)
    for result in competence(*columns, count=2):
        assert result.value is None
        assert reason in str(result.reason)


def test_a_rater_who_was_alone_has_none() -> None:
    units, raters, values = ratings()
    units, raters, values = np.append(units, 999), np.append(raters, 4), np.append(values, 1.0)
    result = competence(units, raters, values, count=5)
    assert result[4].reason == "No unit in common with another annotator."
    assert result[0].value is not None


@pytest.mark.filterwarnings("ignore::DeprecationWarning:crowdkit")
@pytest.mark.parametrize("points", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_dawid_and_skene_as_in_crowd_kit(seed: int, points: int) -> None:
    units, raters, values = ratings(seed, points)
    frame = pandas.DataFrame({"task": units, "worker": raters, "label": values})
    frame = frame[frame.groupby("task")["task"].transform("size") >= 2]
    fitted = crowdkit.DawidSkene(n_iter=100).fit(frame)
    assert fitted.errors_ is not None
    assert fitted.priors_ is not None
    expected = [
        sum(
            fitted.errors_.loc[(rater, label), label] * prior
            for label, prior in fitted.priors_.items()
            if (rater, label) in fitted.errors_.index
        )
        for rater in range(4)
    ]
    result = competence(units, raters, values, count=4)
    assert [skill.value for skill in result] == pytest.approx(expected, abs=1e-9)
