"""Bootstrap of correlations at every level, over documents, systems or both."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.coefficients import Coefficient
from gistmark.analysis.draws import CHUNK, RESAMPLES, Counts, Draws, Over, Resampling
from gistmark.analysis.layout import Layout, Level, cell_means
from gistmark.analysis.partial import partial_values
from gistmark.analysis.quotients import quotient
from gistmark.analysis.ties import exact_ties
from gistmark.analysis.weighted import correlate_each, fresh_rows, prepare

__all__ = ["RESAMPLES", "Over", "Resampling", "resample"]

Float64 = NDArray[np.float64]

_Values = Callable[[Draws], Float64]
"""From some draws to draws × rows × groups of coefficients."""


def resample(
    x: Float64,
    y: Float64,
    layout: Layout,
    level: Level,
    coefficient: Coefficient,
    draws: Draws,
    *,
    given: Float64 | None = None,
) -> Float64:
    """Draws × rows of x: each row correlated with its row of y (and given z) in every draw.

    All are missing at the same places. At summary level, the mean is over the drawn documents
    whose correlation is defined.
    """
    pairs = [(x, y)] if given is None else [(x, y), (x, given), (y, given)]
    prepared = [_prepare(*pair, layout, level, coefficient) for pair in pairs]

    def work(piece: Draws) -> Float64:
        found = [values(piece) for values in prepared]
        groups = found[0] if given is None else partial_values(*found)
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


def _prepare(
    x: Float64, y: Float64, layout: Layout, level: Level, coefficient: Coefficient
) -> _Values:
    fresh = fresh_rows(x) | fresh_rows(y)
    if not fresh.all():
        distinct = _prepare(x[fresh], y[fresh], layout, level, coefficient)
        owner = np.cumsum(fresh) - 1
        return lambda draws: distinct(draws)[:, owner]
    if level in ("annotation", "global"):
        pooled = prepare(x, y, coefficient)
        return lambda draws: pooled.under(draws.weights(layout))[:, :, None]
    layout.check_distinct()
    if level == "system":
        return _system_values(x, y, layout, coefficient)
    first, second = layout.cube(x), layout.cube(y)
    rows, documents, size = first.shape
    groups = prepare(first.reshape(-1, size), second.reshape(-1, size), coefficient)

    def summary_values(draws: Draws) -> Float64:
        systems = draws.systems[:1] if draws.over == "documents" else draws.systems
        found = groups.under(systems.astype(np.float64))
        return found.reshape(len(systems), rows, documents)

    return summary_values


def _system_values(x: Float64, y: Float64, layout: Layout, coefficient: Coefficient) -> _Values:
    """Means move with every draw of documents; rows of y that repeat are averaged once."""
    fresh = fresh_rows(y)
    first, second = layout.cube(x), layout.cube(y[fresh])
    owner = np.cumsum(fresh) - 1

    def system_values(draws: Draws) -> Float64:
        documents = draws.documents.astype(np.float64)
        means = [cell_means(cells, documents).swapaxes(0, 1) for cells in (first, second)]
        if coefficient != "pearson":
            means = [exact_ties(values) for values in means]
        weights = draws.systems.astype(np.float64)
        return correlate_each(means[0], means[1][:, owner], coefficient, weights)[:, :, None]

    return system_values


def _averaged(values: Float64, weights: Counts | None) -> Float64:
    """The mean over the groups that are defined, each as often as it was drawn."""
    if weights is None:
        return values[:, :, 0]
    there = ~np.isnan(values)
    repeats = weights[:, None, :].astype(np.float64)
    sums = np.sum(np.where(there, values, 0.0) * repeats, axis=-1)
    return quotient(sums, np.sum(there * repeats, axis=-1))
