"""Records of differences between metrics."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from gistmark.errors import UsageError
from gistmark.study.coefficients import COEFFICIENTS, Coefficient
from gistmark.study.differences import metric_differences
from gistmark.study.draws import Resampling
from gistmark.study.human import HumanScores
from gistmark.study.layout import Level
from gistmark.study.measures import Better, MeasureName, Measures
from gistmark.study.significance import Test as Method
from gistmark.study.subsets import choose

UNITS = tuple((f"d{d}", f"s{s}") for d in range(20) for s in range(6))


def table(*rows: NDArray[np.float64], better: Better = "higher") -> Measures:
    names = tuple(MeasureName(name, "value") for name in "abc"[: len(rows)])
    return Measures(UNITS, names, (better,) * len(rows), np.array(rows))


@pytest.fixture(scope="module")
def people() -> HumanScores:
    values = np.random.default_rng(0).normal(size=(1, len(UNITS)))
    return HumanScores(UNITS, ("overall",), values, np.ones(values.shape, np.int64))


@pytest.fixture(scope="module")
def measures(people: HumanScores) -> Measures:
    """A good metric, one that is as good as that, and one that knows nothing."""
    noise = np.random.default_rng(1).normal(size=(3, len(UNITS)))
    good = people.values[0] + noise[:2]
    return table(*good, noise[2])


def drawn(resamples: int = 200) -> Resampling:
    return Resampling(np.random.default_rng(2), resamples)


@pytest.mark.parametrize("test", ["williams", "permutation", "bootstrap"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", ["global", "summary", "system"])
def test_a_metric_that_knows_nothing_is_worse(
    measures: Measures, people: HumanScores, test: Method, coefficient: Coefficient, level: Level
) -> None:
    found = metric_differences(
        measures, people, drawn(), level=level, coefficient=coefficient, test=test
    )
    assert [(r.metric, r.other) for r in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found[1].value is not None
    assert found[1].value > 0
    if test == "williams" and (coefficient == "kendall" or level == "summary"):
        assert all(record.p is None and record.reason for record in found)
    elif level != "system":
        assert found[0].p > 0.05
        assert found[1].p < 0.02
        assert found[1].p_corrected >= found[1].p


def test_the_value_is_the_difference_of_the_correlations(
    measures: Measures, people: HumanScores
) -> None:
    found = metric_differences(measures, people, drawn(), coefficient="spearman", baseline="c")
    expected = [
        stats.spearmanr(measures.values[row], people.values[0]).statistic
        - stats.spearmanr(measures.values[2], people.values[0]).statistic
        for row in (0, 1)
    ]
    assert [record.value for record in found] == pytest.approx(expected)
    assert [record.other for record in found] == ["c", "c"]
    for record in found:
        assert record.low < record.value < record.high
    assert found[0].test == "permutation (PERM-BOTH)"
    assert found[0].correction == "holm"
    assert found[0].n == len(UNITS)


def test_less_is_better_counts_negated(measures: Measures, people: HumanScores) -> None:
    turned = table(*-measures.values, better="lower")
    assert metric_differences(measures, people, drawn()) == metric_differences(
        turned, people, drawn()
    )


def test_a_pair_is_compared_where_both_have_values(measures: Measures, people: HumanScores) -> None:
    values = measures.values.copy()
    values[0, :10] = np.nan
    for test in ("williams", "permutation", "bootstrap"):
        found = metric_differences(table(*values), people, drawn(), test=test)  # type: ignore[arg-type]
        assert [record.n for record in found] == [110, 110, 120]
        first, second = values[:2, 10:]
        expected = np.subtract(
            *(stats.pearsonr(row, people.values[0, 10:])[0] for row in (first, second))
        )
        assert found[0].value == pytest.approx(expected)


def test_metrics_without_a_correlation_have_a_reason(people: HumanScores) -> None:
    flat, empty = np.ones(len(UNITS)), np.full(len(UNITS), np.nan)
    found = metric_differences(table(people.values[0], flat, empty), people, drawn(20))
    assert [record.reason for record in found] == [
        "all values of b are equal",
        "fewer than 3 pairs of values",
        "fewer than 3 pairs of values",
    ]
    assert {record.p for record in found} == {None}


def test_a_subset_restricts_the_pairs(measures: Measures, people: HumanScores) -> None:
    subset = choose("system != s0", measures)
    found = metric_differences(measures, people, drawn(20), subset=subset)
    assert {record.n for record in found} == {100}


def test_false_alarms_are_rare_when_metrics_are_alike() -> None:
    """Two noisy copies of one metric: a p below 0.1 should come up about one time in ten."""
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(60):
        values, one, other = rng.normal(size=(3, len(UNITS)))
        human = HumanScores(UNITS, ("h",), values[None], np.ones((1, len(UNITS)), np.int64))
        (record,) = metric_differences(
            table(values + one, values + other), human, Resampling(rng, 100)
        )
        alarms += record.p is not None and record.p < 0.1
    assert alarms <= 14


def test_single_annotations_are_no_level_here(measures: Measures, people: HumanScores) -> None:
    with pytest.raises(UsageError, match="global, summary or system"):
        metric_differences(measures, people, drawn(), level="annotation")
