from __future__ import annotations

from math import comb

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.agreement.alpha import alpha
from gistmark.analysis.agreement.pairwise import (
    chance_agreement,
    pairwise_agreement,
    stored_alpha,
    symmetric_alpha,
)
from gistmark.analysis.agreement.statistic import Statistic
from gistmark.analysis.ratings import Float64, Int64

votes = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12)


def sides(pairs: list[tuple[int, int]]) -> tuple[Int64, Int64]:
    return np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])


def ballots(first: Int64, second: Int64) -> tuple[Int64, Float64]:
    """One vote after the other: the pair, and whether its first won."""
    units = np.repeat(np.arange(len(first)), first + second)
    rows = [[1.0] * a + [0.0] * b for a, b in zip(first, second, strict=True)]
    return units, np.array([value for row in rows for value in row])


def symmetric(first: Int64, second: Int64, seed: int = 0) -> Statistic:
    return symmetric_alpha(first, second, rng=np.random.default_rng(seed))


def test_agreement_worked_by_hand() -> None:
    """Votes 5:2, 1:1 and 3:0; the pair with one vote does not count. (5/7 + 1/2 + 1) / 3."""
    found = pairwise_agreement(np.array([5, 1, 0, 1]), np.array([2, 1, 3, 0]))
    assert found.value == pytest.approx((5 / 7 + 1 / 2 + 1) / 3)
    assert found.n == 3
    assert found.chance == pytest.approx((0.65625 + 0.75 + 0.75) / 3)


@pytest.mark.parametrize("m", range(1, 40))
def test_chance_is_the_mean_over_all_coin_flips(m: int) -> None:
    expected = sum(comb(m, a) * max(a, m - a) for a in range(m + 1)) / (m * 2**m)
    assert chance_agreement(np.array([m])) == pytest.approx(expected, abs=1e-12)


def test_seven_coin_flips_agree_more_than_four_to_three() -> None:
    assert chance_agreement(np.full(10, 7)) == 0.65625


def test_no_pair_with_two_votes_is_undefined() -> None:
    for first, second in (([], []), ([1, 0], [0, 1])):
        counts = np.array(first, np.int64), np.array(second, np.int64)
        for found in (pairwise_agreement(*counts), symmetric(*counts)):
            assert found.value is None
            assert found.reason == "No pair has two votes."


@given(pairs=votes)
def test_stored_alpha_is_that_of_the_package(pairs: list[tuple[int, int]]) -> None:
    first, second = sides(pairs)
    units, values = ballots(first, second)
    found = stored_alpha(units, values, rng=np.random.default_rng(0), resamples=10)
    good = first + second >= 2
    if not good.any() or first[good].sum() == 0 or second[good].sum() == 0:
        assert found.value is None
        assert found.reason
    else:
        expected = krippendorff.alpha(
            value_counts=np.stack([first, second], axis=1), level_of_measurement="nominal"
        )
        assert found.value == pytest.approx(expected, abs=1e-9)


@given(pairs=votes)
def test_symmetric_alpha_counts_every_pair_in_both_orientations(
    pairs: list[tuple[int, int]],
) -> None:
    first, second = sides(pairs)
    units, values = ballots(first, second)
    mirrored = alpha(
        np.concatenate([units, units + len(first)]), np.concatenate([values, 1 - values]), "nominal"
    )
    found = symmetric(first, second)
    if mirrored.value is None:
        assert found.value is None
    else:
        assert found.value == pytest.approx(mirrored.value, abs=1e-9)


@given(pairs=votes, turn=st.lists(st.booleans(), min_size=12, max_size=12))
def test_symmetric_alpha_does_not_depend_on_orientation(
    pairs: list[tuple[int, int]], turn: list[bool]
) -> None:
    turned = [(b, a) if flip else (a, b) for (a, b), flip in zip(pairs, turn, strict=False)]
    plain, other = symmetric(*sides(pairs)), symmetric(*sides(turned))
    if plain.value is None:
        assert other.value is None
    else:
        assert other.value == pytest.approx(plain.value, abs=1e-12)


def test_stored_alpha_does_depend_on_orientation() -> None:
    """All votes agree, but where the better one always stands first, nothing seems to vary."""
    units = np.array([0, 0, 1, 1])
    rng = np.random.default_rng(0)
    same = stored_alpha(units, np.array([1.0, 1.0, 1.0, 1.0]), rng=rng)
    turned = stored_alpha(units, np.array([1.0, 1.0, 0.0, 0.0]), rng=rng)
    assert same.value is None
    assert turned.value == 1.0
    assert symmetric(np.array([2, 2]), np.array([0, 0])).value == 1.0


def test_the_interval_holds_the_value() -> None:
    rng = np.random.default_rng(1)
    first = rng.binomial(7, rng.choice([0.2, 0.8], size=200))
    found = symmetric(first, 7 - first)
    assert found == symmetric(first, 7 - first)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0.2 < found.low < found.value < found.high < 0.6
    assert symmetric(first[:1], 7 - first[:1]).low is None
