"""What is each system's own, on small examples."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.extractive.selection import sentences_of
from gistmark.summarizers.hierarchical.features import averages, unit
from gistmark.summarizers.hierarchical.h1 import has_cue
from gistmark.summarizers.hierarchical.h2 import Space, connected, subtrees
from gistmark.summarizers.hierarchical.h3 import clustered, topics_of
from gistmark.summarizers.hierarchical.h4 import summarised
from gistmark.summarizers.hierarchical.learning import MOST, select
from gistmark.summarizers.hierarchical.trees import Branch

ALL = Limit(chars=None)


@pytest.mark.parametrize("text", ["In conclusion, yes.", "It was, HOWEVER, late.", "Yet it runs."])
def test_cue_phrases_are_found(text: str):
    assert has_cue(text)


@pytest.mark.parametrize("text", ["Yetis run.", "Whatever.", "The other hand on it."])
def test_parts_of_words_are_no_cues(text: str):
    assert not has_cue(text)


def test_h1_prefers_cues():
    document = Document("d", ("Storms hit Spain. However, storms hit Spain hard.",))
    one = Limit(chars=None, sentences=1)

    def first(spec: str) -> str:
        return system_from(spec).summarize(Source(document), one).text

    assert first("H1:cue=0,lead=1") == "Storms hit Spain."
    assert first("H1:cue=1,lead=1") == "However, storms hit Spain hard."


def test_h1_takes_no_sentence_near_another(story: Source):
    outcome = system_from("H1").summarize(story, ALL)
    points = unit(averages([sentence.text for sentence in outcome.sentences], "glove-6b-50d"))
    distances = 1 - points @ points.T
    assert (distances[np.triu_indices(len(points), 1)] > 0.2).all()
    near = system_from("H1:distance=0").summarize(story, ALL)
    assert len(near.sentences) > len(outcome.sentences)


def test_h2_connects_the_most_central_sentences():
    # Two pairs of like points; in each the heavier one is nearer to the pair's centroid.
    angles = np.array([0.0, 0.1, 1.5, 1.4])
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    space = Space(points, np.array([1.0, 3.0, 1.0, 4.0]), np.ones(4))
    tree = connected([(0, 1), (2, 3), (0, 2)], space)
    # All together lean towards the heavier second pair.
    assert tree.members == [3]
    assert sorted(child.members[0] for child in tree.children) == [1, 2]


def test_h2_cuts_the_clustering_into_sub_trees():
    pairs = [(0, 1), (2, 3), (0, 2)]
    assert subtrees(pairs, 2) == [[0, 1], [2, 3]]
    assert subtrees(pairs, 4) == [[0], [1], [2], [3]]


def test_h2_orders_by_nearness_to_the_centroid(story: Source):
    from gistmark.models.sentence_encoders import sentence_encoder
    from gistmark.summarizers.hierarchical.features import mean_weights

    outcome = system_from("H2:share=1").summarize(story, ALL)
    texts = [sentence.text for sentence in outcome.sentences]
    points = unit(sentence_encoder("all-MiniLM-L6-v2").embed(texts))
    centroid = mean_weights(texts) @ points
    near = points @ centroid
    assert near.tolist() == sorted(near.tolist(), reverse=True)


def test_h3_finds_topics():
    texts = ["cat dog cat dog", "dog cat", "tax bank loan", "bank loan tax tax"] * 3
    topics = topics_of(texts, 2, np.random.default_rng(0)).tolist()
    assert topics in ([0, 0, 1, 1] * 3, [1, 1, 0, 0] * 3)


def test_h3_parts_clusters_and_puts_equal_points_side_by_side():
    points = np.repeat(np.eye(3), 4, axis=0)
    similarity = np.linspace(1, 0, 12)
    tree = clustered(list(range(12)), points, similarity, np.random.default_rng(0))
    parts = [sorted(child.depth_first()) for child in tree.children]
    assert tree.members == [0]
    assert sorted(parts) == [[1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    same = clustered(list(range(6)), np.ones((6, 2)), similarity, np.random.default_rng(0))
    assert [child.members for child in same.children] == [[1], [2], [3], [4], [5]]


def test_h3_returns_the_candidate_that_diverges_least(story: Source):
    from gistmark.metrics import Batch, Item, metric_from
    from gistmark.summarizers.hierarchical import h3

    inputs: list[list[str]] = []
    best = h3._best_fit

    def spied(drafts, sentences, source):
        inputs.append(
            [" ".join(sentences[position].text for position in draft) for draft in drafts]
        )
        return best(drafts, sentences, source)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(h3, "_best_fit", spied)
        text = system_from("H3").summarize(story, Limit(200)).text
    items = [Item(draft, document=story.document.text) for draft in inputs[0]]
    values = metric_from("js").score(Batch.of(items)).values[:, 0]
    assert len(inputs[0]) > 1
    assert values[inputs[0].index(text)] == values.min() < values.max()


def test_another_seed_gives_h3_other_topics(story: Source):
    texts = {system_from(f"H3:seed={seed}").summarize(story, Limit(200)).text for seed in range(6)}
    assert len(texts) > 1


def test_h4_feeds_short_sentences_and_fills_up_with_long_ones():
    document = Document("d", ("A very long sentence on storms and on coasts. Storms hit. Rain.",))
    candidates = sentences_of(document)
    tree = Branch([0], [Branch([1]), Branch([2])])
    assert summarised(tree, candidates, Limit(chars=20), short=3) == (1, 2)
    assert summarised(tree, candidates, ALL, short=3) == (0, 1, 2)
    assert summarised(tree, candidates, Limit(chars=None, sentences=1), short=0) == (0,)


def test_nuggets_of_h5_are_parts_of_sentences(story: Source):
    tree = system_from("H5").summarize(story, Limit(200)).tree
    assert tree is not None
    nuggets = {nugget.text for node in tree.depth_first() for nugget in node.nuggets}
    assert any("bridge" in nugget for nugget in nuggets)
    assert not nuggets & {sentence.text for sentence in sentences_of(story.document)}


def test_nuggets_are_the_best_share_but_enough_to_fill_the_limit(story: Source):
    candidates = sentences_of(story.document)
    relevance = np.linspace(0, 1, len(candidates))
    few = Limit(chars=None, sentences=1)
    # Three tenths of ten sentences, the best first.
    assert select(relevance, candidates, few, 0.3) == [9, 8, 7]
    assert select(relevance, candidates, few, 0) == [9]
    assert len(select(relevance, candidates, Limit(chars=None, sentences=5), 0.3)) == 5
    assert len(select(np.ones(1000), list(candidates) * 100, ALL, 1)) == MOST
