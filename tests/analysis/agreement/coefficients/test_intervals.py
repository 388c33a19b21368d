"""Intervals of coefficients over documents."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.agreement.coefficients.intervals import (
    MOST,
    document_groups,
    over_documents,
    quotient_over_documents,
    summed,
    with_interval,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined


def test_the_mean_of_documents_beyond_1_has_students_interval() -> None:
    """For a mean, the jackknife error is s / sqrt(n): s = 1 of 4, 5 and 6, and no skew."""
    parts = np.array([[4.0, 1.0], [5.0, 1.0], [6.0, 1.0]])
    result = quotient_over_documents(Statistic(5.0, 3), parts)
    half = stats.t.ppf(0.975, 2) / 3**0.5
    assert (result.low, result.high) == pytest.approx((5 - half, 5 + half))
    assert result.documents == 3


def test_a_coefficient_between_minus_1_and_1_stays_there() -> None:
    """The leave-one-out values lie evenly on Fisher's scale: 0.9 in the middle, steps of 0.3."""
    z = np.arctanh(0.9)
    result = with_interval(Statistic(0.9, 9), np.tanh(z + np.array([-0.3, 0.0, 0.3])), documents=3)
    half = stats.t.ppf(0.975, 2) * (2 / 3 * 2 * 0.3**2) ** 0.5
    assert (result.low, result.high) == pytest.approx((np.tanh(z - half), np.tanh(z + half)))


def test_the_end_of_the_long_tail_moves_out() -> None:
    """Without one document of four the value is far higher: there may be more like it.

    It moves by 0, 0, 0 and -0.4: the error is sqrt(3 / 4) * 0.4. About their mean of -0.1 the cubes
    add up to 3 * 0.001 - 0.027 = -0.024, over 0.4^3 it is a skewness of -0.375.
    """
    result = with_interval(Statistic(1.5, 9), np.array([1.5, 1.5, 1.5, 1.9]), documents=4)
    t, error = stats.t.ppf(0.975, 3), 0.75**0.5 * 0.4
    assert result.high == pytest.approx(1.5 + t * error)
    assert result.low == pytest.approx(1.5 - (t + 0.375 * (1 + 2 * t**2) / 6) * error)


@pytest.mark.parametrize(
    ("left_out", "documents", "reason"),
    [
        ([], 1, "there is only one"),
        ([], 0, "there is none"),
        ([0.5, float("nan")], 2, "it has no value without one of them"),
        ([0.5, 0.5], 2, "leaving out any of them gives the same value"),
    ],
)
def test_an_interval_that_cannot_be_had_has_a_reason(
    left_out: list[float], documents: int, reason: str
) -> None:
    result = with_interval(Statistic(0.5, 4), np.array(left_out), documents=documents)
    assert (result.value, result.low, result.high) == (0.5, None, None)
    assert result.reason == f"No interval over documents: {reason}."


def test_documents_are_left_out_one_by_one_and_others_never() -> None:
    values = np.array([1.0, 2.0, 3.0, 9.0])

    def mean(rows):
        if rows.sum() == 1:
            return {"mean": undefined("Too few.")}
        return {"mean": Statistic(float(values[rows].mean()), int(rows.sum()))}

    result = over_documents(np.array([7, 7, 8, -1]), mean)["mean"]
    # Without document 7 the mean is 6, without 8 it is 4; 3.75 with all.
    assert (result.value, result.documents) == (3.75, 2)
    expected = with_interval(Statistic(3.75, 4), np.array([6.0, 4.0]), documents=2)
    assert (result.low, result.high) == (expected.low, expected.high)


def test_many_documents_are_left_out_in_groups() -> None:
    groups = document_groups(np.repeat(np.arange(120), 2))
    assert sorted(np.unique(groups).tolist()) == list(range(MOST))
    sums = summed(np.ones((120, 2)))
    assert sums.shape == (MOST, 2)
    assert sums.sum() == 240
