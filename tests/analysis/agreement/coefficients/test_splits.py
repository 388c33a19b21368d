from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, pearsonr, spearmanr

from gistmark.analysis.agreement.coefficients.splits import (
    annotators_against_rest,
    beside_annotators,
    means_of_others,
    splits_against_rest,
    usual_group,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.data.columns import Float64, RatingColumns

NAN = float("nan")
SCIPY = {"spearman": spearmanr, "pearson": pearsonr, "kendall": kendalltau}

tables = st.tuples(st.integers(3, 10), st.integers(2, 6)).flatmap(
    lambda shape: arrays(
        np.float64,
        shape,
        elements=st.one_of(st.just(NAN), st.integers(1, 5).map(float), st.just(2.5)),
    )
)


def columns_of(table: Float64) -> RatingColumns:
    """The columns of a table of units x raters."""
    units, raters = np.nonzero(~np.isnan(table))
    return RatingColumns(
        dimension="d",
        unit_names=tuple((str(unit), "s") for unit in range(len(table))),
        rater_names=tuple(f"r{rater}" for rater in range(table.shape[1])),
        units=units,
        raters=raters,
        values=table[units, raters],
    )


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def expected(table: Float64, group: tuple[str, ...], coefficient: str) -> tuple[float | None, int]:
    """Means of the two sides, unit by unit, then scipy on the units that have both."""
    chosen = [int(name[1:]) for name in group]
    others = [rater for rater in range(table.shape[1]) if rater not in chosen]
    rows = []
    for row in table:
        first, second = row[chosen], row[others]
        first, second = first[~np.isnan(first)], second[~np.isnan(second)]
        if len(first) and len(second):
            rows.append((round(first.mean(), 10), round(second.mean(), 10)))
    x, y = [a for a, _ in rows], [b for _, b in rows]
    if len(rows) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return None, len(rows)
    return float(SCIPY[coefficient](x, y).statistic), len(rows)


def check(actual: Statistic, value: float | None, n: int) -> None:
    assert actual.n == n
    if value is None:
        assert actual.value is None
        assert actual.reason
    else:
        assert actual.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("coefficient", SCIPY)
@given(table=tables)
def test_each_annotator_against_the_rest_as_scipy_has_it(coefficient: str, table: Float64) -> None:
    splits = annotators_against_rest(columns_of(table), coefficient)
    assert len(splits) == table.shape[1]
    for split in splits:
        check(split.correlation, *expected(table, split.group, coefficient))


@pytest.mark.parametrize("k", [1, 2, 3])
@given(table=tables)
def test_each_split_as_scipy_has_it(k: int, table: Float64) -> None:
    for split in splits_against_rest(columns_of(table), k, rng=rng()):
        check(split.correlation, *expected(table, split.group, "spearman"))


def test_three_of_ten_annotators_can_be_chosen_in_120_ways() -> None:
    table = np.random.default_rng(1).integers(0, 5, size=(20, 10)).astype(np.float64)
    assert usual_group(10) == 3
    splits = splits_against_rest(columns_of(table), 3, rng=rng())
    assert len({split.group for split in splits}) == len(splits) == 120


def test_halves_occur_once() -> None:
    table = np.random.default_rng(1).integers(0, 5, size=(9, 4)).astype(np.float64)
    groups = {split.group for split in splits_against_rest(columns_of(table), 2, rng=rng())}
    assert groups == {("r0", "r1"), ("r0", "r2"), ("r0", "r3")}


def test_too_many_splits_are_sampled_without_repetition() -> None:
    table = np.random.default_rng(1).integers(0, 5, size=(9, 30)).astype(np.float64)
    splits = splits_against_rest(columns_of(table), 9, rng=rng(), most=50)
    assert len({split.group for split in splits}) == 50
    assert splits == splits_against_rest(columns_of(table), 9, rng=rng(), most=50)


@pytest.mark.parametrize(("raters", "k"), [(1, 1), (3, 3), (3, 0)])
def test_there_must_be_a_group_and_a_rest(raters: int, k: int) -> None:
    table = np.ones((4, raters))
    assert splits_against_rest(columns_of(table), k, rng=rng()) == ()


def test_undefined_correlations_say_why() -> None:
    """r0 and r1 share two units only; r2 rated alone; on full columns r3 is constant."""
    table = np.array([[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 5, NAN]], dtype=np.float64)
    reasons = [str(s.correlation.reason) for s in annotators_against_rest(columns_of(table[:, :3]))]
    assert reasons == [
        "2 units in common are too few; 3 are needed.",
        "2 units in common are too few; 3 are needed.",
        "0 units in common are too few; 3 are needed.",
    ]
    flat = np.array([[1.0, 4.0], [2.0, 4.0], [3.0, 4.0]])
    for split in annotators_against_rest(columns_of(flat)):
        assert split.correlation.reason == "One side has the same value throughout."


def test_no_annotators_no_splits() -> None:
    assert annotators_against_rest(columns_of(np.zeros((0, 0)))) == ()


def test_means_of_others_leave_out_oneself() -> None:
    result = means_of_others(columns_of(np.array([[1.0, 2.0, 6.0], [4.0, NAN, NAN]])))
    np.testing.assert_allclose(result, [4.0, 3.5, 1.5, NAN])


def test_a_metric_stands_beside_each_annotator_on_the_same_summaries_and_means():
    """r0 rated 5 units, of which the metric lacks one; means of the others are of two people."""
    table = np.array([[1, 2, 3], [2, 2, 4], [4, 3, 3], [5, 4, 5], [3, 1, 2], [NAN, 5, 1]])
    metric = np.array([0.1, 0.4, NAN, 0.8, 0.6, 0.2])
    rows = beside_annotators(columns_of(table), metric)
    kept = [0, 1, 3, 4]
    others = table[kept, 1:].mean(axis=1)
    assert rows[0] == pytest.approx(
        (spearmanr(table[kept, 0], others).statistic, spearmanr(metric[kept], others).statistic)
    )
    assert len(rows) == 3
