from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gistmark.analysis.agreement.coefficients.icc import Icc, icc1, icc2, icc3
from gistmark.analysis.data.columns import Float64

NAN = float("nan")

# Shrout and Fleiss (1979), Table 2 (six targets, four judges) and Table 4.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    dtype=np.float64,
)
PUBLISHED = {
    "icc1": (0.17, 0.44),
    "icc2": (0.29, 0.62),
    "icc3": (0.71, 0.91),
}

tables = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(1, 100).map(float))
)


def of_table(table: Float64) -> dict[str, Icc]:
    """All three of a table of units x raters."""
    units = np.repeat(np.arange(len(table)), table.shape[1])
    raters = np.tile(np.arange(table.shape[1]), len(table))
    values = table.ravel()
    kept = ~np.isnan(values)
    units, raters, values = units[kept], raters[kept], values[kept]
    return {
        "icc1": icc1(units, values),
        "icc2": icc2(units, raters, values),
        "icc3": icc3(units, raters, values),
    }


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_example_of_shrout_and_fleiss(name: str) -> None:
    result = of_table(SHROUT_FLEISS)[name]
    single, average = PUBLISHED[name]
    assert result.single.value == pytest.approx(single, abs=5e-3)
    assert result.average.value == pytest.approx(average, abs=5e-3)
    for statistic in (result.single, result.average):
        assert (statistic.n, statistic.reason) == (6, None)


@given(table=tables)
def test_mean_squares_are_those_of_statsmodels(table: Float64) -> None:
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    n, k = table.shape
    assume(np.ptp(table) > 0)
    frame = pd.DataFrame(
        {
            "unit": np.repeat(np.arange(n), k).astype(str),
            "rater": np.tile(np.arange(k), n).astype(str),
            "value": table.ravel(),
        }
    )
    squares = anova_lm(ols("value ~ C(unit) + C(rater)", frame).fit())["sum_sq"]
    bms, jms = squares["C(unit)"] / (n - 1), squares["C(rater)"] / (k - 1)
    ems = squares["Residual"] / ((n - 1) * (k - 1))
    wms = (squares["C(rater)"] + squares["Residual"]) / (n * (k - 1))
    assume(bms > 1e-6)
    assume(ems > 1e-6)
    result = of_table(table)
    expected = {
        "icc1": ((bms - wms) / (bms + (k - 1) * wms), (bms - wms) / bms),
        "icc2": (
            (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
            (bms - ems) / (bms + (jms - ems) / n),
        ),
        "icc3": ((bms - ems) / (bms + (k - 1) * ems), (bms - ems) / bms),
    }
    for name, (single, average) in expected.items():
        assert result[name].single.value == pytest.approx(single, abs=1e-9, rel=1e-9)
        if result[name].average.value is not None and abs(average) < 1e6:
            assert result[name].average.value == pytest.approx(average, abs=1e-9, rel=1e-7)


def test_incomplete_units_are_left_out_and_counted() -> None:
    table = np.vstack([SHROUT_FLEISS, [1.0, 2.0, NAN, NAN], [NAN, NAN, 5.0, NAN]])
    whole, gappy = of_table(SHROUT_FLEISS), of_table(table)
    for name in PUBLISHED:
        assert gappy[name].single.value == whole[name].single.value
        assert "2 of 8 units left out" in str(gappy[name].single.reason)


def test_one_way_needs_equal_numbers_not_the_same_raters() -> None:
    """Six raters, two per unit, none of whom rated all units."""
    table = np.full((3, 6), NAN)
    table[0, :2], table[1, 2:4], table[2, 4:] = [1, 2], [4, 5], [8, 8]
    result = of_table(table)
    assert result["icc1"].single.value is not None
    assert result["icc1"].single.value > 0.9
    assert result["icc2"].single.value is None
    assert "all 6 ratings" in str(result["icc2"].single.reason)


def test_full_agreement_is_one() -> None:
    table = np.array([[1.0, 1.0], [3.0, 3.0], [4.0, 4.0]])
    for icc in of_table(table).values():
        assert icc.single.value == pytest.approx(1.0)
        assert icc.average.value == pytest.approx(1.0)


def test_a_severe_rater_hurts_absolute_agreement_only() -> None:
    """The second rater is always 10 lower: consistent, but not in agreement."""
    table = np.array([[50.0, 40.0], [60.0, 50.0], [80.0, 70.0]])
    result = of_table(table)
    assert result["icc3"].single.value == pytest.approx(1.0)
    assert result["icc2"].single.value is not None
    assert result["icc2"].single.value < 0.9


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (np.zeros((0, 2)), "Fewer than two"),
        (np.array([[1.0], [2.0]]), "Fewer than two"),
        (np.array([[1.0, 2.0]]), "Fewer than two"),
        (np.array([[4.0, 4.0], [4.0, 4.0]]), "All ratings are 4"),
        (np.array([[1.0, NAN], [NAN, 2.0]]), "Fewer than two"),
    ],
    ids=["empty", "one annotator", "one unit", "constant", "no overlap"],
)
def test_undefined_values_say_why(table: Float64, reason: str) -> None:
    for icc in of_table(table).values():
        assert (icc.single.value, icc.average.value) == (None, None)
        assert reason in str(icc.single.reason)


def test_units_with_equal_means_have_no_average_coefficient() -> None:
    """Both means are 1.5, so that BMS is 0 and (BMS - EMS) / BMS has no value."""
    result = of_table(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert result["icc3"].single.value == pytest.approx(-1.0)
    assert result["icc3"].average.value is None
    assert result["icc2"].single.value is None
    assert result["icc2"].single.reason
