"""Weights from people's scores, on data whose weights are known."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.learnt.features import Feature
from gistmark.metrics.learnt.fitting import (
    CLIPS,
    LEAST_WEIGHT,
    Fit,
    Settings,
    TrainingSet,
    fit,
    standardised_set,
)

A, B = (Feature(name, "content", 1, main=True) for name in "ab")
FREE = Settings(ridge=1e-6, prior=0.0, spoiling=0.0)


def data(
    weights: list[float], *, scale: float = 1.0, seed: int = 0, per_document: int = 1
) -> TrainingSet:
    """Scores that are a weighted sum of independent features, on a scale of their own."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(4000, len(weights)))
    scores = scale * (features @ np.array(weights)) + 7
    documents = [str(row // per_document) for row in range(len(scores))]
    return TrainingSet(f"set {seed}", features, scores, documents)


def test_the_weights_of_the_data_come_back_in_standard_deviations() -> None:
    # Scores have the standard deviation 5 = √(3² + 4²), so the weights are 3/5 and 4/5.
    found = fit([data([3, 4])], [A, B], FREE)
    assert found.weights == pytest.approx([0.6, 0.8], abs=0.02)


def test_data_sets_on_different_scales_mix() -> None:
    sets = [data([3, 4], scale=100), data([3, 4], scale=0.01, seed=1)]
    assert fit(sets, [A, B], FREE).weights == pytest.approx([0.6, 0.8], abs=0.02)


def test_every_weight_is_above_zero() -> None:
    found = fit([data([-3, 4])], [A, B], FREE)
    assert found.weights[0] == LEAST_WEIGHT
    assert found.weights[1] == pytest.approx(0.8, abs=0.02)


def test_what_data_do_not_tell_is_the_prior() -> None:
    """The main features have the same weight, whatever groups these and the others are of."""
    strict = Settings(ridge=1e6, prior=0.6, spoiling=0.0)
    other = Feature("c", "content", 1)
    support = Feature("d", "support", 1, main=True)
    found = fit([data([3, 4, 0, 2])], [A, other, support, B], strict)
    assert found.weights == pytest.approx([0.2, LEAST_WEIGHT, 0.2, 0.2], abs=1e-3)


def test_a_set_without_a_feature_says_nothing_about_it() -> None:
    known, lacking = data([3, 4]), data([3, 4], seed=1)
    lacking.features[:, 1] = np.nan
    found = fit([known, lacking], [A, B], FREE)
    alone = fit([known], [A, B], FREE)
    assert found.centre[1] == alone.centre[1]
    assert found.spread[1] == alone.spread[1]
    assert found.weights == pytest.approx([0.6, 0.8], abs=0.05)


def test_a_feature_that_only_spoiled_summaries_change_gets_weight() -> None:
    """In the data it tells nothing; a spoiled summary has two less of it."""
    plain = data([1, 0])
    before = plain.features[:100]
    spoiled = TrainingSet(
        plain.name, plain.features, plain.scores, plain.documents,
        {"doubled": (before, before - np.array([0.0, 2.0]))},
    )  # fmt: skip
    settings = Settings(ridge=1e-6, prior=0.0, spoiling=1.0, margin=0.5)
    without, found = fit([plain], [A, B], settings), fit([spoiled], [A, B], settings)
    assert without.weights[1] == LEAST_WEIGHT
    assert found.weights[1] > 0.15
    lower = found.predict(spoiled.spoiled["doubled"][1]) < found.predict(before)
    assert lower.mean() > 0.95


def test_what_is_about_the_summary_alone_is_hardly_held_to_the_prior() -> None:
    """Both tell as much; of the weight of the one that hangs on the document half is left."""
    free, held = Feature("a", "style", 1, alone=True), Feature("b", "content", 1)
    settings = Settings(ridge=1.0, alone=0.1, prior=0.0, spoiling=0.0)
    found = fit([data([3, 3])], [free, held], settings)
    # Of 1/√2, the weight that the data have: 1 / (1 + 0.1), and 1 / (1 + 1).
    assert found.weights == pytest.approx(np.sqrt(0.5) * np.array([1 / 1.1, 1 / 2]), abs=0.02)


def copied(gains: list[float], seen: float = 1.0) -> TrainingSet:
    """Of two features the second is there to see copies; a copy has more of the first by a gain."""
    plain = data([1, 0])
    features = np.column_stack([plain.features[:, 0], np.zeros(len(plain.scores))])
    before = np.zeros((len(gains), 2))
    after = np.column_stack([gains, np.full(len(gains), -seen)])
    return TrainingSet("c", features, plain.scores, plain.documents, {"lead": (before, after)})


def test_copying_costs_what_eight_in_ten_copies_gain() -> None:
    """Gains of 0.0, 0.1, ... 1.0 deviations at a weight of 1: 0.8 is above eight in ten."""
    lead = Feature("lead", "copying", -1)
    found = fit([copied([n / 10 for n in range(11)])], [A, lead], FREE)
    assert found.weights[0] == pytest.approx(1, abs=0.02)
    assert found.weights[1] == pytest.approx(0.8 / found.spread[0], abs=0.02)


def test_copies_that_are_not_seen_or_gain_nothing_cost_nothing() -> None:
    lead = Feature("lead", "copying", -1)
    for case in (copied([1.0] * 10, seen=0.0), copied([-1.0] * 10)):
        assert fit([case], [A, lead], FREE).weights[1] == LEAST_WEIGHT


def test_many_summaries_of_a_document_are_standardised_within_it() -> None:
    """What differs between documents is taken out, of features and scores."""
    plain = data([1, 1], per_document=8)
    shifts = np.repeat(np.random.default_rng(5).normal(size=500) * 50, 8)
    shifted = TrainingSet("shifted", plain.features, plain.scores + shifts, plain.documents)
    ours, theirs = standardised_set(plain, 5.0), standardised_set(shifted, 5.0)
    np.testing.assert_allclose(ours[1], theirs[1], atol=1e-9)


def test_a_feature_counts_within_bounds_and_what_is_missing_is_average() -> None:
    found = Fit(np.zeros(1), np.ones(1), np.ones(1))
    features = np.array([[1000.0], [-1000.0], [np.nan]])
    assert found.predict(features).tolist() == [CLIPS["document"], -CLIPS["document"], 0.0]


def test_a_feature_that_never_varies_is_no_trouble() -> None:
    rng = np.random.default_rng(0)
    features = np.column_stack([rng.normal(size=100), np.ones(100)])
    found = fit([TrainingSet("x", features, features[:, 0], ["d"] * 100)], [A, B], FREE)
    assert np.isfinite(found.weights).all()
    assert np.isfinite(found.predict(features)).all()
