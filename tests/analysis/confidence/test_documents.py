"""Hard documents: the order, what it rests on, and what is only chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.confidence.documents import (
    ALONE,
    ONE_SUMMARY,
    document_tests,
    hard_documents,
)
from gistmark.records import Rating

WORDS = {"easy": 100, "middle": 300, "hard": 500}
VALUES = {"easy": (3, 3), "middle": (3, 4), "hard": (1, 5)}
CONFIDENCE = {"easy": 5, "middle": 4, "hard": 1}

FEW = [
    Rating(document, "s", annotator, "focus", float(value), float(CONFIDENCE[document]))
    for document, values in VALUES.items()
    for annotator, value in zip("ab", values, strict=True)
]


def simulated(seed: int, *, hard: float = 0.0, systems: int = 5) -> list[Rating]:
    """15 documents; on hard ones people are less sure and their ratings noisier."""
    rng = np.random.default_rng(seed)
    ratings = []
    for d in range(15):
        hardness = rng.normal()
        for s in range(systems):
            quality = rng.normal(3, 0.5)
            for a in range(3):
                value = quality + rng.normal(0, 0.4 * np.exp(hard * hardness))
                confidence = 3 - hard * hardness + rng.normal()
                ratings.append(Rating(f"d{d}", f"s{s}", f"a{a}", "focus", value, confidence))
    return ratings


def test_the_hardest_comes_first():
    records = hard_documents(FEW, WORDS, {"hard": 20.0})
    assert [record.document for record in records] == ["hard", "middle", "easy"]
    first = records[0]
    assert (first.rank, first.mean_rank, first.confidence, first.disagreement) == (1, 1, 1, 1)
    assert (first.words, first.summary_words, first.annotators, first.n) == (500, 20, 2, 2)
    assert records[1].disagreement == 0.25


def test_without_confidence_or_texts_the_rest_orders():
    unsure = [replace(rating, confidence=None) for rating in FEW]
    records = hard_documents(unsure, {"easy": 10_000}, {})
    assert [record.document for record in records] == ["hard", "middle", "easy"]
    assert {record.confidence_rank for record in records} == {None}
    assert {record.words_rank for record in records} == {None}
    assert [record.words for record in records] == [None, None, 10_000]
    some = [unsure[0], *FEW[1:]]
    assert hard_documents(some, {}, {})[0].confidence_rank == 1
    none = [*unsure[:2], *FEW[2:]]
    assert {record.confidence_rank for record in hard_documents(none, {}, {})} == {None}


def test_a_document_that_one_person_rated_has_no_rank():
    alone = Rating("lonely", "s", "a", "focus", 1.0, 1.0)
    [*ranked, last] = hard_documents([alone, *FEW], WORDS, {})
    assert last.document == "lonely"
    assert (last.rank, last.disagreement, last.reason) == (None, None, ALONE)
    assert [record.rank for record in ranked] == [1, 2, 3]


@pytest.mark.parametrize("ratings", [[], FEW[:2], FEW[::2], [FEW[0], FEW[3]]])
def test_fewer_than_two_documents_have_no_order(ratings: list[Rating]):
    assert hard_documents(ratings, WORDS, {}) == []


def test_ties_share_a_rank():
    same = [replace(rating, value=3.0, confidence=None) for rating in FEW]
    assert {record.rank for record in hard_documents(same, {}, {})} == {2}


def test_documents_that_are_harder_are_told_from_chance():
    tests = {t.statistic: t for t in document_tests(simulated(1, hard=1), np.random.default_rng(0))}
    assert tests["spread"].p is not None
    assert tests["spread"].p < 0.01
    assert tests["spearman"].high is not None
    assert tests["spearman"].high < 0


def test_chance_is_rarely_told_from_chance():
    p, away = [], 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        spread, spearman = document_tests(simulated(seed), rng, permutations=99)
        p.append(spread.p or 0.0)
        away += not (spearman.low or 0.0) <= 0 <= (spearman.high or 0.0)
    assert np.mean(np.array(p) < 0.05) <= 0.15
    assert away <= 5


def test_what_cannot_be_tested_has_a_reason():
    [spread, spearman] = document_tests(FEW, np.random.default_rng(0))
    assert (spread.p, spread.reason) == (None, ONE_SUMMARY)
    assert spearman.value == pytest.approx(-1)
    assert spearman.low is None
    assert spearman.reason
    [one, _] = document_tests(FEW[:2], np.random.default_rng(0))
    assert (one.value, bool(one.reason)) == (None, True)
    assert document_tests(FEW[::2], np.random.default_rng(0)) == []
    constant = [replace(rating, confidence=3.0) for rating in simulated(0)]
    [_, undefined] = document_tests(constant, np.random.default_rng(0), permutations=9)
    assert undefined.reason == "all values of confidence are equal"
