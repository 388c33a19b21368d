"""Permutation of two metrics' scores, to see what difference chance alone would make.

After Deutsch, Dror and Roth (2021): both metrics are standardised, then exchange scores by the
toss of a coin, and the difference of their correlations with people is taken again. The coin is
tossed for each summary by itself (PERM-BOTH), for each system with all its summaries (PERM-SYS),
or for each document with all its summaries (PERM-INPUT).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.arithmetic import exact_ties, quotient
from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Layout, Level, grouped
from gistmark.analysis.resampling.bootstrap import Over, toss_coins
from gistmark.compiled import compiled

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
    coefficient: str,
    swaps: Bool,
) -> Float64:
    """corr(first, y) - corr(second, y) after each exchange; nothing may be missing.

    The rows are standardised here. NaN where a correlation is not defined.
    """
    rows = np.array([_standardised(first), _standardised(second), y])
    if level == "system":
        values = _system_values(rows, layout, coefficient, swaps)
    else:
        values = _group_values(level, rows, layout, coefficient, swaps)
    differences: Float64 = values[:, 0] - values[:, 1]
    return differences


def _standardised(values: Float64) -> Float64:
    deviation = values.std()
    centred: Float64 = values - values.mean()
    return centred / deviation if deviation > 0 else centred


def _system_values(rows: Float64, layout: Layout, coefficient: str, swaps: Bool) -> Float64:
    """A system's mean moves by the mean of what its summaries gain by the exchange."""
    means = grouped("system", layout, rows)[:, 0]
    cells = np.nan_to_num(layout.cube(rows[1] - rows[0]))
    counts = np.bincount(layout.systems, minlength=cells.shape[1])
    gains = swapped_sums(cells / counts, _swap_cells(layout, swaps))
    moved = exact_ties(np.concatenate([means[0] + gains, means[1] - gains]))
    people = np.broadcast_to(means[2], moved.shape)
    prepared = COEFFICIENTS.get(coefficient).prepare(moved, people)
    values = prepared.under(np.ones((1, moved.shape[1])))
    return values.reshape(2, -1).T


def _group_values(
    level: Level, rows: Float64, layout: Layout, coefficient: str, swaps: Bool
) -> Float64:
    one, other, people = grouped(level, layout, rows)
    coins = _swap_cells(layout, swaps) if level == "summary" else swaps[:, None, :]
    result = COEFFICIENTS.get(coefficient).swapped(one, other, people, coins)
    defined = ~np.isnan(result)
    return quotient(np.sum(result, axis=-1, where=defined), defined.sum(axis=-1))


def _swap_cells(layout: Layout, swaps: Bool) -> Bool:
    shape = (len(swaps), len(layout.document_names), len(layout.system_names))
    if layout.in_order:
        return swaps.reshape(shape)
    cells = np.zeros(shape, np.bool_)
    cells[:, layout.documents, layout.systems] = swaps
    return cells


@compiled
def swapped_sums(gains: Float64, swaps: Bool) -> Float64:
    """Permutations × systems: what the exchanged cells (documents × systems) gain in all."""
    permutations, documents, systems = swaps.shape
    values = np.zeros((permutations, systems))
    for permutation in range(permutations):
        for document in range(documents):
            for system in range(systems):
                gain = gains[document, system] if swaps[permutation, document, system] else 0.0
                values[permutation, system] += gain
    return values
