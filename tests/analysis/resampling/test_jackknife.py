"""Intervals of a mean over documents and pairs of systems."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.resampling.jackknife import (
    BOTH,
    DOCUMENTS,
    estimated,
    mean_estimated,
    means_without,
)


def test_over_documents_it_is_students_t():
    """1, 2, 3 and 6: mean 3, squares 4 + 1 + 0 + 9 = 14, variance 14 / 3 / 4 = 1.1667."""
    result = mean_estimated(np.array([1.0, 2.0, 3.0, 6.0]))
    half = stats.t(3).ppf(0.975) * np.sqrt(14 / 12)
    assert (result.value, result.over) == (3.0, DOCUMENTS)
    assert (result.low, result.high) == (pytest.approx(3 - half), pytest.approx(3 + half))
    assert result.p == pytest.approx(stats.ttest_1samp([1, 2, 3, 6], 0).pvalue)


def test_systems_add_the_variance_of_leaving_them_out():
    """Six values without a system, 0 to 5: squares 17.5, times 5 / 6 is 14.5833; and 0.5."""
    result = estimated(2.0, 0.5, 40, np.arange(6.0))
    half = stats.t(5).ppf(0.975) * np.sqrt(0.5 + 17.5 * 5 / 6)
    assert result.over == BOTH
    assert result.high == pytest.approx(2 + half)
    few = estimated(2.0, 0.5, 40, np.arange(5.0))
    assert (few.over, few.high) == (DOCUMENTS, pytest.approx(2 + stats.t(39).ppf(0.975) * 0.5**0.5))


def test_without_spread_there_is_no_interval():
    assert mean_estimated(np.ones(5)).low is None
    assert mean_estimated(np.ones(5)).p is None
    assert mean_estimated(np.zeros(5)).p == 1.0
    single = mean_estimated(np.array([2.0]))
    assert (single.low, single.p) == (None, None)
    assert single.reason == "one document says nothing about others"


def test_the_mean_over_pairs_without_those_of_each_system():
    """Pairs ab 1, ac 2, bc 6: without a 6, without b 2, without c 1."""
    assert means_without(np.array([1.0, 2.0, 6.0])).tolist() == [6.0, 2.0, 1.0]
