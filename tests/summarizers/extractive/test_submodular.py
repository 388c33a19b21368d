"""Submodular: coverage by its definition, the bound by brute force, lazy picks as plain ones."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Source
from gistmark.summarizers.extractive.similarity import (
    CONTENT,
    similarity_to,
    unit_tfidf,
    word_counts,
)
from gistmark.summarizers.extractive.submodular import (
    Coverage,
    Submodular,
    SubmodularOptions,
    costs,
)
from gistmark.summarizers.summarizer import Budget

TEXTS = st.lists(
    st.lists(st.sampled_from(["fox", "hen", "cow", "dog", "red", "blue"]), max_size=6).map(
        " ".join
    ),
    min_size=1,
    max_size=9,
)


def coverage_of(texts: list[str], alpha: float) -> Coverage:
    return Coverage(unit_tfidf(word_counts(texts, CONTENT)), alpha)


def cosines(texts: list[str]) -> NDArray[np.float64]:
    vectors = unit_tfidf(word_counts(texts, CONTENT))
    return np.array([similarity_to(vectors, number) for number in range(len(texts))])


def value(weights: NDArray[np.float64], chosen: Iterable[int], alpha: float) -> float:
    """The sum over i of min(sum over chosen j of w_ij, alpha * sum over all k of w_ik)."""
    covered = weights[:, list(chosen)].sum(axis=1)
    return float(np.minimum(covered, alpha * weights.sum(axis=1)).sum())


def test_coverage_worked_by_hand() -> None:
    """w = [[1, c, 0], [c, 1, c], [0, c, 1]] with c = 0.2448, as in the test of LexRank.

    With alpha 1/3 the sentences count up to (1 + c)/3 = 0.415, (1 + 2c)/3 = 0.497 and 0.415.
    The middle one covers c + 0.497 + c; after it the first adds 0.415 - c.
    """
    cosine = math.log(1.5) / (math.sqrt(2) * math.hypot(math.log(1.5), math.log(3)))
    coverage = coverage_of(["red fox", "red hen", "blue hen"], 1 / 3)
    middle = 2 * cosine + (1 + 2 * cosine) / 3
    assert coverage.gains([1])[0] == pytest.approx(middle)
    coverage.take(1)
    assert coverage.gains([0, 1])[0] == pytest.approx((1 + cosine) / 3 - cosine)
    assert coverage.value == pytest.approx(middle)


@given(TEXTS, st.sampled_from([0.1, 0.3, 1.0]), st.randoms(use_true_random=False))
def test_gains_are_differences_of_the_definition(
    texts: list[str], alpha: float, rng: random.Random
) -> None:
    weights = cosines(texts)
    coverage = coverage_of(texts, alpha)
    chosen: list[int] = []
    for number in rng.sample(range(len(texts)), len(texts)):
        before = value(weights, chosen, alpha)
        gain = value(weights, [*chosen, number], alpha) - before
        assert coverage.gains([number])[0] == pytest.approx(gain, abs=1e-9)
        assert coverage.value == pytest.approx(before, abs=1e-9)
        coverage.take(number)
        chosen.append(number)


@given(TEXTS, st.integers(1, 4), st.sampled_from([0.5, 1.0, 2.0, 5.0]))
def test_greedy_is_within_the_bound_of_the_best_of_all_selections(
    texts: list[str], count: int, saturation: float
) -> None:
    """Nemhauser, Wolsey and Fisher (1978): at least 1 - 1/e of the best with as many sentences."""
    alpha = min(saturation / len(texts), 1)
    weights = cosines(texts)
    system = Submodular(SubmodularOptions(saturation=saturation, redundancy=1))
    result = value(weights, system.cover(texts, Limit(chars=None, sentences=count)), alpha)
    chosen = combinations(range(len(texts)), min(count, len(texts)))
    best = max(value(weights, each, alpha) for each in chosen)
    assert (1 - 1 / math.e) * best - 1e-9 <= result <= best + 1e-9


@given(TEXTS, st.integers(12, 40), st.sampled_from([0.5, 2.0]))
def test_under_a_budget_the_result_is_within_the_constant_bound(
    texts: list[str], chars: int, saturation: float
) -> None:
    """Lin and Bilmes (2010), theorem 1: with r = 1 at least 1 - 1/sqrt(e) of the best."""
    limit = Limit(chars=chars)
    texts = [text for text in texts if limit.holds([text])] or ["red"]
    alpha = min(saturation / len(texts), 1)
    weights = cosines(texts)
    system = Submodular(SubmodularOptions(saturation=saturation, r=1, redundancy=1))
    result = value(weights, system.cover(texts, limit), alpha)
    best = max(
        value(weights, each, alpha)
        for size in range(len(texts) + 1)
        for each in combinations(range(len(texts)), size)
        if sum(len(texts[number]) + 1 for number in each) <= chars + 1
    )
    assert (1 - 1 / math.sqrt(math.e)) * best - 1e-9 <= result <= best + 1e-9


def plain_greedy(texts: list[str], limit: Limit, options: SubmodularOptions) -> list[int]:
    """Lin and Bilmes' algorithm 1 as it is written: all gains are computed anew at every step."""
    coverage = coverage_of(texts, min(options.saturation / len(texts), 1))
    alone = coverage.gains(range(len(texts)))
    scale = costs(texts, limit) ** options.r
    budget = Budget(limit)
    taken: list[int] = []
    left = list(range(len(texts)))
    while left:
        ratios = coverage.gains(left) / scale[left]
        best = left.pop(int(np.argmax(ratios)))
        if coverage.nearest[best] <= options.redundancy and budget.take(texts[best]):
            coverage.take(best)
            taken.append(best)
    return taken if alone.max() <= coverage.value else [int(np.argmax(alone))]


