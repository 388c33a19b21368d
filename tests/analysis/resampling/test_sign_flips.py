"""The sign-flip test and its interval, against all signs one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.resampling.sign_flips import Contributions, FlipTests, flip_tests

Float64 = NDArray[np.float64]


def flip_one(gaps: Float64, flips: int = 5_000) -> FlipTests:
    """The test of one pair whose documents differ by these gaps."""
    size = len(gaps)
    made = Contributions(
        np.array([gaps.mean()]), gaps[:, None] / size, np.array([0]), np.array([-1]),
        np.full((size, 1), 1 / size),
    )  # fmt: skip
    return flip_tests(made, flips, np.random.default_rng(0))


def p_by_hand(gaps: Float64, true: float = 0.0) -> float:
    """The share of all choices of signs whose mean is as far from zero as the observed one."""
    shifted = gaps - true
    means = [
        abs(np.mean(np.array(signs) * shifted)) for signs in product((1, -1), repeat=len(gaps))
    ]
    return float(np.mean(np.array(means) >= abs(shifted.mean()) - 1e-9))


def test_four_documents_that_all_agree() -> None:
    """|mean| of (1, 2, 3, 4) is reached by 2 of 16 choices of signs."""
    assert flip_one(np.array([1.0, 2.0, 3.0, 4.0])).p[0] == 2 / 16


@given(
    gaps=st.lists(st.integers(-5, 5), min_size=1, max_size=8),
    true=st.floats(-6, 6).map(lambda value: round(value, 2) + 0.003),
)
def test_p_is_exact_and_the_interval_is_what_the_test_does_not_reject(
    gaps: list[int], true: float
) -> None:
    values = np.array(gaps, dtype=np.float64)
    result = flip_one(values)
    assert result.p[0] == pytest.approx(p_by_hand(values))
    inside = result.low[0] < true < result.high[0]
    assert inside == (p_by_hand(values, true) > 0.05)


@pytest.mark.parametrize("shift", np.linspace(0.0, 0.6, 13))
def test_the_interval_excludes_zero_exactly_where_p_is_below_five_percent(shift: float) -> None:
    rng = np.random.default_rng(int(100 * shift))
    for _ in range(10):
        result = flip_one(rng.normal(shift, 1.0, size=40))
        excludes = result.low[0] > 0 or result.high[0] < 0
        assert excludes == (result.p[0] < 0.05)


def test_many_documents_come_close_to_the_t_test() -> None:
    rng = np.random.default_rng(3)
    for shift in (0.1, 0.2, 0.3):
        gaps = rng.normal(shift, 1.0, size=200)
        result = flip_one(gaps, flips=20_000)
        expected = stats.ttest_1samp(gaps, 0.0)
        assert result.p[0] == pytest.approx(expected.pvalue, rel=0.2, abs=0.003)
        bounds = expected.confidence_interval(0.95)
        assert result.low[0] == pytest.approx(bounds.low, abs=0.03)
        assert result.high[0] == pytest.approx(bounds.high, abs=0.03)


def test_a_difference_without_doubt_has_the_smallest_p_that_pairs_leave_room_for() -> None:
    """300 equal pairs get 12,000 choices of signs, so that Holm leaves 300 / 12,000 = 0.025."""
    gaps = np.repeat(np.random.default_rng(0).normal(3.0, 1.0, size=(60, 1)), 300, axis=1)
    pairs = np.arange(300)
    made = Contributions(
        gaps.mean(axis=0), gaps / 60, pairs, np.full(300, -1), np.full((60, 1), 1 / 60)
    )
    p = flip_tests(made, 1_000, np.random.default_rng(0)).p
    assert p.max() == pytest.approx(1 / 12_000)


def test_two_columns_are_compared_as_their_difference_is() -> None:
    rng = np.random.default_rng(1)
    cells = rng.normal(size=(30, 2)) + np.array([0.4, 0.0])
    made = Contributions(
        np.array([np.subtract(*cells.mean(axis=0))]), cells / 30, np.array([0]), np.array([1]),
        np.full((30, 1), 1 / 30),
    )  # fmt: skip
    columns = flip_tests(made, 5_000, np.random.default_rng(0))
    direct = flip_one(cells[:, 0] - cells[:, 1])
    assert columns.p[0] == direct.p[0]
    assert columns.low[0] == pytest.approx(direct.low[0])
    assert columns.high[0] == pytest.approx(direct.high[0])
