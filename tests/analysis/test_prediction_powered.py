"""People and a metric together: against the reference implementation, and by its coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.human import HumanScores
from gistmark.analysis.measures import MeasureName, Measures
from gistmark.analysis.prediction_powered import Powered, powered_estimates, powered_mean

Z = float(stats.norm.ppf(0.975))


@pytest.mark.parametrize(
    ("seed", "n", "extra", "slope", "value", "low", "high"),
    [
        # ppi_mean_pointestimate and ppi_mean_ci (alpha 0.05) of ppi-python 0.2.3.
        (1, 20, 80, 0.9, 3.011482889365349, 2.7624812893214696, 3.260484489409228),
        (2, 50, 50, 0.5, 3.028473287367754, 2.853370005346026, 3.203576569389482),
        (3, 30, 300, 0.0, 3.0499919841847483, 2.861506002465699, 3.2384779659037974),
        (4, 15, 40, -0.6, 3.096075389939277, 2.7466135783528345, 3.445537201525719),
        (5, 100, 20, 0.7, 2.9246897361121102, 2.7829838941028275, 3.066395578121393),
    ],
)
def test_estimates_and_errors_are_those_of_the_reference(
    seed: int, n: int, extra: int, slope: float, value: float, low: float, high: float
):
    rng = np.random.default_rng(seed)
    metric = rng.normal(size=n + extra)
    human = 3 + slope * metric[:n] + rng.normal(0, 0.5, n)
    result = powered_mean(human, metric[:n], metric[n:], most=1.0)
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.value - Z * result.error == pytest.approx(low, abs=1e-9)
    assert result.value + Z * result.error == pytest.approx(high, abs=1e-9)


def test_a_metric_on_another_scale_helps_as_much():
    rng = np.random.default_rng(7)
    metric = rng.normal(size=200)
    human = 3 + 0.8 * metric[:40] + rng.normal(0, 0.3, 40)
    one = powered_mean(human, metric[:40], metric[40:])
    small = powered_mean(human, metric[:40] / 100, metric[40:] / 100)
    assert small.value == pytest.approx(one.value)
    assert small.error == pytest.approx(one.error)
    assert small.tuning == pytest.approx(100 * one.tuning)


def table(metric: np.ndarray, human: np.ndarray) -> tuple[Powered, ...]:
    documents, systems = metric.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    measures = Measures(units, (MeasureName("m", "value"),), ("higher",), metric.reshape(1, -1))
    scores = HumanScores(units, ("overall",), human.reshape(1, -1), np.ones((1, len(units)), int))
    return powered_estimates(measures, "m", scores)


def test_intervals_hold_the_truth_and_a_good_metric_narrows_them():
    rng = np.random.default_rng(11)
    held = {"mean": [], "difference": [], "alone": []}
    worth = []
    for _ in range(400):
        truth = rng.normal([3.0, 3.5], 1, (100, 2))
        metric = truth + rng.normal(0, 0.5, truth.shape)
        human = truth + rng.normal(0, 0.3, truth.shape)
        human[25:] = np.nan
        mean, _, difference = table(metric, human)
        held["mean"].append(mean.low <= 3.0 <= mean.high)
        held["alone"].append(mean.classical_low <= 3.0 <= mean.classical_high)
        held["difference"].append(difference.low <= -0.5 <= difference.high)
        worth.append(mean.equivalent / mean.n)
    # 400 tries have a standard error of 1.1 %.
    for name, hits in held.items():
        assert 0.92 < np.mean(hits) < 0.98, name
    assert np.mean(worth) > 2


def test_a_metric_of_pure_noise_costs_next_to_nothing():
    rng = np.random.default_rng(13)
    widths = []
    for _ in range(300):
        human = rng.normal(3, 1, (200, 1))
        human[50:] = np.nan
        [mean] = table(rng.normal(size=(200, 1)), human)
        widths.append((mean.high - mean.low) / (mean.classical_high - mean.classical_low))
    assert np.mean(widths) < 1.03


def test_what_cannot_be_estimated_has_a_reason():
    rng = np.random.default_rng(1)
    metric, human = rng.normal(size=(20, 1)), rng.normal(size=(20, 1))
    [whole] = table(metric, human)
    assert (
        whole.reason == "every document that has scores was judged, so a metric has nothing to add"
    )
    human[5:] = np.nan
    [few] = table(metric, human)
    assert few.reason == "5 judged documents are too few; 8 are needed"
    assert few.value is None
    assert table(metric, np.full((20, 1), np.nan)) == ()