LIMITS = [
    Limit(chars=60),
    Limit(chars=None, words=12),
    Limit(chars=None, sentences=4),
    Limit(chars=80, words=20, sentences=3),
    Limit(chars=None),
]


@given(
    st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=8).map(" ".join), min_size=1),
    st.sampled_from(LIMITS),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.sampled_from([0.3, 0.7, 1.0]),
)
def test_lazy_picks_are_the_plain_ones(
    texts: list[str], limit: Limit, r: float, redundancy: float
) -> None:
    options = SubmodularOptions(r=r, redundancy=redundancy)
    assert Submodular(options).cover(texts, limit) == plain_greedy(texts, limit, options)


@pytest.mark.parametrize("saturation", [1.0, 5.0])
@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_lazy_picks_are_the_plain_ones_among_many(limit: Limit, saturation: float) -> None:
    rng = random.Random(7)
    known = [f"word{number}" for number in range(80)]
    weights = [1 / (number + 1) for number in range(80)]
    texts = [" ".join(rng.choices(known, weights, k=rng.randint(2, 9))) for _ in range(300)]
    options = SubmodularOptions(saturation=saturation)
    limit = limit if limit != Limit(chars=None) else Limit(chars=2000)
    assert Submodular(options).cover(texts, limit) == plain_greedy(texts, limit, options)


def test_costs_are_the_largest_share_of_any_limit() -> None:
    texts = ["one two", "three"]
    assert costs(texts, Limit(chars=15)).tolist() == [8 / 16, 6 / 16]
    assert costs(texts, Limit(chars=None, words=4)).tolist() == [0.5, 0.25]
    assert costs(texts, Limit(chars=None, sentences=5)).tolist() == [0.2, 0.2]
    assert costs(texts, Limit(chars=8, words=2)).tolist() == [1, 6 / 9]
    assert costs(texts, Limit(chars=None)).tolist() == [1, 1]


def test_one_great_sentence_beats_cheap_ones_that_leave_it_no_room() -> None:
    """For its cost "fox" is best, and then no other one fits."""
    texts = [
        "fox",
        "fox hen cow dog red blue",
        "hen cow dog red blue sun",
        "cow dog red blue pig hen",
    ]
    system = Submodular(SubmodularOptions(saturation=2, r=5, redundancy=1))
    weights = cosines(texts)
    alone = [value(weights, [number], 2 / 4) for number in range(4)]
    assert max(alone) > alone[0]
    assert system.cover(texts, Limit(chars=24)) == [int(np.argmax(alone))]


LONG = "The swing bridge was closed on Tuesday night."


def summary(text: str, options: SubmodularOptions | None = None, **limit: int | None) -> str:
    source = Source(Document("d", (text,)))
    return Submodular(options).summarize(source, Limit(**{"chars": None, **limit})).text


def test_sentences_of_less_than_30_characters_are_left_out() -> None:
    assert summary(f"The bridge shut at night. {LONG} Bridge shut.", sentences=3) == LONG
    thirty = "The swing bridge was shut now."
    assert len(thirty) == 30
    assert summary(f"Bridge shut. {thirty}", sentences=2) == thirty


def test_short_sentences_stay_where_none_is_longer() -> None:
    assert summary("It rained. Bridge shut.", sentences=2) == "It rained. Bridge shut."


def test_a_sentence_too_much_like_a_taken_one_is_passed_over() -> None:
    text = (
        "The swing bridge was closed on Tuesday night. "
        "The swing bridge was closed on Monday night. "
        "Ferries will carry passengers instead."
    )
    tight = SubmodularOptions(redundancy=0.3)
    assert summary(text, tight, sentences=3).count("bridge") == 1
    assert summary(text, SubmodularOptions(redundancy=1), sentences=3) == text


@settings(max_examples=10)
@given(st.floats(1.01, 9))
def test_a_redundancy_above_1_is_refused(redundancy: float) -> None:
    with pytest.raises(UsageError, match="Submodular:redundancy"):
        SubmodularOptions(redundancy=redundancy)
