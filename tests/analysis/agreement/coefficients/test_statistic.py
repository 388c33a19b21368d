from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.agreement.coefficients.statistic import encode, pairable, tally

NAN = float("nan")


def test_missing_values_and_units_with_one_value_are_left_out() -> None:
    units = np.array([0, 0, 1, 2, 2, 3, 3])
    values = np.array([1.0, 2.0, 5.0, 3.0, NAN, 4.0, 4.0])
    result = pairable(units, values)
    assert result.units.tolist() == [0, 0, 1, 1]
    assert result.values.tolist() == [1.0, 2.0, 4.0, 4.0]
    assert result.sizes.tolist() == [2, 2]


def test_nothing_gives_nothing() -> None:
    result = tally(pairable(np.zeros(0, np.int64), np.zeros(0)))
    assert len(result.sizes) == len(result.counts) == len(result.distinct) == 0


def test_cells_count_the_values_of_each_unit() -> None:
    result = tally(pairable(np.array([0, 0, 0, 1, 1]), np.array([7.0, 5.0, 7.0, 9.0, 5.0])))
    assert result.distinct.tolist() == [5.0, 7.0, 9.0]
    cells = list(
        zip(result.units.tolist(), result.codes.tolist(), result.counts.tolist(), strict=True)
    )
    assert cells == [(0, 0, 1), (0, 1, 2), (1, 0, 1), (1, 2, 1)]
    assert result.totals.tolist() == [2, 2, 1]


@pytest.mark.parametrize("numbers", [st.integers(-5, 5), st.floats(-1e6, 1e6), st.just(1e300)])
def test_codes_are_those_of_numpy(numbers: st.SearchStrategy[float]) -> None:
    @given(st.lists(numbers, min_size=1))
    def check(values: list[float]) -> None:
        column = np.array(values, dtype=np.float64)
        distinct, codes = encode(column)
        expected, positions = np.unique(column, return_inverse=True)
        np.testing.assert_array_equal(distinct, expected)
        np.testing.assert_array_equal(codes, positions)

    check()


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), max_size=30))
def test_full_and_sparse_counting_agree(ratings: list[tuple[int, float]]) -> None:
    units = np.array([unit for unit, _ in ratings], dtype=np.int64)
    kept = pairable(units, np.array([round(value, 1) for _, value in ratings]))
    result = tally(kept)
    rebuilt = sorted(
        (unit, result.distinct[code])
        for unit, code, count in zip(result.units, result.codes, result.counts, strict=True)
        for _ in range(count)
    )
    assert rebuilt == sorted(zip(kept.units.tolist(), kept.values.tolist(), strict=True))
