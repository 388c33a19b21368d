"""What tables and figures show beside the statistics: bins, means, strengths, spreads, splits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis import Study, StudyOptions
from gistmark.analysis import study as make_study
from gistmark.analysis.studies.displays import rating_bins, spreads
from gistmark.analysis.studies.records import (
    AGAINST_REST,
    RATING,
    SPLIT,
    Measure,
    RatingBin,
    Spread,
)
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.records import Rating
from gistmark.scoring import Scores, score

DIMENSION = "Overall Quality"


@pytest.fixture(scope="module")
def sample() -> Corpus:
    return load(sample_folder())


@pytest.fixture(scope="module")
def scores(sample: Corpus) -> Scores:
    return score(sample, ["rouge1", "rouge2", "js", "words"], cache=False)


@pytest.fixture(scope="module")
def study(sample: Corpus, scores: Scores) -> Study:
    return make_study(sample, scores, StudyOptions(resamples=40, combinations=("rouge1+js",)))


def ratings(*values: float, campaign: str | None = None) -> list[Rating]:
    return [
        Rating("d", "s", f"a{n}", "Overall", float(value), campaign=campaign)
        for n, value in enumerate(values)
    ]


def test_a_short_scale_has_a_bin_around_each_point():
    """Two of three ratings are 1, none is 2, one is 3."""
    assert list(rating_bins(ratings(1, 1, 3))) == [
        RatingBin("Overall", "no campaign", 0.5, 1.5, 2, 2 / 3),
        RatingBin("Overall", "no campaign", 1.5, 2.5, 0, 0.0),
        RatingBin("Overall", "no campaign", 2.5, 3.5, 1, 1 / 3),
    ]


def test_a_long_scale_has_twenty_equal_bins_and_campaigns_share_them():
    bins = list(rating_bins([*ratings(0, 50, campaign="a"), *ratings(100, campaign="b")]))
    assert [each.low for each in bins[:20]] == [5.0 * k for k in range(20)]
    assert [(each.campaign, each.count) for each in bins if each.count] == [
        ("a", 1), ("a", 1), ("b", 1),
    ]  # fmt: skip
    assert bins[-1] == RatingBin("Overall", "b", 95.0, 100.0, 1, 1.0)


def test_campaigns_beyond_the_third_of_five_are_one():
    every = [rating for name in "abcde" for rating in ratings(1, 2, campaign=name)]
    names = dict.fromkeys(each.campaign for each in rating_bins(every))
    assert list(names) == ["a", "b", "c", "other campaigns"]


def test_the_spread_of_ratings():
    assert list(spreads(ratings(1, 1, 2, 4), ())) == [
        Spread(RATING, "Overall", 1.0, 1.5, 2.0, 4.0, 4)
    ]


def test_the_spread_of_annotators_is_that_of_their_records(study: Study):
    for statistic in (AGAINST_REST, SPLIT):
        own = [
            r.value
            for r in study.agreement
            if (r.statistic, r.dimension) == (statistic, DIMENSION) and r.scope
        ]
        values = [value for value in own if value is not None]
        spread = next(
            s for s in study.spreads if (s.statistic, s.dimension) == (statistic, DIMENSION)
        )
        assert (spread.lowest, spread.highest, spread.n) == (min(values), max(values), len(values))
        assert spread.median == np.median(values)


def test_measures_say_which_part_stands_for_a_metric(study: Study):
    assert Measure("rouge1", "f", "higher", main=True, scored=True) in study.measures
    assert Measure("rouge1", "recall", "higher", main=False, scored=True) in study.measures
    assert Measure("js", "value", "lower", main=True, scored=True) in study.measures
    assert Measure("chars", "value", "neither", main=True, scored=False) in study.measures
    assert Measure("rouge1+js", "rank", "higher", main=True, scored=False) in study.measures


def test_strengths_are_correlations_negated_where_less_is_better(study: Study):
    values = {
        (r.human, r.level, r.coefficient, r.metric, r.part): r.value
        for r in study.correlation
        if not r.given and not r.subset
    }
    for record in study.strengths:
        kind = (record.human, record.level, record.coefficient, record.metric, record.part)
        assert record.strength == (-values[kind] if record.metric == "js" else values[kind])
    groups: dict[tuple[str, str], list[float]] = {}
    for record in study.strengths:
        groups.setdefault((record.human, record.level), []).append(record.strength)
    assert all(group == sorted(group, reverse=True) for group in groups.values())


def test_means_of_systems_are_those_of_the_leaderboard_and_the_best_is_marked(
    study: Study, scores: Scores
):
    board = scores.leaderboard()
    for record in study.system_means:
        own = board.of(record.system, record.metric, record.part)
        assert (record.value, record.low, record.high) == (own.mean, own.low, own.high)
    for metric, pick in (("rouge1", max), ("js", min)):
        own = [r for r in study.system_means if r.metric == metric and r.part in ("f", "value")]
        best = pick(r.value for r in own if r.value is not None)
        assert [r.system for r in own if r.best] == [r.system for r in own if r.value == best]
    assert not any(record.best for record in study.system_means if record.metric == "words")


def test_each_split_is_the_metric_with_the_mean_of_those_outside(
    study: Study, sample: Corpus, scores: Scores
):
    result = [split for split in study.metric_splits if split.dimension == DIMENSION]
    assert result
    values = {
        (score.document, score.system): score.value
        for score in scores
        if (score.metric, score.part) == (result[0].metric, result[0].part)
    }
    for split in result:
        group = split.scope.split(" + ")
        rest: dict[tuple[str, str], list[float]] = {}
        for r in sample.ratings:
            if r.dimension == DIMENSION and r.annotator not in group:
                rest.setdefault((r.document, r.system), []).append(r.value)
        x = [values[unit] for unit in rest]
        y = [np.mean(given) for given in rest.values()]
        sign = -1 if split.metric == "js" else 1
        assert split.value == pytest.approx(sign * stats.spearmanr(x, y).statistic, abs=1e-9)


def test_without_scores_no_metric_is_held_against_groups_of_annotators(sample: Corpus):
    assert make_study(sample, None, StudyOptions(resamples=40)).metric_splits == ()
