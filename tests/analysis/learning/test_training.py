"""Training on sets whose weights are known, and what held-out sets say."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.learning.sets import Judged
from gistmark.analysis.learning.training import train
from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Item
from gistmark.metrics.learnt.features import FEATURES
from gistmark.metrics.learnt.fitting import TrainingSet

NAMES = [feature.name for feature in FEATURES["references"]]


def data(seed: int, *, noise: float = 0.5, documents: int = 100) -> tuple[Judged, TrainingSet]:
    """Three summaries of each document; people follow the main features, and some noise."""
    rng = np.random.default_rng(seed)
    size = 3 * documents
    features = rng.normal(size=(size, len(NAMES)))
    main = [feature.main for feature in FEATURES["references"]]
    scores = features[:, main].sum(axis=1) / np.sqrt(2) + noise * rng.normal(size=size)
    ids = [str(row // 3) for row in range(size)]
    items = [Item("word " * int(rng.integers(5, 50)), ("r",)) for _ in range(size)]
    name = f"set {seed}"
    return Judged(name, "overall", items, ids, scores), TrainingSet(name, features, scores, ids)


def test_a_set_is_judged_by_the_others() -> None:
    """The third set is pure noise: nothing can follow it, though the others are followed."""
    (one, first), (two, second), (_, third) = (data(seed) for seed in range(3))
    rng = np.random.default_rng(9)
    noise = TrainingSet("noise", third.features, rng.normal(size=300), third.documents)
    unheard = Judged("noise", "overall", one.items, third.documents, noise.scores)
    trained = train([one, two, unheard], [first, second, noise], against="references")
    followed, also, not_followed = trained.held_out
    # The correlation with a score of which noise is a fifth of the variance is √0.8.
    assert followed.pearson == pytest.approx(np.sqrt(0.8), abs=0.05)
    assert also.spearman > 0.8
    assert followed.given_length > 0.8
    assert abs(not_followed.spearman) < 0.15


def test_one_standard_deviation_covers_two_thirds_of_the_scores() -> None:
    pairs = [data(seed, noise=1.0) for seed in range(3)]
    trained = train([d for d, _ in pairs], [s for _, s in pairs], against="references")
    assert np.mean([each.covered for each in trained.held_out]) == pytest.approx(0.683, abs=0.01)


def test_a_single_corpus_is_judged_in_fifths() -> None:
    judged, own = data(0)
    trained = train([judged], [own], against="references")
    assert [each.name for each in trained.held_out] == [f"set 0, part {n}" for n in range(1, 6)]
    assert sum(each.n for each in trained.held_out) == 300
    assert all(each.spearman > 0.7 for each in trained.held_out)


def test_the_weight_is_where_the_data_have_it_and_the_seed_repeats_it() -> None:
    pairs = [data(seed) for seed in range(2)]
    first, second = (
        train([d for d, _ in pairs], [s for _, s in pairs], against="references").model
        for _ in range(2)
    )
    assert {*np.argsort(first.fit.weights)[-2:]} == {NAMES.index("js"), NAMES.index("recall")}
    np.testing.assert_array_equal(first.fit.weights, second.fit.weights)
    np.testing.assert_array_equal(first.covariance, second.covariance)


def test_one_document_is_too_few() -> None:
    judged, own = data(0)
    alone = TrainingSet(own.name, own.features, own.scores, ["d"] * 300)
    with pytest.raises(GistmarkError, match="two or more documents"):
        train([judged], [alone], against="references")


def unknown(own: TrainingSet) -> TrainingSet:
    """The same set without what the summaries are compared with."""
    main = np.array([feature.main for feature in FEATURES["references"]])
    features = np.where(main, np.nan, own.features)
    return TrainingSet("alone", features, own.scores, own.documents)


def test_nothing_is_judged_on_a_corpus_without_texts_to_compare() -> None:
    (one, first), (two, second), (three, third) = (data(seed) for seed in range(3))
    sets = [first, second, unknown(third)]
    trained = train([one, two, three], sets, against="references")
    assert [each.name for each in trained.held_out] == ["set 0", "set 1"]
    in_fifths = train([one, three], [first, unknown(third)], against="references")
    assert [each.name for each in in_fifths.held_out] == [f"set 0, part {n}" for n in range(1, 6)]


def test_only_such_corpora_are_refused() -> None:
    judged, own = data(0)
    with pytest.raises(GistmarkError, match="None of the corpora has documents or references"):
        train([judged], [unknown(own)], against="references")
