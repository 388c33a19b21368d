"""Counting n-grams that summaries share with their targets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled
from gistmark.metrics.kernels.tables import EMPTY, capacity_for, find_slot

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def ngram_overlap(
    ids: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64, n: int,
    weights: Float64,
) -> tuple[Float64, Int64, Float64]:  # fmt: skip
    """What each summary shares with its target in n-grams.

    Returns, per pair: the shared n-grams, clipped at the target's count and weighted; how many
    n-grams of the summary stand anywhere in the target (not clipped); and the total weight of
    the target's n-grams. `weights` gives each word's weight, in step with `ids`; the weight of
    an n-gram is the mean over its occurrences of the mean over its words. An empty `weights`
    weighs every n-gram 1.
    """
    longest = 1
    for pair in range(targets.size):
        longest = max(longest, offsets[targets[pair] + 1] - offsets[targets[pair]])
    capacity = capacity_for(longest)
    keys = np.empty((max(n - 1, 1), capacity), np.int64)
    values = np.empty((max(n - 1, 1), capacity), np.int32)
    local = np.full(size, EMPTY, np.int32)
    grams = np.empty(longest, np.int32)
    counts = np.empty(longest, np.int32)
    seen = np.zeros(longest, np.int32)
    betas = np.empty(longest, np.float64)
    shared = np.zeros(targets.size, np.float64)
    present = np.zeros(targets.size, np.int64)
    totals = np.zeros(targets.size, np.float64)
    current = -1
    for pair in range(targets.size):
        target = targets[pair]
        start = offsets[target]
        words = offsets[target + 1] - start
        if target != current:
            if current >= 0:
                for k in range(offsets[current], offsets[current + 1]):
                    local[ids[k]] = EMPTY
            current = target
            capacity = capacity_for(words)
            distinct = _number_words(ids, start, words, local, grams)
            different = distinct
            for order in range(2, n + 1):
                different = _extend_grams(
                    ids, start, words, local, distinct, order, grams,
                    keys[order - 2], values[order - 2], capacity,
                )  # fmt: skip
            total = _weigh_grams(
                grams, start, max(words - n + 1, 0), different, n, weights, counts, betas
            )
        totals[pair] = total
        summary = summaries[pair]
        first = offsets[summary]
        last = offsets[summary + 1] - n
        for k in range(first, last + 1):
            gram = _find_gram(ids, k, n, local, distinct, keys, values, capacity)
            if gram >= 0:
                present[pair] += 1
                seen[gram] += 1
                if seen[gram] <= counts[gram]:
                    shared[pair] += betas[gram]
        if present[pair] > 0:
            seen[:different] = 0
    return shared, present, totals


@compiled
def distinct_ngrams(ids: Int32, offsets: Int64, size: int, texts: Int64, n: int) -> Int64:
    """The number of different n-grams in each of the texts."""
    longest = 1
    for index in range(texts.size):
        longest = max(longest, offsets[texts[index] + 1] - offsets[texts[index]])
    capacity = capacity_for(longest)
    keys = np.empty(capacity, np.int64)
    values = np.empty(capacity, np.int32)
    local = np.full(size, EMPTY, np.int32)
    grams = np.empty(longest, np.int32)
    found = np.zeros(texts.size, np.int64)
    for index in range(texts.size):
        start = offsets[texts[index]]
        words = offsets[texts[index] + 1] - start
        distinct = _number_words(ids, start, words, local, grams)
        different = distinct
        for order in range(2, n + 1):
            different = _extend_grams(
                ids, start, words, local, distinct, order, grams, keys, values,
                capacity_for(words),
            )  # fmt: skip
        found[index] = different
        for k in range(start, start + words):
            local[ids[k]] = EMPTY
    return found


@compiled
def _number_words(ids: Int32, start: int, words: int, local: Int32, grams: Int32) -> int:
    """Number the words of one text in order of appearance, in `local` and `grams`."""
    distinct = 0
    for k in range(words):
        word = ids[start + k]
        if local[word] == EMPTY:
            local[word] = distinct
            distinct += 1
        grams[k] = local[word]
    return distinct


@compiled
def _extend_grams(
    ids: Int32, start: int, words: int, local: Int32, distinct: int, order: int, grams: Int32,
    keys: Int64, values: Int32, capacity: int,
) -> int:  # fmt: skip
    """Turn the numbers of (order-1)-grams in `grams` into those of order-grams."""
    keys[:capacity] = EMPTY
    known = 0
    for k in range(words - order + 1):
        key = np.int64(grams[k]) * distinct + local[ids[start + k + order - 1]]
        slot = find_slot(keys, capacity, key)
        if keys[slot] == EMPTY:
            keys[slot] = key
            values[slot] = known
            known += 1
        grams[k] = values[slot]
    return known


@compiled
def _weigh_grams(
    grams: Int32, start: int, occurrences: int, different: int, n: int, weights: Float64,
    counts: Int32, betas: Float64,
) -> float:  # fmt: skip
    """Count the target's n-grams and set their weights; returns the total weight."""
    counts[:different] = 0
    betas[:different] = 1.0
    for k in range(occurrences):
        counts[grams[k]] += 1
    if weights.size == 0:
        return float(occurrences)
    betas[:different] = 0.0
    total = 0.0
    for k in range(occurrences):
        weight = 0.0
        for j in range(n):
            weight += weights[start + k + j]
        betas[grams[k]] += weight / n
        total += weight / n
    for gram in range(different):
        betas[gram] /= counts[gram]
    return total


@compiled
def _find_gram(
    ids: Int32, at: int, n: int, local: Int32, distinct: int, keys: Int64, values: Int32,
    capacity: int,
) -> int:  # fmt: skip
    """The target's number of the n-gram that starts at `at`, or -1."""
    gram = np.int64(local[ids[at]])
    for order in range(2, n + 1):
        word = local[ids[at + order - 1]]
        if gram < 0 or word < 0:
            return -1
        table = keys[order - 2]
        slot = find_slot(table, capacity, gram * distinct + word)
        if table[slot] == EMPTY:
            return -1
        gram = np.int64(values[order - 2][slot])
    return int(gram)
