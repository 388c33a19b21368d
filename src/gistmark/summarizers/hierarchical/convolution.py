"""H4's relevance: a convolutional network over a sentence's word vectors.

Kim, "Convolutional Neural Networks for Sentence Classification" (2014): filters over neighbouring
words, the highest answer of each, and a linear layer, which here sees the sentence's facts, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.hierarchical.labels import Lesson
from gistmark.summarizers.hierarchical.networks import Trained, trained
from gistmark.summarizers.hierarchical.reading import Seen, seen_of
from gistmark.summarizers.hierarchical.relevance import FACTS

_FILTERS = 24
_WIDTH = 3


def taught_convolution(lessons: Sequence[Lesson], vectors: str, seed: int) -> Trained:
    """A network trained with cross-entropy on the lessons' labels, a document at a time."""
    torch = library("torch")
    seen = [
        (
            seen_of(lesson.sentences, vectors),
            torch.from_numpy(lesson.targets.astype(np.float32)),
        )
        for lesson in lessons
    ]
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    return trained(_network, _scores, loss, seen, vectors=vectors, seed=seed)


def _network(width: int) -> Any:
    nn = library("torch").nn
    return nn.ModuleDict(
        {
            "words": nn.Conv1d(width, _FILTERS, _WIDTH, padding="same"),
            "rest": nn.Dropout(0.3),
            "head": nn.Linear(_FILTERS + FACTS, 1),
        }
    )


def _scores(network: Any, seen: Seen) -> Any:
    """One score for each sentence; what stands after its last word does not count."""
    torch = library("torch")
    answers = torch.relu(network["words"](seen.rows.transpose(1, 2)))
    inside = torch.arange(answers.shape[2]) < seen.lengths[:, None]
    best = (answers * inside[:, None, :]).amax(dim=2)
    both = torch.cat([network["rest"](best), seen.facts], dim=1)
    return network["head"](both)[:, 0]
