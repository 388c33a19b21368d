"""ROUGE-N of a growing selection of sentences, without counting anything twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.text.tokens import TokenTable

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


class Overlap:
    """The F of n-grams of chosen sentences against one target.

    `sentences` and `target` are the numbers of texts in the table; a target may be in pieces.
    N-grams across two sentences or two pieces do not count. A target without n-grams gives 0.
    """

    def __init__(
        self, table: TokenTable, sentences: Sequence[int], target: Sequence[int], n: int
    ) -> None:
        wanted = np.concatenate([_grams(table, piece, n) for piece in target])
        grams, self.wanted = np.unique(wanted, return_counts=True)
        self.total = len(wanted)
        found = [_grams(table, sentence, n) for sentence in sentences]
        self.lengths = np.array([len(each) for each in found])
        self.rows, self.columns, self.counts = _occurrences(found, grams)
        self.chosen = np.zeros(len(grams), dtype=np.int64)
        self.chosen_length = 0

    def f(self) -> Float64:
        """The F that the selection would have with each of the sentences added."""
        now = np.minimum(self.chosen, self.wanted)
        after = np.minimum(self.chosen[self.columns] + self.counts, self.wanted[self.columns])
        hits = np.full(len(self.lengths), now.sum(), dtype=np.float64)
        np.add.at(hits, self.rows, after - now[self.columns])
        either = self.chosen_length + self.lengths + self.total
        f: Float64 = np.divide(2 * hits, either, out=np.zeros_like(hits), where=either > 0)
        return f

    def take(self, sentence: int) -> None:
        """Add a sentence to the selection."""
        own = self.rows == sentence
        np.add.at(self.chosen, self.columns[own], self.counts[own])
        self.chosen_length += int(self.lengths[sentence])


def _grams(table: TokenTable, text: int, n: int) -> Int64:
    """The n-grams of a text (n is 1 or 2) as numbers; equal ones have equal numbers."""
    ids = table.ids[table.offsets[text] : table.offsets[text + 1]].astype(np.int64)
    return ids if n == 1 else ids[:-1] * table.size + ids[1:]


def _occurrences(found: Sequence[Int64], grams: Int64) -> tuple[Int64, Int64, Int64]:
    """Which sentence has which of the grams how often."""
    rows = np.repeat(np.arange(len(found)), [len(each) for each in found])
    every = np.concatenate(found)
    columns = np.searchsorted(grams, every)
    known = columns < len(grams)
    known[known] = grams[columns[known]] == every[known]
    pairs, counts = np.unique(rows[known] * len(grams) + columns[known], return_counts=True)
    size = max(len(grams), 1)
    return pairs // size, pairs % size, counts
