"""Trees while they are built, and the ways to read them."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.summarizers import Sentence
from gistmark.summarizers.hierarchical.h4 import CHILDREN, MEMBERS, grow_tree
from gistmark.summarizers.hierarchical.trees import (
    Branch,
    in_turn,
    label_of,
    sentence_node,
    traversals,
)

#       0
#     /   \
#    1     4
#   / \     \
#  2   3     5
TREE = Branch([0], [Branch([1], [Branch([2]), Branch([3])]), Branch([4], [Branch([5])])])


def test_reading_orders():
    assert list(TREE.breadth_first()) == [0, 1, 4, 2, 3, 5]
    assert list(TREE.depth_first()) == [0, 1, 2, 3, 4, 5]
    assert in_turn(TREE) == [0, 1, 4, 2, 5, 3]


def test_children_are_read_by_relevance_size_and_place():
    relevance = np.array([0, 0, 0, 0, 1.0, 0])
    by_relevance, _, _, by_size, _, _, by_place, _, _ = traversals(TREE, relevance)
    # The right branch has a mean of 1/2, the left one has more sentences.
    assert by_relevance == [0, 4, 1, 5, 2, 3]
    assert by_size == by_place == [0, 1, 4, 2, 3, 5]


def test_a_node_has_the_mean_relevance_and_the_frequent_words_of_all_below():
    sentences = [
        Sentence("The bridge broke.", 0, 17, 0, 0),
        Sentence("A bridge, 12!", 18, 31, 0, 1),
    ]
    node = sentence_node(Branch([0], [Branch([1])]), sentences, np.array([1.0, 0.5]))
    assert node.relevance == 0.75
    assert node.label == "bridge, broke"
    assert node.children[0].relevance == 0.5
    assert node.children[0].nuggets == (sentences[1],)


def test_digits_and_stop_words_are_no_label():
    assert label_of(["1969 1969 the the", "..."]) == ""
    assert label_of(["猫 猫 坐"]) == "猫, 坐"


def test_a_sentence_goes_to_the_node_with_the_most_similar_words():
    right, up = [1.0, 0.0], [0.0, 1.0]
    points = np.array([right, right, right, up, up, right])
    tree = grow_tree([0, 1, 2, 3, 4, 5], points)
    # Three fill the top; the fourth opens a node, where the fifth is at home; the sixth is like
    # the top, which is full, so that it opens another.
    assert tree.members == [0, 1, 2]
    assert [child.members for child in tree.children] == [[3, 4], [5]]


@pytest.mark.parametrize("count", [1, 2, 50])
def test_sentences_without_vectors_have_a_place_in_the_tree(count: int):
    tree = grow_tree(list(range(count)), np.zeros((count, 2)))
    assert sorted(tree.breadth_first()) == list(range(count))
    branches = [tree]
    while branches:
        branch = branches.pop()
        assert 1 <= len(branch.members) <= MEMBERS
        assert len(branch.children) <= CHILDREN
        branches += branch.children
