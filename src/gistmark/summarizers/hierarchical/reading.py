"""What the networks of H2 and H4 read of a document's sentences: words in order, and facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.hierarchical.relevance import facts
from gistmark.summarizers.hierarchical.vectors import word_rows


@dataclass(frozen=True)
class Seen:
    """Tensors with a row for each sentence: its words, how many they are, and its facts."""

    rows: Any
    lengths: Any
    facts: Any

    def only(self, numbers: Sequence[int]) -> Seen:
        """Some of the sentences."""
        chosen = list(numbers)
        return Seen(self.rows[chosen], self.lengths[chosen], self.facts[chosen])


def seen_of(sentences: Sequence[Sentence], vectors: str) -> Seen:
    """What there is to see of the sentences of one document."""
    torch = library("torch")
    words = word_rows([sentence.text for sentence in sentences], vectors)
    return Seen(
        torch.from_numpy(words.rows),
        torch.from_numpy(words.lengths),
        torch.from_numpy(facts(sentences).astype(np.float32)),
    )
