"""The small networks that learn how relevant a sentence is.

H1 takes the mean of several feed-forward networks on averaged word vectors.

H2 takes a GRU trained to tell which of two sentences is the more relevant: each gets a score, and
the more relevant one shall have the higher (Burges et al., "Learning to Rank using Gradient
Descent", 2005).

H4 takes a convolutional network over word vectors (Kim, "Convolutional Neural Networks for Sentence
Classification", 2014): filters over neighbouring words, the maximum of each, and a linear layer,
which here gets the sentence's facts too.

All are trained with Adam over shuffled documents, on the CPU, from a seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from gistmark.models.runtime import library, one_at_a_time, set_threads
from gistmark.summarizers.extractive.similarity import Float64
from gistmark.summarizers.hierarchical.features import FACTS, averages, facts, word_rows
from gistmark.summarizers.hierarchical.learning import TrainingExample
from gistmark.summarizers.summarizer import Sentence


@dataclass(frozen=True)
class Inputs:
    """Tensors with a row for each sentence: its words, how many they are, and its facts."""

    rows: Any
    lengths: Any
    facts: Any

    def only(self, numbers: Sequence[int]) -> Inputs:
        """The inputs of some of the sentences."""
        indexes = list(numbers)
        return Inputs(self.rows[indexes], self.lengths[indexes], self.facts[indexes])


@dataclass(frozen=True)
class Setting:
    """The hyper-parameters of one network: its hidden layers, dropout and learning rate."""

    layers: tuple[int, ...]
    dropout: float
    rate: float


SETTINGS = (
    Setting((8,), 0.0, 0.003),
    Setting((16,), 0.2, 0.003),
    Setting((32,), 0.5, 0.003),
    Setting((16, 8), 0.2, 0.003),
    Setting((32,), 0.2, 0.001),
)

_ENSEMBLE_EPOCHS = 8


@dataclass(frozen=True)
class Ensemble:
    """Networks that each give a sentence a score between 0 and 1; their mean is its relevance."""

    networks: tuple[Any, ...]
    vectors: str

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        torch = library("torch")
        with torch.no_grad():
            inputs = torch.from_numpy(_averaged(sentences, self.vectors))
            scores = [torch.sigmoid(network(inputs))[:, 0].numpy() for network in self.networks]
        mean: Float64 = np.mean(scores, axis=0, dtype=np.float64)
        return mean


def train_ensemble(examples: Sequence[TrainingExample], vectors: str, seed: int) -> Ensemble:
    """An ensemble trained with cross-entropy on the examples' labels, a document at a time."""
    torch = library("torch")
    documents = [
        (
            torch.from_numpy(_averaged(example.sentences, vectors)),
            torch.from_numpy(example.targets.astype(np.float32)),
        )
        for example in examples
    ]
    width = documents[0][0].shape[1]

    def loss(network: Any, example: tuple[Any, Any]) -> Any:
        inputs, targets = example
        return torch.nn.functional.binary_cross_entropy_with_logits(network(inputs)[:, 0], targets)

    networks = tuple(
        fit(
            lambda setting=setting: _dense_network(width, setting),  # type: ignore[misc]
            documents,
            loss,
            Schedule(_ENSEMBLE_EPOCHS, setting.rate, decay=0.01, seed=seed + number),
        )
        for number, setting in enumerate(SETTINGS)
    )
    return Ensemble(networks, vectors)


def _averaged(sentences: Sequence[Sentence], vectors: str) -> Any:
    """A sentence's mean vector, how it differs from the document's, and its facts."""
    means = averages([sentence.text for sentence in sentences], vectors)
    return np.concatenate([means, means - means.mean(axis=0), facts(sentences)], axis=1).astype(
        np.float32
    )


def _dense_network(width: int, setting: Setting) -> Any:
    nn = library("torch").nn
    layers: list[Any] = []
    for size in setting.layers:
        layers += [nn.Linear(width, size), nn.ReLU(), nn.Dropout(setting.dropout)]
        width = size
    return nn.Sequential(*layers, nn.Linear(width, 1))


MOST_PAIRED = 100
"""Of a long document so many sentences, evenly spread, are paired with each other in training."""

_HIDDEN = 24


def train_recurrent(
    examples: Sequence[TrainingExample], vectors: str, seed: int
) -> SentenceNetwork:
    """A GRU trained on all pairs of sentences of a document, a document at a time."""
    documents = [_paired(example, vectors) for example in examples]
    return _trained_network(
        _gru, _gru_scores, _pairwise_loss, documents, vectors=vectors, seed=seed
    )


def _pairwise_loss(scores: Any, targets: Any) -> Any:
    """How far the less relevant of each pair is above the other, weighed by their difference."""
    gains = targets[:, None] - targets[None, :]
    missed = library("torch").nn.functional.softplus(scores[None, :] - scores[:, None])
    weights = gains.clamp(min=0)
    return (weights * missed).sum() / weights.sum().clamp(min=1e-6)


def _paired(example: TrainingExample, vectors: str) -> Targets:
    """A document's sentences, or some of many, with their labels."""
    count = len(example.sentences)
    indexes = np.unique(np.linspace(0, count - 1, min(count, MOST_PAIRED)).round().astype(int))
    targets = library("torch").from_numpy(example.targets[indexes].astype(np.float32))
    return network_inputs(example.sentences, vectors).only(indexes.tolist()), targets


