"""H1's relevance: the mean of several small networks on averaged word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.hierarchical.fitting import Schedule, fitted
from gistmark.summarizers.hierarchical.labels import Lesson
from gistmark.summarizers.hierarchical.relevance import facts
from gistmark.summarizers.hierarchical.vectors import averages
from gistmark.summarizers.ranking import Float64


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

_EPOCHS = 8


@dataclass(frozen=True)
class Ensemble:
    """Networks that each give a sentence a score between 0 and 1; their mean is its relevance."""

    networks: tuple[Any, ...]
    vectors: str

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        torch = library("torch")
        with torch.no_grad():
            seen = torch.from_numpy(_seen(sentences, self.vectors))
            scores = [torch.sigmoid(network(seen))[:, 0].numpy() for network in self.networks]
        mean: Float64 = np.mean(scores, axis=0, dtype=np.float64)
        return mean


def taught_ensemble(lessons: Sequence[Lesson], vectors: str, seed: int) -> Ensemble:
    """An ensemble trained with cross-entropy on the lessons' labels, a document at a time."""
    torch = library("torch")
    seen = [
        (
            torch.from_numpy(_seen(lesson.sentences, vectors)),
            torch.from_numpy(lesson.targets.astype(np.float32)),
        )
        for lesson in lessons
    ]
    width = seen[0][0].shape[1]

    def loss(network: Any, lesson: tuple[Any, Any]) -> Any:
        inputs, targets = lesson
        return torch.nn.functional.binary_cross_entropy_with_logits(network(inputs)[:, 0], targets)

    networks = tuple(
        fitted(
            lambda setting=setting: _network(width, setting),  # type: ignore[misc]
            seen, loss, Schedule(_EPOCHS, setting.rate, decay=0.01, seed=seed + number),
        )
        for number, setting in enumerate(SETTINGS)
    )  # fmt: skip
    return Ensemble(networks, vectors)


def _seen(sentences: Sequence[Sentence], vectors: str) -> Any:
    """What a network sees: a sentence's mean vector, how it differs from the document's, facts."""
    means = averages([sentence.text for sentence in sentences], vectors)
    return np.concatenate([means, means - means.mean(axis=0), facts(sentences)], axis=1).astype(
        np.float32
    )


def _network(width: int, setting: Setting) -> Any:
    nn = library("torch").nn
    layers: list[Any] = []
    for size in setting.layers:
        layers += [nn.Linear(width, size), nn.ReLU(), nn.Dropout(setting.dropout)]
        width = size
    return nn.Sequential(*layers, nn.Linear(width, 1))
