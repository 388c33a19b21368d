from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.language_model.blanc import (
    ALL_LOST,
    NOTHING_TO_PREDICT,
    HelpMeasure,
    Measure,
    Tally,
    fractions,
    tally,
    valued,
)
from gistmark.metrics.metric import Values


def counts(*rows: list[int]) -> np.ndarray:
    return np.array(rows, dtype=np.int64)


def values_of(rows: np.ndarray, measure: Measure, reasons: dict[int, str]) -> Values:
    return valued(rows, np.array(fractions(rows, measure)), reasons)


def test_the_first_index_tells_of_no_help_and_the_second_of_help() -> None:
    unaided = np.array([False, False, False, True, True, True, True])
    helped = np.array([False, True, True, False, True, True, True])
    assert tally(unaided, helped).tolist() == [1, 2, 1, 3]


def test_nothing_asked_counts_nothing() -> None:
    nothing = np.empty(0, dtype=bool)
    assert tally(nothing, nothing).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("relative", (3 - 1) / (4 + 3 + 1 + 2)),
        ("improve", 3 / (4 + 3 + 2)),
    ],
)
def test_a_row_is_the_value_and_the_counts(measure: Measure, value: float) -> None:
    result = values_of(counts([4, 3, 1, 2]), measure, {})
    assert result.values.tolist() == [[pytest.approx(value), 4, 3, 1, 2]]
    assert result.reasons == {}


@pytest.mark.parametrize("measure", ["relative", "improve"])
def test_a_document_without_words_to_ask_for_has_no_value(measure: Measure) -> None:
    result = values_of(counts([0, 0, 0, 0], [1, 0, 0, 0]), measure, {})
    assert np.isnan(result.values[0]).all()
    assert result.values[1].tolist() == [0, 1, 0, 0, 0]
    assert result.reasons == {0: NOTHING_TO_PREDICT}


def test_a_summary_that_spoils_every_word_has_no_improvement_but_a_relative_value() -> None:
    spoiled = counts([0, 0, 5, 0])
    assert values_of(spoiled, "improve", {}).reasons == {0: ALL_LOST}
    assert values_of(spoiled, "relative", {}).values.tolist() == [[-1, 0, 0, 5, 0]]


def test_a_reason_of_the_caller_comes_first() -> None:
    result = values_of(counts([0, 0, 0, 0]), "relative", {0: "the document has no text"})
    assert result.reasons == {0: "the document has no text"}


def test_no_rows_give_no_rows() -> None:
    assert values_of(np.zeros((0, 4), dtype=np.int64), "relative", {}).values.shape == (0, 5)


@pytest.mark.parametrize(
    ("measure", "above", "below"),
    [
        # The first sentence weighs 1, the second a half.
        ("relative", (2 - 1) + (0 - 1) / 2, 6 + 4 / 2),
        ("improve", 2 + 0 / 2, 5 + 3 / 2),
        ("expected", 0.8 - 0.2 / 2, 6 + 4 / 2),
    ],
)
def test_sentences_have_weights(measure: HelpMeasure, above: float, below: float) -> None:
    rows = [np.array([2, 2, 1, 1]), np.array([3, 0, 1, 0])]
    weighed = Tally.of(rows, 2, [0.8, -0.2], np.array([1.0, 0.5]))
    assert weighed.fraction(measure) == (pytest.approx(above), pytest.approx(below))
    assert weighed.counts.tolist() == [5, 2, 2, 1]
