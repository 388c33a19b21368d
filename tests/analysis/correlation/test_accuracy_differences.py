"""Paired tests between metrics by acc_eq and SPA, and the interval of SPA."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gistmark.analysis.correlation.accuracy import accuracies, accuracy_differences, pairs_of
from gistmark.analysis.correlation.system_pairs import Exchanges, gaps_between, surely
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.studies.records import AccuracyDifference


def tables(metrics: list[np.ndarray], people: np.ndarray) -> tuple[Measures, HumanScores]:
    documents, systems = people.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    names = tuple(MeasureName(f"m{k}", "value") for k in range(len(metrics)))
    values = np.array([table.ravel() for table in metrics])
    human = HumanScores(units, ("overall",), people.reshape(1, -1), np.ones((1, len(units)), int))
    return Measures(units, names, ("higher",) * len(names), values), human


def compared(
    metrics: list[np.ndarray], people: np.ndarray, permutations: int = 200
) -> dict[str, AccuracyDifference]:
    """The first two metrics by each statistic."""
    measures, human = tables(metrics, people)
    records = accuracy_differences(measures, human, "overall", seed=3, permutations=permutations)
    return {r.statistic: r for r in records if (r.metric, r.other) == ("m0", "m1")}


def judged(seed: int, documents: int = 30, systems: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.round(3 + np.linspace(-0.6, 0.6, systems) + rng.normal(0, 1, (documents, systems)))


def test_the_difference_is_that_of_the_two_accuracies_and_a_good_metric_wins():
    rng, people = np.random.default_rng(101), judged(1)
    good, bad = (people + rng.normal(0, size, people.shape) for size in (0.3, 3.0))
    records = compared([good, bad], people)
    measures, human = tables([good, bad], people)
    single = {(r.metric, r.statistic): r for r in accuracies(measures, human, seed=3, resamples=50)}
    assert set(records) == {"acc_eq", "acc_eq_cross_validated", "spa"}
    for name, record in records.items():
        first, second = single["m0", name].value, single["m1", name].value
        assert record.value == pytest.approx(first - second)
        assert record.p == record.p_corrected < 0.05
        assert record.n == 30
        assert record.over == "documents"
    assert records["acc_eq"].low > 0
    assert (records["spa"].low, records["spa"].high) == (None, None)
    soft = single["m0", "spa"]
    assert (soft.low, soft.reason) == (None, "5 systems are too few for an interval; 6 are needed")
    assert (soft.over, single["m0", "acc_eq"].over) == ("documents", "documents")


def test_acc_eq_flips_signs_of_documents_by_hand():
    """Seven documents: all 128 choices of signs are tried."""
    rng, people = np.random.default_rng(105), judged(5, documents=7)
    one, other = (people + rng.normal(0, size, people.shape) for size in (0.5, 1.5))
    record = compared([one, other], people)["acc_eq"]
    right = [pairs_of(table, people) for table in (one, other)]
    gaps = np.subtract(*(pairs.by_document(pairs.threshold()) for pairs in right))
    flipped = np.array([np.dot(signs, gaps) / 7 for signs in product((1, -1), repeat=7)])
    assert record.p == pytest.approx(np.mean(np.abs(flipped) >= abs(gaps.mean()) - 1e-12))


def test_spa_exchanges_documents_as_a_plain_loop_does():
    rng, people = np.random.default_rng(106), judged(6, documents=12, systems=4)
    one, other = (people + rng.normal(0, size, people.shape) for size in (0.6, 2.0))
    exchanges = Exchanges(gaps_between(people), 300, np.random.default_rng(2))
    p = exchanges.p(exchanges.prepare(one), exchanges.prepare(other))

    def distance(table: np.ndarray) -> float:
        gaps = gaps_between(table).values
        sure = surely(gaps.sum(axis=0), (gaps**2).sum(axis=0))
        return float(np.abs(sure - exchanges.people).mean())

    first, second = one / one.std(), other / other.std()
    differences = []
    for coins in exchanges.coins.astype(bool):
        mixed = np.where(coins[:, None], second, first), np.where(coins[:, None], first, second)
        differences.append(distance(mixed[1]) - distance(mixed[0]))
    hits = np.sum(np.abs(differences[1:]) >= abs(differences[0]) - 1e-6)
    assert p == pytest.approx((1 + hits) / 301, abs=2 / 301)


def test_equal_metrics_never_differ_and_metrics_as_good_differ_in_one_case_of_twenty():
    people = judged(7)
    noisy = people + np.random.default_rng(8).normal(0, 1, people.shape)
    for record in compared([noisy, 3 * noisy - 2], people).values():
        assert record.value == pytest.approx(0, abs=1e-12)
        assert record.p == 1.0
    p: dict[str, list[float]] = {"acc_eq": [], "spa": []}
    for seed in range(120):
        rng = np.random.default_rng(10_000 + seed)
        people = judged(seed, documents=25, systems=4)
        metrics = [people + rng.normal(0, 1.0, people.shape) for _ in range(2)]
        records = compared(metrics, people, permutations=100)
        for name, values in p.items():
            values.append(records[name].p)
    # 120 tries have a standard error of 2 %.
    for values in p.values():
        assert np.mean(np.array(values) < 0.05) < 0.11


def test_what_cannot_be_compared_has_a_reason():
    people = judged(9, documents=5)
    noisy = people + np.random.default_rng(1).normal(0, 1, people.shape)
    for record in compared([noisy, noisy**2], people).values():
        assert record.reason == "5 documents are too few for a test; 6 are needed"
        assert (record.value, record.p, record.p_corrected) == (None, None, None)
    people = judged(9)
    constant = compared([np.ones(people.shape), people], people)
    reason = "the metric gives all summaries of a document the same value"
    assert constant["acc_eq"].reason == reason
    assert constant["spa"].reason == "the metric gives all summaries the same value"
    measures, human = tables([people], people)
    assert accuracy_differences(measures, human, "overall", seed=0, permutations=9) == ()


def test_documents_in_which_two_metrics_miss_different_summaries_do_not_count():
    rng, people = np.random.default_rng(104), judged(4)
    one, other = (people + rng.normal(0, 1, people.shape) for _ in range(2))
    one[:4, 0] = np.nan
    records = compared([one, other], people)
    assert {record.n for record in records.values()} == {26}
    alone = compared([one[4:], other[4:]], people[4:])
    assert records["spa"].value == pytest.approx(alone["spa"].value)


def test_from_six_systems_on_a_difference_is_to_hold_for_other_systems():
    rng, people = np.random.default_rng(101), judged(1, systems=6)
    good, bad = (people + rng.normal(0, size, people.shape) for size in (0.3, 3.0))
    for record in compared([good, bad], people).values():
        assert (record.over, record.test) == (
            "documents and systems", "jackknife over documents and systems",
        )  # fmt: skip
        assert record.low < record.value < record.high
        assert (record.low > 0) == (record.p < 0.05) == (record.statistic != "spa")
    measures, human = tables([good, bad], people)
    here = accuracy_differences(
        measures, human, "overall", seed=3, permutations=200, over="documents"
    )
    assert {record.over for record in here} == {"documents"}


def test_two_metrics_that_favour_systems_and_ignore_people_hardly_ever_differ():
    """Sign flips and exchanges over documents found them to differ in 19 to 54 of 100."""
    found: dict[str, list[bool]] = {"acc_eq": [], "spa": []}
    for seed in range(60):
        rng = np.random.default_rng([7, seed])
        people, *metrics = rng.normal(size=(3, 1, 8)) + rng.normal(0, 0.6, (3, 15, 8))
        records = compared(metrics, people, permutations=100)
        for name, hits in found.items():
            hits.append(records[name].p < 0.05)
    for hits in found.values():
        assert sum(hits) <= 8  # of 60 at 5 %, more are there in less than 1 of 100 cases


def test_equal_metrics_have_no_interval_and_p_1():
    people = judged(3, systems=7)
    noisy = people + np.random.default_rng(2).normal(0, 1, people.shape)
    for record in compared([noisy, noisy], people).values():
        assert (record.value, record.low, record.high, record.p) == (0.0, None, None, 1.0)
        assert record.reason == "the two metrics order all pairs alike"
