"""Letters are exactly the maximal groups without a significant pair; lines divide everyone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gistmark.analysis.ranking.letters import (
    LETTERS,
    clusters,
    letters,
    maximal_groups,
    show_letters,
)

Bool = NDArray[np.bool_]


def relation(size: int, pairs: set[tuple[int, int]]) -> Bool:
    """A symmetric relation that holds for these pairs."""
    table = np.zeros((size, size), dtype=np.bool_)
    for one, other in pairs:
        table[one, other] = table[other, one] = True
    return table


@st.composite
def relations(draw: st.DrawFn) -> Bool:
    size = draw(st.integers(0, 8))
    every = list(combinations(range(size), 2))
    return relation(size, set(draw(st.lists(st.sampled_from(every)))) if every else set())


def by_brute_force(differ: Bool) -> set[frozenset[int]]:
    """All subsets without a significant pair, and of these the ones that no other contains."""
    size = len(differ)
    free = [
        frozenset(members)
        for count in range(1, size + 1)
        for members in combinations(range(size), count)
        if not differ[np.ix_(members, members)].any()
    ]
    return {group for group in free if not any(group < other for other in free)}


@given(differ=relations())
def test_letters_are_all_maximal_groups_without_a_significant_pair(differ: Bool) -> None:
    shown = letters(differ)
    assert shown is not None
    used = {letter for text in shown for letter in text}
    groups = {frozenset(k for k, text in enumerate(shown) if letter in text) for letter in used}
    assert groups == by_brute_force(differ)
    assert len(groups) == len(used)
    for one, other in combinations(range(len(differ)), 2):
        assert bool(set(shown[one]) & set(shown[other])) != differ[one, other]


def test_not_being_told_apart_is_not_passed_on() -> None:
    """The first and the third differ, the second goes with both."""
    assert letters(relation(3, {(0, 2)})) == ["a", "ab", "b"]
    assert letters(relation(2, set())) == ["a", "a"]
    assert letters(relation(2, {(0, 1)})) == ["a", "b"]
    assert letters(relation(0, set())) == []


def test_a_line_is_drawn_only_where_everyone_above_differs_from_everyone_below() -> None:
    """1 and 2 go together; 0 differs from both; 3 differs from 1 and 2 but not from 0."""
    assert clusters(relation(3, {(0, 1), (0, 2)})) == [1, 2, 2]
    assert clusters(relation(4, {(0, 1), (0, 2), (1, 3), (2, 3)})) == [1, 1, 1, 1]
    assert clusters(relation(3, {(0, 2), (1, 2)})) == [1, 1, 2]
    assert clusters(relation(0, set())) == []


@given(differ=relations())
def test_systems_of_different_clusters_always_differ(differ: Bool) -> None:
    numbers = clusters(differ)
    for one, other in combinations(range(len(differ)), 2):
        assert numbers[one] == numbers[other] or differ[one, other]


def test_more_groups_than_letters_have_none() -> None:
    """Twenty pairs that differ, and nothing else, make 2^20 groups: one of each pair."""
    differ = relation(40, {(2 * k, 2 * k + 1) for k in range(20)})
    assert letters(differ) is None
    first = next(iter(maximal_groups(~differ)))
    assert len(first) == 20


def test_every_letter_is_one_character_of_its_own() -> None:
    assert len(set(LETTERS)) == len(LETTERS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", ""), (None, ""), ("ab", "ab"), ("abc", "abc"), ("bcdefh", "b–fh"), ("yzAB", "y–B")],
)
def test_long_runs_of_letters_are_cut_short(text: str | None, shown: str) -> None:
    assert show_letters(text) == shown
