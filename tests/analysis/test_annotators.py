from __future__ import annotations

import math

import numpy as np
import pytest

from gistmark.analysis.annotators import AnnotatorQuality, annotator_quality
from gistmark.corpus import load, sample_folder
from gistmark.corpus.corpus import Corpus
from gistmark.records import Comparison, Rating


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
def found(crowd: Corpus) -> dict[tuple[str, str, str], AnnotatorQuality]:
    every = annotator_quality(crowd)
    return {(one.subject, one.annotator, one.dimension): one for one in every}


Found = dict[tuple[str, str, str], AnnotatorQuality]


def test_the_whole_comes_before_its_dimensions(crowd: Corpus) -> None:
    order = [(one.annotator, one.dimension) for one in annotator_quality(crowd)[:4]]
    assert order == [(("careful"), name) for name in ("", "Focus", "Clarity", "Overall")]


def test_numbers_and_times(found: Found) -> None:
    part, total = found["ratings", "harsh", "Focus"], found["ratings", "harsh", ""]
    assert (part.n, part.mean_seconds, part.total_seconds) == (30, 10.0, 300.0)
    assert (total.n, total.mean_seconds, total.total_seconds) == (90, 10.0, 900.0)


def test_the_harsh_one_is_severe(found: Found) -> None:
    harsh = found["ratings", "harsh", "Focus"]
    assert harsh.severity is not None
    assert harsh.severity > 0.5
    assert harsh.bias == "severe"
    assert found["ratings", "harsh", ""].severity is None


def test_the_random_one_agrees_least_and_is_least_competent(found: Found) -> None:
    names = ("careful", "second", "harsh", "random")
    agreement = {name: found["ratings", name, "Focus"].agreement or 0.0 for name in names}
    competence = {name: found["ratings", name, "Focus"].competence or 0.0 for name in names}
    assert min(agreement, key=agreement.__getitem__) == "random"
    assert competence["random"] < competence["careful"]


def test_equal_values_in_all_dimensions_are_straight_lines(found: Found) -> None:
    assert found["ratings", "careful", ""].straight_lining == 1.0
    assert found["ratings", "careful", "Focus"].straight_lining is None


def test_who_always_chooses_left_has_a_bias(found: Found) -> None:
    for dimension in ("Overall", ""):
        leftist = found["comparisons", "leftist", dimension]
        assert (leftist.left_share, leftist.bias, leftist.n) == (1.0, "left", 30)
    careful = found["comparisons", "careful", "Overall"]
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
    found = {one.annotator: one for one in annotator_quality(Corpus(ratings=ratings))}
    assert found["x (a)"].total_seconds == 5.0
    assert found["x (b)"].total_seconds == 9.0


def test_mace_may_be_chosen() -> None:
    found = annotator_quality(load(sample_folder()), method="mace")
    assert all(one.competence is not None for one in found)
