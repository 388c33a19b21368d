"""Leaving out sentences that say again what a summary says already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.limits import Limit, Room
from gistmark.summarizers.similarity import similarity_to

if TYPE_CHECKING:
    from gistmark.summarizers.similarity import Matrix


def distinct_fill(
    ranked: Iterable[int],
    vectors: Matrix,
    candidates: Sequence[Sentence],
    limit: Limit,
    most: float,
) -> list[int]:
    """Those of the ranked candidates that fit and whose cosine to none taken is above `most`."""
    nearest = np.zeros(len(candidates))
    room = Room(limit)
    taken: list[int] = []
    for number in ranked:
        if nearest[number] <= most and room.take(candidates[number].text):
            taken.append(number)
            nearest = np.maximum(nearest, similarity_to(vectors, number))
    return taken
