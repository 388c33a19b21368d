"""Permutation of two metrics' scores, to see what difference chance alone would make.

After Deutsch, Dror and Roth (2021): both metrics are standardised, then exchange scores by the
toss of a coin, and the difference of their correlations with people is taken again. The coin is
tossed for each summary by itself (PERM-BOTH), for each system with all its summaries (PERM-SYS),
or for each document with all its summaries (PERM-INPUT).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.arithmetic import exact_ties, quotient, sort_rows
from gistmark.analysis.correlation.coefficients import Coefficient
from gistmark.analysis.correlation.kernels import kendall_swaps, spearman_swaps, swapped_sums
from gistmark.analysis.correlation.levels import Layout, Level, grouped
from gistmark.analysis.correlation.weighted import prepare
from gistmark.analysis.resampling.bootstrap import Over, toss_coins

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]

TESTS: dict[Over, str] = {"both": "PERM-BOTH", "systems": "PERM-SYS", "documents": "PERM-INPUT"}


def draw_swaps(layout: Layout, over: Over, permutations: int, rng: np.random.Generator) -> Bool:
    """Permutations × rows: which rows exchange their two scores."""
    sizes = {
        "both": len(layout),
        "systems": len(layout.system_names),
        "documents": len(layout.document_names),
    }
    coins = toss_coins(permutations, sizes[over], rng)
    if over == "both":
        return coins
    return coins[:, layout.systems if over == "systems" else layout.documents]


def permuted_differences(
    level: Level,
    first: Float64,
    second: Float64,
    y: Float64,
    layout: Layout,
    coefficient: Coefficient,
    swaps: Bool,
) -> Float64:
    """corr(first, y) - corr(second, y) after each exchange; nothing may be missing.

    The rows are standardised here. NaN where a correlation is not defined.
    """
    first, second = _standardised(first), _standardised(second)
    if level == "system":
        found = _system_values(first, second, y, layout, coefficient, swaps)
    else:
        found = _group_values(level, first, second, y, layout, coefficient, swaps)
    differences: Float64 = found[:, 0] - found[:, 1]
    return differences


def _standardised(values: Float64) -> Float64:
    deviation = values.std()
    centred: Float64 = values - values.mean()
    return centred / deviation if deviation > 0 else centred


def _system_values(
    first: Float64,
    second: Float64,
    y: Float64,
    layout: Layout,
    coefficient: Coefficient,
    swaps: Bool,
) -> Float64:
    """A system's mean moves by the mean of what its summaries gain by the exchange."""
    means = grouped("system", layout, np.array([first, second, y]))[:, 0]
    cells = np.nan_to_num(layout.cube(second - first))
    counts = np.bincount(layout.systems, minlength=cells.shape[1])
    gains = swapped_sums(cells / counts, _swap_cells(layout, swaps))
    rows = exact_ties(np.concatenate([means[0] + gains, means[1] - gains]))
    people = np.broadcast_to(means[2], rows.shape)
    found = prepare(rows, people, coefficient).under(np.ones((1, rows.shape[1])))
    return found.reshape(2, -1).T


def _group_values(
    level: Level,
    first: Float64,
    second: Float64,
    y: Float64,
    layout: Layout,
    coefficient: Coefficient,
    swaps: Bool,
) -> Float64:
    one, other, people = grouped(level, layout, np.array([first, second, y]))
    coins = _swap_cells(layout, swaps) if level == "summary" else swaps[:, None, :]
    if coefficient == "pearson":
        found = _pearson(one, other, people, coins)
    else:
        together = sort_rows(np.concatenate([one, other], axis=1))
        own = sort_rows(people)
        orders = (together.order, together.starts, own.order, own.starts, own.counts)
        kernel = spearman_swaps if coefficient == "spearman" else kendall_swaps
        found = kernel(*orders, coins)
    defined = ~np.isnan(found)
    return quotient(np.sum(found, axis=-1, where=defined), defined.sum(axis=-1))


def _swap_cells(layout: Layout, swaps: Bool) -> Bool:
    shape = (len(swaps), len(layout.document_names), len(layout.system_names))
    if layout.in_order:
        return swaps.reshape(shape)
    cells = np.zeros(shape, np.bool_)
    cells[:, layout.documents, layout.systems] = swaps
    return cells


def _pearson(one: Float64, other: Float64, people: Float64, coins: Bool) -> Float64:
    """Sums after an exchange are sums before it plus what the exchanged members bring."""
    there = ~np.isnan(one)
    count = there.sum(axis=1)
    x, z, y = (np.where(there, values, 0.0) for values in (one, other, people))
    y = np.where(there, y - (y.sum(axis=1) / np.maximum(count, 1))[:, None], 0.0)
    gains = np.stack([z - x, z * z - x * x, (z - x) * y], axis=-1)
    moved = coins.swapaxes(0, 1).astype(np.float64) @ gains
    found = []
    for row, sign in ((x, 1.0), (z, -1.0)):
        before = np.stack([row, row * row, row * y], axis=-1).sum(axis=1)
        sums, squares, products = np.moveaxis(before[:, None, :] + sign * moved, -1, 0)
        spread = (squares - sums * sums / np.maximum(count, 1)[:, None]) * (y * y).sum(1)[:, None]
        found.append(quotient(products, np.sqrt(np.maximum(spread, 0.0)), spread > 1e-12))
    return np.array(found).transpose(2, 0, 1)
