"""Every coefficient and p value against scipy, with ties and missing values."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

import gistmark
from gistmark import registry
from gistmark.analysis.correlation import COEFFICIENTS, shown_coefficients
from gistmark.analysis.correlation.coefficients import (
    Coefficient,
    correlate,
    explain,
    permutation_p_values,
)
from gistmark.analysis.findings import words

PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
Table = NDArray[np.float64]

coarse = st.one_of(st.integers(-3, 3).map(float), st.just(np.nan))
fine = st.one_of(st.integers(-(10**6), 10**6).map(lambda n: n / 997), st.just(np.nan))


@st.composite
def tables(draw: st.DrawFn, elements: st.SearchStrategy[float]) -> Table:
    """Some rows of x and, last, y."""
    size = draw(st.integers(2, 45))
    return draw(arrays(np.float64, (4, size), elements=elements))


def compare_with_scipy(table: Table, coefficient: str) -> None:
    x, y = table[:-1], table[-1]
    result = correlate(x, y, coefficient)
    for row, values in enumerate(x):
        there = ~np.isnan(values) & ~np.isnan(y)
        one, other = values[there], y[there]
        assert result.n[row] == len(one)
        if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
            assert np.isnan(result.values[row])
            assert result.undefined[row] is not None
            continue
        expected = PEERS[coefficient](one, other)
        assert result.undefined[row] is None
        assert result.values[row] == pytest.approx(expected.statistic, abs=1e-9)
        if abs(expected.statistic) < 1 - 1e-12:  # at 1 itself p hangs on the last bit
            assert result.p[row] == pytest.approx(expected.pvalue, abs=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
@given(table=tables(coarse))
def test_many_ties_as_in_scipy(coefficient: str, table: Table) -> None:
    compare_with_scipy(table, coefficient)


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
@given(table=tables(fine))
def test_few_ties_as_in_scipy(coefficient: str, table: Table) -> None:
    compare_with_scipy(table, coefficient)


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
def test_many_rows_as_in_scipy(coefficient: str) -> None:
    rng = np.random.default_rng(1)
    for size in (33, 34, 500):
        compare_with_scipy(rng.normal(size=(6, size)), coefficient)


def test_a_perfect_order_of_many_has_scipys_tiny_p() -> None:
    row = np.arange(40.0)
    nearly = row.copy()
    nearly[[3, 4]] = nearly[[4, 3]]
    result = correlate(np.array([row, nearly]), row, "kendall")
    for value, other in zip(result.p, (row, nearly), strict=True):
        assert value == pytest.approx(stats.kendalltau(other, row).pvalue, rel=1e-9)


def test_a_hundred_thousand_rows_have_more_pairs_than_fit_into_an_integer_squared() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(1, 6, 100_000).astype(np.float64)
    x = y + 60 * rng.normal(size=len(y))
    [value] = correlate(x[None], y, "kendall").p
    assert 1e-12 < value < 0.5
    assert value == pytest.approx(stats.kendalltau(x, y).pvalue, rel=1e-6)


def test_each_row_may_have_its_own_partner() -> None:
    x = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    y = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    np.testing.assert_allclose(correlate(x, y).values, [1.0, -1.0])


def test_tau_by_hand() -> None:
    """Pairs: 4 concordant, 1 discordant, 1 tied in x; (4 - 1) / sqrt((6 - 1) 6) = 0.5477."""
    result = correlate(np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0, 2.5]), "kendall")
    concordant, discordant = 4, 1
    assert result.values[0] == pytest.approx((concordant - discordant) / (5 * 6) ** 0.5)


@pytest.mark.parametrize("coefficient", COEFFICIENTS.names())
def test_undefined_values_say_why(coefficient: str) -> None:
    y = np.array([1.0, 2.0, 3.0, np.nan])
    x = np.array(
        [
            [7.0, 7.0, 7.0, 1.0],
            [1.0, 2.0, np.nan, 3.0],
            [np.nan] * 4,
        ]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = correlate(x, y, coefficient)
        constant = correlate(np.arange(4.0), np.ones(4), coefficient)
    assert result.undefined == ("first", "few", "few")
    assert result.n.tolist() == [3, 2, 0]
    assert constant.undefined == ("second",)
    assert np.isnan(result.values).all()
    assert np.isnan(result.p).all()


def test_two_pairs_count_where_two_are_allowed() -> None:
    result = correlate(np.array([1.0, 2.0]), np.array([5.0, 3.0]), "kendall", least=2)
    assert result.values[0] == -1.0
    assert result.undefined == (None,)


def test_reasons_name_the_columns() -> None:
    assert explain("first", "rouge1.f", "overall") == "all values of rouge1.f are equal"
    assert explain("second", "rouge1.f", "overall") == "all values of overall are equal"
    assert explain("few", "a", "b", least=4) == "fewer than 4 pairs of values"


class Quadrant(Coefficient):
    """The quadrant correlation: the sign of (x - median x) (y - median y), averaged."""

    name, label, title = "quadrant", "Quadrant", "the quadrant correlation"

    def values(self, x: Table, y: Table) -> Table:
        x, y = (v - np.nanmedian(v, axis=-1, keepdims=True) for v in (x, y))
        means: Table = np.nanmean(np.sign(x * y), axis=-1)
        return means


@pytest.fixture
def quadrant(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A plugin that adds a coefficient, as an installed distribution would."""
    entry = EntryPoint("quadrant", "a_plugin:Quadrant", "gistmark.coefficients")
    plugin = SimpleNamespace(Quadrant=Quadrant)
    monkeypatch.setitem(sys.modules, "a_plugin", plugin)
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [entry] if group == COEFFICIENTS.group else []
    )
    COEFFICIENTS.__dict__.pop("_plugins", None)
    yield
    COEFFICIENTS.__dict__.pop("_plugins", None)


