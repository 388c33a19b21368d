from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from gistmark.analysis.data.arithmetic import average_ranks, exact_ties, sort_rows

values = st.lists(st.one_of(st.integers(-5, 5).map(float), st.just(np.nan)), min_size=1)


@given(values)
def test_ranks_are_scipys_with_missing_values_left_out(row: list[float]) -> None:
    result = average_ranks(np.array([row]))[0]
    np.testing.assert_array_equal(result, rankdata(row, nan_policy="omit"))


def test_rows_are_ranked_each_by_itself() -> None:
    ranks = average_ranks(np.array([[3.0, 1.0, 3.0, np.nan], [1.0, 2.0, 3.0, 4.0]]))
    np.testing.assert_array_equal(ranks, [[2.5, 1.0, 2.5, np.nan], [1.0, 2.0, 3.0, 4.0]])


def test_sums_in_another_order_tie_again() -> None:
    """0.1 + 0.2 + 0.3 is 0.6000000000000001 from the left and 0.6 from the right."""
    left, right = (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)
    assert left != right
    result = exact_ties(np.array([left, 0.5, right]))
    assert result[0] == result[2] == min(left, right)
    assert result[1] == 0.5


def test_values_that_really_differ_are_kept() -> None:
    row = np.array([1.0, 1.0 + 1e-9, 0.0, 1e-9, -3.0, np.nan])
    np.testing.assert_array_equal(exact_ties(row), row)


def test_near_zero_the_largest_value_sets_the_measure() -> None:
    result = exact_ties(np.array([1.0, 3e-17, 0.0, -1.0]))
    np.testing.assert_array_equal(result, [1.0, 0.0, 0.0, -1.0])


def test_nothing_at_all_is_fine() -> None:
    assert exact_ties(np.empty(0)).shape == (0,)
    assert exact_ties(np.empty((0, 4))).shape == (0, 4)
    np.testing.assert_array_equal(exact_ties(np.array([np.nan])), [np.nan])


def test_sorting_counts_only_what_is_there() -> None:
    sorting = sort_rows(np.array([[2.0, np.nan, 1.0, 2.0]]))
    assert sorting.order[0, :3].tolist() == [2, 0, 3]
    assert sorting.starts[0, :3].tolist() == [True, True, False]
    assert sorting.counts.tolist() == [3]
