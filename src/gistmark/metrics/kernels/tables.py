"""A small open-addressing hash table from 64-bit keys to slots, for use inside kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.compiled import compiled

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
