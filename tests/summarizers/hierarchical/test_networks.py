"""Relevance without training, worked by hand, and what the networks learn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gistmark.records import Document
from gistmark.summarizers import Sentence, Source
from gistmark.summarizers.extractive.selection import sentences_of
from gistmark.summarizers.hierarchical.features import Centrality, facts
from gistmark.summarizers.hierarchical.learning import TrainingExample, example_from
from gistmark.summarizers.hierarchical.networks import (
    SETTINGS,
    train_convolution,
    train_ensemble,
    train_recurrent,
)

VECTORS = "glove-6b-50d"
TRAINERS = (train_ensemble, train_recurrent, train_convolution)


def test_untrained_relevance_is_centrality_with_a_little_more_for_the_start():
    sentences = [Sentence("cat", 0, 3, 0, 0), Sentence("cat", 4, 7, 0, 1)]
    # Both have a cosine of 1; positions 0 and 1 give (1 + 1/2) / 1.5 and (1 + 1/4) / 1.5.
    assert Centrality(0.5)(sentences).tolist() == pytest.approx([1, 1.25 / 1.5])
    assert Centrality(0)(sentences).tolist() == pytest.approx([1, 1])


def test_facts_are_standardised_within_a_document(story: Source):
    result = facts(sentences_of(story.document))
    assert result.mean(axis=0) == pytest.approx(np.zeros(4))
    assert result.std(axis=0) == pytest.approx(np.ones(4))


def test_the_facts_of_a_single_sentence_are_zeros():
    assert facts([Sentence("One.", 0, 4, 0, 0)]).tolist() == [[0, 0, 0, 0]]


@pytest.fixture(scope="module")
def about_cats() -> list[TrainingExample]:
    """Documents in which sentences on animals are relevant and others are not."""
    animals = ("The cat chased a mouse.", "A dog barked at the horse.", "Two sheep met a goat.")
    money = ("Banks raised their rates.", "The price of shares fell.", "Taxes and loans grew.")
    output = []
    for number in range(12):
        texts = [animals[number % 3], money[number % 3], animals[(number + 1) % 3]]
        transposed = texts[number % 2 :] + texts[: number % 2]
        marked = tuple(text for text in transposed if text in animals)
        result = example_from(Source(Document(f"d{number}", (" ".join(transposed),)), marked))
        assert result is not None
        output.append(result)
    return output


@pytest.mark.parametrize("train", TRAINERS)
def test_networks_learn_what_is_relevant(
    train: Callable[..., Any], about_cats: list[TrainingExample]
):
    relevance = train(about_cats * 3, VECTORS, 0)
    unseen = Document("new", ("Interest on debts rose. A cow and a pig ran off. Markets slept.",))
    money, animals, other = relevance(sentences_of(unseen))
    assert 0 <= min(money, other) <= max(money, other) < animals <= 1


@pytest.mark.parametrize("train", TRAINERS)
def test_the_same_seed_gives_the_same_relevance(
    train: Callable[..., Any], about_cats: list[TrainingExample], story: Source
):
    sentences = sentences_of(story.document)
    first, again, other = (train(about_cats, VECTORS, seed)(sentences) for seed in (0, 0, 1))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_training_leaves_the_draws_of_others_alone(about_cats: list[TrainingExample]):
    import torch

    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    train_convolution(about_cats[:2], VECTORS, 0)
    assert torch.rand(3).tolist() == expected.tolist()


def test_an_ensemble_is_the_mean_of_networks_of_different_settings(
    about_cats: list[TrainingExample],
):
    ensemble = train_ensemble(about_cats[:2], VECTORS, 0)
    sentences = about_cats[0].sentences
    alone = [type(ensemble)((network,), VECTORS)(sentences) for network in ensemble.networks]
    assert len(alone) == len(SETTINGS) == len(set(SETTINGS))
    assert ensemble(sentences) == pytest.approx(np.mean(alone, axis=0))
    assert not math.isclose(alone[0][0], alone[1][0])


def test_a_long_sentence_beside_another_does_not_change_what_its_words_say(
    about_cats: list[TrainingExample],
):
    """The zeros that fill shorter sentences up are not read."""
    import torch

    from gistmark.summarizers.hierarchical import networks

    short = networks.network_inputs(about_cats[0].sentences, VECTORS)
    filled = torch.nn.functional.pad(short.rows, (0, 0, 0, 30))
    longer = networks.Inputs(filled, short.lengths, short.facts)
    for train in (train_convolution, train_recurrent):
        trained = train(about_cats[:2], VECTORS, 0)
        with torch.no_grad():
            one, other = (
                trained.scores(trained.network, inputs).tolist() for inputs in (short, longer)
            )
        assert one == pytest.approx(other, abs=1e-6)
