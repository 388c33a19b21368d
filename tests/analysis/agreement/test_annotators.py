"""The quality of annotators: what their judgements tell about them, and what their answers do."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gistmark.analysis.agreement.annotators import (
    AnnotatorQuality,
    annotator_quality,
    respondent_quality,
)
from gistmark.analysis.human.questions import questions_of
from gistmark.analysis.human.sets import sets_of
from gistmark.corpus.corpus import Corpus
from gistmark.records import Comparison, Rating, Response


@pytest.fixture(scope="module")
def crowd() -> Corpus:
    """Twenty documents of known quality; `careful` sees it, `harsh` is one lower, `random` is."""
    rng = np.random.default_rng(0)
    ratings: list[Rating] = []
    comparisons: list[Comparison] = []
    for document, quality in enumerate(rng.integers(2, 6, size=30).tolist()):
        values = {
            "careful": quality,
            "second": min(5, quality + int(rng.random() < 0.1)),
            "harsh": quality - 1,
            "random": int(rng.integers(1, 6)),
        }
        for annotator, value in values.items():
            for dimension in ("Focus", "Clarity", "Overall"):
                rating = Rating(
                    str(document), "s", annotator, dimension, float(value), seconds=10.0
                )
                ratings.append(rating)
        for annotator in ("careful", "second", "leftist"):
            choice = "left" if annotator == "leftist" or quality > 3 else "right"
            comparisons.append(Comparison(str(document), "s", "t", annotator, "Overall", choice))
    return Corpus(ratings=tuple(ratings), comparisons=tuple(comparisons))


@pytest.fixture(scope="module")
def result(crowd: Corpus) -> dict[tuple[str, str, str], AnnotatorQuality]:
    every = annotator_quality(crowd)
    return {(one.subject, one.annotator, one.dimension): one for one in every}


Found = dict[tuple[str, str, str], AnnotatorQuality]


def test_the_whole_comes_before_its_dimensions(crowd: Corpus) -> None:
    order = [(one.annotator, one.dimension) for one in annotator_quality(crowd)[:4]]
    assert order == [(("careful"), name) for name in ("", "Focus", "Clarity", "Overall")]


def test_numbers_and_times(result: Found) -> None:
    part, total = result["ratings", "harsh", "Focus"], result["ratings", "harsh", ""]
    assert (part.n, part.mean_seconds, part.total_seconds) == (30, 10.0, 300.0)
    assert (total.n, total.mean_seconds, total.total_seconds) == (90, 10.0, 900.0)


def test_shares_are_of_the_ratings_of_the_own_campaigns_and_of_all_comparisons(
    crowd: Corpus, result: Found
) -> None:
    raters = {rating.annotator for rating in crowd.ratings}
    assert [result["ratings", name, ""].share for name in raters] == [1 / len(raters)] * len(raters)
    assert result["comparisons", "second", ""].share == pytest.approx(1 / 3)
    sets = Corpus(
        ratings=tuple(
            Rating(str(n), "s", annotator, "Focus", 3.0, campaign=campaign)
            for n, (annotator, campaign) in enumerate(
                [("a", "one"), ("a", "one"), ("b", "one"), ("b", "two")]
            )
        )
    )
    whole = {one.annotator: one for one in annotator_quality(sets) if not one.dimension}
    assert (whole["a"].campaign, whole["a"].share) == ("one", 2 / 3)
    assert (whole["b"].campaign, whole["b"].share) == ("one, two", 2 / 4)


def test_the_harsh_one_is_severe(result: Found) -> None:
    harsh = result["ratings", "harsh", "Focus"]
    assert harsh.severity is not None
    assert harsh.severity > 0.5
    assert harsh.bias == "severe"
    assert result["ratings", "harsh", ""].severity is None


def test_the_random_one_agrees_least_and_is_least_competent(result: Found) -> None:
    names = ("careful", "second", "harsh", "random")
    agreement = {name: result["ratings", name, "Focus"].agreement or 0.0 for name in names}
    competence = {name: result["ratings", name, "Focus"].competence or 0.0 for name in names}
    assert min(agreement, key=agreement.__getitem__) == "random"
    assert competence["random"] < competence["careful"]


def test_equal_values_in_all_dimensions_are_straight_lines(result: Found) -> None:
    assert result["ratings", "careful", ""].straight_lining == 1.0
    assert result["ratings", "careful", "Focus"].straight_lining is None


def test_who_always_chooses_left_has_a_bias(result: Found) -> None:
    for dimension in ("Overall", ""):
        leftist = result["comparisons", "leftist", dimension]
        assert (leftist.left_share, leftist.bias, leftist.n) == (1.0, "left", 30)
    careful = result["comparisons", "careful", "Overall"]
    assert careful.agreement == 1.0
    assert careful.competence is not None


def test_nobody_gives_nothing() -> None:
    assert annotator_quality(Corpus()) == []


@pytest.mark.parametrize(
    "ratings",
    [
        [("x", "1", 3.0)],
        [("x", "1", 3.0), ("y", "1", 3.0)],
        [("x", "1", 3.0), ("y", "2", 4.0)],
        [("x", str(d), 3.0) for d in range(12)] + [("y", str(d), 3.0) for d in range(12)],
        [("x", str(d), d * 7.5) for d in range(12)] + [("y", str(d), 50.0) for d in range(12)],
    ],
    ids=["one rating", "one unit", "no overlap", "constant", "slider"],
)
def test_what_cannot_be_told_has_a_reason(ratings: list[tuple[str, str, float]]) -> None:
    corpus = Corpus(ratings=tuple(Rating(doc, "s", who, "d", v) for who, doc, v in ratings))
    for one in annotator_quality(corpus):
        assert one.competence is None
        assert "competence: " in str(one.reason)
        if one.agreement is None:
            assert "agreement: " in str(one.reason)
        for value in (one.severity, one.spread, one.agreement):
            assert value is None or math.isfinite(value)


def test_raters_of_two_campaigns_keep_their_times_apart() -> None:
    ratings = tuple(
        Rating("1", "s", "x", "d", 3.0, seconds=seconds, campaign=campaign)
        for campaign, seconds in (("a", 5.0), ("b", 9.0))
    )
    result = {one.annotator: one for one in annotator_quality(Corpus(ratings=ratings))}
    assert result["x (a)"].total_seconds == 5.0
    assert result["x (b)"].total_seconds == 9.0


def test_everybody_as_a_whole_and_by_question() -> None:
    """ann and bob say yes, cat says no: with the two others agreeing, only cat has a majority."""
    answers = {"ann": "yes", "bob": "yes", "cat": "no"}
    questions = questions_of(
        [Response("d", "s", "s", name, "good", "yes-no", value) for name, value in answers.items()]
        + [Response("d", "s", "s", "cat", "why", "text", "Bad.")]
    )
    result = respondent_quality(questions, sets_of(questions))
    assert [(r.annotator, r.dimension, r.n, r.agreement) for r in result] == [
        ("ann", "", 1, None),
        ("ann", "good", 1, None),
        ("bob", "", 1, None),
        ("bob", "good", 1, None),
        ("cat", "", 2, 0.0),
        ("cat", "good", 1, 0.0),
        ("cat", "why", 1, None),
    ]
    assert result[-1].reason == "agreement: Texts are not compared."
