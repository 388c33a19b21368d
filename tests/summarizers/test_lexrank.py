"""LexRank on an example worked by hand, and against the definition on all pairs."""

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
from gistmark.summarizers.lexrank import lexrank_scores
from gistmark.text import Profile, words

# Three sentences, so idf is a = ln(3/2) for red and hen, b = ln 3 for fox and blue.
# cos(fox, red hen) = a * a / (sqrt(a^2 + b^2) * sqrt(2 a^2)) = 0.2448, and as much on the other
# side; the first and the last share no word.
TEXTS = ["red fox", "red hen", "blue hen"]
A, B = math.log(3 / 2), math.log(3)
COSINE = A / (math.sqrt(2) * math.sqrt(A**2 + B**2))


def test_without_jumps_the_rank_is_the_number_of_links() -> None:
    """Links, those to itself included: 2, 3 and 2."""
    assert pytest.approx(0.2448, abs=1e-4) == COSINE
    found = lexrank_scores(TEXTS, threshold=0.1, damping=1)
    assert found == pytest.approx([2 / 7, 3 / 7, 2 / 7])


def test_with_jumps_every_sentence_gets_a_share() -> None:
    """p = 0.15/3 + 0.85 (p/2 + q/3) with q = 1 - 2p, so p = (1/3) / (1 - 0.425 + 1.7/3)."""
    outer = (1 / 3) / (1 - 0.425 + 1.7 / 3)
    found = lexrank_scores(TEXTS, threshold=0.1, damping=0.85)
    assert found == pytest.approx([outer, 1 - 2 * outer, outer])


def test_the_continuous_kind_weighs_links_by_their_cosines() -> None:
    """Without jumps the rank is the sum of a sentence's cosines, 1 for itself."""
    total = 3 + 4 * COSINE
    found = lexrank_scores(TEXTS, threshold=0, damping=1)
    expected = [(1 + COSINE) / total, (1 + 2 * COSINE) / total, (1 + COSINE) / total]
    assert found == pytest.approx(expected)


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
    found = lexrank_scores(texts, threshold=threshold, damping=0.85)
    assert found == pytest.approx(by_pairs(texts, threshold, 0.85), abs=1e-8)


def test_many_blocks_give_what_one_block_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(0)
    texts = [" ".join(draw.choices("abcdefghijklmnop", k=5)) for _ in range(60)]
    whole = lexrank_scores(texts)
    monkeypatch.setattr("gistmark.summarizers.similarity._PAIRS", 400)
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
