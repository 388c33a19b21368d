"""Gwet's AC1 and AC2, and Brennan and Prediger's coefficient."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.coefficients.gwet import (
    Weights,
    brennan_prediger,
    gwet,
    weights_of,
)
from gistmark.analysis.data.columns import Float64

NAN = float("nan")

# `raw_4raters` and `raw_5observers` of the package irrCAC 0.4.4: units × raters. What its `CAC`
# gives (`gwet` and `bp`, rounded to five decimals there) stands beside them, in the order of
# identity, ordinal and quadratic weights.
FOUR_RATERS = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1],
    [NAN, NAN, 3, NAN],
]  # fmt: skip
FIVE_OBSERVERS = [
    [1, 1, 2, NAN, 2], [1, 1, 0, 1, NAN], [2, 3, 3, 3, NAN], [NAN, 0, 0, NAN, 0],
    [0, 0, 0, NAN, 0], [0, 0, 0, NAN, 0], [1, 0, 2, NAN, 1], [1, NAN, 2, 0, NAN],
    [2, 2, 2, NAN, 2], [2, 1, 1, 1, NAN], [NAN, 1, 0, 0, NAN], [0, 0, 0, 0, NAN],
    [1, 2, 2, 2, NAN], [3, 3, 2, 2, 3], [1, 1, 1, NAN, 1],
]  # fmt: skip
EXPECTED = [
    (FOUR_RATERS, 11, (0.77544, 0.89894, 0.91400), (0.77273, 0.88636, 0.90152)),
    (FIVE_OBSERVERS, 15, (0.49662, 0.78534, 0.83043), (0.48741, 0.75941, 0.80622)),
]
WEIGHTS: tuple[Weights, ...] = ("identity", "ordinal", "quadratic")


@pytest.mark.parametrize(("rows", "n", "gwets", "brennans"), EXPECTED)
def test_values_are_those_of_irrcac(
    rows: list[list[float]], n: int, gwets: tuple[float, ...], brennans: tuple[float, ...]
) -> None:
    table = np.array(rows)
    units, values = np.repeat(np.arange(len(table)), table.shape[1]), table.ravel()
    categories = np.unique(values[~np.isnan(values)])
    for weights, one, other in zip(WEIGHTS, gwets, brennans, strict=True):
        result = gwet(units, values, categories, weights)
        assert (result.value, result.n) == (pytest.approx(one, abs=5e-6), n)
        result = brennan_prediger(units, values, categories, weights)
        assert (result.value, result.n) == (pytest.approx(other, abs=5e-6), n)


def test_skewed_labels_lower_alpha_and_not_ac1() -> None:
    """Two people give "yes" on 98 of 100 units and differ on the other two.

    P = 0.98, the shares of the categories are 0.99 and 0.01: AC1 has Pe = 2 * 0.99 * 0.01 = 0.0198,
    so (0.98 - 0.0198) / (1 - 0.0198); Brennan and Prediger have Pe = 1/2, so 0.48 / 0.5.
    """
    table = np.ones((100, 2))
    table[:2, 0] = 0
    units, values = np.repeat(np.arange(100), 2), table.ravel()
    categories = np.array([0.0, 1.0])
    assert gwet(units, values, categories).value == pytest.approx((0.98 - 0.0198) / (1 - 0.0198))
    assert brennan_prediger(units, values, categories).value == pytest.approx(0.96)
    assert (alpha(units, values, "nominal").value or 0.0) < 0.01


def test_ordinal_weights_count_the_pairs_of_categories_within_reach() -> None:
    """With four categories a gap of d steps costs C(d + 1, 2) of C(4, 2): 1, 3 and 6 of 6."""
    expected: Float64 = np.array([1.0, 5 / 6, 1 / 2, 0.0])
    np.testing.assert_allclose(weights_of(np.array([1.0, 2.0, 3.0, 9.0]), "ordinal")[0], expected)


@pytest.mark.parametrize(
    ("values", "categories", "reason"),
    [([1.0, NAN], [1.0, 2.0], "No unit has two ratings."),
     ([1.0, 1.0], [1.0], "There is only one category.")],
)  # fmt: skip
def test_undefined_values_say_why(
    values: list[float], categories: list[float], reason: str
) -> None:
    result = gwet(np.array([0, 0]), np.array(values), np.array(categories))
    assert (result.value, result.reason) == (None, reason)
