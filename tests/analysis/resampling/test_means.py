"""Intervals of means over documents, by hand and over simulated data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.resampling.bootstrap import NO_INTERVAL
from gistmark.analysis.resampling.means import MeanSpread, mean_intervals, ratio_intervals


def test_students_t_of_a_single_system() -> None:
    """1, 2, 3: mean 2, standard error 1 / sqrt(3), no skew; scipy's t is the peer."""
    (interval,) = mean_intervals(np.array([[1.0], [2.0], [3.0]]))
    low, high = stats.t.interval(0.95, 2, 2.0, 1 / np.sqrt(3))
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_one_document_and_equal_values_have_no_interval() -> None:
    nan = float("nan")
    cells = np.array([[4.0, 3.0, 1.0], [nan, 3.0, 2.0], [nan, 3.0, 4.0]])
    one, equal, several = mean_intervals(cells)
    assert one == equal == NO_INTERVAL
    assert several.low is not None
    assert mean_intervals(np.array([[0.1], [0.1], [0.1]])) == [NO_INTERVAL]


def test_a_variance_is_drawn_up_towards_the_others_by_hand() -> None:
    """Variances 1 and 9 with 2 degrees of freedom and a mean of 5: (2 + 4 · 5) / 6 = 3.67.

    The other system lends its 2 degrees of freedom; the variance above the mean stays.
    """
    steady, other = mean_intervals(np.array([[1.0, 1.0], [2.0, 4.0], [3.0, 7.0]]))
    t = stats.t.ppf(0.975, 4)
    assert steady.high == pytest.approx(2 + t * np.sqrt(22 / 6 / 3))
    assert other.high == pytest.approx(4 + t * np.sqrt(9 / 3))


def test_the_end_on_the_side_of_the_long_tail_moves_out() -> None:
    """Skewness over sqrt(n) of -0.3: the low end moves by 0.3 (1 + 2 t^2) / 6 errors."""
    spread = MeanSpread(5.0, error=np.sqrt(0.1), skews=(-0.3,), n=10, freedom=9)
    interval = spread.interval(0.0)
    t, error = stats.t.ppf(0.975, 9), np.sqrt(0.1 * 10 / 9)
    assert interval.high == pytest.approx(5 + t * error)
    assert interval.low == pytest.approx(5 - (t + 0.3 * (1 + 2 * t**2) / 6) * error)


def test_a_ratio_is_within_its_limits() -> None:
    """Of 3, 1 and 2 answers about three documents 3, 0 and 1 have an option: 4 of 6."""
    sums, counts = np.array([[3.0], [0.0], [1.0]]), np.array([[3.0], [1.0], [2.0]])
    (interval,) = ratio_intervals(sums, counts, (0.0, 1.0))
    assert interval.high == 1.0
    (open_,) = ratio_intervals(sums, counts)
    assert open_.high is not None
    assert open_.high > 1.0


@pytest.mark.parametrize("documents", [2, 3, 8])
def test_few_documents_are_covered(documents: int) -> None:
    rng = np.random.default_rng(documents)
    held = [
        interval.low <= 0 <= interval.high  # type: ignore[operator]
        for _ in range(300)
        for interval in mean_intervals(rng.normal(size=(documents, 3)))
    ]
    assert 0.92 < np.mean(held) < 0.985
