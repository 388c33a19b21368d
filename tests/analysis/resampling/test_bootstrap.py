"""The fast bootstrap against loops over scipy on the same draws."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Layout, Level, layout_of
from gistmark.analysis.data.arithmetic import exact_ties
from gistmark.analysis.resampling.bootstrap import (
    Draws,
    Over,
    Resampling,
    draw,
    intervals,
    resample,
    resampled_means,
    usual_over,
)
from gistmark.errors import UsageError

PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
Row = NDArray[np.float64]


def plain(x: Row, y: Row, coefficient: str) -> float:
    there = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[there], y[there]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(PEERS[coefficient](x, y).statistic)


def plain_at(level: Level, x: Row, y: Row, layout: Layout, coefficient: str) -> float:
    if level == "global":
        return plain(x, y, coefficient)
    if level == "summary":
        groups = [layout.documents == number for number in range(len(layout.document_names))]
        result = [plain(x[group], y[group], coefficient) for group in groups]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(np.nanmean(result))
    groups = [layout.systems == number for number in range(len(layout.system_names))]
    means = [exact_ties(np.array([row[group].mean() for group in groups])) for row in (x, y)]
    return plain(means[0], means[1], coefficient)


def rows_of(draws: Draws, layout: Layout) -> Iterator[tuple[list[int], Layout]]:
    """The rows that each draw stands for, with every copy of a document and system apart."""
    position = {
        (int(d), int(s)): row
        for row, (d, s) in enumerate(zip(layout.documents, layout.systems, strict=True))
    }
    for documents, systems in zip(draws.documents, draws.systems, strict=True):
        sampled = product(
            enumerate(np.repeat(np.arange(len(documents)), documents)),
            enumerate(np.repeat(np.arange(len(systems)), systems)),
        )
        met = [(position.get((int(d), int(s))), (str(i), str(j))) for (i, d), (j, s) in sampled]
        kept = [(row, unit) for row, unit in met if row is not None]
        yield [row for row, _ in kept], layout_of([unit for _, unit in kept])


def made_up(seed: int, *, full: bool, ties: bool) -> tuple[Layout, Row, Row]:
    rng = np.random.default_rng(seed)
    units = [(f"d{d}", f"s{s}") for d in range(7) for s in range(5) if full or rng.random() < 0.8]
    y = rng.normal(size=len(units))
    x = np.array([y + rng.normal(size=len(units)), rng.normal(size=len(units))])
    if ties:
        x, y = np.round(x), np.round(y)
    return layout_of(units), x, y


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
@pytest.mark.parametrize("level", ["global", "summary", "system"])
@pytest.mark.parametrize("over", ["documents", "systems", "both"])
@pytest.mark.parametrize(("full", "ties"), [(True, False), (False, True)])
def test_every_draw_is_what_a_loop_gives(
    level: Level, coefficient: str, over: Over, full: bool, ties: bool
) -> None:
    layout, x, y = made_up(5, full=full, ties=ties)
    draws = draw(layout, over, 8, np.random.default_rng(6))
    result = resample(x, np.broadcast_to(y, x.shape), layout, level, coefficient, draws)
    for number, (rows, sampled) in enumerate(rows_of(draws, layout)):
        for row in range(len(x)):
            expected = plain_at(level, x[row, rows], y[rows], sampled, coefficient)
            assert result[number, row] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
@given(data=st.data())
def test_draws_of_rows_with_holes_are_what_a_loop_gives(
    coefficient: str, data: st.DataObject
) -> None:
    size = data.draw(st.integers(2, 12))
    value = st.one_of(st.integers(-2, 2).map(float), st.just(np.nan))
    rows = [data.draw(st.lists(value, min_size=size, max_size=size)) for _ in range(3)]
    table = np.where(np.isnan(rows[2]), np.nan, np.array(rows[:2]))
    y = np.where(np.isnan(table), np.nan, np.array(rows[2]))
    layout = layout_of([(str(number), "s") for number in range(size)])
    draws = draw(layout, "documents", 5, np.random.default_rng(size))
    result = resample(table, y, layout, "annotation", coefficient, draws)
    for number, counts in enumerate(draws.documents):
        chosen = np.repeat(np.arange(size), counts)
        for row in range(2):
            expected = plain(table[row, chosen], y[row, chosen], coefficient)
            assert result[number, row] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_pieces_and_threads_do_not_change_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    layout, x, y = made_up(2, full=True, ties=False)
    draws = draw(layout, "both", 50, np.random.default_rng(3))
    people = np.broadcast_to(y, x.shape)
    whole = resample(x, people, layout, "summary", "spearman", draws)
    monkeypatch.setattr("gistmark.analysis.resampling.bootstrap.CHUNK", 1)
    np.testing.assert_array_equal(resample(x, people, layout, "summary", "spearman", draws), whole)


def test_draws_are_as_large_as_the_sample_and_repeatable() -> None:
    layout, _, _ = made_up(1, full=True, ties=False)
    draws = draw(layout, "both", 200, np.random.default_rng(4))
    again = draw(layout, "both", 200, np.random.default_rng(4))
    assert (draws.documents.sum(axis=1) == 7).all()
    assert (draws.systems.sum(axis=1) == 5).all()
    np.testing.assert_array_equal(draws.documents, again.documents)
    assert (draw(layout, "systems", 3, np.random.default_rng(4)).documents == 1).all()


def test_means_over_drawn_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents drawn 2 and 0 times, then once each; a system with nothing drawn has no mean."""
    cells = np.array([[1.0, np.nan], [3.0, 5.0]])
    counts = np.array([[2, 0], [1, 1]], dtype=np.int16)
    expected = [[1.0, np.nan], [2.0, 5.0]]
    np.testing.assert_array_equal(resampled_means(cells, counts), expected)
    monkeypatch.setattr("gistmark.analysis.resampling.bootstrap.CHUNK", 1)
    np.testing.assert_array_equal(resampled_means(cells, counts), expected)


