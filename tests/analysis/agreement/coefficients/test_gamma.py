"""Gamma of spans."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.agreement.coefficients.gamma import (
    MarkedText,
    disorders,
    dissimilarities,
    gamma,
)
from gistmark.analysis.data.columns import Float64

# Examples of the package pygamma-agreement 0.5.9 (its tests/data/AlexPaulSuzan.csv, and its
# quickstart): start, end and category of every annotator's spans. Below: the disorder of its best
# alignment times the mean number of spans of an annotator, and its gamma with 300 samples of its
# `ShuffleContinuumSampler`, for all three annotators and for the first two, with its usual weights.
ALEX = [(2, 9, 1), (11, 17, 2), (24, 30, 5), (32, 36, 6), (36, 44, 6), (44, 60, 7)]
PAUL = [(2, 9, 1), (11, 17, 3), (19, 25, 5), (32, 44, 6)]
SUZAN = [(2, 9, 1), (11, 17, 4), (21, 27, 5), (32, 36, 6), (36, 40, 6), (40, 44, 6)]
FIRST = [(2.5, 4.3, 0), (4.6, 7.4, 1), (8.2, 11.4, 1), (13.5, 16.0, 2)]
SECOND = [(2.3, 4.5, 0), (4.3, 7.2, 1), (7.9, 11.2, 2), (13.0, 16.1, 0)]
THIRD = [(2.5, 4.3, 0), (4.6, 11.5, 1), (13.1, 17.1, 2)]
EXPECTED = [
    ([ALEX, PAUL, SUZAN], 3.4855556, 0.547),
    ([ALEX, PAUL], 3.7344444, 0.433),
    ([FIRST, SECOND, THIRD], 1.8404441, 0.585),
    ([FIRST, SECOND], 2.0350914, None),
]


def spans(*rows: tuple[float, float, float]) -> Float64:
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


@pytest.mark.parametrize(("annotators", "least", "value"), EXPECTED)
def test_values_are_those_of_pygamma_agreement(
    annotators: list[list[tuple[float, float, float]]], least: float, value: float | None
) -> None:
    tables = [spans(*rows) for rows in annotators]
    assert disorders([tables]) == pytest.approx([least], abs=1e-6)
    if value is not None:
        start = min(table[:, 0].min() for table in tables)
        size = round(max(table[:, 1].max() for table in tables) - start)
        moved = [table - [start, start, 0] for table in tables]
        result = gamma([MarkedText(0, size, moved)], np.random.default_rng(0))
        # Chance is drawn: 300 samples tell the expected disorder up to one or two per cent.
        assert result.value == pytest.approx(value, abs=0.02)


def test_dissimilarity_by_hand() -> None:
    """[0, 4) and [1, 6): (1 + 2) / (4 + 5) squared is 1/9, and 1 more for another category."""
    result = dissimilarities(spans((0, 4, 0)), spans((1, 6, 0), (1, 6, 1)))
    np.testing.assert_allclose(result, [[1 / 9, 10 / 9]])


def test_spans_that_nobody_else_has_cost_one_each() -> None:
    """Two equal spans in one text; three spans in the other, all far from each other."""
    same = [spans((0, 4, 0)), spans((0, 4, 0))]
    apart = [spans((0, 4, 0), (50, 54, 0)), spans((90, 94, 0))]
    assert disorders([same, apart]) == pytest.approx([0.0, 3.0])
    assert disorders([[*apart, spans()]]) == pytest.approx([3.0])


def test_full_agreement_is_1_and_texts_without_spans_do_not_count() -> None:
    texts = [MarkedText(k, 100, [spans((10 * k, 10 * k + 5, 0))] * 2) for k in range(4)]
    empty = MarkedText(5, 100, [spans(), spans()])
    result = gamma([*texts, empty], np.random.default_rng(0))
    assert (result.value, result.n, result.documents) == (1.0, 4, 4)
    none = gamma([empty], np.random.default_rng(0))
    assert (none.value, none.reason) == (None, "No annotator marked such a span.")


def test_spans_at_random_have_no_agreement_and_an_interval_over_documents() -> None:
    rng = np.random.default_rng(1)
    texts = [
        MarkedText(k // 3, 200, [spans(*((s, s + 12, 0) for s in rng.integers(0, 188, 2)))
                                 for _ in range(3)])
        for k in range(90)
    ]  # fmt: skip
    result = gamma(texts, np.random.default_rng(0))
    assert result.low is not None
    assert result.high is not None
    assert result.low < 0.0 < result.high
    assert result.documents == 30


def test_too_many_ways_have_a_reason() -> None:
    crowd = [spans(*((k, k + 50, 0) for k in range(9)))] * 6
    result = gamma([MarkedText(0, 100, crowd)], np.random.default_rng(0))
    assert result.value is None
    assert "more than 20,000 ways" in str(result.reason)
