"""Intervals and p of correlations: hand-worked bounds, few systems, and what is left undefined."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Level, correlate_at, layout_of
from gistmark.analysis.resampling.bootstrap import Over, draw
from gistmark.analysis.resampling.uncertainty import Uncertainty, uncertainty

Rows = NDArray[np.float64]


def sure(value: float, error: float, step: float = 0.0, freedom: float = np.inf) -> Uncertainty:
    one = (np.array([number]) for number in (value, error, freedom, step))
    return Uncertainty(*one, (None,))


def asked(
    x: Rows, y: Rows, systems: int, level: Level, over: Over, coefficient: str = "spearman"
) -> Uncertainty:
    layout = layout_of([(f"d{d}", f"s{s}") for d in range(len(y) // systems)
                        for s in range(systems)])  # fmt: skip
    people = np.broadcast_to(y, x.shape)
    outcome = correlate_at(level, x, people, layout, coefficient)
    draws = draw(layout, over, 200, np.random.default_rng(0))
    return uncertainty(level, x, people, layout, coefficient, outcome, draws)


def test_bounds_are_symmetrical_on_the_scale_of_artanh():
    """artanh 0.5 = 0.5493; 12 systems have an error of 1/3, times 1.96 0.6533; tanh of -0.1040 and
    1.2026 is -0.1036 and 0.8344."""
    record = sure(0.5, 1 / 3)
    bounds = record.interval(0)
    assert (bounds.low, bounds.high) == pytest.approx((-0.1036, 0.8344), abs=1e-4)
    # 0.5493 / (1/3) = 1.648, which 9.94 % of a normal distribution exceed in size
    assert record.p_values()[0] == pytest.approx(0.0994, abs=1e-4)


def test_a_rank_correlation_of_one_has_an_interval_that_ends_there():
    """Spearman of 8 systems falls by 12 / (512 - 8) = 0.0238 below 1, so 1 counts as 0.9881."""
    step = COEFFICIENTS.get("spearman").steps(np.array([8]))[0]
    assert step == pytest.approx(0.0238, abs=1e-4)
    bounds = sure(1.0, 0.5, step).interval(0)
    assert bounds.high == 1.0
    assert bounds.low == pytest.approx(np.tanh(np.arctanh(1 - step / 2) - 1.96 * 0.5), abs=1e-4)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pearson", 1 / 3),
        ("spearman", np.sqrt(1.125 / 9)),
        ("kendall", np.sqrt(0.437 / 8) * 1.1368),
    ],
)
def test_errors_of_twelve_systems(name: str, expected: float):
    """1 / (12 - 3); (1 + 0.5^2 / 2) / 9; 0.437 / 8, and t with 10 degrees 2.2281 over 1.96."""
    error = COEFFICIENTS.get(name).deviations(np.array([0.5]), np.array([12]))
    assert error[0] == pytest.approx(expected, abs=1e-4)


def test_few_systems_have_nothing_over_systems_but_over_documents():
    rng = np.random.default_rng(1)
    y = rng.normal(size=20 * 5)
    x = (y + rng.normal(size=len(y)))[None]
    for level in ("system", "summary", "global"):
        (reason,) = asked(x, y, 5, level, "both").reasons
        assert reason == "5 systems are too few to speak for others; 6 are needed"
        assert asked(x, y, 5, level, "both").interval(0).low is None
    assert asked(x, y, 5, "summary", "documents").interval(0).low is not None


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
def test_no_interval_has_the_width_zero(coefficient: str):
    """Four systems in one order in every document, and a copy of what people say."""
    rng = np.random.default_rng(2)
    order = np.tile(np.arange(4.0), 15)
    people = order + 0.01 * rng.normal(size=60)
    x = np.array([order + 0.01 * rng.normal(size=60), people])
    for level in ("system", "summary", "global"):
        record = asked(x, people, 4, level, "documents", coefficient)
        for row, reason in enumerate(record.reasons):
            bounds = record.interval(row)
            assert (bounds.low is None) == (reason is not None)
            assert bounds.low is None or bounds.low < bounds.high
        assert record.reasons[1] == "bootstrap draws do not vary, so there is no interval"


def test_a_metric_that_knows_nothing_is_not_significant_though_systems_differ():
    """8 systems x 30 documents whose means differ by both sides: global p over documents alone is
    below 0.05 nearly always, and 1 in 20 times over systems too, at most."""
    rng = np.random.default_rng(3)
    found = {"documents": 0, "both": 0}
    for _ in range(40):
        worth = rng.normal(size=(2, 8))
        y, x = np.tile(worth, (1, 30)) + 0.5 * rng.normal(size=(2, 240))
        for over in found:
            p = asked(x[None], y, 8, "global", over, "pearson").p_values()[0]  # type: ignore[arg-type]
            found[over] += p < 0.05
    assert found["documents"] > 20
    assert found["both"] <= 5
