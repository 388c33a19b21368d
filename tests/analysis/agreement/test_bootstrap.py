from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.agreement.alpha import alpha
from gistmark.analysis.agreement.bootstrap import (
    _kinds,
    _redrawn,
    bootstrapped_alpha,
    draws,
    percentiles,
)
from gistmark.analysis.agreement.tally import pairable, tally
from gistmark.analysis.ratings import Float64, Int64, Level

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


def ratings(points: int, units: int = 40) -> tuple[Int64, Float64]:
    rng = np.random.default_rng(points)
    numbers = np.repeat(np.arange(units), rng.integers(1, 5, size=units))
    truth = rng.integers(1, points + 1, size=units)[numbers]
    noise = rng.integers(-1, 2, size=len(numbers)) * max(1, points // 5)
    return numbers, np.clip(truth + noise, 1, points).astype(np.float64)


@pytest.mark.parametrize("points", [2, 5, 1000])
@pytest.mark.parametrize("level", LEVELS)
def test_each_draw_has_the_alpha_of_its_units(level: Level, points: int) -> None:
    """Alpha of the drawn units, written out one by one, equals what the kinds of units give."""
    kept = pairable(*ratings(points))
    kinds = _kinds(tally(kept), level)
    count = len(kinds.sizes)
    found = _redrawn(kinds, level, np.random.default_rng(3), 25)
    weights = draws(kinds.kind_of, count, 25, np.random.default_rng(3))
    example = {kind: unit for unit, kind in enumerate(kinds.kind_of.tolist())}
    for value, times in zip(found, weights.astype(int), strict=True):
        assert times.sum() == len(kept.sizes)
        drawn = [example[kind] for kind in range(count) for _ in range(times[kind])]
        own = [kept.values[kept.units == unit] for unit in drawn]
        units = np.repeat(np.arange(len(own)), [len(values) for values in own])
        assert value == pytest.approx(alpha(units, np.concatenate(own), level).value, abs=1e-9)


@pytest.mark.parametrize(("kinds", "units"), [(3, 100), (50, 60)])
def test_draws_are_as_frequent_as_the_units(kinds: int, units: int) -> None:
    kind_of = np.arange(units) % kinds
    found = draws(kind_of, kinds, 4000, np.random.default_rng(0))
    assert (found.sum(axis=1) == units).all()
    np.testing.assert_allclose(found.mean(axis=0), np.bincount(kind_of), rtol=0.1)


def test_the_interval_holds_the_value_and_depends_on_the_seed_alone() -> None:
    units, values = ratings(5)
    first, again, other = (
        bootstrapped_alpha(units, values, "ordinal", rng=np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert first.value == alpha(units, values, "ordinal").value
    assert first.low is not None
    assert first.high is not None
    assert first.value is not None
    assert first.low < first.value < first.high


def test_there_is_no_interval_without_a_value_or_from_one_unit() -> None:
    rng = np.random.default_rng(0)
    none = bootstrapped_alpha(np.array([0, 1]), np.array([1.0, 2.0]), "ordinal", rng=rng)
    assert (none.value, none.low, none.high) == (None, None, None)
    single = bootstrapped_alpha(np.array([0, 0]), np.array([1.0, 2.0]), "nominal", rng=rng)
    assert single.value == 0.0
    assert (single.low, single.high) == (None, None)


def test_draws_in_which_nothing_varies_are_left_out() -> None:
    """Of two units {1, 1} and {2, 2}, half of the draws hold one unit twice and have no alpha."""
    units, values = np.array([0, 0, 1, 1]), np.array([0.1, 0.1, 0.7, 0.7])
    for level in LEVELS:
        kinds = _kinds(tally(pairable(units, values)), level)
        found = _redrawn(kinds, level, np.random.default_rng(0), 400)
        assert 120 < np.isnan(found).sum() < 280
        np.testing.assert_allclose(found[~np.isnan(found)], 1.0)


def test_percentiles_want_half_of_the_values() -> None:
    assert percentiles(np.array([])) == (None, None)
    assert percentiles(np.array([0.5, np.nan, np.nan])) == (None, None)
    assert percentiles(np.arange(101) / 100) == (pytest.approx(0.025), pytest.approx(0.975))
