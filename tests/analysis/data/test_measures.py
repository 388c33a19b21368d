from __future__ import annotations

import numpy as np
import pytest

import gistmark
from gistmark.analysis.data.arithmetic import average_ranks
from gistmark.analysis.data.measures import (
    MeasureName,
    Measures,
    combined,
    joined,
    length_measures,
    measures_of,
)
from gistmark.errors import UsageError
from gistmark.records import Document, Summary


@pytest.fixture(scope="module")
def measures() -> Measures:
    corpus = gistmark.load(gistmark.sample_folder())
    return measures_of(gistmark.score(corpus, ["rouge1", "js", "words"], cache=False))


def test_every_part_is_a_row(measures: Measures) -> None:
    names = [str(name) for name in measures.names]
    assert names == ["rouge1.precision", "rouge1.recall", "rouge1.f", "js", "words"]
    assert measures.better == ("higher", "higher", "higher", "lower", "neither")
    assert measures.values.shape == (5, len(measures.units))


def test_only_main_parts_on_request() -> None:
    corpus = gistmark.load(gistmark.sample_folder())
    scores = gistmark.score(corpus, ["rouge1", "js"], cache=False)
    assert [str(name) for name in measures_of(scores, parts="main").names] == ["rouge1.f", "js"]


def test_a_metric_by_itself_means_its_f(measures: Measures) -> None:
    assert measures.row("rouge1") == measures.row("rouge1.f") == 2
    assert measures.row("js") == 3
    with pytest.raises(UsageError, match=r"Known: .*rouge1\.f"):
        measures.row("rouge9")
    without = measures.select(["rouge1.precision", "rouge1.recall"])
    with pytest.raises(UsageError, match="several parts"):
        without.row("rouge1")


def test_less_is_better_is_turned_round(measures: Measures) -> None:
    np.testing.assert_array_equal(measures.oriented[3], -measures.values[3])
    np.testing.assert_array_equal(measures.oriented[[0, 4]], measures.values[[0, 4]])


def test_lengths_include_references_and_know_missing_documents() -> None:
    corpus = gistmark.Corpus(
        documents=(Document("a", ("x" * 40,)),),
        summaries=(
            Summary("a", "s", "two words"),
            Summary("b", "s", "one"),
            Summary("a", "gold", "aaaa", reference=True),
        ),
    )
    result = length_measures(corpus)
    np.testing.assert_array_equal(result.values[0], [9, 3, 4])
    np.testing.assert_array_equal(result.values[1], [2, 1, 1])
    np.testing.assert_allclose(result.values[2], [9 / 40, np.nan, 0.1])


def test_tables_join_over_units_and_names() -> None:
    def table(name: str, *units: tuple[str, str]) -> Measures:
        values = np.arange(len(units), dtype=np.float64)[None]
        return Measures(units, (MeasureName(name, "value"),), ("higher",), values)

    result = joined(
        table("a", ("d", "x"), ("d", "y")), table("b", ("d", "y")), table("a", ("e", "z"))
    )
    assert [str(name) for name in result.names] == ["a", "b"]
    np.testing.assert_array_equal(result.values, [[0, 1, np.nan], [np.nan, 0, np.nan]])


def test_a_sum_adds_values_that_point_the_same_way(measures: Measures) -> None:
    result = combined(measures, "rouge1+js")
    assert result.names == (MeasureName("rouge1+js", "sum"), MeasureName("rouge1+js", "rank"))
    expected = measures.values[2] - measures.values[3]
    np.testing.assert_allclose(result.values[0], expected, atol=1e-12)


def test_a_mean_rank_is_of_the_summaries_that_have_all(measures: Measures) -> None:
    values = measures.values.copy()
    values[2, 0] = np.nan
    holey = Measures(measures.units, measures.names, measures.better, values)
    result = combined(holey, "rouge1 + js")
    assert np.isnan(result.values[:, 0]).all()
    expected = (average_ranks(values[2, 1:]) + average_ranks(-values[3, 1:])) / 2
    np.testing.assert_allclose(result.values[1, 1:], expected)


THREE = Measures(
    units=(("d", "a"), ("d", "b"), ("d", "c")),
    names=tuple(MeasureName(name, "value") for name in ("x", "y", "m:model=hub/x", "length")),
    better=("higher", "lower", "higher", "neither"),
    values=np.array([[1.0, 2.0, 3.0], [4.0, 6.0, 5.0], [1.0, 0.0, 2.0], [10.0, 0.0, 2.0]]),
)


def test_terms_of_a_sum_have_weights() -> None:
    """3 * 1 - 4 and so on; ranks of x are 1 2 3 and of -y 3 1 2, so (3 * 1 + 3) / 4 and so on."""
    result = combined(THREE, "3 * x + y")
    assert [str(name) for name in result.names] == ["3*x+y.sum", "3*x+y.rank"]
    np.testing.assert_allclose(result.values, [[-1.0, 0.0, 4.0], [1.5, 1.75, 2.75]])


def test_a_metric_may_be_divided_by_a_length() -> None:
    """Section 4 of BLANC: normalised by the compression. Where the divisor is 0 there is none."""
    result = combined(THREE, "x / length")
    assert [str(name) for name in result.names] == ["x/length"]
    np.testing.assert_allclose(result.values, [[0.1, np.nan, 1.5]])
    both = combined(THREE, "0.5*x/length+x")
    assert both.names[0] == MeasureName("0.5*x/length+x", "sum")
    np.testing.assert_allclose(both.values[0], [1.05, np.nan, 3.75])


def test_a_metric_of_which_less_is_better_is_negated_above_a_line_and_not_below() -> None:
    np.testing.assert_allclose(combined(THREE, "y/x").values, [[-4.0, -3.0, -5 / 3]])
    np.testing.assert_allclose(combined(THREE, "x/y").values, [[1 / 4, 2 / 6, 3 / 5]])


def test_a_name_may_have_a_slash() -> None:
    np.testing.assert_allclose(combined(THREE, "x+m:model=hub/x").values[0], [2.0, 2.0, 5.0])
    np.testing.assert_allclose(combined(THREE, "m:model=hub/x/x").values[0], [1.0, 0.0, 2 / 3])


def test_a_weight_of_0_and_a_name_that_is_none_are_refused() -> None:
    with pytest.raises(UsageError, match="weight of x in a combination must be above 0"):
        combined(THREE, "0*x+y")
    with pytest.raises(UsageError, match="There is no metric 'z'"):
        combined(THREE, "x+z/length")


@pytest.mark.parametrize("spec", ["rouge1", "3*rouge1", "rouge1+", "+", ""])
def test_a_combination_joins_two_metrics_or_more(measures: Measures, spec: str) -> None:
    with pytest.raises(UsageError, match="does not join metrics"):
        combined(measures, spec)
