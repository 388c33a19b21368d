"""H2's relevance: a GRU that has learnt which of two sentences is the more relevant.

The pairs are compared through one score for each sentence: the more relevant one is to have the
higher (Burges et al., "Learning to Rank using Gradient Descent", 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.hierarchical.labels import Lesson
from gistmark.summarizers.hierarchical.networks import Targets, Trained, trained
from gistmark.summarizers.hierarchical.reading import Seen, seen_of
from gistmark.summarizers.hierarchical.relevance import FACTS

MOST_PAIRED = 100
"""Of a long document so many sentences, evenly spread, are paired with each other in training."""

_HIDDEN = 24


def taught_recurrent(lessons: Sequence[Lesson], vectors: str, seed: int) -> Trained:
    """A GRU trained on all pairs of sentences of a document, a document at a time."""
    seen = [_paired(lesson, vectors) for lesson in lessons]
    return trained(_network, _scores, _loss, seen, vectors=vectors, seed=seed)


def _loss(scores: Any, targets: Any) -> Any:
    """How far the less relevant of each pair is above the other, weighed by their difference."""
    gains = targets[:, None] - targets[None, :]
    missed = library("torch").nn.functional.softplus(scores[None, :] - scores[:, None])
    weights = gains.clamp(min=0)
    return (weights * missed).sum() / weights.sum().clamp(min=1e-6)


def _paired(lesson: Lesson, vectors: str) -> Targets:
    """A document's sentences, or some of many, with their labels."""
    count = len(lesson.sentences)
    chosen = np.unique(np.linspace(0, count - 1, min(count, MOST_PAIRED)).round().astype(int))
    targets = library("torch").from_numpy(lesson.targets[chosen].astype(np.float32))
    return seen_of(lesson.sentences, vectors).only(chosen.tolist()), targets


def _network(width: int) -> Any:
    nn = library("torch").nn
    return nn.ModuleDict(
        {
            "words": nn.GRU(width, _HIDDEN, batch_first=True),
            "rest": nn.Dropout(0.3),
            "head": nn.Linear(_HIDDEN + FACTS, 1),
        }
    )


def _scores(network: Any, seen: Seen) -> Any:
    """One score for each sentence, from the state after its last word and the facts."""
    torch = library("torch")
    states, _ = network["words"](seen.rows)
    last = states[torch.arange(len(states)), seen.lengths - 1]
    both = torch.cat([network["rest"](last), seen.facts], dim=1)
    return network["head"](both)[:, 0]
