from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import variation

from gistmark.analysis.agreement.variation import coefficients_of_variation, variation_by_system
from gistmark.analysis.ratings import RatingColumns, columns_by_dimension
from gistmark.records import Rating

NAN = float("nan")


def columns_of(values: dict[tuple[str, str], list[float]]) -> RatingColumns:
    ratings = [
        Rating(document, system, f"a{place}", "d", value)
        for (document, system), row in values.items()
        for place, value in enumerate(row)
    ]
    return columns_by_dimension(ratings)["d"]


def test_a_value_worked_by_hand() -> None:
    """Ratings 40, 50, 60: s = 10, mean = 50, so cv = (1 + 1/12) * 0.2 = 0.21666..."""
    found = coefficients_of_variation(np.array([0, 0, 0]), np.array([40.0, 50.0, 60.0]), 1)
    np.testing.assert_allclose(found, [13 / 60])


@given(st.lists(st.lists(st.floats(1, 100), min_size=1, max_size=6), min_size=1, max_size=6))
def test_scipy_agrees(rows: list[list[float]]) -> None:
    units = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    found = coefficients_of_variation(units, np.concatenate(rows), len(rows))
    for value, row in zip(found, rows, strict=True):
        if len(row) < 2:
            assert np.isnan(value)
        else:
            expected = (1 + 1 / (4 * len(row))) * variation(row, ddof=1)
            assert value == pytest.approx(expected, abs=1e-9)


def test_units_without_a_coefficient_are_left_out_and_counted() -> None:
    columns = columns_of(
        {
            ("1", "lead"): [40, 50, 60],
            ("2", "lead"): [50, 50],
            ("1", "other"): [7],
            ("2", "other"): [0, 0],
        }
    )
    found = variation_by_system(columns)
    assert found["lead"].value == pytest.approx((13 / 60 + 0) / 2)
    assert (found["lead"].n, found["lead"].reason) == (2, None)
    assert found["other"].value is None
    assert "mean above 0" in str(found["other"].reason)
    assert found[""].value == pytest.approx(13 / 120)
    assert "2 of 4 summaries left out" in str(found[""].reason)


def test_missing_values_do_not_count() -> None:
    units, values = np.array([0, 0, 0, 1]), np.array([40.0, NAN, 60.0, NAN])
    found = coefficients_of_variation(units, values, 2)
    assert found[0] == pytest.approx((1 + 1 / 8) * 200**0.5 / 50)
    assert np.isnan(found[1])
