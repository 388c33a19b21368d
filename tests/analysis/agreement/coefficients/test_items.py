"""Disagreement about one item: values worked by hand."""

from __future__ import annotations

import pytest

from gistmark.analysis.agreement.coefficients.items import (
    choice_disagreement,
    highlight_disagreement,
    rating_disagreement,
)


def test_ratings_differ_by_a_share_of_their_scale():
    # pairs of 1, 3, 5: differences 2, 4, 2; their mean is 8/3, and the scale is 4 long
    assert rating_disagreement([1, 3, 5], 1, 5) == pytest.approx(8 / 3 / 4)
    assert rating_disagreement([0, 100], 0, 100) == 1
    assert rating_disagreement([7, 7, 7], 0, 100) == 0
    assert rating_disagreement([7], 0, 100) is None


def test_choices_are_counted_against_the_largest_group():
    assert choice_disagreement(["a", "b"]) == 0.5
    assert choice_disagreement(["a", "a", "b", "a"]) == 0.25
    assert choice_disagreement(["a", "a"]) == 0
    assert choice_disagreement([]) is None


def test_marks_disagree_by_the_words_that_are_not_shared():
    one, other, none = frozenset({1, 2, 3}), frozenset({3, 4, 5}), frozenset[int]()
    # F1 of the two is 2 * 1 / 6; who marked nothing shares nothing with either
    assert highlight_disagreement([one, other]) == pytest.approx(1 - 2 / 6)
    assert highlight_disagreement([one, other, none]) == pytest.approx(1 - (2 / 6 + 0 + 0) / 3)
    assert highlight_disagreement([none, none]) == 0
    assert highlight_disagreement([one]) is None
