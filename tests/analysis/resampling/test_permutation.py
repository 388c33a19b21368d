"""The fast permutations against loops over scipy with the same exchanges."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.arithmetic import exact_ties
from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Layout, Level, layout_of
from gistmark.analysis.resampling.bootstrap import Over
from gistmark.analysis.resampling.permutation import draw_swaps, permuted_differences

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
    found = permuted_differences(level, first, second, y, layout, coefficient, swaps)
    one, other = stats.zscore(first), stats.zscore(second)
    for swap, difference in zip(swaps, found, strict=True):
        left = plain_at(level, np.where(swap, other, one), y, layout, coefficient)
        right = plain_at(level, np.where(swap, one, other), y, layout, coefficient)
        assert difference == pytest.approx(left - right, abs=1e-9)


def test_the_coin_is_tossed_per_summary_system_or_document() -> None:
    layout = layout_of([(d, s) for d in "abcdefgh" for s in "xyz"])
    rng = np.random.default_rng(1)
    cells = {over: draw_swaps(layout, over, 400, rng) for over in ("both", "systems", "documents")}
    tables = {over: swaps.reshape(400, 8, 3) for over, swaps in cells.items()}
    assert (tables["systems"] == tables["systems"][:, :1]).all()
    assert (tables["documents"] == tables["documents"][:, :, :1]).all()
    assert len(np.unique(cells["both"], axis=0)) > 390
    for swaps in cells.values():
        assert 0.4 < swaps.mean() < 0.6


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
            layout_of([units[row] for row in order]), "spearman", swaps[:, order],
        )  # fmt: skip
        np.testing.assert_allclose(mixed, straight, atol=1e-12)


def test_a_constant_metric_has_no_correlation() -> None:
    layout = layout_of([(d, "s") for d in "abcd"])
    swaps = np.zeros((2, 4), dtype=np.bool_)
    y = np.arange(4.0)
    for coefficient in COEFFICIENTS:
        found = permuted_differences("global", np.ones(4), y, y, layout, coefficient, swaps)
        assert np.isnan(found).all()
