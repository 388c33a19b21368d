"""Pairwise accuracy with ties (acc_eq) and soft pairwise accuracy (SPA)."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.correlation.accuracy import (
    accuracies,
    pairs_of,
)
from gistmark.analysis.correlation.soft_accuracy import soft_pairwise_accuracies, sureness
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.studies.records import Accuracy


@pytest.mark.parametrize(
    ("metric", "people", "shares", "best"),
    [
        # Six pairs; the examples of the paper's implementation (mt-metrics-eval).
        ([0, 2, 6, 8], [1, 2, 3, 4], {0: 6, 2: 4, 4: 3, 6: 1, 8: 0}, 0),
        ([0, 2, 6, 8], [1, 1, 1, 4], {0: 3, 2: 3, 4: 4, 6: 4, 8: 3}, 4),
        # Ten pairs: 6 in the same order; up to 0.5 the pair (1, 1.5), which people tie, is one too.
        ([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4], {0: 6, 0.5: 7, 1: 6}, 0.5),
    ],
)
def test_ties_count_and_the_smallest_of_the_best_thresholds_is_chosen(
    metric: list[float], people: list[float], shares: dict[float, int], best: float
):
    pairs = pairs_of(np.array([metric], float), np.array([people], float))
    count = len(metric) * (len(metric) - 1) // 2
    for threshold, alike in shares.items():
        assert pairs.by_document(threshold) == pytest.approx([alike / count])
    assert pairs.threshold() == best


def test_documents_count_the_same_however_many_summaries_they_have():
    nan = np.nan
    metric = np.array([[1.0, 2.0, nan, nan], [1.0, 2.0, 3.0, 4.0], [5.0, nan, nan, nan]])
    people = np.array([[1.0, 2.0, 3.0, nan], [4.0, 3.0, 2.0, 1.0], [1.0, 2.0, nan, nan]])
    pairs = pairs_of(metric, people)
    assert pairs.by_document(0).tolist() == [1.0, 0.0]
    assert pairs.weights.sum() == pytest.approx(1.0)
    assert (pairs.weights * pairs.alike(0)).sum() == pytest.approx(0.5)


def test_the_threshold_is_the_best_of_all_that_can_be_tried():
    rng = np.random.default_rng(5)
    people = rng.integers(1, 4, (6, 5)).astype(float)
    metric = people + rng.normal(0, 1, people.shape)
    pairs = pairs_of(metric, people)
    tried = {e: float(pairs.by_document(e).mean()) for e in (0.0, *np.abs(pairs.metric))}
    best = max(tried.values())
    assert tried[pairs.threshold()] == pytest.approx(best)
    assert pairs.threshold() == min(e for e, value in tried.items() if value > best - 1e-12)


def test_soft_pairwise_accuracy_of_the_published_example():
    people, metric = np.array([[1, 2, 3], [2, 3, 4.0]]), np.array([[2, 2, 4], [1, 3, 5.0]])
    both = np.stack([metric, people])
    assert soft_pairwise_accuracies(both, people, np.random.default_rng(4)).tolist() == [0.872, 1.0]


def test_sureness_is_the_share_of_flips_that_reach_the_difference():
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=float)
    # Differences 1 and 2, in sum 3; the flips give 3, -1, 1 and -3: one of four reaches it.
    assert sureness(np.array([[[3.0, 5.0], [2.0, 3.0]]]), signs).tolist() == [[0.25]]


def scored(metric: np.ndarray, people: np.ndarray) -> dict[str, Accuracy]:
    documents, systems = metric.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    measures = Measures(units, (MeasureName("m", "value"),), ("lower",), -metric.reshape(1, -1))
    human = HumanScores(units, ("overall",), people.reshape(1, -1), np.ones((1, len(units)), int))
    records = accuracies(measures, human, seed=1, resamples=200)
    return {record.statistic: record for record in records}


def test_a_metric_of_which_less_is_better_is_turned_and_other_documents_flatter_less():
    rng = np.random.default_rng(3)
    people = rng.integers(1, 6, (30, 5)).astype(float)
    records = scored(people + rng.normal(0, 1.0, people.shape), people)
    fitted, honest, soft = (records[name] for name in ("acc_eq", "acc_eq_cross_validated", "spa"))
    assert fitted.value > honest.value > 0.5  # type: ignore[operator]
    assert fitted.low < fitted.value < fitted.high  # type: ignore[operator]
    assert fitted.threshold > 0  # type: ignore[operator]
    assert fitted.n == soft.n == 30
    assert 0.7 < soft.value <= 1  # type: ignore[operator]


def test_what_is_not_defined_has_a_reason():
    people = np.arange(8.0).reshape(4, 2)
    records = scored(people.copy(), people)
    assert records["spa"].reason == "2 systems are too few; 3 are needed"
    reason = "4 documents are too few to fit the threshold on others"
    assert records["acc_eq_cross_validated"].reason == reason
    assert records["acc_eq"].value == 1.0
    constant = scored(np.ones((4, 3)), np.arange(12.0).reshape(4, 3))
    reason = "the metric gives all summaries of a document the same value"
    assert (constant["acc_eq"].value, constant["acc_eq"].reason) == (None, reason)
    alone = scored(np.ones((4, 1)), np.ones((4, 1)))
    assert alone["acc_eq"].reason == "no document has two summaries with both values"