def _gru(width: int) -> Any:
    nn = library("torch").nn
    return nn.ModuleDict(
        {
            "words": nn.GRU(width, _HIDDEN, batch_first=True),
            "rest": nn.Dropout(0.3),
            "head": nn.Linear(_HIDDEN + FACTS, 1),
        }
    )


def _gru_scores(network: Any, inputs: Inputs) -> Any:
    """One score for each sentence, from the state after its last word and the facts."""
    torch = library("torch")
    states, _ = network["words"](inputs.rows)
    final_states = states[torch.arange(len(states)), inputs.lengths - 1]
    features = torch.cat([network["rest"](final_states), inputs.facts], dim=1)
    return network["head"](features)[:, 0]


_FILTERS = 24
_WIDTH = 3


def train_convolution(
    examples: Sequence[TrainingExample], vectors: str, seed: int
) -> SentenceNetwork:
    """A network trained with cross-entropy on the examples' labels, a document at a time."""
    torch = library("torch")
    documents = [
        (
            network_inputs(example.sentences, vectors),
            torch.from_numpy(example.targets.astype(np.float32)),
        )
        for example in examples
    ]
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    return _trained_network(_cnn, _cnn_scores, loss, documents, vectors=vectors, seed=seed)


def _cnn(width: int) -> Any:
    nn = library("torch").nn
    return nn.ModuleDict(
        {
            "words": nn.Conv1d(width, _FILTERS, _WIDTH, padding="same"),
            "rest": nn.Dropout(0.3),
            "head": nn.Linear(_FILTERS + FACTS, 1),
        }
    )


def _cnn_scores(network: Any, inputs: Inputs) -> Any:
    """One score for each sentence; what stands after its last word does not count."""
    torch = library("torch")
    responses = torch.relu(network["words"](inputs.rows.transpose(1, 2)))
    inside = torch.arange(responses.shape[2]) < inputs.lengths[:, None]
    best = (responses * inside[:, None, :]).amax(dim=2)
    features = torch.cat([network["rest"](best), inputs.facts], dim=1)
    return network["head"](features)[:, 0]


Scores: TypeAlias = Callable[[Any, Inputs], Any]
"""From a network and its input to one score for each sentence."""

Targets: TypeAlias = tuple[Inputs, Any]
"""The sentences of a document, and a tensor of their labels."""

_EPOCHS = 6


@dataclass(frozen=True)
class SentenceNetwork:
    """A trained network; its output between 0 and 1 is a sentence's relevance."""

    network: Any
    vectors: str
    scores: Scores

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        torch = library("torch")
        with torch.no_grad():
            scores = self.scores(self.network, network_inputs(sentences, self.vectors))
            relevance: Float64 = torch.sigmoid(scores).numpy().astype(np.float64)
        return relevance


def _trained_network(
    make: Callable[[int], Any],
    scores: Scores,
    loss: Callable[[Any, Any], Any],
    examples: Sequence[Targets],
    *,
    vectors: str,
    seed: int,
) -> SentenceNetwork:
    """The network that `make` gives for the width of the word vectors, after training.

    `loss` gets the scores and the labels of a document's sentences.
    """
    width = examples[0][0].rows.shape[2]
    schedule = Schedule(_EPOCHS, rate=0.003, decay=0.01, seed=seed)
    network = fit(
        lambda: make(width),
        examples,
        lambda network, example: loss(scores(network, example[0]), example[1]),
        schedule,
    )
    return SentenceNetwork(network, vectors, scores)


def network_inputs(sentences: Sequence[Sentence], vectors: str) -> Inputs:
    """The input for the sentences of one document."""
    torch = library("torch")
    words = word_rows([sentence.text for sentence in sentences], vectors)
    return Inputs(
        torch.from_numpy(words.rows),
        torch.from_numpy(words.lengths),
        torch.from_numpy(facts(sentences).astype(np.float32)),
    )


Example = TypeVar("Example")


@dataclass(frozen=True)
class Schedule:
    """The number of epochs, Adam's learning rate and weight decay, and the seed."""

    epochs: int
    rate: float
    decay: float
    seed: int


def fit(
    make: Callable[[], Any],
    examples: Sequence[Example],
    loss_of: Callable[[Any, Example], Any],
    schedule: Schedule,
) -> Any:
    """The network that `make` gives, after training; a step for each example.

    Initial weights, order and dropout come from the seed alone, and the state of torch's generator
    is the same afterwards as before.
    """
    torch = library("torch")
    set_threads()
    with one_at_a_time(), torch.random.fork_rng(devices=[]), torch.inference_mode(False):
        torch.manual_seed(schedule.seed)
        network = make().train()
        with torch.enable_grad():
            optimizer = torch.optim.AdamW(
                network.parameters(), lr=schedule.rate, weight_decay=schedule.decay
            )
            for _ in range(schedule.epochs):
                for position in torch.randperm(len(examples)).tolist():
                    optimizer.zero_grad()
                    loss_of(network, examples[position]).backward()
                    optimizer.step()
    return network.eval()
