"""What a difference of a metric means to people."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.correlation.system_pairs import gaps_of
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores


def study(metric: np.ndarray, people: np.ndarray, better: str = "higher"):
    """Tables of documents × systems."""
    documents, systems = metric.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    measures = Measures(units, (MeasureName("m", "value"),), (better,), metric.reshape(1, -1))
    human = HumanScores(units, ("overall",), people.reshape(1, -1), np.ones((1, len(units)), int))
    return gaps_of(measures, human, "overall", seed=1)


def test_close_systems_are_those_whose_means_differ_little():
    # Means of the metric 0, 1, 3, 7 and of people 1, 0, 3, 7: only the closest pair is wrong.
    metric = np.tile([0.0, 1.0, 3.0, 7.0], (5, 1))
    curves, close = study(metric, np.tile([1.0, 0.0, 3.0, 7.0], (5, 1)))
    # Differences 1, 2, 3, 4, 6, 7 with quartiles 2.25, 3.5 and 5.5.
    assert [(each.tau, each.n) for each in close] == [(0.0, 2), (1.0, 1), (1.0, 1), (1.0, 2)]
    assert [each.difference for each in curves] == pytest.approx([1.5, 2.25, 3.5, 5.5, 6.5])
    assert [each.probability for each in curves] == pytest.approx([0.5, 1, 1, 1, 1])
    assert all(each.low == each.probability == each.high for each in curves), "no spread at all"


def test_a_larger_difference_never_means_less():
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 0.4, 12)
    people = truth + rng.normal(0, 1, (40, 12))
    metric = truth + rng.normal(0, 1, (40, 12))
    people[20:] = np.nan
    curves, close = study(-metric, people, "lower")
    values = [each.probability for each in curves]
    assert values == sorted(values)
    assert values[-1] > 0.8
    assert all(each.low <= each.probability <= each.high for each in curves)
    assert {each.n for each in curves} == {66}
    assert close[-1].tau > close[0].tau


def test_too_few_systems_have_a_reason():
    curves, close = study(np.eye(3), np.eye(3))
    assert curves[0].reason == "0 pairs of systems are too few; 6 are needed"
    assert {each.reason for each in close} == {curves[0].reason}
