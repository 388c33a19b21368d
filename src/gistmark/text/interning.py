"""Bytes to word numbers, compiled: splits many texts and gives equal words equal numbers.

Words are compared in full (the first eight bytes as one integer, the rest byte by byte), so two
words share a number only if they are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled

Bytes = NDArray[np.uint8]
Int16 = NDArray[np.int16]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
UInt64 = NDArray[np.uint64]

SEPARATOR = -1
"""In a byte table: this byte stands between words."""

_NEWLINE = 10
_EMPTY = -1


@compiled
def intern_words(
    buffer: Bytes, text_offsets: Int64, table: Int16
) -> tuple[Int32, Int32, Int64, Int64, Int32]:
    """Split the texts in `buffer` at separators and number their words.

    `table` gives for each byte the one that counts (lower case, say) or `SEPARATOR`; it is
    applied to the words in `buffer` in place. Returns the word numbers of all texts one after
    another, the line of each word within its text, the offsets of the texts in those two, and
    start and length of each distinct word in `buffer`, in the order of first appearance.
    """
    most = buffer.size // 2 + text_offsets.size
    ids = np.empty(most, np.int32)
    lines = np.empty(most, np.int32)
    offsets = np.zeros(text_offsets.size, np.int64)
    starts = np.empty(4096, np.int64)
    lengths = np.empty(4096, np.int32)
    heads = np.empty(4096, np.uint64)
    hashes = np.empty(4096, np.uint64)
    slots = np.full(16384, _EMPTY, np.int32)
    text, known = 0, 0
    while True:
        text, known = _intern_until_full(
            buffer, text_offsets, table, ids, lines, offsets,
            starts, lengths, heads, hashes, slots, text, known,
        )  # fmt: skip
        if text == text_offsets.size - 1:
            break
        growth = max(starts.size, text_offsets[text + 1] - text_offsets[text])
        starts = np.concatenate((starts, np.empty(growth, np.int64)))
        lengths = np.concatenate((lengths, np.empty(growth, np.int32)))
        heads = np.concatenate((heads, np.empty(growth, np.uint64)))
        hashes = np.concatenate((hashes, np.empty(growth, np.uint64)))
        slots = _rehashed(2 * starts.size, hashes, known)
    count = offsets[text]
    return (
        ids[:count].copy(),
        lines[:count].copy(),
        offsets,
        starts[:known].copy(),
        lengths[:known].copy(),
    )


@compiled
def _intern_until_full(
    buffer: Bytes, text_offsets: Int64, table: Int16, ids: Int32, lines: Int32, offsets: Int64,
    starts: Int64, lengths: Int32, heads: UInt64, hashes: UInt64, slots: Int32,
    text: int, known: int,
) -> tuple[int, int]:  # fmt: skip
    """Number the words from `text` on; stop before a text that might not fit.

    The arrays are never replaced in here: numba would count references for every word.
    """
    mask = slots.size - 1
    count = offsets[text]
    while text < text_offsets.size - 1:
        position = text_offsets[text]
        end = text_offsets[text + 1]
        if known + (end - position) // 2 + 1 > starts.size:
            break
        line = 0
        while position < end:
            if table[buffer[position]] < 0:
                line += buffer[position] == _NEWLINE
                position += 1
                continue
            start = position
            head = np.uint64(0)
            tail = np.uint64(0)
            while position < end:
                byte = table[buffer[position]]
                if byte < 0:
                    break
                buffer[position] = byte
                if position - start < 8:
                    head = (head << np.uint64(8)) | np.uint64(byte)
                else:
                    tail = tail * np.uint64(31) + np.uint64(byte)
                position += 1
            length = position - start
            value = _mixed(head, tail, length)
            slot = np.int64(value & np.uint64(mask))
            while slots[slot] != _EMPTY:
                word = slots[slot]
                if (
                    heads[word] == head
                    and lengths[word] == length
                    and (length <= 8 or _same_tail(buffer, start, starts[word], length))
                ):
                    break
                slot = (slot + 1) & mask
            if slots[slot] == _EMPTY:
                slots[slot] = known
                starts[known] = start
                lengths[known] = length
                heads[known] = head
                hashes[known] = value
                known += 1
            ids[count] = slots[slot]
            lines[count] = line
            count += 1
        text += 1
        offsets[text] = count
    return text, known


@compiled
def gather_words(buffer: Bytes, starts: Int64, lengths: Int32) -> Bytes:
    """The distinct words, each followed by a newline."""
    joined = np.empty(lengths.sum() + lengths.size, np.uint8)
    at = 0
    for word in range(starts.size):
        for k in range(lengths[word]):
            joined[at] = buffer[starts[word] + k]
            at += 1
        joined[at] = _NEWLINE
        at += 1
    return joined


@compiled
def drop_words(ids: Int32, lines: Int32, offsets: Int64) -> tuple[Int32, Int32, Int64]:
    """Leave out the words with a negative number."""
    kept_ids = np.empty_like(ids)
    kept_lines = np.empty_like(lines)
    kept_offsets = np.empty_like(offsets)
    kept_offsets[0] = 0
    at = 0
    for text in range(offsets.size - 1):
        for k in range(offsets[text], offsets[text + 1]):
            if ids[k] >= 0:
                kept_ids[at] = ids[k]
                kept_lines[at] = lines[k]
                at += 1
        kept_offsets[text + 1] = at
    return kept_ids[:at].copy(), kept_lines[:at].copy(), kept_offsets


@compiled
def _mixed(head: np.uint64, tail: np.uint64, length: int) -> np.uint64:
    value = (head ^ np.uint64(length)) * np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(32)) ^ tail) * np.uint64(0xD6E8FEB86659FD93)
    return value ^ (value >> np.uint64(32))


@compiled
def _same_tail(buffer: Bytes, a: int, b: int, length: int) -> bool:
    for k in range(8, length):  # noqa: SIM110 - numba compiles the loop, not the generator
        if buffer[a + k] != buffer[b + k]:
            return False
    return True


@compiled
def _rehashed(size: int, hashes: UInt64, known: int) -> Int32:
    power = 1
    while power < size:
        power *= 2
    slots = np.full(power, _EMPTY, np.int32)
    for word in range(known):
        slot = np.int64(hashes[word] & np.uint64(power - 1))
        while slots[slot] != _EMPTY:
            slot = (slot + 1) & (power - 1)
        slots[slot] = word
    return slots
