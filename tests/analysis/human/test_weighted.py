"""The weighted overall, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis import StudyOptions, study
from gistmark.analysis.data.measures import DIMENSION
from gistmark.analysis.human.weighted import WEIGHTED_OVERALL, weighted_ratings
from gistmark.corpus import Corpus
from gistmark.records import Rating

TABLE = {
    ("d1", "a", "focus"): (5, 4), ("d1", "a", "grammar"): (1, 1), ("d1", "a", "overall"): (3, 5),
    ("d2", "b", "focus"): (2, 2), ("d2", "b", "grammar"): (4, 2), ("d2", "b", "overall"): (3, 5),
}  # fmt: skip
RATINGS = [
    Rating(document, "s", annotator, dimension, float(value), weight=float(weight))
    for (document, annotator, dimension), (value, weight) in TABLE.items()
]


def test_by_hand():
    """On 1 to 5: (4 * 1 + 1 * 0) / 5, and (2 * 0.25 + 2 * 0.75) / 4."""
    result = weighted_ratings(RATINGS)
    assert [(each.document, each.annotator) for each in result] == [("d1", "a"), ("d2", "b")]
    assert [each.value for each in result] == pytest.approx([0.8, 0.5])
    assert {each.dimension for each in result} == {WEIGHTED_OVERALL}


def test_scales_and_the_overall_dimension_may_be_named():
    """On 0 to 10 focus is 0.5; with grammar as the overall one, overall is weighed: 2 of 4."""
    [first, _] = weighted_ratings(
        RATINGS, overall="grammar", scales={"focus": (0, 10), "overall": (1, 5)}
    )
    assert first.value == pytest.approx((4 * 0.5 + 5 * 0.5) / 9)


def test_weights_that_are_ten_times_as_high_change_nothing():
    heavy = [
        Rating(r.document, r.system, r.annotator, r.dimension, r.value, weight=10 * (r.weight or 0))
        for r in RATINGS
    ]
    before, after = weighted_ratings(RATINGS), weighted_ratings(heavy)
    assert [each.value for each in after] == pytest.approx([each.value for each in before])


@pytest.mark.parametrize(
    "ratings",
    [
        [],
        [Rating("d", "s", "a", "focus", 3.0, weight=2.0)],
        [Rating("d", "s", "a", name, 3.0) for name in ("focus", "grammar")],
        [Rating("d", "s", "a", name, 3.0, weight=0.0) for name in ("focus", "grammar")],
    ],
)
def test_without_two_weighed_dimensions_there_is_none(ratings: list[Rating]):
    assert weighted_ratings(ratings) == []


def test_it_is_a_human_score_and_held_against_the_overall_dimension():
    rng = np.random.default_rng(0)
    ratings = [
        Rating(f"d{d}", f"s{s}", f"a{a}", name, float(rng.integers(1, 6)), weight=float(w))
        for d in range(6) for s in range(3) for a in range(2)
        for w, name in enumerate(("focus", "grammar", "overall"), start=1)
    ]  # fmt: skip
    result = study(Corpus(ratings=tuple(ratings)), options=StudyOptions(resamples=40))
    assert WEIGHTED_OVERALL in {score.human for score in result.human_scores}
    assert WEIGHTED_OVERALL in {rank.dimension for rank in result.ranking}
    pairs = {(r.metric, r.level) for r in result.correlation
             if r.human == WEIGHTED_OVERALL and r.part == DIMENSION}  # fmt: skip
    assert pairs == {("overall", "annotation"), ("overall", "global")}
    assert "weighted overall" in result.methods
    assert result.headline[0].human == "overall"
