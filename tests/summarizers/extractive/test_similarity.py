"""Words and cosines of sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gistmark.summarizers.extractive.similarity import (
    CONTENT,
    similar_blocks,
    similarity_to,
    transposed,
    unit_tfidf,
    word_counts,
)

TEXTS = ["red red fox", "red hen", "the hens", ""]


def test_words_are_counted() -> None:
    counts = word_counts(TEXTS).toarray()
    assert counts.sum(axis=1).tolist() == [3, 2, 2, 0]
    assert sorted(counts[0].tolist(), reverse=True)[:3] == [2, 1, 0]


def test_stop_words_are_left_out_and_others_stemmed() -> None:
    counts = word_counts(TEXTS, CONTENT).toarray()
    assert counts.sum(axis=1).tolist() == [3, 2, 1, 0]
    assert counts[1] @ counts[2] == 1


def test_cosines_are_of_tf_idf() -> None:
    """idf of red and hen is ln(4/2), of fox ln 4 = 2 ln 2; red twice: cos = 2 / (sqrt 8 sqrt 2)."""
    vectors = unit_tfidf(word_counts(TEXTS, CONTENT))
    expected = [2 / (math.sqrt(2**2 + 2**2) * math.sqrt(2)), 1, 1 / math.sqrt(2), 0]
    assert similarity_to(vectors, 1) == pytest.approx(expected)


def test_every_sentence_is_like_itself_also_without_words() -> None:
    for texts in (TEXTS, ["same", "same"], [""], ["", ""]):
        vectors = unit_tfidf(word_counts(texts))
        (block,) = (block for _, block in similar_blocks(vectors, transposed(vectors)))
        assert np.diagonal(block) == pytest.approx(np.ones(len(texts)))


def test_blocks_are_symmetric_and_agree_with_single_rows() -> None:
    vectors = unit_tfidf(word_counts(TEXTS))
    (block,) = (block for _, block in similar_blocks(vectors, transposed(vectors)))
    np.testing.assert_array_equal(block, block.T)
    for number in range(len(TEXTS)):
        assert similarity_to(vectors, number) == pytest.approx(block[number])


def test_no_texts_make_no_blocks() -> None:
    vectors = unit_tfidf(word_counts([]))
    assert list(similar_blocks(vectors, transposed(vectors))) == []