def test_systems_are_drawn_only_where_they_are_six_and_recur() -> None:
    six = layout_of([(d, s) for d in "ab" for s in "uvwxyz"])
    five = layout_of([(d, s) for d in "ab" for s in "vwxyz"])
    numbered = layout_of([(d, s) for d, s in zip("abcdef", "uvwxyz", strict=True)])
    alone = layout_of([("a", "x"), ("b", "x")])
    layouts = (six, five, numbered, alone)
    usual = Resampling(np.random.default_rng(0))
    assert [usual_over(layout) for layout in layouts] == ["both", *["documents"] * 3]
    assert [usual.scope(layout) for layout in layouts] == [
        "documents and systems", "documents of these systems", "documents",
        "documents of this system",
    ]  # fmt: skip
    assert Resampling(usual.rng, over="systems").over_for(five) == "systems"
    assert Resampling(usual.rng, over="documents").scope(six) == "documents of these systems"
    assert Resampling(usual.rng, anonymous=True).scope(six) == "documents"


def test_an_interval_wants_half_of_the_draws() -> None:
    values = np.arange(1001.0)
    few = np.where(np.arange(1001) < 400, values, np.nan)
    many = np.where(np.arange(1001) < 600, values, np.nan)
    (alone,) = intervals(values[:, None])
    assert (alone.low, alone.high) == (pytest.approx(25.0), pytest.approx(975.0))
    result = intervals(np.array([values, few, many, np.full(1001, np.nan)]).T)
    assert result[0] == alone
    assert result[1].low is None
    assert result[2].high == pytest.approx(0.975 * 599)
    assert result[3].high is None
    assert intervals(np.empty((5, 0))) == []
    assert intervals(np.empty((0, 1)))[0].low is None


def test_two_rows_about_one_summary_cannot_be_grouped() -> None:
    layout = layout_of([("a", "x"), ("a", "x")])
    draws = draw(layout, "documents", 2, np.random.default_rng(0))
    x = np.ones((1, 2))
    with pytest.raises(UsageError, match="one row per summary"):
        resample(x, x, layout, "system", "pearson", draws)
