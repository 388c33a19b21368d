from __future__ import annotations

import tracemalloc

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gistmark.analysis.agreement.coefficients.alpha import MOST_RATIOS, alpha, grouped_alpha
from gistmark.analysis.agreement.coefficients.intervals import over_documents
from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.data.columns import Float64, Level

NAN = float("nan")

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C and its results:
# four observers, twelve units.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)

PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}

cells = st.one_of(st.just(NAN), st.integers(0, 4).map(float), st.sampled_from([0.5, 2.25, 100.0]))

tables = st.tuples(st.integers(1, 5), st.integers(1, 8)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=cells)
)


def of_table(table: Float64, level: Level) -> Statistic:
    """Alpha of a table of raters x units, as the package krippendorff takes it."""
    raters, units = table.shape
    return alpha(np.tile(np.arange(units), raters), table.ravel(), level)


@pytest.mark.parametrize("level", LEVELS)
def test_the_published_example(level: Level) -> None:
    result = of_table(KRIPPENDORFF, level)
    assert result.value == pytest.approx(PUBLISHED[level], abs=5e-4)
    assert result.n == 11


def test_a_value_worked_by_hand() -> None:
    """Units {1, 1}, {1, 2}, {2, 2}: n = 6.

    D = (0 + 2 + 0) / (2 - 1) = 2 unequal ordered pairs; E = 2 * 3 * 3 = 18;
    alpha = 1 - (6 - 1) * 2 / 18 = 4/9.
    """
    result = alpha(np.array([0, 0, 1, 1, 2, 2]), np.array([1.0, 1, 1, 2, 2, 2]), "nominal")
    assert result == Statistic(pytest.approx(4 / 9), 3)


def test_an_interval_value_worked_by_hand() -> None:
    """Units {1, 3}, {5, 5}: n = 4, squares of differences.

    D = 2 * (1-3)^2 = 8; E = 2 * (4 + 16 + 16 + 4 + 4 + 0) = 88; alpha = 1 - 3 * 8 / 88 = 8/11.
    """
    result = alpha(np.array([0, 0, 1, 1]), np.array([1.0, 3.0, 5.0, 5.0]), "interval")
    assert result.value == pytest.approx(8 / 11)


@pytest.mark.parametrize("level", LEVELS)
@given(table=tables)
def test_the_package_krippendorff_agrees(level: Level, table: Float64) -> None:
    result = of_table(table, level)
    together = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    paired = together[~np.isnan(together)]
    if len(np.unique(paired)) < 2:
        assert result.value is None
        assert result.reason
    else:
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert result.value == pytest.approx(expected, abs=1e-9)
        assert result.n == together.shape[1]


@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 1000))
def test_real_numbers_agree_too(level: Level, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = np.abs(rng.normal(5, 2, size=(1, 12)) + rng.normal(size=(4, 12)))
    table[rng.random(table.shape) < 0.3] = NAN
    result = of_table(table, level)
    expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert result.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("units", "values", "reason"),
    [
        ([], [], "No unit has two ratings"),
        ([0, 1, 2], [1, 2, 3], "No unit has two ratings"),
        ([0, 0], [1, NAN], "No unit has two ratings"),
        ([0, 0, 1, 1], [4, 4, 4, 4], "All ratings are 4"),
        ([0, 0, 1], [4, 4, 5], "All ratings are 4"),
    ],
    ids=["empty", "no overlap", "missing", "constant", "constant where it counts"],
)
def test_undefined_values_say_why(
    level: Level, units: list[int], values: list[float], reason: str
) -> None:
    result = alpha(np.array(units, np.int64), np.array(values, np.float64), level)
    assert result.value is None
    assert reason in str(result.reason)


def test_two_units_are_enough() -> None:
    result = alpha(np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 2.0, 2.0]), "ordinal")
    assert result == Statistic(1.0, 2)


def test_the_ratio_level_has_no_negative_values() -> None:
    result = alpha(np.array([0, 0, 1, 1]), np.array([-1.0, 1.0, 2.0, 2.0]), "ratio")
    assert result.value is None
    assert "negative" in str(result.reason)


def test_too_many_values_at_the_ratio_level_are_refused() -> None:
    values = np.arange(MOST_RATIOS + 2, dtype=np.float64)
    result = alpha(np.arange(len(values)) // 2, values, "ratio")
    assert result.value is None
    assert "distinct values" in str(result.reason)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_memory_grows_with_ratings_not_with_distinct_values(level: Level) -> None:
    """100,000 distinct values: a table of values x values would take 80 GB."""
    values = np.random.default_rng(0).random(100_000)
    units = np.arange(100_000) // 4
    tracemalloc.start()
    try:
        result = alpha(units, values, level)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.value is not None
    assert abs(result.value) < 0.05
    assert peak < 50e6


def test_marks_of_documents_have_the_interval_of_alpha_computed_again() -> None:
    """Sums of documents give what nominal alpha of the marks of all other documents is."""
    rng = np.random.default_rng(3)
    units = np.repeat(np.arange(6), 3)
    groups = [
        (units, (rng.random(18) < 0.2 + 0.1 * (units % 3) + 0.05 * document).astype(np.float64))
        for document in range(7)
    ]
    numbers = np.concatenate([units + 6 * document for document in range(7)])
    values = np.concatenate([marks for _, marks in groups])
    expected = over_documents(
        np.repeat(np.arange(7), 18),
        lambda rows: {"": alpha(numbers[rows], values[rows], "nominal")},
    )[""]
    result = grouped_alpha(groups)
    assert (result.value, result.n, result.documents) == (expected.value, 42, 7)
    assert (result.low, result.high) == pytest.approx((expected.low, expected.high))
