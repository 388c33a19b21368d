"""Counting skip-bigrams (two words in order with a bounded gap) that texts share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled
from gistmark.metrics.kernels.tables import EMPTY, capacity_for, find_slot

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@compiled
def skip_bigram_overlap(
    ids: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64, gap: int,
    unigrams: bool,
) -> Int64:  # fmt: skip
    """The skip-bigrams that each summary shares with its target, clipped.

    At most `gap` words stand between the two. With `unigrams`, single words count too, except
    the last of a text, which ROUGE-1.5.5 leaves out.
    """
    longest = 1
    for pair in range(targets.size):
        longest = max(longest, offsets[targets[pair] + 1] - offsets[targets[pair]])
    capacity = capacity_for(longest * (gap + 2))
    keys = np.empty(capacity, np.int64)
    counts = np.empty(capacity, np.int32)
    hits = np.zeros(targets.size, np.int64)
    current = -1
    for pair in range(targets.size):
        if targets[pair] != current:
            current = targets[pair]
            first, last = offsets[current], offsets[current + 1]
            capacity = capacity_for((last - first) * (gap + 2))
            keys[:capacity] = EMPTY
            _count_pairs(ids, first, last, size, gap, unigrams, keys, counts, capacity, 1)
        first, last = offsets[summaries[pair]], offsets[summaries[pair] + 1]
        hits[pair] = _count_pairs(ids, first, last, size, gap, unigrams, keys, counts, capacity, -1)
        _count_pairs(ids, first, last, size, gap, unigrams, keys, counts, capacity, 0)
    return hits


@compiled
def _count_pairs(
    ids: Int32, first: int, last: int, size: int, gap: int, unigrams: bool, keys: Int64,
    counts: Int32, capacity: int, step: int,
) -> int:  # fmt: skip
    """Go through the skip-bigrams of one text: add to the table (step 1), use up (step -1,
    returns how many were there to use), or give back what was used (step 0)."""
    hits = 0
    for i in range(first, last - 1):
        if unigrams:
            hits += _touch(keys, counts, capacity, int(-2 - np.int64(ids[i])), step)
        for j in range(i + 1, min(i + gap + 2, last)):
            key = int(np.int64(ids[i]) * size + ids[j])
            hits += _touch(keys, counts, capacity, key, step)
    return hits


@compiled
def _touch(keys: Int64, counts: Int32, capacity: int, key: int, step: int) -> int:
    slot = find_slot(keys, capacity, key)
    if step == 1:
        counts[slot] = counts[slot] + 1 if keys[slot] == key else 1
        keys[slot] = key
        return 0
    if keys[slot] == EMPTY:
        return 0
    if step == -1:
        counts[slot] -= 1
        return 1 if counts[slot] >= 0 else 0
    counts[slot] += 1
    return 0
