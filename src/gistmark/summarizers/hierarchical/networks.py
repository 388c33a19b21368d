"""What the networks of H2 and H4 share: a score for each sentence becomes its relevance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.hierarchical.fitting import Schedule, fitted
from gistmark.summarizers.hierarchical.reading import Seen, seen_of
from gistmark.summarizers.ranking import Float64

Scores: TypeAlias = Callable[[Any, Seen], Any]
"""From a network and what it sees to one score for each sentence."""

Targets: TypeAlias = tuple[Seen, Any]
"""The sentences of a document, and a tensor of their labels."""

_EPOCHS = 6


@dataclass(frozen=True)
class Trained:
    """A trained network; its answer between 0 and 1 is a sentence's relevance."""

    network: Any
    vectors: str
    scores: Scores

    def __call__(self, sentences: Sequence[Sentence]) -> Float64:
        torch = library("torch")
        with torch.no_grad():
            scores = self.scores(self.network, seen_of(sentences, self.vectors))
            found: Float64 = torch.sigmoid(scores).numpy().astype(np.float64)
        return found


def trained(
    make: Callable[[int], Any],
    scores: Scores,
    loss: Callable[[Any, Any], Any],
    lessons: Sequence[Targets],
    *,
    vectors: str,
    seed: int,
) -> Trained:
    """The network that `make` gives for the width of the word vectors, after it has learnt.

    `loss` gets the scores and the labels of a document's sentences.
    """
    width = lessons[0][0].rows.shape[2]
    schedule = Schedule(_EPOCHS, rate=0.003, decay=0.01, seed=seed)
    network = fitted(
        lambda: make(width),
        lessons,
        lambda network, lesson: loss(scores(network, lesson[0]), lesson[1]),
        schedule,
    )
    return Trained(network, vectors, scores)
