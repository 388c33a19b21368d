"""Draws with replacement of documents, systems or both, and the intervals that come of them.

After Deutsch, Dror and Roth, "A Statistical Analysis of Summarization Evaluation Metrics using
Resampling Methods" (2021): BOOT-INPUT draws documents, BOOT-SYS systems, and BOOT-BOTH both,
keeping the summaries where a drawn document meets a drawn system. A draw is kept as the number of
times that each document and system came up, so no data are ever copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.layout import Layout
from gistmark.analysis.quotients import quotient

Counts = NDArray[np.int16]
Float64 = NDArray[np.float64]

Over = Literal["documents", "systems", "both"]

CONFIDENCE = 0.95
RESAMPLES = 1_000

CHUNK = 1_000_000
"""How many numbers a piece of work should hold at a time."""


@dataclass(frozen=True)
class Draws:
    """How often each document (columns) and each system came up in each draw (rows)."""

    over: Over
    documents: Counts
    systems: Counts

    def __len__(self) -> int:
        return len(self.documents)

    def pieces(self, size: int) -> Iterator[Draws]:
        """The draws in pieces of at most `size`."""
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            yield Draws(self.over, self.documents[part], self.systems[part])

    def weights(self, layout: Layout) -> Float64:
        """Draws × rows: a summary comes up as often as its document times its system."""
        documents = self.documents[:, layout.documents].astype(np.float64)
        return (
            documents if self.over == "documents" else documents * self.systems[:, layout.systems]
        )


@dataclass(frozen=True)
class Interval:
    """The middle 95 % of a bootstrap; None where fewer than half of the draws gave a value."""

    low: float | None
    high: float | None


NO_INTERVAL = Interval(None, None)


@dataclass(frozen=True)
class Resampling:
    """How much is resampled and by what generator; without `over`, what `usual_over` says."""

    rng: np.random.Generator
    resamples: int = RESAMPLES
    over: Over | None = None

    def over_for(self, layout: Layout) -> Over:
        return self.over or usual_over(layout)

    def draw(self, layout: Layout) -> Draws:
        return draw(layout, self.over_for(layout), self.resamples, self.rng)

    def draw_documents(self, documents: int) -> Counts:
        """Draws × documents: how often each came up."""
        return _counts(documents, self.resamples, self.rng)


def draw(layout: Layout, over: Over, resamples: int, rng: np.random.Generator) -> Draws:
    """Draw documents, systems or both with replacement, each as many as there are."""
    documents, systems = len(layout.document_names), len(layout.system_names)
    return Draws(
        over,
        _counts(documents, resamples, rng if over != "systems" else None),
        _counts(systems, resamples, rng if over != "documents" else None),
    )


def usual_over(layout: Layout) -> Over:
    """Both where the systems summarised the same documents, else documents only.

    Systems that share few documents, or are numbered only to tell summaries apart, are no sample
    of systems.
    """
    return "both" if layout.crossed else "documents"


def intervals(drawn: Float64) -> list[Interval]:
    """The percentile interval of each column of draws."""
    tails = [(1.0 - CONFIDENCE) / 2.0, (1.0 + CONFIDENCE) / 2.0]
    if drawn.size and not np.isnan(drawn).any():
        return [Interval(float(low), float(high)) for low, high in np.quantile(drawn, tails, 0).T]
    found = []
    for column in drawn.T:
        defined = column[~np.isnan(column)]
        enough = len(defined) > 0 and 2 * len(defined) >= len(column)
        found.append(Interval(*map(float, np.quantile(defined, tails))) if enough else NO_INTERVAL)
    return found


def drawn_means(cells: Float64, counts: Counts) -> Float64:
    """Draws × systems: the mean of each system over the drawn documents that have it."""
    there = ~np.isnan(cells)
    both = np.concatenate([np.where(there, cells, 0.0), there.astype(np.float64)], axis=1)
    size = max(1, CHUNK // max(1, len(cells)))
    sums = [
        counts[start : start + size].astype(np.float64) @ both
        for start in range(0, len(counts), size)
    ]
    totals, numbers = np.split(np.concatenate(sums), 2, axis=1)
    return quotient(totals, numbers)


def toss_coins(rows: int, columns: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Rows × columns of fair coins, eight to a random byte."""
    wanted = rows * columns
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-wanted // 8)), np.uint8), count=wanted)
    return bits.view(np.bool_).reshape(rows, columns)


def _counts(size: int, resamples: int, rng: np.random.Generator | None) -> Counts:
    counts = np.ones((resamples, size), dtype=np.int16)
    if rng is None or size == 0:
        return counts
    rows = max(1, CHUNK // size)
    for start in range(0, resamples, rows):
        part = counts[start : start + rows]
        chosen = rng.integers(size, size=part.shape)
        chosen += size * np.arange(len(part))[:, None]
        part[:] = np.bincount(chosen.ravel(), minlength=part.size).reshape(part.shape)
    return counts
