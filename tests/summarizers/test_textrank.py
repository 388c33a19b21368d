"""TextRank on an example worked by hand, and against the definition on all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.textrank import textrank_scores
from gistmark.text import Profile, words


def test_three_sentences_in_a_row() -> None:
    """The middle one has an edge to each other one, all of weight 1 / (ln 2 + ln 2).

    p = 0.05 + 0.85 q / 2 and q = 0.05 + 0.85 * 2 p, so p = 0.07125 / 0.2775.
    """
    outer = 0.07125 / 0.2775
    found = textrank_scores(["red fox", "red hen", "blue hen"])
    assert found == pytest.approx([outer, 1 - 2 * outer, outer])


def by_pairs(texts: list[str], damping: float) -> NDArray[np.float64]:
    """The paper's formula on a full matrix, solved instead of iterated."""
    found = [words(text, Profile(tok="words", stop=True, stem=True)) for text in texts]
    size = len(texts)
    weights = np.zeros((size, size))
    for i, one in enumerate(found):
        for j, other in enumerate(found):
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
def test_the_scores_are_those_of_the_full_matrix(texts: list[str]) -> None:
    assert textrank_scores(texts) == pytest.approx(by_pairs(texts, 0.85), abs=1e-8)


def test_sentences_that_share_no_word_are_equal() -> None:
    assert textrank_scores(["red fox", "blue hen"]) == pytest.approx([0.5, 0.5])


def test_no_texts_have_no_scores() -> None:
    assert textrank_scores([]).shape == (0,)


def test_the_sentence_that_others_share_words_with_is_taken() -> None:
    text = "Dogs bark. A bridge cracked. A bridge cracked and ferries run. Ferries run late."
    source = Source(Document("d", (text,)))
    found = system_from("TextRank").summarize(source, Limit(chars=None, sentences=1))
    assert found.text == "A bridge cracked and ferries run."


def test_a_damping_above_1_is_refused() -> None:
    with pytest.raises(UsageError, match=r"TextRank:damping: 1.5 is not a number from 0 to 1"):
        system_from("TextRank:damping=1.5")
