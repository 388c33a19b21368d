from __future__ import annotations

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.ranking.bradley_terry import (
    PENALTY,
    Strengths,
    count_wins,
    fit,
    strengths_of,
)
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.records import Comparison


def won(winner: str, loser: str, document: str = "d") -> Comparison:
    return Comparison(document, winner, loser, "ann", "overall", "left")


def strengths(
    comparisons: list[Comparison],
    *,
    resampling: Resampling | None = None,
    penalty: float = PENALTY,
) -> Strengths:
    return strengths_of(count_wins(comparisons), resampling=resampling, penalty=penalty)


def test_two_systems_by_hand() -> None:
    """a wins 3 of 4: without a penalty s_a - s_b = log 3."""
    result = strengths([won("a", "b")] * 3 + [won("b", "a")], penalty=1e-12)
    assert result.values[0] - result.values[1] == pytest.approx(np.log(3), abs=1e-6)
    assert result.values.sum() == pytest.approx(0.0, abs=1e-6)
    assert result.n.tolist() == [4, 4]


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1]),
        min_size=1,
        max_size=40,
    )
)
def test_strengths_are_choixs(pairs: list[tuple[int, int]]) -> None:
    tables = np.zeros((1, 5, 5))
    np.add.at(tables[0], tuple(np.array(pairs).T), 1.0)
    result = fit(tables)[0]
    expected = choix.opt_pairwise(5, pairs, alpha=PENALTY, method="BFGS", tol=1e-12)
    np.testing.assert_allclose(result, expected, atol=1e-6)
    slope = -choix.opt.PairwiseFcts(pairs, PENALTY).gradient(result)
    np.testing.assert_allclose(slope, 0.0, atol=1e-9)


def test_an_undefeated_system_stays_finite() -> None:
    result = strengths([won("a", "b"), won("a", "c"), won("b", "c")] * 500)
    assert np.isfinite(result.values).all()
    assert np.argsort(-result.values).tolist() == [0, 1, 2]


def test_systems_that_never_meet_are_named() -> None:
    result = strengths([won("a", "b"), won("c", "d"), won("b", "a")])
    assert result.groups == (("a", "b"), ("c", "d"))
    assert "{a, b} and {c, d}" in str(result.reason)
    assert np.isfinite(result.values).all()
    connected = strengths([won("a", "b"), won("b", "c"), won("c", "d"), won("d", "e")])
    assert connected.groups == (("a", "b", "c", "d", "e"),)
    assert connected.reason is None


def test_intervals_are_over_documents() -> None:
    comparisons = [won("a", "b", str(d)) for d in range(8)] + [won("b", "a", "8")] * 4
    result = strengths(comparisons, resampling=Resampling(np.random.default_rng(0), 300))
    for value, bounds in zip(result.values, result.intervals, strict=True):
        assert bounds.low is not None
        assert bounds.high is not None
        assert bounds.low <= value <= bounds.high
    alone = strengths([won("a", "b")] * 9, resampling=Resampling(np.random.default_rng(0), 50))
    assert alone.intervals[0].low == pytest.approx(alone.values[0])


def test_many_tables_are_fitted_as_one_is() -> None:
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 9, size=(20, 6, 6)) * (1.0 - np.eye(6))
    together = fit(tables)
    for table, values in zip(tables, together, strict=True):
        np.testing.assert_allclose(fit(table[None])[0], values, atol=1e-9)


def test_no_comparisons_have_no_systems() -> None:
    result = strengths([], resampling=Resampling(np.random.default_rng(0), 5))
    assert result.systems == ()
    assert result.reason is None
    assert count_wins([]).groups == ()


def test_a_tie_is_half_a_win_for_each() -> None:
    """2 wins of a, 1 of b and a tie are 2.5 to 1.5: s_a - s_b = log(5/3)."""
    tie = Comparison("d", "b", "a", "ann", "overall", "tie")
    result = strengths([won("a", "b"), won("a", "b"), won("b", "a"), tie], penalty=1e-12)
    assert result.values[0] - result.values[1] == pytest.approx(np.log(5 / 3), abs=1e-6)
    assert result.n.tolist() == [4, 4]
