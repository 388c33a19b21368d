"""All pairs of systems: how often they are told apart when equal, and when they differ."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.ranking.bradley_terry import count_wins, fit
from gistmark.analysis.ranking.pairs import (
    BOTH,
    NO_ANNOTATOR,
    NOTHING_SHARED,
    Contest,
    annotator_contest,
    cell_contest,
    document_moves,
    pair_records,
    strength_contest,
)
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.resampling.significance import correct
from gistmark.records import Comparison

Float64 = NDArray[np.float64]
TRIALS = 400 if os.environ.get("GISTMARK_EXAMPLES") == "many" else 80
"""How many studies of made-up systems are counted."""


def resampling(seed: int = 0) -> Resampling:
    return Resampling(np.random.default_rng(seed), 1_000)


def told_apart(contest: Contest, systems: int) -> int:
    """How many pairs are significant after correction."""
    _, _, corrected = contest.ranked(np.arange(systems, dtype=np.float64))
    return int(np.count_nonzero(corrected < 0.05))


def records(cells: Float64, names: str, sign: float = 1.0) -> list[object]:
    contest = cell_contest(cells, sign, resampling())
    merits = np.nanmean(cells, axis=0) * sign
    _, _, corrected = contest.ranked(merits)
    return list(
        pair_records(contest, names, merits, corrected, by="ratings", dimension="d", method="mean")
    )


def test_twenty_equal_systems_are_hardly_ever_told_apart() -> None:
    """At most 5 % of studies may tell any of 190 pairs apart: of 80, up to 9 by chance (99 %)."""
    rng = np.random.default_rng(7)
    alarms = 0
    for trial in range(TRIALS):
        cells = rng.normal(size=(40, 1)) + rng.normal(size=(40, 20))
        alarms += told_apart(cell_contest(cells, 1.0, resampling(trial)), 20) > 0
    assert alarms <= stats.binom.ppf(0.99, TRIALS, 0.05)


def test_equal_systems_on_a_five_point_scale_are_hardly_ever_told_apart() -> None:
    rng = np.random.default_rng(8)
    alarms = sum(
        told_apart(
            cell_contest(rng.integers(1, 6, size=(30, 10)).astype(float), 1.0, resampling(trial)),
            10,
        )
        > 0
        for trial in range(TRIALS)
    )
    assert alarms <= stats.binom.ppf(0.99, TRIALS, 0.05)


def test_a_known_gap_is_found_as_often_as_the_t_test_promises() -> None:
    """One pair, 50 documents, gap of 0.4 deviations: the power of a paired t-test is 0.79."""
    n, effect = 50, 0.4
    bound = stats.t.ppf(0.975, n - 1)
    promised = stats.nct.sf(bound, n - 1, effect * np.sqrt(n))
    rng = np.random.default_rng(9)
    result = 0
    for trial in range(TRIALS):
        cells = np.stack([rng.normal(effect, 1.0, size=n), np.zeros(n)], axis=1)
        result += told_apart(cell_contest(cells, 1.0, resampling(trial)), 2)
    low, high = stats.binom.ppf([0.005, 0.995], TRIALS, promised)
    assert low <= result <= high


def test_equal_systems_are_hardly_ever_told_apart_by_their_strengths() -> None:
    rng = np.random.default_rng(10)
    alarms = 0
    for trial in range(TRIALS):
        votes = [
            Comparison(f"d{d}", f"s{i}", f"s{j}", f"a{k}", "x", rng.choice(["left", "right"]))
            for d in range(25)
            for i in range(5)
            for j in range(i)
            for k in range(2)
        ]
        alarms += told_apart(strength_contest(count_wins(votes), resampling(trial)), 5) > 0
    assert alarms <= stats.binom.ppf(0.99, TRIALS, 0.05)


def test_a_document_that_counts_more_moves_the_strengths_as_foretold() -> None:
    """The derivative by the weight of a document, against a fit with that weight a bit larger."""
    rng = np.random.default_rng(2)
    tables = rng.integers(0, 4, size=(8, 4, 4)).astype(float) * (1 - np.eye(4))
    strengths = fit(tables.sum(axis=0)[None], 1e-8)[0]
    moves = document_moves(tables, strengths, 1e-8)
    step = 1e-5
    for document in range(8):
        heavier = tables.sum(axis=0) + step * tables[document]
        expected = (fit(heavier[None], 1e-8)[0] - strengths) / step
        assert moves[document] == pytest.approx(expected, abs=1e-3)


def test_annotators_who_disagree_about_who_is_better_tell_nobody_apart() -> None:
    """Six annotators like one system, six the other, a little less: surely so over documents."""
    rng = np.random.default_rng(0)
    taste = np.repeat([1.0, -0.8], 6)[:, None]
    cube = np.zeros((12, 60, 2))
    cube[:, :, 0] = taste + rng.normal(0, 0.3, size=(12, 60))
    over_documents = cell_contest(cube.mean(axis=0), 1.0, resampling())
    over_both = annotator_contest(cube, resampling())
    assert over_both.test == BOTH
    assert over_both.differences == pytest.approx(over_documents.differences)
    assert over_documents.tests.p[0] < 0.001
    assert over_both.tests.p[0] > 0.2
    assert over_both.tests.low[0] < 0 < over_both.tests.high[0]


def test_equal_systems_are_hardly_ever_told_apart_over_annotators_and_documents() -> None:
    rng = np.random.default_rng(11)
    alarms = 0
    for trial in range(TRIALS):
        cube = (
            rng.normal(size=(10, 30, 3))
            + rng.normal(size=(10, 1, 3)) * 0.7
            + rng.normal(size=(1, 30, 3))
        )
        alarms += told_apart(annotator_contest(cube, resampling(trial)), 3) > 0
    assert alarms <= stats.binom.ppf(0.99, TRIALS, 0.05)


def test_nobody_who_judged_both_leaves_nothing_to_compare() -> None:
    cube = np.full((2, 4, 2), np.nan)
    cube[0, :, 0], cube[1, :, 1] = 5.0, 1.0
    contest = annotator_contest(cube, resampling())
    assert contest.unshared == NO_ANNOTATOR
    assert np.isnan(contest.differences).all()
    assert np.isnan(contest.tests.p).all()


def test_a_record_has_the_difference_its_effect_and_who_wins() -> None:
    """Gaps 1, 2, 3: mean 2, deviation 1, so the effect is 2; every document is won."""
    (record,) = records(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]), "ab")
    assert (record.left, record.right) == ("a", "b")
    assert record.difference == pytest.approx(2.0)
    assert record.effect == pytest.approx(2.0)
    assert record.wins == 1.0
    assert record.p == 2 / 8
    assert (record.low, record.high) == (None, None)
    assert record.n == 3


def test_the_better_system_stands_left_also_where_less_is_better() -> None:
    (record,) = records(np.array([[1.0, 3.0], [2.0, 2.0], [1.0, 4.0], [0.0, 5.0]]), "ab", -1.0)
    assert (record.left, record.right) == ("a", "b")
    assert record.difference == pytest.approx(1.0 - 3.5)
    assert record.wins == pytest.approx(3.5 / 4)


def test_systems_that_share_no_document_have_a_reason_and_no_p() -> None:
    nan = np.nan
    pairs = records(np.array([[5.0, nan, 4.0], [nan, 1.0, 2.0]]), "abc")
    unshared = [pair for pair in pairs if {pair.left, pair.right} == {"a", "b"}]
    assert unshared[0].reason == NOTHING_SHARED
    assert (unshared[0].p, unshared[0].difference, unshared[0].n) == (None, None, 0)


def test_p_values_are_corrected_by_holm_among_all_pairs() -> None:
    cells = np.random.default_rng(4).normal(size=(30, 5)) + np.linspace(0, 1.5, 5)
    pairs = records(cells, "abcde")
    assert len(pairs) == 10
    assert [pair.p_corrected for pair in pairs] == pytest.approx(
        correct([pair.p for pair in pairs], "holm")
    )


def test_a_test_against_the_order_tells_nobody_apart() -> None:
    """The first is better where both have values, and has the lower merit."""
    cells = np.random.default_rng(0).normal([1.0, 0.0], 0.1, size=(12, 2))
    contest = cell_contest(cells, 1.0, resampling())
    assert list(contest.ranked(np.array([1.0, 0.0]))[0].letters) == ["a", "b"]
    assert list(contest.ranked(np.array([0.0, 1.0]))[0].letters) == ["a", "a"]
    assert list(contest.ranked(np.array([0.0, 1.0]), -1.0)[0].letters) == ["a", "b"]
