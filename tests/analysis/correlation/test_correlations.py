"""Records of correlations: levels, partial correlations, intervals, subsets, empty cases."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation.correlations import (
    annotation_correlations,
    correlations,
    dimension_correlations,
    vote_correlations,
)
from gistmark.analysis.correlation.subsets import choose
from gistmark.analysis.data.columns import Unit
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores, dimension_means
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.records import Correlation
from gistmark.errors import UsageError
from gistmark.records import Comparison, Rating

UNITS = tuple((f"d{d}", f"s{s}") for d in range(6) for s in range(4))


def measured(*rows: NDArray[np.float64], units: tuple[Unit, ...] = UNITS) -> Measures:
    names = tuple(MeasureName(f"m{row}", "value") for row in range(len(rows)))
    return Measures(units, names, ("higher",) * len(rows), np.array(rows))


def scored(values: NDArray[np.float64], units: tuple[Unit, ...] = UNITS) -> HumanScores:
    return HumanScores(units, ("overall",), values[None], np.ones((1, len(values)), np.int64))


@pytest.fixture(scope="module")
def numbers() -> NDArray[np.float64]:
    """A human score, a metric that follows it, and a length."""
    rng = np.random.default_rng(0)
    people, noise, length = rng.normal(size=(3, len(UNITS)))
    return np.array([people, people + noise + length, length])


def only(records: tuple[Correlation, ...]) -> Correlation:
    (record,) = records
    return record


def test_the_levels_are_what_they_say(numbers: NDArray[np.float64]) -> None:
    result = correlations(measured(numbers[1]), scored(numbers[0]), coefficients=["spearman"])
    values = {record.level: record.value for record in result}
    x, y = numbers[1].reshape(6, 4), numbers[0].reshape(6, 4)
    rows = [stats.spearmanr(a, b).statistic for a, b in zip(x, y, strict=True)]
    assert values["global"] == pytest.approx(stats.spearmanr(numbers[1], numbers[0]).statistic)
    assert values["summary"] == pytest.approx(np.mean(rows))
    assert values["system"] == pytest.approx(
        stats.spearmanr(x.mean(axis=0), y.mean(axis=0)).statistic
    )
    assert {record.level: record.n for record in result} == {
        "global": 24,
        "summary": 6,
        "system": 4,
    }
    assert next(r for r in result if r.level == "summary").p is None


def test_a_document_whose_systems_tie_is_left_out_of_the_mean() -> None:
    units = tuple((d, s) for d in "abc" for s in "xy")
    people = np.array([1.0, 2.0, 5.0, 5.0, 2.0, 1.0])
    metric = np.array([1.0, 2.0, 3.0, 4.0, 1.0, 3.0])
    result = correlations(measured(metric, units=units), scored(people, units), levels=["summary"])
    assert [record.value for record in result] == [0.0, 0.0, 0.0]
    assert [record.n for record in result] == [2, 2, 2]


def test_missing_summaries_leave_both_sides_of_a_system_mean() -> None:
    people = np.arange(24.0)
    metric = people.copy()
    metric[0] = np.nan
    result = only(
        correlations(measured(metric), scored(people), levels=["system"], coefficients=["pearson"])
    )
    means = np.nanmean(np.where(np.isnan(metric), np.nan, people).reshape(6, 4), axis=0)
    assert result.value == pytest.approx(1.0)
    assert result.n == len(means)


def test_partial_correlation_is_that_of_residuals(numbers: NDArray[np.float64]) -> None:
    people, metric, length = numbers
    result = only(
        correlations(
            measured(metric), scored(people), levels=["global"], coefficients=["pearson"],
            given=measured(length),
        )
    )  # fmt: skip

    def residual(values: NDArray[np.float64]) -> NDArray[np.float64]:
        line = stats.linregress(length, values)
        return np.asarray(values - line.intercept - line.slope * length)

    expected = stats.pearsonr(residual(metric), residual(people)).statistic
    assert result.value == pytest.approx(expected, abs=1e-9)
    assert result.p is None  # the summaries of a document are not independent
    assert result.given == "m0"


def test_a_length_given_itself_leaves_nothing(numbers: NDArray[np.float64]) -> None:
    length = measured(numbers[2])
    result = correlations(length, scored(numbers[0]), given=length)
    assert {record.value for record in result} == {None}
    assert "nothing is left" in str(result[0].reason)
    with pytest.raises(UsageError, match="exactly one"):
        correlations(length, scored(numbers[0]), given=measured(*numbers))


@pytest.mark.parametrize("level", ["global", "summary", "system"])
def test_intervals_surround_the_value_and_repeat(level: str, numbers: NDArray[np.float64]) -> None:
    def ask() -> tuple[Correlation, ...]:
        resampling = Resampling(np.random.default_rng(3), 300, "documents")
        return correlations(
            measured(numbers[1]), scored(numbers[0]), levels=[level], resampling=resampling
        )  # type: ignore[arg-type]

    for record in ask():
        assert record.low is not None
        assert record.high is not None
        assert record.low < record.value <= record.high
    assert ask() == ask()


def test_partial_intervals_surround_the_partial_value(numbers: NDArray[np.float64]) -> None:
    resampling = Resampling(np.random.default_rng(3), 300, "documents")
    for record in correlations(
        measured(numbers[1]), scored(numbers[0]), given=measured(numbers[2]), resampling=resampling,
        levels=["global", "summary"],
    ):  # fmt: skip
        assert record.low is not None
        assert record.low < record.value < record.high


def test_each_single_rating_is_a_row_at_annotation_level() -> None:
    units = (("d", "a"), ("d", "b"), ("d", "c"))
    ratings = [
        Rating("d", system, annotator, "focus", value)
        for system, values in zip("abc", ((1, 2), (3, 3), (2, 5)), strict=True)
        for annotator, value in zip(("ann", "bob"), values, strict=True)
    ]
    ratings.append(Rating("d", "unscored", "ann", "focus", 1))
    metric = np.array([0.1, 0.2, 0.3])
    result = only(
        annotation_correlations(
            measured(metric, units=units), ratings, coefficients=["pearson"],
            resampling=Resampling(np.random.default_rng(0), 50),
        )
    )  # fmt: skip
    expected = stats.pearsonr([0.1, 0.1, 0.2, 0.2, 0.3, 0.3], [1, 2, 3, 3, 2, 5])
    assert result.value == pytest.approx(expected.statistic)
    assert (result.low, result.p) == (None, None)
    assert result.reason == "bootstrap draws do not vary, so there is no interval"  # one document
    assert (result.level, result.human, result.n) == ("annotation", "focus", 6)
    with pytest.raises(UsageError, match="annotation_correlations"):
        correlations(measured(metric, units=units), dimension_means(ratings), levels=["annotation"])


def test_a_subset_is_named_in_the_record(numbers: NDArray[np.float64]) -> None:
    measures, human = measured(numbers[1]), scored(numbers[0])
    subset = choose("overall > 0", measures, human)
    result = correlations(measures, human, levels=["global"], subset=subset)
    assert result[0].subset == "overall > 0"
    assert result[0].n == len(subset) == (numbers[0] > 0).sum()


def test_no_overlap_is_a_reason_and_no_error() -> None:
    other = tuple((f"e{position}", "s") for position in range(24))
    result = correlations(
        measured(np.arange(24.0)),
        scored(np.arange(24.0), other),
        resampling=Resampling(np.random.default_rng(0), 10),
    )
    assert {record.value for record in result} == {None}
    assert all(record.reason for record in result)
    assert {record.n for record in result} == {0}


def test_two_summaries_and_constant_columns_have_reasons() -> None:
    units = (("a", "x"), ("b", "x"))
    two = only(
        correlations(
            measured(np.array([1.0, 2.0]), units=units), scored(np.array([1.0, 2.0]), units),
            levels=["global"], coefficients=["pearson"],
        )
    )  # fmt: skip
    assert two.reason == "fewer than 3 pairs of values"
    flat = correlations(
        measured(np.ones(24)), scored(np.arange(24.0)), levels=["global", "summary"],
        coefficients=["kendall"], resampling=Resampling(np.random.default_rng(0), 20),
    )  # fmt: skip
    assert flat[0].reason == "all values of m0 are equal"
    assert flat[1].reason == "in no document do 2 or more systems differ in both"
    assert flat[0].low is None


def test_one_system_has_no_system_level() -> None:
    units = tuple((f"d{position}", "s") for position in range(9))
    result = correlations(
        measured(np.arange(9.0), units=units), scored(np.arange(9.0) ** 2, units),
        coefficients=["spearman"], resampling=Resampling(np.random.default_rng(0), 20),
    )  # fmt: skip
    values = {record.level: record.value for record in result}
    assert values == {"global": pytest.approx(1.0), "summary": None, "system": None}


def test_dimensions_go_with_each_other_by_annotation_and_by_mean() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(1, 6, size=(10, 3, 2))
    ratings = [
        Rating(str(d), "s", str(a), name, float(table[d, a, position]))
        for d in range(10)
        for a in range(3)
        for position, name in enumerate(("grammar", "focus"))
    ]
    result = dimension_correlations(ratings, coefficients=["spearman"])
    single = stats.spearmanr(table[..., 0].ravel(), table[..., 1].ravel()).statistic
    means = stats.spearmanr(*table.mean(axis=1).round(9).T).statistic
    assert [(r.metric, r.part, r.human) for r in result] == [("grammar", "dimension", "focus")] * 2
    assert [r.level for r in result] == ["annotation", "global"]
    assert [r.n for r in result] == [30, 10]
    assert [r.value for r in result] == pytest.approx([single, means])


def test_the_two_campaigns_of_an_annotator_are_two_annotations() -> None:
    ratings = [
        Rating(str(d), "s", "ann", name, float(d + position), campaign=campaign)
        for d in range(3)
        for campaign in ("one", "two")
        for position, name in enumerate(("grammar", "focus"))
    ]
    result = dimension_correlations(ratings, levels=["annotation"], coefficients=["pearson"])
    assert only(result).n == 6


def test_dimensions_go_with_each_other_by_votes() -> None:
    votes = [
        Comparison(document, "a", "b", "ann", dimension, choice)
        for document, choice in (("d", "left"), ("e", "right"))
        for dimension in ("grammar", "focus")
    ]
    result = only(vote_correlations(votes, coefficients=["spearman"]))
    assert result.value == pytest.approx(1.0)
    assert result.n == 4
    assert (result.metric, result.human) == ("grammar (votes)", "focus (votes)")
