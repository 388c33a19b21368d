"""The random walk, and ranks among equals."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.summarizers.ranking import best_first, walk


def test_a_walker_who_only_jumps_is_everywhere_alike() -> None:
    assert walk(lambda shares: shares * 0, 4, damping=0) == pytest.approx([0.25] * 4)


def test_shares_that_leak_away_still_sum_to_1() -> None:
    """Half of what moves is lost at every step: p = (1 - d)/n + d p/2 for all, then scaled."""
    assert walk(lambda shares: shares / 2, 4, damping=0.85) == pytest.approx([0.25] * 4)


def test_a_walk_that_never_settles_ends() -> None:
    found = walk(lambda shares: shares[::-1], 2, damping=1)
    assert found.sum() == pytest.approx(1)


def test_of_equals_the_first_comes_first_whatever_the_rounding() -> None:
    assert best_first(np.array([0.1, 0.3, 0.1 + 0.2, 0.5])).tolist() == [3, 1, 2, 0]
