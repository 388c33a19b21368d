from __future__ import annotations

from gistmark.analysis.agreement.votes import votes_by_dimension
from gistmark.records import Comparison


def test_votes_shown_the_other_way_round_are_turned() -> None:
    """Both prefer A: once it stands left, once right."""
    votes = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "d", "left"),
            Comparison("1", "B", "A", "y", "d", "right"),
            Comparison("2", "B", "A", "x", "d", "left"),
        ]
    )["d"]
    assert votes.pairs.tolist() == [0, 0, 1]
    assert votes.first_won.tolist() == [True, True, True]
    assert votes.left_won.tolist() == [True, False, True]
    assert [wins.tolist() for wins in votes.wins] == [[2, 1], [0, 0]]
    assert [votes.system_names[place] for place in votes.pair_first] == ["A", "B"]
    assert len(votes) == 3


def test_dimensions_stay_apart_and_in_order() -> None:
    found = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "fluency", "left"),
            Comparison("1", "A", "B", "x", "clarity", "right"),
        ]
    )
    assert list(found) == ["fluency", "clarity"]
    assert votes_by_dimension([]) == {}
