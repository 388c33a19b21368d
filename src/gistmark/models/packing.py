"""Continuations of one context laid side by side into rows, so that hardly a place stays empty.

Sentences differ much in length. One to a row, filled up to the longest, half of what a model
computes would be filling. Here a row holds as many as go into it; each token sees the context
and what stands before it in its own continuation, and nothing of its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Tokens = tuple[int, ...]
Int64 = NDArray[np.int64]

_NOBODY = -1


@dataclass(frozen=True)
class Packed:
    """Rows for one pass.

    `tokens` and `positions` have a row each; `owners` tells which of a row's continuations a
    place belongs to. `starts` is where each continuation starts, row by row.
    """

    tokens: Int64
    positions: Int64
    owners: Int64
    starts: tuple[tuple[int, ...], ...]

    @property
    def is_plain(self) -> bool:
        """Whether every row holds a single continuation, so that nothing must be hidden."""
        return all(len(starts) == 1 for starts in self.starts)

    def visible(self, context: int) -> NDArray[np.bool_]:
        """For each place of a row what it sees: the places of the context, then of the row."""
        rows, width = self.tokens.shape
        own = self.owners[:, :, None] == self.owners[:, None, :]
        own &= np.tri(width, dtype=bool)
        return np.concatenate([np.ones((rows, width, context), dtype=bool), own], axis=2)


def shared_out(lengths: Sequence[int], size: int) -> list[list[int]]:
    """The places of continuations by row: each goes into the first row that has room for it.

    The longest go first. One that is longer than `size` has a row of its own.
    """
    order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
    rows: list[list[int]] = []
    room: list[int] = []
    for place in order:
        length = lengths[place]
        row = next((row for row, left in enumerate(room) if left >= length), len(rows))
        if row == len(rows):
            rows.append([])
            room.append(size)
        rows[row].append(place)
        room[row] -= length
    return rows


def packed(rows: Sequence[Sequence[Tokens]], *, first: int, filling: int) -> Packed:
    """Lay continuations into rows; the first token of each has the position `first`."""
    width = max(sum(map(len, row)) for row in rows)
    tokens = np.full((len(rows), width), filling, dtype=np.int64)
    positions = np.full((len(rows), width), first, dtype=np.int64)
    owners = np.full((len(rows), width), _NOBODY, dtype=np.int64)
    starts = []
    for number, row in enumerate(rows):
        ends = np.cumsum([len(continuation) for continuation in row])
        starts.append(tuple(int(end) - len(own) for end, own in zip(ends, row, strict=True)))
        for owner, (start, own) in enumerate(zip(starts[-1], row, strict=True)):
            place = slice(start, start + len(own))
            tokens[number, place] = own
            positions[number, place] = np.arange(first, first + len(own))
            owners[number, place] = owner
    return Packed(tokens, positions, owners, tuple(starts))
