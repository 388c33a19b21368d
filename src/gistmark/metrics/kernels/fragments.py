"""Extractive fragments: the runs of words that a summary took over from its document.

Greedy matching of Grusky, Naaman and Artzi, "Newsroom" (2018), figure 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled
from gistmark.metrics.kernels.tables import EMPTY

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@compiled
def fragment_sums(
    ids: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64
) -> tuple[Int64, Int64]:
    """For each pair the sum of the fragments' lengths, and of their squares."""
    longest = 1
    for pair in range(targets.size):
        longest = max(longest, offsets[targets[pair] + 1] - offsets[targets[pair]])
    first_at = np.full(size, EMPTY, np.int64)
    next_at = np.empty(longest, np.int64)
    lengths = np.zeros(targets.size, np.int64)
    squares = np.zeros(targets.size, np.int64)
    current = -1
    for pair in range(targets.size):
        if targets[pair] != current:
            if current >= 0:
                for k in range(offsets[current], offsets[current + 1]):
                    first_at[ids[k]] = EMPTY
            current = targets[pair]
            document = ids[offsets[current] : offsets[current + 1]]
            for k in range(document.size - 1, -1, -1):
                next_at[k] = first_at[document[k]]
                first_at[document[k]] = k
        summary = ids[offsets[summaries[pair]] : offsets[summaries[pair] + 1]]
        at = 0
        while at < summary.size:
            length = _longest_match(document, summary, at, first_at, next_at)
            lengths[pair] += length
            squares[pair] += length * length
            at += max(length, 1)
    return lengths, squares


@compiled
def _longest_match(
    document: Int32, summary: Int32, at: int, first_at: Int64, next_at: Int64
) -> int:
    """The longest fragment from `at` on; the search goes on behind each match, as published."""
    best = 0
    behind = 0
    place = first_at[summary[at]]
    while place != EMPTY:
        if place >= behind:
            length = 1
            while (
                at + length < summary.size
                and place + length < document.size
                and summary[at + length] == document[place + length]
            ):
                length += 1
            best = max(best, length)
            behind = place + length
        place = next_at[place]
    return best
