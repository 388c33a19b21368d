"""TF-IDF, centrality and weights of sentences, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gistmark.summarizers.hierarchical.features import centrality, mean_weights, tf_idf, unit


def test_a_word_of_all_sentences_still_counts():
    # Two sentences, "cat" in both, "dog" in one: 1 + ln(3/3) = 1 and 1 + ln(3/2).
    weights = tf_idf(["cat cat", "cat dog"]).toarray()
    assert sorted(weights[0]) == [0, 2]
    assert sorted(weights[1]) == pytest.approx([1, 1 + math.log(1.5)])


def test_centrality_is_the_cosine_to_the_mean_of_unit_vectors():
    # Unit vectors (1, 0), (1, 0), (0, 1); their sum (2, 1) has the length √5.
    result = centrality(["cat", "cat cat", "dog"])
    assert result == pytest.approx([2 / math.sqrt(5), 2 / math.sqrt(5), 1 / math.sqrt(5)])


@pytest.mark.parametrize("texts", [["...", "!"], ["the", "of it"], [""]])
def test_without_content_words_nothing_is_central(texts: list[str]):
    assert centrality(texts).tolist() == [0] * len(texts)
    assert mean_weights(texts).tolist() == [1] * len(texts)


def test_other_scripts_have_words():
    assert (centrality(["кошка спит", "кошка ест", "猫坐"]) > 0).all()


def test_points_without_a_direction_become_zeros():
    points = np.array([[3.0, 4.0], [0.0, 0.0], [np.nan, np.nan]])
    assert unit(points).tolist() == [[0.6, 0.8], [0, 0], [0, 0]]
