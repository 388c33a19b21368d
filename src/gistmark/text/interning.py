"""Bytes to word numbers, compiled: splits many texts and gives equal words equal numbers.

Texts are read eight bytes at a time, first for where words begin and end, then word by word. Words
are compared in full (the first sixteen bytes as two integers, then the rest), so two words share a
number only if they are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.runtime.compiled import compiled

Bytes = NDArray[np.uint8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
UInt64 = NDArray[np.uint64]

SPACE, NEWLINE = 32, 10
"""The two bytes between words."""

BLOCK = 64
"""The buffer is a multiple of so many bytes, the last `BLOCK` of them spaces."""

_ONES = 0x0101010101010101
_LOW_BITS = np.uint64(0x7F * _ONES)
_HIGH_BITS = np.uint64(0x80 * _ONES)
_SMALL = np.uint64(0x20 * _ONES)
_GATHER = np.uint64(0x0102040810204080)  # brings the lowest bits of eight bytes into the highest
_EMPTY = np.uint64(0)
_HEAD, _NEXT, _ENTRY, _HASH = 0, 1, 2, 3

# Multiplied by a power of two, this number has another six highest bits for each (de Bruijn).
_BRUIJN = 0x03F79D71B4CB0A89
_POWER = np.zeros(64, np.int64)
_POWER[[((_BRUIJN << power) % 2**64) >> 58 for power in range(64)]] = np.arange(64)


@compiled
def intern_words(
    eights: UInt64, text_offsets: Int64, newlines: Int64, plain: bool
) -> tuple[Int32, Int32, Int64, Int64, Int32]:
    """Number the words of texts, which stand in one buffer, given as integers of eight bytes.

    Words stand between spaces and newlines; with `plain`, the buffer is ASCII, words are runs of
    letters and digits, and capitals count as small letters. Text `i` goes from `text_offsets[i]` to
    before `text_offsets[i + 1]` and ends with a byte that is no part of a word; `newlines` are
    where those are. Returns the word numbers of all texts one after another, the line of each word
    within its text, the offsets of the texts in those two, and start and length of each distinct
    word in the buffer, in the order of first appearance.
    """
    spans = _word_spans(eights, plain)
    ids = np.empty(spans.shape[0], np.int32)
    starts = np.empty(4096, np.int64)
    lengths = np.empty(4096, np.int32)
    slots = np.zeros((8192, 4), np.uint64)
    word, distinct = 0, 0
    while True:
        word, distinct = _intern_until_full(
            eights, spans, plain, ids, starts, lengths, slots, word, distinct
        )
        if word == spans.shape[0]:
            break
        starts = np.concatenate((starts, np.empty(starts.size, np.int64)))
        lengths = np.concatenate((lengths, np.empty(lengths.size, np.int32)))
        slots = _rehashed(slots)
    lines, offsets = _lines(spans, text_offsets, newlines)
    return ids, lines, offsets, starts[:distinct].copy(), lengths[:distinct].copy()


@compiled
def _word_spans(eights: UInt64, plain: bool) -> Int64:
    """Start and end of each word in the buffer."""
    edges = np.empty(8 * eights.size + 2, np.int64)
    count = 0
    before = np.uint64(1)
    for block in range(eights.size // 8):
        gaps = np.uint64(0)
        for k in range(8):
            gaps |= _gaps(eights[8 * block + k], plain) << np.uint64(8 * k)
        changes = gaps ^ ((gaps << np.uint64(1)) | before)
        before = gaps >> np.uint64(63)
        while changes != 0:
            lowest = changes & (~changes + np.uint64(1))
            edges[count] = BLOCK * block + _POWER[(lowest * np.uint64(_BRUIJN)) >> np.uint64(58)]
            count += 1
            changes ^= lowest
    return edges[:count].reshape(-1, 2)


@compiled
def _gaps(eight: np.uint64, plain: bool) -> np.uint64:
    """Eight bits: whether each of eight bytes lies outside words."""
    high = _not_alphanumeric(eight) if plain else _is_separator(eight)
    return (((high & _HIGH_BITS) >> np.uint64(7)) * _GATHER) >> np.uint64(56)


@compiled
def _not_alphanumeric(eight: np.uint64) -> np.uint64:
    """In the high bit of each of eight ASCII bytes, whether it is neither a letter nor a digit.

    A byte is at least `n` if adding `128 - n` sets its high bit.
    """
    small = eight | _SMALL
    letter = (small + np.uint64((128 - 97) * _ONES)) & ~(small + np.uint64((128 - 123) * _ONES))
    digit = (eight + np.uint64((128 - 48) * _ONES)) & ~(eight + np.uint64((128 - 58) * _ONES))
    return ~(letter | digit)


@compiled
def _is_separator(eight: np.uint64) -> np.uint64:
    """In the high bit of each byte, whether it is a space or a newline."""
    return _is_zero(eight ^ np.uint64(SPACE * _ONES)) | _is_zero(eight ^ np.uint64(NEWLINE * _ONES))


@compiled
def _is_zero(eight: np.uint64) -> np.uint64:
    return ~(((eight & _LOW_BITS) + _LOW_BITS) | eight)


@compiled
def _lines(spans: Int64, text_offsets: Int64, newlines: Int64) -> tuple[Int32, Int64]:
    """The line of each word within its text, and where each text begins among the words."""
    lines = np.zeros(spans.shape[0], np.int32)
    offsets = np.zeros(text_offsets.size, np.int64)
    word, newline = 0, 0
    for text in range(text_offsets.size - 1):
        line = 0
        while word < spans.shape[0] and spans[word, 0] < text_offsets[text + 1]:
            while newline < newlines.size and newlines[newline] < spans[word, 0]:
                line += newlines[newline] >= text_offsets[text]
                newline += 1
            lines[word] = line
            word += 1
        offsets[text + 1] = word
    return lines, offsets


@compiled
def _intern_until_full(
    eights: UInt64, spans: Int64, plain: bool, ids: Int32, starts: Int64, lengths: Int32,
    slots: UInt64, word: int, distinct: int,
) -> tuple[int, int]:  # fmt: skip
    """Number the words from `word` on, until there is no room for another one.

    A slot has the first eight bytes of a word, the next eight, its number plus one with its length
    above, and its hash. The arrays are never replaced in here: numba would count references for
    every word.
    """
    mask = np.uint64(slots.shape[0] - 1)
    while word < spans.shape[0] and distinct < starts.size:
        start = spans[word, 0]
        length = spans[word, 1] - start
        head = _first_bytes(_eight_at(eights, start), length, plain)
        following = _first_bytes(_eight_at(eights, start + 8), length - 8, plain)
        value = _mixed_hash(head, following)
        if length > 16:
            value = _long_word_hash(eights, start, length, plain, value)
        size = np.uint64(length) << np.uint64(32)
        value ^= np.uint64(length)
        slot = value & mask
        entry = slots[slot, _ENTRY]
        while entry != _EMPTY:
            if (
                slots[slot, _HEAD] == head
                and slots[slot, _NEXT] == following
                and (entry ^ size) >> np.uint64(32) == 0
                and (
                    length <= 16
                    or _same_end(eights, start, starts[_word_number(entry)], length, plain)
                )
            ):
                break
            slot = (slot + np.uint64(1)) & mask
            entry = slots[slot, _ENTRY]
        if entry == _EMPTY:
            starts[distinct] = start
            lengths[distinct] = length
            distinct += 1
            entry = size | np.uint64(distinct)
            slots[slot, _HEAD] = head
            slots[slot, _NEXT] = following
            slots[slot, _ENTRY] = entry
            slots[slot, _HASH] = value
        ids[word] = _word_number(entry)
        word += 1
    return word, distinct


@compiled
def gather_words(buffer: Bytes, starts: Int64, lengths: Int32) -> Bytes:
    """The distinct words, each followed by a newline."""
    joined = np.empty(lengths.sum() + lengths.size, np.uint8)
    end = 0
    for word in range(starts.size):
        for k in range(lengths[word]):
            joined[end] = buffer[starts[word] + k]
            end += 1
        joined[end] = NEWLINE
        end += 1
    return joined


@compiled
def drop_words(ids: Int32, lines: Int32, offsets: Int64) -> tuple[Int32, Int32, Int64]:
    """Leave out the words with a negative number."""
    kept_ids = np.empty_like(ids)
    kept_lines = np.empty_like(lines)
    kept_offsets = np.empty_like(offsets)
    kept_offsets[0] = 0
    count = 0
    for text in range(offsets.size - 1):
        for k in range(offsets[text], offsets[text + 1]):
            if ids[k] >= 0:
                kept_ids[count] = ids[k]
                kept_lines[count] = lines[k]
                count += 1
        kept_offsets[text + 1] = count
    return kept_ids[:count].copy(), kept_lines[:count].copy(), kept_offsets


@compiled
def _eight_at(eights: UInt64, position: int) -> np.uint64:
    """The eight bytes from any position on, the first of them lowest."""
    index = np.uint64(position) >> np.uint64(3)
    shift = (np.uint64(position) & np.uint64(7)) << np.uint64(3)
    low: np.uint64 = eights[index] >> shift
    high: np.uint64 = (eights[index + np.uint64(1)] << np.uint64(1)) << (np.uint64(63) - shift)
    return low | high


@compiled
def _first_bytes(eight: np.uint64, length: int, plain: bool) -> np.uint64:
    """The first `length` of eight bytes, the others 0; `plain` ones in small letters."""
    spelled = eight | _SMALL if plain else eight
    unused = np.uint64(64 - 8 * min(max(length, 1), 8))
    return spelled & (~np.uint64(0) >> unused) if length > 0 else _EMPTY


@compiled
def _mixed_hash(value: np.uint64, eight: np.uint64) -> np.uint64:
    mixed = value * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32)) ^ eight) * np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


@compiled
def _long_word_hash(
    eights: UInt64, start: int, length: int, plain: bool, value: np.uint64
) -> np.uint64:
    """The hash of a word of more than sixteen bytes, from that of the first sixteen."""
    for k in range(16, length, 8):
        value = _mixed_hash(value, _first_bytes(_eight_at(eights, start + k), length - k, plain))
    return value


@compiled
def _same_end(eights: UInt64, a: int, b: int, length: int, plain: bool) -> bool:
    """Whether two words of the same length are the same behind their first sixteen bytes."""
    for k in range(16, length, 8):
        first = _first_bytes(_eight_at(eights, a + k), length - k, plain)
        if first != _first_bytes(_eight_at(eights, b + k), length - k, plain):
            return False
    return True


@compiled
def _word_number(entry: np.uint64) -> np.int64:
    return np.int64(entry & np.uint64(0xFFFFFFFF)) - 1


@compiled
def _rehashed(slots: UInt64) -> UInt64:
    """The entries of a table in one that is twice as large."""
    larger = np.zeros((2 * slots.shape[0], 4), np.uint64)
    mask = np.uint64(larger.shape[0] - 1)
    for old in range(slots.shape[0]):
        if slots[old, _ENTRY] == _EMPTY:
            continue
        slot = slots[old, _HASH] & mask
        while larger[slot, _ENTRY] != _EMPTY:
            slot = (slot + np.uint64(1)) & mask
        larger[slot] = slots[old]
    return larger
