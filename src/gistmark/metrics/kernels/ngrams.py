"""Counting n-grams and skip-bigrams (two words in order with a bounded gap) that texts share.

Both stand in a small open-addressing hash table from 64-bit keys to slots.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.runtime.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

EMPTY = -1


@compiled
def capacity_for(entries: int) -> int:
    """The table size for so many entries: a power of two, at most half full."""
    size = 16
    while size < 2 * entries:
        size *= 2
    return size


@compiled
def find_slot(keys: NDArray[np.int64], capacity: int, key: int) -> int:
    """The slot that holds `key`, or the free slot where it belongs."""
    value = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((value ^ (value >> np.uint64(32))) & np.uint64(capacity - 1))
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + 1) & (capacity - 1)
    return int(slot)


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
    used = np.zeros(longest, np.int32)
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
        first = offsets[summaries[pair]]
        last = offsets[summaries[pair] + 1] - n
        for k in range(first, last + 1):
            gram = _find_gram(ids, k, n, local, distinct, keys, values, capacity)
            if gram >= 0:
                present[pair] += 1
                used[gram] += 1
                if used[gram] <= counts[gram]:
                    shared[pair] += betas[gram]
        if present[pair] > 0:
            used[:different] = 0
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
    counts = np.zeros(texts.size, np.int64)
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
        counts[index] = different
        for k in range(start, start + words):
            local[ids[k]] = EMPTY
    return counts


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
    different = 0
    for k in range(words - order + 1):
        key = np.int64(grams[k]) * distinct + local[ids[start + k + order - 1]]
        slot = find_slot(keys, capacity, key)
        if keys[slot] == EMPTY:
            keys[slot] = key
            values[slot] = different
            different += 1
        grams[k] = values[slot]
    return different


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
            hits += _update_count(keys, counts, capacity, int(-2 - np.int64(ids[i])), step)
        for j in range(i + 1, min(i + gap + 2, last)):
            key = int(np.int64(ids[i]) * size + ids[j])
            hits += _update_count(keys, counts, capacity, key, step)
    return hits


@compiled
def _update_count(keys: Int64, counts: Int32, capacity: int, key: int, step: int) -> int:
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
