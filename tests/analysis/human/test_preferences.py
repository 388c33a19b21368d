"""Votes between two systems: wins, ties and how strong a preference is."""

from __future__ import annotations

from gistmark.analysis.human.preferences import Preference, preferences
from gistmark.records import Comparison


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
