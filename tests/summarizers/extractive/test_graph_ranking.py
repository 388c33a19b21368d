"""LexRank and TextRank on examples worked by hand, and against their definitions on all pairs."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.extractive.graph_ranking import lexrank_scores, textrank_scores, walk
from gistmark.summarizers.extractive.selection import best_first
from gistmark.text import Profile, words

TEXTS = ["red fox", "red hen", "blue hen"]
A, B = math.log(3 / 2), math.log(3)
COSINE = A / (math.sqrt(2) * math.sqrt(A**2 + B**2))


def test_without_jumps_the_rank_is_the_number_of_links() -> None:
    """Links, those to itself included: 2, 3 and 2."""
    assert pytest.approx(0.2448, abs=1e-4) == COSINE
    result = lexrank_scores(TEXTS, threshold=0.1, damping=1)
    assert result == pytest.approx([2 / 7, 3 / 7, 2 / 7])


def test_with_jumps_every_sentence_gets_a_share() -> None:
    """p = 0.15/3 + 0.85 (p/2 + q/3) with q = 1 - 2p, so p = (1/3) / (1 - 0.425 + 1.7/3)."""
    outer = (1 / 3) / (1 - 0.425 + 1.7 / 3)
    result = lexrank_scores(TEXTS, threshold=0.1, damping=0.85)
    assert result == pytest.approx([outer, 1 - 2 * outer, outer])


def test_the_continuous_kind_weighs_links_by_their_cosines() -> None:
    """Without jumps the rank is the sum of a sentence's cosines, 1 for itself."""
    total = 3 + 4 * COSINE
    result = lexrank_scores(TEXTS, threshold=0, damping=1)
    expected = [(1 + COSINE) / total, (1 + 2 * COSINE) / total, (1 + COSINE) / total]
    assert result == pytest.approx(expected)


@pytest.mark.parametrize("threshold", [0.3, 1])
def test_above_all_cosines_no_sentence_is_better_than_another(threshold: float) -> None:
    assert lexrank_scores(TEXTS, threshold=threshold) == pytest.approx([1 / 3] * 3)


def by_pairs(texts: list[str], threshold: float, damping: float) -> NDArray[np.float64]:
    """The paper's algorithm 3 on a full matrix, solved instead of iterated."""
    bags = [Counter(words(text, Profile(tok="words"))) for text in texts]
    size = len(bags)
    idf = {word: math.log(size / sum(word in bag for bag in bags)) for bag in bags for word in bag}
    lengths = [math.sqrt(sum((n * idf[word]) ** 2 for word, n in bag.items())) for bag in bags]
    links = np.eye(size)
    for i, one in enumerate(bags):
        for j, other in enumerate(bags):
            shared = sum(one[word] * other[word] * idf[word] ** 2 for word in one)
            if i != j and shared:
                cosine = shared / (lengths[i] * lengths[j])
                links[i, j] = cosine if threshold == 0 else cosine > threshold
    steps = (links / links.sum(axis=1, keepdims=True)).T
    return np.linalg.solve(np.eye(size) - damping * steps, np.full(size, (1 - damping) / size))


@given(
    texts=st.lists(
        st.lists(st.sampled_from("abcdefgh"), max_size=6).map(" ".join), min_size=1, max_size=12
    ),
    threshold=st.sampled_from([0, 0.1, 0.35]),
)
def test_the_scores_are_those_of_the_full_matrix(texts: list[str], threshold: float) -> None:
    result = lexrank_scores(texts, threshold=threshold, damping=0.85)
    assert result == pytest.approx(by_pairs(texts, threshold, 0.85), abs=1e-8)


def test_many_blocks_give_what_one_block_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(0)
    texts = [" ".join(rng.choices("abcdefghijklmnop", k=5)) for _ in range(60)]
    whole = lexrank_scores(texts)
    monkeypatch.setattr("gistmark.summarizers.extractive.similarity._PAIRS", 400)
    np.testing.assert_array_equal(lexrank_scores(texts), whole)


def test_no_texts_have_no_scores() -> None:
    assert lexrank_scores([]).shape == (0,)


REPEATED = (
    "The old bridge is shut today. The old bridge is shut again today. Ferries run. Dogs bark."
)


