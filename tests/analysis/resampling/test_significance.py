"""Williams' test, permutation and bootstrap p values, and corrections for many comparisons."""

from __future__ import annotations

import math
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Layout, Level, layout_of
from gistmark.analysis.data.arithmetic import exact_ties
from gistmark.analysis.resampling.bootstrap import NO_INTERVAL, Over
from gistmark.analysis.resampling.significance import (
    correct,
    draw_swaps,
    permutation_p,
    permuted_differences,
    student_test,
    williams,
)
from on_use import on_use

statsmodels = on_use("statsmodels.stats.multitest")


def test_williams_by_hand() -> None:
    """Steiger's (1980) case A: n = 103, r12 = 0.4, r13 = 0.5, r23 = 0.1.

    K = 1 - 0.16 - 0.25 - 0.01 + 2 (0.4)(0.5)(0.1) = 0.62; m = 0.45;
    t = -0.1 sqrt(102 * 1.1 / (2 * 0.62 * 102 / 100 + 0.2025 * 0.729)) = -0.8913.
    The R package psych gives t = -0.89 and p = 0.37 for `r.test(103, .4, .5, .1)`.
    """
    below = 2 * 0.62 * 102 / 100 + 0.45**2 * 0.9**3
    result = williams(0.4, 0.5, 0.1, 103)
    assert result.t == pytest.approx(-0.1 * math.sqrt(102 * 1.1 / below), abs=1e-12)
    assert result.t == pytest.approx(-0.89, abs=0.005)
    assert result.p == pytest.approx(0.37, abs=0.005)
    assert result.p == pytest.approx(2 * stats.t.sf(abs(result.t or 0), 100), abs=1e-12)


def test_williams_as_in_the_r_package_psych() -> None:
    """p = 0.5433956 and 0.9317423 by psych's r.test, as the tests of nlpstats record them.

    There the correlations are taken without their signs.
    """
    state = np.random.RandomState(12)
    first = [state.random_sample((9, 5)).ravel() for _ in range(3)]
    second = [state.random_sample((9, 5)).mean(axis=1) for _ in range(3)]
    for (x, y, z), correlate, p in (
        (first, stats.pearsonr, 0.5433956),
        (second, stats.spearmanr, 0.9317423),
    ):
        r12, r13, r23 = (abs(correlate(*pair)[0]) for pair in ((x, z), (y, z), (x, y)))
        assert williams(r12, r13, r23, len(x)).p == pytest.approx(p, abs=1e-6)


def test_williams_is_symmetric_and_wants_four_rows() -> None:
    one, other = williams(0.3, 0.6, 0.2, 50), williams(0.6, 0.3, 0.2, 50)
    assert one.p == other.p
    assert one.t == -(other.t or 0)
    assert williams(0.3, 0.6, 0.2, 3).reason is not None
    assert williams(0.5, 0.5, 1.0, 50).reason == "the two metrics order the rows alike"


def test_a_permutation_p_counts_the_observed_one_too() -> None:
    """2 of 4 exchanges differ as much as 0.5 does: (1 + 2) / (1 + 4)."""
    assert permutation_p(0.5, np.array([0.5, -0.6, 0.1, 0.0])) == pytest.approx(3 / 5)
    assert permutation_p(0.5, np.array([np.nan])) is None


def test_the_interval_of_a_bootstrap_and_its_p_say_the_same() -> None:
    """Draws 1 to 9 deviate by 2.7386; t = 5 / 2.7386 = 1.826, with 5 degrees of freedom p = 0.1275,
    and 2.5 % of that t are above 2.570582."""
    p, bounds = student_test(5.0, np.arange(1.0, 10.0), 5)
    assert p == pytest.approx(0.1275, abs=1e-4)
    assert bounds.low == pytest.approx(5.0 - 2.570582 * 2.738613, abs=1e-5)
    assert bounds.high == pytest.approx(5.0 + 2.570582 * 2.738613, abs=1e-5)
    for difference in np.linspace(-8, 8, 33):
        p, bounds = student_test(float(difference), np.arange(1.0, 10.0), 5)
        assert (bounds.low > 0 or bounds.high < 0) == (p < 0.05)


def test_draws_that_do_not_vary_prove_nothing() -> None:
    assert student_test(0.0, np.zeros(5), 5)[0] == 1.0
    assert student_test(0.3, np.full(5, 0.3), 5) == (None, NO_INTERVAL)
    assert student_test(0.3, np.array([0.1, np.nan, np.nan]), 5) == (None, NO_INTERVAL)
    assert student_test(0.3, np.empty(0), 5) == (None, NO_INTERVAL)


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("benjamini-hochberg", "fdr_bh")])
@given(p_values=st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=12))
def test_corrections_are_those_of_statsmodels(
    ours: str, theirs: str, p_values: list[float | None]
) -> None:
    result = correct(p_values, ours)  # type: ignore[arg-type]
    known = [p for p in p_values if p is not None]
    assert [p is None for p in result] == [p is None for p in p_values]
    if known:
        with patch("gc.collect"):  # statsmodels calls it, which is slow in a large process
            expected = statsmodels.multipletests(known, method=theirs)[1]
        np.testing.assert_allclose([p for p in result if p is not None], expected, atol=1e-9)


