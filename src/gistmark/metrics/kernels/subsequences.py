"""Subsequences and runs of words that two texts share.

Longest common subsequences: their length, by bit-parallel dynamic programming (Hyyrö, 2004), 64
words of the target at a time, and the summary-level union that ROUGE counts. Extractive fragments:
the runs of words that a summary took over from its document, by the greedy matching of Grusky,
Naaman and Artzi, "Newsroom" (2018), figure 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.kernels.ngrams import EMPTY
from gistmark.runtime.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
UInt8 = NDArray[np.uint8]
UInt64 = NDArray[np.uint64]
Float64 = NDArray[np.float64]

MOST_CELLS = 200_000_000
"""The largest table (words of a target's line times words of a summary's) that is filled."""

_WORD_BITS = 64
_UP, _LEFT, _DIAGONAL = 0, 1, 2


@compiled
def lcs_lengths(ids: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64) -> Int64:
    """The length of the longest common subsequence of each pair."""
    longest = 1
    for pair in range(summaries.size):
        longest = max(longest, offsets[summaries[pair] + 1] - offsets[summaries[pair]])
    masks = np.zeros(size, np.uint64)
    carries = np.zeros(longest, np.uint8)
    lengths = np.zeros(targets.size, np.int64)
    for pair in range(targets.size):
        target = ids[offsets[targets[pair]] : offsets[targets[pair] + 1]]
        summary = ids[offsets[summaries[pair]] : offsets[summaries[pair] + 1]]
        carries[: summary.size] = 0
        for block in range(0, target.size, _WORD_BITS):
            bits = min(_WORD_BITS, target.size - block)
            for k in range(bits):
                masks[target[block + k]] |= np.uint64(1) << np.uint64(k)
            lengths[pair] += _block_lcs(summary, masks, carries, bits)
            for k in range(bits):
                masks[target[block + k]] = np.uint64(0)
    return lengths


@compiled
def _block_lcs(summary: Int32, masks: UInt64, carries: UInt8, bits: int) -> int:
    """Advance one block of up to 64 target words over the whole summary."""
    row = ~np.uint64(0)
    for k in range(summary.size):
        match = row & masks[summary[k]]
        added = row + match
        overflow = added < match
        carried = added + np.uint64(carries[k])
        overflow = overflow or (carried < added)
        carries[k] = overflow
        row = carried | (row & ~match)
    matched = ~row
    if bits < _WORD_BITS:
        matched &= (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    zeros = 0
    while matched:
        matched &= matched - np.uint64(1)
        zeros += 1
    return zeros


@compiled
def union_lcs(
    ids: Int32, lines: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64,
    power: float,
) -> tuple[Float64, Float64]:  # fmt: skip
    """Hits of the summary-level LCS, and the target's weighted length, for each pair.

    Line by line of the target, the words in the LCS with any line of the summary are united and
    clipped, as ROUGE-1.5.5 does. With `power` 1 every hit counts 1; otherwise a run of k
    neighbouring hits counts k ** power (ROUGE-W). A pair whose table would be larger than
    `MOST_CELLS` gets -1.
    """
    hits = np.zeros(targets.size, np.float64)
    bases = np.zeros(targets.size, np.float64)
    left_in_target = np.zeros(size, np.int32)
    left_in_summary = np.zeros(size, np.int32)
    for pair in range(targets.size):
        first, last = offsets[targets[pair]], offsets[targets[pair] + 1]
        target, target_lines = ids[first:last], lines[first:last]
        first, last = offsets[summaries[pair]], offsets[summaries[pair] + 1]
        summary, summary_lines = ids[first:last], lines[first:last]
        cells = _longest_line(target_lines) * _longest_line(summary_lines)
        if cells > MOST_CELLS:
            hits[pair] = -1.0
            continue
        moves = np.empty(max(cells, 1), np.uint8)
        _count_words(target, left_in_target, 1)
        _count_words(summary, left_in_summary, 1)
        start = 0
        while start < target.size:
            end = _line_end(target_lines, start)
            line = target[start:end]
            bases[pair] += float(line.size) ** power
            marked = np.zeros(line.size, np.bool_)
            begin = 0
            while begin < summary.size:
                stop = _line_end(summary_lines, begin)
                _mark_lcs(line, summary[begin:stop], power, moves, marked)
                begin = stop
            hits[pair] += _clipped_hits(line, marked, power, left_in_target, left_in_summary)
            start = end
        _count_words(target, left_in_target, 0)
        _count_words(summary, left_in_summary, 0)
    return hits, bases


@compiled
def _mark_lcs(
    line: Int32, summary_line: Int32, power: float, moves: UInt8, marked: NDArray[np.bool_]
) -> None:
    """Mark the words of `line` that are in its (weighted) LCS with `summary_line`; ties go up."""
    columns = summary_line.size
    best = np.zeros(columns + 1, np.float64)
    runs = np.zeros(columns + 1, np.int32)
    for i in range(line.size):
        diagonal_best, diagonal_run = best[0], runs[0]
        for j in range(columns):
            above, above_run = best[j + 1], runs[j + 1]
            if line[i] == summary_line[j]:
                if power == 1.0:
                    best[j + 1] = diagonal_best + 1.0
                else:
                    # From left to right, as the script adds up: rounding decides between ties.
                    longer, shorter = float(diagonal_run + 1), float(diagonal_run)
                    best[j + 1] = diagonal_best + longer**power - shorter**power
                runs[j + 1] = diagonal_run + 1
                moves[i * columns + j] = _DIAGONAL
            else:
                runs[j + 1] = 0
                moves[i * columns + j] = _UP
                if above < best[j]:
                    best[j + 1] = best[j]
                    moves[i * columns + j] = _LEFT
            diagonal_best, diagonal_run = above, above_run
    i, j = line.size - 1, columns - 1
    while i >= 0 and j >= 0:
        move = moves[i * columns + j]
        if move == _DIAGONAL:
            marked[i] = True
            i -= 1
            j -= 1
        elif move == _UP:
            i -= 1
        else:
            j -= 1


@compiled
def _clipped_hits(
    line: Int32, marked: NDArray[np.bool_], power: float, left_in_target: Int32,
    left_in_summary: Int32,
) -> float:  # fmt: skip
    """Count the marked words that both sides still have left, in runs.

    A run ends before an unmarked word or with the line. Like ROUGE-1.5.5, a run whose last
    marked words are used up by the clipping is carried on or, at the end of the line, lost.
    """
    hits = 0.0
    run = 0
    for k in range(line.size):
        word = line[k]
        if not marked[k] or left_in_target[word] <= 0 or left_in_summary[word] <= 0:
            continue
        left_in_target[word] -= 1
        left_in_summary[word] -= 1
        if power == 1.0:
            hits += 1.0
            continue
        run += 1
        if k + 1 == line.size or not marked[k + 1]:
            hits += float(run) ** power
            run = 0
    return hits


@compiled
def _count_words(words: Int32, counts: Int32, step: int) -> None:
    """Count the words, or with step 0 forget them."""
    for k in range(words.size):
        counts[words[k]] = counts[words[k]] + 1 if step else 0


@compiled
def _line_end(lines: Int32, start: int) -> int:
    end = start
    while end < lines.size and lines[end] == lines[start]:
        end += 1
    return end


@compiled
def _longest_line(lines: Int32) -> int:
    longest = 0
    start = 0
    while start < lines.size:
        end = _line_end(lines, start)
        longest = max(longest, end - start)
        start = end
    return longest


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
    position = first_at[summary[at]]
    while position != EMPTY:
        if position >= behind:
            length = 1
            while (
                at + length < summary.size
                and position + length < document.size
                and summary[at + length] == document[position + length]
            ):
                length += 1
            best = max(best, length)
            behind = position + length
        position = next_at[position]
    return best
