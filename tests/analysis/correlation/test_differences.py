"""Records of differences between metrics."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.differences import metric_differences
from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.correlation.subsets import choose
from gistmark.analysis.data.measures import Better, MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.resampling.significance import Test as Method
from gistmark.errors import UsageError

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


def resampling(resamples: int = 200) -> Resampling:
    return Resampling(np.random.default_rng(2), resamples)


@pytest.mark.parametrize("test", ["williams", "permutation", "bootstrap"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
@pytest.mark.parametrize("level", ["global", "summary", "system"])
def test_a_metric_that_knows_nothing_is_worse(
    measures: Measures, people: HumanScores, test: Method, coefficient: str, level: Level
) -> None:
    result = metric_differences(
        measures, people, resampling(), level=level, coefficient=coefficient, test=test
    )
    assert [(r.metric, r.other) for r in result] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result[1].value is not None
    assert result[1].value > 0
    if test == "williams" and (coefficient == "kendall" or level != "system"):
        assert all(record.p is None and record.reason for record in result)
    elif level != "system":
        assert result[0].p > 0.05
        # Six systems can be exchanged in 64 ways: p of PERM-SYS is 2 / 64 = 0.03 at least.
        assert result[1].p < (0.06 if test == "permutation" else 0.03)
        assert result[1].p_corrected >= result[1].p


def test_the_value_is_the_difference_of_the_correlations(
    measures: Measures, people: HumanScores
) -> None:
    result = metric_differences(
        measures, people, resampling(), coefficient="spearman", baseline="c"
    )
    expected = [
        stats.spearmanr(measures.values[row], people.values[0]).statistic
        - stats.spearmanr(measures.values[2], people.values[0]).statistic
        for row in (0, 1)
    ]
    assert [record.value for record in result] == pytest.approx(expected)
    assert [record.other for record in result] == ["c", "c"]
    for record in result:
        assert record.low < record.value < record.high
        assert record.family == "against c (2)"
    assert result[0].test == "bootstrap over documents and systems"
    assert result[0].correction == "holm"
    assert result[0].n == len(UNITS)


def test_less_is_better_counts_negated(measures: Measures, people: HumanScores) -> None:
    turned = table(*-measures.values, better="lower")
    assert metric_differences(measures, people, resampling()) == metric_differences(
        turned, people, resampling()
    )


def test_pairs_are_compared_where_all_have_values(measures: Measures, people: HumanScores) -> None:
    values = measures.values.copy()
    values[0, :10] = np.nan
    tests: tuple[Method, ...] = ("williams", "permutation", "bootstrap")
    for test in tests:
        result = metric_differences(table(*values), people, resampling(), test=test)
        assert [record.n for record in result] == [110, 110, 110]
        first, second = values[:2, 10:]
        expected = np.subtract(
            *(stats.pearsonr(row, people.values[0, 10:])[0] for row in (first, second))
        )
        assert result[0].value == pytest.approx(expected)


def test_metrics_without_a_correlation_have_a_reason(people: HumanScores) -> None:
    flat, empty = np.ones(len(UNITS)), np.full(len(UNITS), np.nan)
    result = metric_differences(table(people.values[0], flat, empty), people, resampling(20))
    assert [record.reason for record in result] == [
        "all values of b are equal",
        "c was scored on 0 of 120 summaries, too few to be compared",
        "all values of b are equal",
    ]
    assert {record.p for record in result} == {None}


def test_a_subset_restricts_the_pairs(measures: Measures, people: HumanScores) -> None:
    subset = choose("system != s0", measures)
    result = metric_differences(measures, people, resampling(20), subset=subset)
    assert {record.n for record in result} == {100}


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
        metric_differences(measures, people, resampling(), level="annotation")


def test_every_pair_stands_once_and_names_its_family(
    measures: Measures, people: HumanScores
) -> None:
    records = metric_differences(measures, people, resampling())
    pairs = [frozenset((record.metric, record.other)) for record in records]
    assert len(set(pairs)) == len(pairs) == 3
    assert {record.family for record in records} == {"all pairs (3)"}


@pytest.mark.parametrize("level", ["global", "summary", "system"])
def test_interval_and_p_come_from_the_same_draws(people: HumanScores, level: Level) -> None:
    rng = np.random.default_rng(6)
    steps = np.linspace(0.3, 3.0, 6)[:, None]
    rows = people.values + rng.normal(size=(6, len(UNITS))) * steps
    names = tuple(MeasureName(f"m{k}", "value") for k in range(6))
    measures = Measures(UNITS, names, ("higher",) * 6, rows)
    records = metric_differences(measures, people, resampling(), level=level)
    verdicts = {record.low > 0 or record.high < 0 for record in records}
    assert verdicts == ({True, False} if level != "system" else verdicts)
    for record in records:
        assert (record.low > 0 or record.high < 0) == (record.p < 0.05)


@pytest.mark.parametrize("test", ["permutation", "williams"])
def test_what_gives_p_alone_has_no_interval(
    measures: Measures, people: HumanScores, test: Method
) -> None:
    records = metric_differences(measures, people, resampling(50), level="system", test=test)
    assert {(record.low, record.high) for record in records} == {(None, None)}
    assert all(record.p is not None for record in records)


def test_summaries_of_one_document_are_not_taken_as_independent() -> None:
    """Metrics and people that differ by document only: 40 summaries are in truth 4 documents."""
    rng = np.random.default_rng(12)
    units = tuple((f"d{d}", f"s{s}") for d in range(4) for s in range(10))
    rows = np.repeat(rng.normal(size=(3, 4)), 10, axis=1) + rng.normal(size=(3, 40)) * 0.01
    human = HumanScores(units, ("h",), rows[:1], np.ones((1, 40), np.int64))
    names = (MeasureName("a", "value"), MeasureName("b", "value"))
    measures = Measures(units, names, ("higher",) * 2, rows[1:])
    (refused,) = metric_differences(measures, human, resampling(), test="williams")
    assert refused.p is None
    assert "not" in str(refused.reason)
    assert "independent" in str(refused.reason)


def test_williams_is_given_where_each_document_has_one_summary() -> None:
    rng = np.random.default_rng(13)
    units = tuple((f"d{d}", "s") for d in range(60))
    y = rng.normal(size=60)
    human = HumanScores(units, ("h",), y[None], np.ones((1, 60), np.int64))
    names = (MeasureName("a", "value"), MeasureName("b", "value"))
    rows = np.array([y + rng.normal(size=60) * 0.2, rng.normal(size=60)])
    measures = Measures(units, names, ("higher",) * 2, rows)
    (record,) = metric_differences(measures, human, resampling(), test="williams")
    assert record.p is not None
    assert record.p < 0.001
