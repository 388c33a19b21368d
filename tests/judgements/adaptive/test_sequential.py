"""Intervals and verdicts that hold however often one looks."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.judgements.adaptive import Bets, holds, interval
from gistmark.judgements.adaptive.sequential import threshold_of

STREAMS = 2000
RNG = np.random.default_rng(7)
SHAPES = {
    "fair coins": (RNG.integers(0, 2, (STREAMS, 300)).astype(float), 0.5),
    "rare wins": ((RNG.random((STREAMS, 300)) < 0.05).astype(float), 0.05),
    "mostly ties": (RNG.choice([0.0, 0.5, 1.0], p=[0.1, 0.8, 0.1], size=(STREAMS, 300)), 0.5),
    "differences of ratings": (RNG.binomial(8, 0.45, (STREAMS, 300)) / 8, 0.45),
}


def play(values: list[float], *, level: float, margin: float = 0.0) -> Bets:
    """The bets after all these values."""
    bets = Bets()
    for value in values:
        bets = bets.add(value, margin=margin, threshold=threshold_of(level))
    return bets


@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_hold_the_mean_at_all_times_together(shape):
    values, mean = SHAPES[shape]
    assert holds(values, mean, 0.05).mean() >= 0.95


def test_the_interval_is_what_the_bets_have_not_refuted():
    values = SHAPES["differences of ratings"][0][0]
    low, high = interval(values, 0.05)
    held = {mean: bool(holds(values[None], mean, 0.05)[0]) for mean in (low - 0.01, high + 0.01)}
    assert low < 0.45 < high
    assert held == {low - 0.01: False, high + 0.01: False}
    assert holds(values[None], (low + high) / 2, 0.05)[0]


def test_one_bet_by_hand():
    # Before any value the mean counts as 1/2, so nothing is staked; after a first value of 1 the
    # centre is (1/2 + 1) / 2 = 3/4 and the variance (1/4 + (1 - 3/4)^2) / 2 = 5/32, the stake
    # (1/4) / (5/32 + 1/16) = 8/7, and a second 1 multiplies the wealth by 1 + 8/7 * 1/2.
    bets = play([1.0, 1.0], level=0.05)
    assert bets.wealth[0] == pytest.approx(np.log(1 + 8 / 7 / 2))
    assert bets.wealth[1] == 0.0
    assert (bets.n, bets.mean, bets.verdict) == (2, 1.0, None)


def test_a_clear_difference_is_decided_and_stays_so():
    bets = play([1.0] * 12 + [0.0] * 12, level=0.05)
    assert bets.verdict == "above"
    assert bets.decided_after < 12


def test_equal_means_are_known_to_be_equal_only_within_a_margin():
    values = [0.5, 0.6, 0.4] * 60
    assert play(values, level=0.05).verdict is None
    assert play(values, level=0.05, margin=0.05).verdict == "equal"


def test_how_many_more_is_said_only_where_it_can_be():
    threshold = np.log(2 / 0.05)
    assert Bets().more(threshold) is None
    assert play([0.0, 1.0] * 10, level=0.05).more(threshold) is None
    clear = play([1.0, 1.0, 0.0, 1.0] * 4, level=0.001)
    said = clear.more(np.log(2 / 0.001))
    needed = play([1.0, 1.0, 0.0, 1.0] * 100, level=0.001).decided_after - 16
    assert needed / 2 < said < 2 * needed
    assert play([1.0] * 30, level=0.05).more(threshold) == 0
