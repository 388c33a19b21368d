"""Pairwise accuracy with ties (acc_eq) and soft pairwise accuracy (SPA)."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.correlation.accuracy import (
    accuracies,
    pairs_of,
)
from gistmark.analysis.correlation.system_pairs import (
    soft_chance,
    soft_pairwise_accuracies,
    sureness,
)
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


def test_an_interval_for_other_systems_adds_the_jackknife_over_systems_to_documents():
    rng = np.random.default_rng(8)
    people = rng.normal(size=(1, 7)) + rng.normal(size=(12, 7))
    metric = people + rng.normal(0, 1, people.shape)
    record = scored(metric, people)["acc_eq"]
    pairs = pairs_of(metric, people)
    within = pairs.by_document(record.threshold)
    without = []
    for system in range(7):
        rest = [other for other in range(7) if other != system]
        part = pairs_of(metric[:, rest], people[:, rest])
        without.append(part.by_document(record.threshold).mean())
    variance = within.var(ddof=1) / 12 + 6 / 7 * np.sum((without - np.mean(without)) ** 2)
    half = stats.t(6).ppf(0.975) * np.sqrt(variance)
    assert record.over == "documents and systems"
    assert record.low == pytest.approx(within.mean() - half)
    assert record.high == pytest.approx(min(within.mean() + half, 1.0))


def test_an_interval_for_these_systems_is_students_t_over_documents():
    rng = np.random.default_rng(8)
    people = rng.normal(size=(9, 4))
    metric = people + rng.normal(0, 1, people.shape)
    record = scored(metric, people)["acc_eq"]
    within = pairs_of(metric, people).by_document(record.threshold)
    half = stats.t(8).ppf(0.975) * within.std(ddof=1) / 3
    assert record.over == "documents"
    assert record.low == pytest.approx(within.mean() - half)
    alone = scored(metric[:1], people[:1])["acc_eq"]
    assert (alone.low, alone.reason) == (None, "one document says nothing about others")
    perfect = scored(people, people)["acc_eq"]
    assert (perfect.value, perfect.low, perfect.high) == (1.0, None, None)


def test_chance_is_what_a_metric_gets_whose_values_are_dealt_out_anew():
    """People tie A and B below C; a metric has 0, 1 and 10 in 6 orders, its threshold anew.

    With C at 10, a threshold of 1 ties A and B too: 3 of 3 pairs, in two orders. With C at 1 one
    pair is right without ties, with C at 0 none; calling everything a tie has 1 of 3 right. So the
    mean is (3 + 3 + 1 + 1 + 1 + 1) / 18. One threshold for all orders has 1 of 3 right, whichever.
    """
    people, metric = np.array([[1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 10.0]])
    best = []
    for order in permutations(range(3)):
        pairs = pairs_of(metric[:, order], people)
        best.append(pairs.by_document(pairs.threshold()).mean())
    assert sorted(round(3 * value) for value in best) == [1, 1, 1, 1, 3, 3]
    record = scored(np.tile(metric, (40, 1)), np.tile(people, (40, 1)))["acc_eq"]
    alone = scored(metric, people)["acc_eq"]
    assert alone.chance == pytest.approx(10 / 18, abs=0.12)
    assert record.chance == pytest.approx(1 / 3, abs=0.06)


def test_a_metric_of_noise_is_about_at_chance_however_often_people_tie():
    rng = np.random.default_rng(4)
    for highest in (2, 6):
        people = rng.integers(1, highest, (60, 6)).astype(float)
        people += rng.integers(0, 2, people.shape)
        records = scored(rng.normal(size=people.shape), people)
        for name in ("acc_eq", "acc_eq_cross_validated"):
            assert records[name].value == pytest.approx(records[name].chance, abs=0.05)
    assert scored(people, people)["acc_eq"].chance < 0.6


def test_chance_of_spa_is_its_mean_over_all_orders_of_the_systems():
    rng = np.random.default_rng(6)
    left, right = np.triu_indices(4, 1)
    one, other = rng.random((2, 4, 4))
    for table in (one, other):
        table[right, left] = 1 - table[left, right]
    dealt = [
        1 - np.abs(one[np.ix_(order, order)][left, right] - other[left, right]).mean()
        for order in permutations(range(4))
    ]
    assert soft_chance(one[left, right], other[left, right]) == pytest.approx(np.mean(dealt))
