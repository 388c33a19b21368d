from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from gistmark.analysis.agreement.coefficients.kappa import (
    MOST_CATEGORIES,
    Weights,
    cohen_kappa,
    fleiss_kappa,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.data.columns import Float64
from on_use import on_use

statsmodels = on_use("statsmodels.stats.inter_rater")

NAN = float("nan")

# Fleiss (1971) as Wikipedia's "Fleiss' kappa" works it: ten subjects, fourteen raters, five
# categories, kappa = 0.210.
WORKED = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

complete = st.tuples(st.integers(1, 8), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(1, 4).map(float))
)
gappy = st.integers(1, 12).flatmap(
    lambda n: arrays(
        np.float64, (2, n), elements=st.one_of(st.just(NAN), st.sampled_from([1.0, 2.0, 4.0, 5.0]))
    )
)


def of_table(table: Float64) -> Statistic:
    """Fleiss' kappa of a table of units x raters."""
    return fleiss_kappa(np.repeat(np.arange(len(table)), table.shape[1]), table.ravel())


def test_the_worked_example_of_fleiss() -> None:
    units = np.repeat(np.arange(10), 14)
    values = np.concatenate([np.repeat(np.arange(5), row) for row in WORKED]).astype(np.float64)
    result = fleiss_kappa(units, values)
    assert result.value == pytest.approx(0.210, abs=5e-4)
    assert result.n == 10


@given(table=complete)
def test_statsmodels_agrees_on_fleiss(table: Float64) -> None:
    result = of_table(table)
    if len(np.unique(table)) == 1:
        assert result.value is None
        assert "one category" in str(result.reason)
    else:
        expected = statsmodels.fleiss_kappa(statsmodels.aggregate_raters(table.astype(int))[0])
        assert result.value == pytest.approx(expected, abs=1e-9)


def test_units_count_once_however_many_rated_them() -> None:
    """Units {1, 1, 2}, {2, 2}, {1}: the last is left out.

    P = (2 / 6 + 1) / 2 = 2/3; Pe = (2/5)^2 + (3/5)^2 = 13/25; (2/3 - 13/25) / (12/25) = 11/36.
    """
    result = fleiss_kappa(np.array([0, 0, 0, 1, 1, 2]), np.array([1.0, 1, 2, 2, 2, 1]))
    assert result == Statistic(pytest.approx(11 / 36), 2)


def test_fleiss_without_two_ratings_is_undefined() -> None:
    for units, values in (([], []), ([0, 1], [1.0, 2.0]), ([0, 0], [1.0, NAN])):
        result = fleiss_kappa(np.array(units, np.int64), np.array(values, np.float64))
        assert result.value is None
        assert result.reason == "No unit has two ratings."


def naive_kappa(first: Float64, second: Float64, weights: Weights | None) -> float:
    """1 - observed / expected disagreement, over all pairs of units for the expected one."""
    power = {None: 0, "linear": 1, "quadratic": 2}[weights]

    def cost(a: float, b: float) -> float:
        return 0.0 if a == b else abs(a - b) ** power

    observed = np.mean([cost(a, b) for a, b in zip(first, second, strict=True)])
    expected = np.mean([cost(a, b) for a in first for b in second])
    return float(1 - observed / expected)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(table=gappy)
def test_cohen_is_one_less_observed_over_expected(weights: Weights | None, table: Float64) -> None:
    both = table[:, ~np.isnan(table).any(axis=0)]
    result = cohen_kappa(table[0], table[1], weights)
    if len(np.unique(both)) < 2:
        assert result.value is None
        assert result.reason
    else:
        assert result.value == pytest.approx(naive_kappa(both[0], both[1], weights), abs=1e-9)
        assert result.n == both.shape[1]


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(table=gappy)
def test_scikit_learn_agrees_on_an_even_scale(weights: Weights | None, table: Float64) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    even = np.where(table > 3, table - 1, table)
    both = even[:, ~np.isnan(even).any(axis=0)].astype(int)
    assume(len(np.unique(both)) > 1)
    labels = range(both.min(), both.max() + 1)
    expected = sklearn.cohen_kappa_score(both[0], both[1], weights=weights, labels=labels)
    assert cohen_kappa(even[0], even[1], weights).value == pytest.approx(expected, abs=1e-9)


def test_cohen_worked_by_hand() -> None:
    """50 grants: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no (Wikipedia's example).

    Po = 35/50 = 0.7; Pe = 0.5 * 0.6 + 0.5 * 0.4 = 0.5; kappa = 0.2 / 0.5 = 0.4.
    """
    first = np.repeat([1.0, 1.0, 0.0, 0.0], [20, 5, 10, 15])
    second = np.repeat([1.0, 0.0, 1.0, 0.0], [20, 5, 10, 15])
    result = cohen_kappa(first, second)
    assert result.value == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "no unit in common"),
        ([1, NAN], [NAN, 1], "no unit in common"),
        ([3, 3], [3, 3], "Both gave 3"),
        (range(MOST_CATEGORIES + 1), range(MOST_CATEGORIES + 1), "not categories"),
    ],
    ids=["empty", "no overlap", "constant", "real numbers"],
)
def test_cohen_undefined_says_why(first: list[float], second: list[float], reason: str) -> None:
    result = cohen_kappa(np.array(first, np.float64), np.array(second, np.float64), "linear")
    assert result.value is None
    assert reason in str(result.reason)


def test_two_units_and_a_constant_rater_are_enough_for_cohen() -> None:
    """One rater says 1 and 2, the other 1 twice: Po = Pe = 1/2, so kappa is 0."""
    assert cohen_kappa(np.array([1.0, 2.0]), np.array([1.0, 1.0])).value == pytest.approx(0.0)


@given(table=arrays(np.int64, (4, 4), elements=st.integers(0, 9)))
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_statsmodels_agrees_on_cohen(table: NDArray[np.int64], weights: Weights | None) -> None:
    first, second = np.indices(table.shape)
    columns = [
        np.repeat(side.ravel(), table.ravel()).astype(np.float64) for side in (first, second)
    ]
    distinct = np.unique(np.concatenate(columns))
    assume(len(distinct) > 1)
    kept = np.ix_(distinct.astype(int), distinct.astype(int))
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = statsmodels.cohens_kappa(
            table[kept], weights=None if weights is None else distinct, wt=weights
        )
    result = cohen_kappa(*columns, weights)
    assert result.value == pytest.approx(expected.kappa, abs=1e-12)
