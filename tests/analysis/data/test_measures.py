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
    assert result.names == (MeasureName("rouge1+js", "sum"),)
    expected = measures.values[2] - measures.values[3]
    np.testing.assert_allclose(result.values[0], expected, atol=1e-12)


def test_a_mean_rank_is_of_the_summaries_that_have_all(measures: Measures) -> None:
    values = measures.values.copy()
    values[2, 0] = np.nan
    holey = Measures(measures.units, measures.names, measures.better, values)
    result = combined(holey, "rouge1 + js", "rank")
    assert result.names == (MeasureName("rouge1+js", "rank"),)
    assert np.isnan(result.values[0, 0])
    expected = (average_ranks(values[2, 1:]) + average_ranks(-values[3, 1:])) / 2
    np.testing.assert_allclose(result.values[0, 1:], expected)


@pytest.mark.parametrize("spec", ["rouge1", "rouge1+", "+", ""])
def test_a_combination_joins_two_metrics_or_more(measures: Measures, spec: str) -> None:
    with pytest.raises(UsageError, match="does not join metrics"):
        combined(measures, spec)
