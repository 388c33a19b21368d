"""Human scores of summaries, and votes between two systems: wins, ties and strength."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gistmark.analysis.human import (
    dimension_means,
    grade_weighted_means,
    joined,
    votes_won,
    z_scores,
)
from gistmark.analysis.human.scores import Preference, preferences
from gistmark.errors import UsageError
from gistmark.records import Comparison, Rating


def rated(system: str, annotator: str, value: float, **more: str) -> Rating:
    return Rating("d", system, annotator, more.pop("dimension", "overall"), value, **more)


def test_a_mean_per_dimension_and_summary() -> None:
    result = dimension_means(
        [
            rated("a", "ann", 1),
            rated("a", "bob", 4),
            rated("b", "ann", 3),
            rated("a", "ann", 5, dimension="focus"),
        ]
    )
    assert result.names == ("overall", "focus")
    assert result.units == (("d", "a"), ("d", "b"))
    np.testing.assert_array_equal(result.values, [[2.5, 3.0], [5.0, np.nan]])
    np.testing.assert_array_equal(result.counts, [[2, 1], [1, 0]])


def test_each_campaign_counts_once() -> None:
    """Set 1 says 1 and 3, set 2 says 5: (2 + 5) / 2 = 3.5, not 9 / 3."""
    result = dimension_means(
        [
            rated("a", "ann", 1, campaign="set1"),
            rated("a", "bob", 3, campaign="set1"),
            rated("a", "ann", 5, campaign="set2"),
        ]
    )
    assert result.values.tolist() == [[3.5]]
    assert result.counts.tolist() == [[3]]


BLANC = {0.0: 3.0, 1.0: 3.0, 2.0: 1.0, 3.0: 1.0, 4.0: 2.0}


def test_a_rating_weighs_as_much_as_its_grade() -> None:
    """0, 3 and 4 weigh 3, 1 and 2: (3 * 0 + 1 * 3 + 2 * 4) / 6. A grade by itself stays."""
    ratings = [rated("a", name, value) for name, value in zip("xyz", (0, 3, 4), strict=True)]
    result = grade_weighted_means([*ratings, rated("b", "x", 1)], BLANC)
    assert result.names == ("overall (grades weighted)",)
    np.testing.assert_allclose(result.values, [[11 / 6, 1.0]])
    np.testing.assert_array_equal(result.counts, [[3, 1]])


def test_each_campaign_counts_once_with_weighted_grades_too() -> None:
    """Set 1 says (3 * 1 + 3) / 4 = 1.5, set 2 says 4: 2.75 on average."""
    ratings = [
        rated("a", "ann", 1, campaign="set1"),
        rated("a", "bob", 3, campaign="set1"),
        rated("a", "ann", 4, campaign="set2"),
    ]
    assert grade_weighted_means(ratings, BLANC).values.tolist() == [[2.75]]


def test_a_grade_without_a_weight_leaves_its_dimension_out_and_is_named() -> None:
    ratings = [rated("a", "ann", 2), rated("a", "ann", 5, dimension="focus")]
    result = grade_weighted_means(ratings, BLANC)
    assert result.names == ("overall (grades weighted)",)
    assert result.reasons == {"focus (grades weighted)": "there is no weight for the grade 5"}
    assert grade_weighted_means(ratings, {}).names == ()


def test_a_z_score_takes_out_severity_and_spread() -> None:
    """ann's 1, 2, 3 and bob's 60, 80, 100 say the same: -1.2247, 0, 1.2247."""
    systems = ("a", "b", "c")
    ratings = [rated(s, "ann", v) for s, v in zip(systems, (1, 2, 3), strict=True)]
    ratings += [rated(s, "bob", v) for s, v in zip(systems, (60, 80, 100), strict=True)]
    result = z_scores(ratings)
    assert result.names == ("overall (z)",)
    np.testing.assert_allclose(result.values[0], [-np.sqrt(1.5), 0.0, np.sqrt(1.5)], atol=1e-12)


@given(st.lists(st.lists(st.integers(1, 5), min_size=4, max_size=4), min_size=1, max_size=4))
def test_z_scores_are_scipys(table: list[list[int]]) -> None:
    ratings = [
        rated(str(system), str(annotator), value)
        for annotator, row in enumerate(table)
        for system, value in enumerate(row)
    ]
    result = z_scores(ratings)
    kept = [stats.zscore(row) for row in table if len(set(row)) > 1]
    if kept:
        np.testing.assert_allclose(result.values[0], np.mean(kept, axis=0), atol=1e-9)
    else:
        assert result.values.size == 0


def test_an_annotator_who_says_one_thing_only_is_left_out_by_name() -> None:
    ratings = [rated("a", "ann", 1), rated("b", "ann", 3), rated("a", "bob", 2)]
    ratings += [rated("c", "bob", 2)]
    result = z_scores(ratings)
    assert result.units == (("d", "a"), ("d", "b"))
    assert "bob" in result.reasons["overall (z)"]
    np.testing.assert_allclose(result.values, [[-1.0, 1.0]])


def test_votes_won_are_shares_of_the_votes_about_a_summary() -> None:
    votes = [
        Comparison("d", "a", "b", "ann", "focus", "left"),
        Comparison("d", "b", "a", "bob", "focus", "right"),
        Comparison("d", "a", "c", "ann", "focus", "right"),
    ]
    result = votes_won(votes)
    assert result.names == ("focus (votes)",)
    values = dict(zip(result.units, result.values[0], strict=True))
    assert values == {("d", "a"): 2 / 3, ("d", "b"): 0.0, ("d", "c"): 1.0}
    assert result.counts[0, result.positions["d", "a"]] == 3


def test_a_tie_is_half_a_vote_for_each() -> None:
    votes = [
        Comparison("d", "a", "b", "ann", "focus", "tie"),
        Comparison("d", "b", "a", "bob", "focus", "left"),
    ]
    result = votes_won(votes)
    assert dict(zip(result.units, result.values[0], strict=True)) == {
        ("d", "a"): 0.25,
        ("d", "b"): 0.75,
    }


def test_tables_join_over_all_units() -> None:
    means = dimension_means([rated("a", "ann", 1)])
    votes = votes_won([Comparison("d", "a", "b", "ann", "overall", "left")])
    result = joined(means, votes)
    assert result.names == ("overall", "overall (votes)")
    np.testing.assert_array_equal(result.values, [[1.0, np.nan], [1.0, 0.0]])
    assert [record.system for record in result.records()] == ["a", "a", "b"]


def test_values_come_in_the_order_of_the_asked_units() -> None:
    result = dimension_means([rated("a", "ann", 1), rated("b", "ann", 2)])
    asked = [("d", "b"), ("d", "?"), ("d", "a")]
    np.testing.assert_array_equal(result.at(asked), [[2.0, np.nan, 1.0]])


def test_an_unknown_score_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="overall"):
        dimension_means([rated("a", "ann", 1)]).of("overal")


def test_no_ratings_make_an_empty_table() -> None:
    for result in (dimension_means([]), z_scores([]), votes_won([]), joined()):
        assert result.names == ()
        assert result.values.shape == (0, 0)


def test_votes_are_counted_from_the_side_of_the_winner() -> None:
    """b is preferred with strengths 3 and 1, a with 2, and one tie is 0: (3 + 1 - 2) / 4."""
    votes = [
        Comparison("1", "a", "b", "x", "focus", "right", 3),
        Comparison("1", "b", "a", "y", "focus", "left", 1),
        Comparison("2", "a", "b", "x", "focus", "left", 2),
        Comparison("2", "a", "b", "y", "focus", "tie"),
    ]
    assert preferences(votes) == [Preference("focus", "b", "a", 2, 1, 1, 4, 0.5)]


def test_without_strengths_there_is_no_mean_and_plain_choices_need_no_table() -> None:
    plain = Comparison("1", "a", "b", "x", "style", "left")
    tied = Comparison("1", "a", "b", "x", "focus", "tie")
    assert preferences([plain]) == []
    assert preferences([plain, tied]) == [Preference("focus", "a", "b", 0, 0, 1, 1, None)]