@pytest.mark.usefixtures("quadrant")
def test_a_plugin_adds_a_coefficient_to_a_study_by_its_value_alone():
    whole = gistmark.load(gistmark.sample_folder())
    corpus = whole.only(whole.document_ids[:6])
    scores = gistmark.score(corpus, metrics=["rouge1", "chars"])
    options = gistmark.StudyOptions(resamples=40, coefficient="quadrant", test="permutation")
    result = gistmark.study(corpus, scores, options)
    own = [r for r in result.correlation if r.coefficient == "quadrant" and r.metric == "rouge1"]
    assert {record.level for record in own} == {"annotation", "summary", "system", "global"}
    whole = next(r for r in own if r.level == "global" and r.human == result.headline[0].human)
    assert whole.value is not None
    assert whole.low is not None
    assert whole.high is not None
    assert whole.low <= whole.value <= whole.high
    assert (whole.p, whole.over) == (None, "documents of these systems")
    assert result.headline[0].coefficient == "quadrant"
    assert any("Quadrant" in finding.text for finding in result.findings)
    assert any(d.coefficient == "quadrant" and d.value is not None for d in result.differences)
    assert {r.statistic for r in result.agreement} >= {"annotator-vs-rest-quadrant"}
    assert "the quadrant correlation" in result.methods


@pytest.mark.usefixtures("quadrant")
def test_a_plugin_adds_a_coefficient_to_the_choices_and_the_labels():
    assert COEFFICIENTS.names() == ("pearson", "spearman", "kendall", "quadrant")
    assert shown_coefficients("quadrant") == ("quadrant", "spearman", "pearson", "kendall")
    assert words.coefficient("quadrant") == "Quadrant"
    assert words.statistic("annotator-vs-rest-quadrant") == "Annotator against rest, Quadrant"


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_the_general_resampling_agrees_with_the_fast_one(name: str):
    """The base class repeats and exchanges members; the built-in ones do it in one pass."""
    rng = np.random.default_rng(0)
    known = COEFFICIENTS.get(name)
    x, y, z = rng.integers(0, 5, (3, 2, 12)).astype(np.float64)
    weights = rng.integers(0, 3, (6, 12)).astype(np.float64)
    general = Coefficient.prepare(known, x, y).under(weights)
    np.testing.assert_allclose(general, known.prepare(x, y).under(weights), atol=1e-12)
    draws = (np.stack([x] * 6), np.stack([y] * 6), weights)
    np.testing.assert_allclose(Coefficient.each(known, *draws), known.each(*draws), atol=1e-12)
    swaps = rng.integers(0, 2, (5, 2, 12)).astype(np.bool_)
    general = Coefficient.swapped(known, x, z, y, swaps)
    np.testing.assert_allclose(general, known.swapped(x, z, y, swaps), atol=1e-12)


def test_p_of_three_members_is_never_below_a_third():
    """1 2 3 in order or reversed: 2 of 6 permutations reach it; with y = 1 1 2 the 2 is last or
    first in 4 of 6."""
    x, y = np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 2.0, 3.0]])
    tied = np.array([[1.0, 1.0, 2.0]])
    for name in ("pearson", "spearman", "kendall"):
        known = COEFFICIENTS.get(name)
        for second, expected in ((y, 1 / 3), (tied, 2 / 3)):
            p = permutation_p_values(x, second, known.values(x, second), name)
            assert p[0] == pytest.approx(expected)


@pytest.mark.parametrize("size", [4, 6])
def test_p_of_few_members_is_that_of_all_permutations(size: int):
    """scipy's permutation test of the size of r; for tau without ties its exact distribution."""
    rng = np.random.default_rng(size)
    x, y = rng.normal(size=(2, 1, size))
    peers = {
        "pearson": stats.permutation_test(
            (x[0],), lambda a: abs(stats.pearsonr(a, y[0]).statistic), permutation_type="pairings",
            n_resamples=np.inf, alternative="greater",
        ).pvalue,
        "kendall": stats.kendalltau(x[0], y[0], method="exact").pvalue,
    }  # fmt: skip
    for name, peer in peers.items():
        values = COEFFICIENTS.get(name).values(x, y)
        assert permutation_p_values(x, y, values, name)[0] == pytest.approx(peer)
    ranks = (np.argsort(np.argsort(row[0]))[None].astype(np.float64) for row in (x, y))
    first, second = ranks
    values = COEFFICIENTS.get("spearman").values(x, y)
    assert permutation_p_values(x, y, values, "spearman") == pytest.approx(
        permutation_p_values(first, second, values, "pearson")
    )


def test_p_of_more_than_nine_members_is_by_the_usual_test_and_missing_members_do_not_count():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 1, 10))
    values = COEFFICIENTS.get("pearson").values(x, y)
    assert permutation_p_values(x, y, values, "pearson")[0] == pytest.approx(
        stats.pearsonr(x[0], y[0]).pvalue
    )
    few = [np.concatenate([row[:, :4], [[np.nan]]], axis=1) for row in (x, y)]
    whole = permutation_p_values(x[:, :4], y[:, :4], values, "pearson")
    np.testing.assert_array_equal(permutation_p_values(*few, values, "pearson"), whole)
