"""Ward's clustering with weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import ward

from gistmark.summarizers.hierarchical.h2 import merges


def clusters(pairs: list[tuple[int, int]]) -> list[frozenset[int]]:
    members = {position: frozenset([position]) for position in range(len(pairs) + 1)}
    result = []
    for first, second in pairs:
        members[first] |= members.pop(second)
        result.append(members[first])
    return result


@given(st.integers(0, 10_000), st.integers(2, 25))
def test_equal_weights_give_the_clusters_of_scipy(seed: int, count: int):
    points = np.random.default_rng(seed).normal(size=(count, 4))
    members = {position: frozenset([position]) for position in range(count)}
    expected = []
    for number, (left, right, *_) in enumerate(ward(points)):
        members[count + number] = members[int(left)] | members[int(right)]
        expected.append(members[count + number])
    assert clusters(merges(points, np.full(count, 2.0))) == expected


def test_weights_decide():
    # Costs v w / (v + w) d²: positions 0 and 1 are 1 apart, 1 and 2.5 are 1.5 apart.
    # Equal weights: 1/2 against 9/8. Weights 8, 8, 1/4: 4 against 8/33 * 9/4 = 6/11.
    points = np.array([[0.0], [1.0], [2.5]])
    assert merges(points, np.ones(3))[0] == (0, 1)
    assert merges(points, np.array([8.0, 8.0, 0.25]))[0] == (1, 2)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_equal_points_are_merged_from_the_first_on(count: int):
    pairs = merges(np.zeros((count, 3)), np.ones(count))
    assert pairs == [(0, position) for position in range(1, count)]