def test_no_correction_leaves_p_as_it_is() -> None:
    assert correct([0.2, None, 0.01], "none") == [0.2, None, 0.01]
    assert correct([], "holm") == []


PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}

Row = NDArray[np.float64]


def plain_at(level: Level, x: Row, y: Row, layout: Layout, coefficient: str) -> float:
    def one(x: Row, y: Row) -> float:
        if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
            return float("nan")
        return float(PEERS[coefficient](x, y).statistic)

    if level == "global":
        return one(x, y)
    if level == "summary":
        groups = [layout.documents == number for number in range(len(layout.document_names))]
        return float(np.nanmean([one(x[group], y[group]) for group in groups]))
    groups = [layout.systems == number for number in range(len(layout.system_names))]
    means = [exact_ties(np.array([row[group].mean() for group in groups])) for row in (x, y)]
    return one(means[0], means[1])


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
@pytest.mark.parametrize("level", ["global", "summary", "system"])
@pytest.mark.parametrize("over", ["documents", "systems", "both"])
@pytest.mark.parametrize(("full", "ties"), [(True, False), (True, True), (False, True)])
def test_every_exchange_is_what_a_loop_gives(
    level: Level, coefficient: str, over: Over, full: bool, ties: bool
) -> None:
    rng = np.random.default_rng(9)
    units = [(f"d{d}", f"s{s}") for d in range(8) for s in range(5) if full or rng.random() < 0.8]
    layout = layout_of(units)
    y, first, second = rng.normal(size=(3, len(units)))
    first, second = y + first, 100 * (y + 2 * second)
    if ties:
        y, first, second = np.round(y), np.round(first), np.round(second, -2)
    swaps = draw_swaps(layout, over, 12, rng)
    result = permuted_differences(level, first, second, y, layout, coefficient, swaps)
    one, other = stats.zscore(first), stats.zscore(second)
    for row, difference in enumerate(result):
        expected = 0.0
        for swap in (kind[row] for kind in swaps):
            left = plain_at(level, np.where(swap, other, one), y, layout, coefficient)
            right = plain_at(level, np.where(swap, one, other), y, layout, coefficient)
            expected += left - right
        assert difference == pytest.approx(expected, abs=1e-9)


def test_the_coin_is_tossed_for_systems_and_for_documents_never_for_summaries() -> None:
    layout = layout_of([(d, s) for d in "abcdefgh" for s in "xyz"])
    rng = np.random.default_rng(1)
    cells = {over: draw_swaps(layout, over, 400, rng) for over in ("both", "systems", "documents")}
    assert [len(cells[over]) for over in ("both", "systems", "documents")] == [2, 1, 1]
    for of_systems in (cells["systems"][0], cells["both"][0]):
        table = of_systems.reshape(400, 8, 3)
        assert (table == table[:, :1]).all()
        assert 0.4 < table.mean() < 0.6
    for of_documents in (cells["documents"][0], cells["both"][1]):
        table = of_documents.reshape(400, 8, 3)
        assert (table == table[:, :, :1]).all()
        assert 0.4 < table.mean() < 0.6


def test_metrics_that_favour_systems_and_ignore_people_do_not_differ_for_other_systems() -> None:
    """PERM-BOTH, which exchanges single summaries, found a difference in 40 to 54 of 100."""
    layout = layout_of([(str(d), str(s)) for d in range(15) for s in range(8)])
    found = []
    for seed in range(100):
        rng = np.random.default_rng([5, seed])
        systems = rng.normal(size=(3, 1, 8)) + rng.normal(0, 0.5, (3, 15, 8))
        y, first, second = systems.reshape(3, -1)
        values = [plain_at("system", x, y, layout, "pearson") for x in (first, second)]
        swaps = draw_swaps(layout, "both", 100, rng)
        permuted = permuted_differences("system", first, second, y, layout, "pearson", swaps)
        found.append((permutation_p(values[0] - values[1], permuted) or 0) < 0.05)
    # 100 data sets at 5 % reach 12 in less than 1 of 100 cases.
    assert sum(found) < 12


def test_rows_in_any_order_give_the_same() -> None:
    rng = np.random.default_rng(2)
    units = [(d, s) for d in "abcdef" for s in "wxyz"]
    first, second, y = rng.normal(size=(3, len(units)))
    swaps = draw_swaps(layout_of(units), "both", 10, rng)
    order = rng.permutation(len(units))
    for level in ("global", "summary", "system"):
        straight = permuted_differences(
            level, first, second, y, layout_of(units), "spearman", swaps
        )
        mixed = permuted_differences(
            level, first[order], second[order], y[order],
            layout_of([units[row] for row in order]), "spearman",
            [kind[:, order] for kind in swaps],
        )  # fmt: skip
        np.testing.assert_allclose(mixed, straight, atol=1e-12)


def test_a_constant_metric_has_no_correlation() -> None:
    layout = layout_of([(d, "s") for d in "abcd"])
    swaps = [np.zeros((2, 4), dtype=np.bool_)]
    y = np.arange(4.0)
    for coefficient in COEFFICIENTS:
        result = permuted_differences("global", np.ones(4), y, y, layout, coefficient, swaps)
        assert np.isnan(result).all()