def test_what_says_the_same_again_is_passed_over() -> None:
    source = Source(Document("d", (REPEATED,)))
    limit = Limit(chars=None, sentences=2)
    twice = system_from("LexRank:redundancy=1").summarize(source, limit).text
    once = system_from("LexRank:redundancy=0.5").summarize(source, limit).text
    assert twice.count("bridge") == 2
    assert once.count("bridge") == 1


@pytest.mark.parametrize("option", ["threshold", "damping", "redundancy"])
def test_options_above_1_are_refused(option: str) -> None:
    with pytest.raises(UsageError, match=f"LexRank:{option}: 1.5 is not a number from 0 to 1"):
        system_from(f"LexRank:{option}=1.5")


def test_three_sentences_in_a_row() -> None:
    """The middle one has an edge to each other one, all of weight 1 / (ln 2 + ln 2).

    p = 0.05 + 0.85 q / 2 and q = 0.05 + 0.85 * 2 p, so p = 0.07125 / 0.2775.
    """
    outer = 0.07125 / 0.2775
    result = textrank_scores(["red fox", "red hen", "blue hen"])
    assert result == pytest.approx([outer, 1 - 2 * outer, outer])


def textrank_by_pairs(texts: list[str], damping: float) -> NDArray[np.float64]:
    """The paper's formula on a full matrix, solved instead of iterated."""
    result = [words(text, Profile(tok="words", stop=True, stem=True)) for text in texts]
    size = len(texts)
    weights = np.zeros((size, size))
    for i, one in enumerate(result):
        for j, other in enumerate(result):
            if i != j and len(one) * len(other) > 1:
                weights[i, j] = len({*one} & {*other}) / (math.log(len(one)) + math.log(len(other)))
    totals = weights.sum(axis=1, keepdims=True)
    steps = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0).T
    ranks = np.linalg.solve(np.eye(size) - damping * steps, np.full(size, 1 - damping))
    return ranks / ranks.sum()


@given(
    texts=st.lists(
        st.lists(
            st.sampled_from(["fox", "hen", "cow", "dog", "red", "blue", "the"]), max_size=7
        ).map(" ".join),
        min_size=1,
        max_size=12,
    )
)
def test_textrank_scores_are_those_of_the_full_matrix(texts: list[str]) -> None:
    assert textrank_scores(texts) == pytest.approx(textrank_by_pairs(texts, 0.85), abs=1e-8)


def test_sentences_that_share_no_word_are_equal() -> None:
    assert textrank_scores(["red fox", "blue hen"]) == pytest.approx([0.5, 0.5])


def test_no_texts_have_no_textrank_scores() -> None:
    assert textrank_scores([]).shape == (0,)


def test_the_sentence_that_others_share_words_with_is_taken() -> None:
    text = "Dogs bark. A bridge cracked. A bridge cracked and ferries run. Ferries run late."
    source = Source(Document("d", (text,)))
    result = system_from("TextRank").summarize(source, Limit(chars=None, sentences=1))
    assert result.text == "A bridge cracked and ferries run."


def test_a_damping_above_1_is_refused() -> None:
    with pytest.raises(UsageError, match=r"TextRank:damping: 1.5 is not a number from 0 to 1"):
        system_from("TextRank:damping=1.5")


def test_a_walker_who_only_jumps_is_everywhere_alike() -> None:
    assert walk(lambda shares: shares * 0, 4, damping=0) == pytest.approx([0.25] * 4)


def test_shares_that_leak_away_still_sum_to_1() -> None:
    """Half of what moves is lost at every step: p = (1 - d)/n + d p/2 for all, then scaled."""
    assert walk(lambda shares: shares / 2, 4, damping=0.85) == pytest.approx([0.25] * 4)


def test_a_walk_that_never_settles_ends() -> None:
    result = walk(lambda shares: shares[::-1], 2, damping=1)
    assert result.sum() == pytest.approx(1)


def test_of_equals_the_first_comes_first_whatever_the_rounding() -> None:
    assert best_first(np.array([0.1, 0.3, 0.1 + 0.2, 0.5])).tolist() == [3, 1, 2, 0]
