"""Bootstrap of correlations at every level, over documents, systems or both.

After Deutsch, Dror and Roth, "A Statistical Analysis of Summarization Evaluation Metrics using
Resampling Methods" (2021): BOOT-INPUT draws documents, BOOT-SYS systems, and BOOT-BOTH both,
keeping the summaries where a drawn document meets a drawn system. A draw is kept as the number of
times that each document and system came up, so no data are ever copied.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import fresh_rows
from gistmark.analysis.correlation.levels import Layout, Level, cell_means, partial_values
from gistmark.analysis.data.arithmetic import exact_ties, quotient
from gistmark.analysis.data.weights import UNWEIGHTED, Weights

Counts = NDArray[np.int16]

Float64 = NDArray[np.float64]

Over = Literal["documents", "systems", "both"]

CONFIDENCE = 0.95

RESAMPLES = 1_000

FEWEST_SYSTEMS = 6
"""With fewer systems nothing is said about other systems: no interval over systems, and no test.

They can be ordered in so few ways, three in six and four in 24, that a metric often orders them as
people do by chance."""

FEWEST_DRAWS = 40
"""Fewer draws have no interval: 2.5 % on either side is a draw of 40."""

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

    @property
    def freedom(self) -> int:
        """Degrees of freedom: the fewer of documents and systems that are drawn, less one."""
        sizes = [] if self.over == "systems" else [self.documents.shape[1]]
        sizes += [] if self.over == "documents" else [self.systems.shape[1]]
        return min((size - 1 for size in sizes if size > 1), default=0)

    def of_documents(self) -> Draws:
        """The same draws of documents, with every system once."""
        return Draws("documents", self.documents, np.ones_like(self.systems))

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
    """How much is resampled and by what generator; without `over`, what `usual_over` says.

    `weights` say how much documents and comparisons count. Systems without names (`anonymous`) only
    number the summaries of a document, and are never drawn.
    """

    rng: np.random.Generator
    resamples: int = RESAMPLES
    over: Over | None = None
    weights: Weights = UNWEIGHTED
    anonymous: bool = False

    def over_for(self, layout: Layout) -> Over:
        return self.over or ("documents" if self.anonymous else usual_over(layout))

    def scope(self, layout: Layout) -> str:
        """What an interval is over, in words; a claim about it holds for nothing else."""
        over = self.over_for(layout)
        if over != "documents":
            return "documents and systems" if over == "both" else "systems"
        if self.anonymous or not layout.systems_recur:
            return "documents"
        return "documents of this system" if layout.single else "documents of these systems"

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
    """Both where there are enough systems, each with several documents, else documents only.

    Systems that are numbered only to tell summaries apart are no sample of systems.
    """
    enough = len(layout.system_names) >= FEWEST_SYSTEMS
    return "both" if enough and layout.systems_recur else "documents"


def too_few_systems(systems: int) -> str | None:
    """Why nothing can be said about other systems, if there are too few of them."""
    if systems >= FEWEST_SYSTEMS:
        return None
    few = "1 system is" if systems == 1 else f"{systems} systems are"
    return f"{few} too few to speak for others; {FEWEST_SYSTEMS} are needed"


def intervals(resampled: Float64) -> list[Interval]:
    """The percentile interval of each column of draws; none of fewer than `FEWEST_DRAWS`."""
    if len(resampled) < FEWEST_DRAWS:
        return [NO_INTERVAL] * resampled.shape[1]
    tails = [(1.0 - CONFIDENCE) / 2.0, (1.0 + CONFIDENCE) / 2.0]
    if resampled.size and not np.isnan(resampled).any():
        return [
            Interval(float(low), float(high)) for low, high in np.quantile(resampled, tails, 0).T
        ]
    bounds = []
    for column in resampled.T:
        defined = column[~np.isnan(column)]
        enough = len(defined) > 0 and 2 * len(defined) >= len(column)
        bounds.append(Interval(*map(float, np.quantile(defined, tails))) if enough else NO_INTERVAL)
    return bounds


def too_few_draws(draws: int) -> str | None:
    """Why these draws have no interval, if they are too few."""
    if draws >= FEWEST_DRAWS:
        return None
    few = "1 draw is" if draws == 1 else f"{draws} draws are"
    return f"{few} too few for an interval; {FEWEST_DRAWS} are needed"


def resampled_means(cells: Float64, counts: Counts, weights: Float64 | None = None) -> Float64:
    """Draws × systems: the mean of each system over the drawn documents that have it.

    `weights` say how much each document counts.
    """
    there = ~np.isnan(cells)
    both = np.concatenate([np.where(there, cells, 0.0), there.astype(np.float64)], axis=1)
    both = both if weights is None else both * weights[:, None]
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


_Values = Callable[[Draws], Float64]
"""From some draws to draws × rows × groups of coefficients."""


def resample(
    x: Float64,
    y: Float64,
    layout: Layout,
    level: Level,
    coefficient: str,
    draws: Draws,
    *,
    given: Float64 | None = None,
) -> Float64:
    """Draws × rows of x: each row correlated with its row of y (and given z) in every draw.

    All are missing in the same columns. At summary level, the mean is over the drawn documents
    whose correlation is defined.
    """
    pairs = [(x, y)] if given is None else [(x, y), (x, given), (y, given)]
    prepared = [_prepare(*pair, layout, level, coefficient) for pair in pairs]

    def work(piece: Draws) -> Float64:
        rows = [values(piece) for values in prepared]
        groups = rows[0] if given is None else partial_values(*rows)
        return _averaged(groups, piece.documents if level == "summary" else None)

    workers = os.cpu_count() or 1
    size = min(_piece(len(x), layout, level), max(1, -(-len(draws) // workers)))
    with ThreadPoolExecutor(workers) as pool:
        return np.concatenate(list(pool.map(work, draws.pieces(size))))


def _piece(rows: int, layout: Layout, level: Level) -> int:
    """How many draws to take at a time."""
    pooled = len(layout) + rows
    cells = rows * (len(layout.document_names) + len(layout.system_names))
    return max(1, CHUNK // max(1, pooled if level in ("annotation", "global") else cells))


def _prepare(x: Float64, y: Float64, layout: Layout, level: Level, coefficient: str) -> _Values:
    fresh = fresh_rows(x) | fresh_rows(y)
    if not fresh.all():
        distinct = _prepare(x[fresh], y[fresh], layout, level, coefficient)
        owner = np.cumsum(fresh) - 1
        return lambda draws: distinct(draws)[:, owner]
    if level in ("annotation", "global"):
        pooled = COEFFICIENTS.get(coefficient).prepare(x, y)
        return lambda draws: pooled.under(draws.weights(layout))[:, :, None]
    layout.check_distinct()
    if level == "system":
        return _system_values(x, y, layout, coefficient)
    first, second = layout.cube(x), layout.cube(y)
    rows, documents, size = first.shape
    known = COEFFICIENTS.get(coefficient)
    groups = known.prepare(first.reshape(-1, size), second.reshape(-1, size))

    def summary_values(draws: Draws) -> Float64:
        systems = draws.systems[:1] if draws.over == "documents" else draws.systems
        result = groups.under(systems.astype(np.float64))
        return result.reshape(len(systems), rows, documents)

    return summary_values


def _system_values(x: Float64, y: Float64, layout: Layout, coefficient: str) -> _Values:
    """Means move with every draw of documents; rows of y that repeat are averaged once."""
    fresh = fresh_rows(y)
    first, second = layout.cube(x), layout.cube(y[fresh])
    owner = np.cumsum(fresh) - 1
    known = COEFFICIENTS.get(coefficient)

    def system_values(draws: Draws) -> Float64:
        documents = draws.documents.astype(np.float64)
        means = [cell_means(cells, documents).swapaxes(0, 1) for cells in (first, second)]
        if known.by_order:
            means = [exact_ties(values) for values in means]
        weights = draws.systems.astype(np.float64)
        return known.each(means[0], means[1][:, owner], weights)[:, :, None]

    return system_values


def _averaged(values: Float64, weights: Counts | None) -> Float64:
    """The mean over the groups that are defined, each as often as it was drawn."""
    if weights is None:
        return values[:, :, 0]
    there = ~np.isnan(values)
    repeats = weights[:, None, :].astype(np.float64)
    sums = np.sum(np.where(there, values, 0.0) * repeats, axis=-1)
    return quotient(sums, np.sum(there * repeats, axis=-1))
