"""Whether one metric follows people better than another: tests of two dependent correlations.

    williams      Williams (1959): two correlations that share a variable; Pearson's by right,
                  Spearman's by custom, at global and system level
    permutation   Deutsch, Dror and Roth (2021): both metrics are standardised, then exchange
                  scores by the toss of a coin, and the difference of their correlations with
                  people is taken again. The coin is tossed for each system with all its summaries
                  (PERM-SYS), for each document with all its summaries (PERM-INPUT), or for both,
                  one after the other, and the two differences are added. Their PERM-BOTH tosses
                  it for each summary by itself, which takes summaries as independent: two metrics
                  that have nothing to do with people, but favour systems, differ by it far too
                  often
    bootstrap     the difference over its standard deviation in a bootstrap

All p values are two-sided. A metric of which less is better counts negated, so that a positive
difference always means that the first metric follows people better. `correct` corrects p values
for many comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.levels import Layout, Level, grouped
from gistmark.analysis.data.arithmetic import exact_ties, quotient
from gistmark.analysis.resampling.bootstrap import (
    NO_INTERVAL,
    Interval,
    Over,
    toss_coins,
)
from gistmark.analysis.resampling.student import student_p, student_quantile
from gistmark.runtime.compiled import compiled

Float64 = NDArray[np.float64]

Test = Literal["williams", "permutation", "bootstrap"]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Williams:
    """Student's t with n - 3 degrees of freedom, and its two-sided p; None has a reason."""

    t: float | None
    p: float | None
    reason: str | None = None


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Test r12 against r13, which share variable 1, given r23 of the two others.

        t = (r12 - r13) sqrt((n - 1)(1 + r23) / (2 K (n - 1)/(n - 3) + m^2 (1 - r23)^3))

    with m = (r12 + r13) / 2 and K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23.
    """
    from scipy.special import stdtr

    if n < 4:
        return Williams(None, None, "Williams' test needs at least 4 rows")
    rest = 1.0 - r12**2 - r13**2 - r23**2 + 2.0 * r12 * r13 * r23
    middle = (r12 + r13) / 2.0
    below = 2.0 * max(rest, 0.0) * (n - 1) / (n - 3) + middle**2 * (1.0 - r23) ** 3
    if below <= _ROUNDING:
        return Williams(None, None, "the two metrics order the rows alike")
    t = float(r12 - r13) * math.sqrt((n - 1) * (1.0 + r23) / below)
    return Williams(t, float(2.0 * stdtr(n - 3, -abs(t))))


def permutation_p(difference: float, permuted: Float64) -> float | None:
    """How often an exchange makes a difference as large: (1 + hits) / (1 + permutations)."""
    defined = permuted[~np.isnan(permuted)]
    if not len(defined):
        return None
    hits = np.count_nonzero(np.abs(defined) >= abs(difference) - _ROUNDING)
    return float(1 + hits) / (1 + len(defined))


def student_test(
    difference: float, resampled: Float64, freedom: float
) -> tuple[float | None, Interval]:
    """p and 95 % interval of a difference, from its standard deviation over bootstrap draws.

    By Student's t with these degrees of freedom. Both say the same: the interval leaves zero out
    exactly where p is below 0.05. None where fewer than half of the draws gave a value, or where
    they do not vary and prove nothing.
    """
    defined = resampled[~np.isnan(resampled)]
    if 2 * len(defined) < len(resampled) or len(defined) < 2:
        return None, NO_INTERVAL
    deviation = float(defined.std(ddof=1))
    width = student_quantile(freedom) * deviation
    if deviation <= _ROUNDING:
        return (1.0 if abs(difference) <= _ROUNDING else None), NO_INTERVAL
    p = float(student_p(difference / deviation, freedom))
    return p, Interval(difference - width, difference + width)


Correction = Literal["holm", "benjamini-hochberg", "none"]


def corrected_within(
    families: Sequence[Hashable], p_values: Sequence[float | None]
) -> list[float | None]:
    """The p values corrected by Holm within each family, in the order in which they stand."""
    members: dict[Hashable, list[int]] = {}
    for index, family in enumerate(families):
        members.setdefault(family, []).append(index)
    result = list(p_values)
    for indices in members.values():
        corrected = correct([p_values[index] for index in indices], "holm")
        for index, p in zip(indices, corrected, strict=True):
            result[index] = p
    return result


def correct(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The corrected p values, in the same order; what has no p is not counted.

    Holm bounds the chance of any false alarm: p_(k) becomes max over j <= k of (m - j + 1) p_(j).
    Benjamini and Hochberg bound the share of false alarms: min over j >= k of m p_(j) / j.
    """
    indices = [index for index, p in enumerate(p_values) if p is not None]
    known = np.array([p_values[index] for index in indices], dtype=np.float64)
    order = np.argsort(known, kind="stable")
    ranks = np.arange(1, len(known) + 1)
    if correction == "holm":
        ordered = np.maximum.accumulate(known[order] * (len(known) - ranks + 1))
    elif correction == "benjamini-hochberg":
        ordered = np.minimum.accumulate((known[order] * len(known) / ranks)[::-1])[::-1]
    else:
        ordered = known[order]
    corrected: list[float | None] = [None] * len(p_values)
    for position, value in zip(order, np.minimum(ordered, 1.0), strict=True):
        corrected[indices[position]] = float(value)
    return corrected


Bool = NDArray[np.bool_]

TESTS: dict[Over, str] = {
    "both": "PERM-SYS and PERM-INPUT",
    "systems": "PERM-SYS",
    "documents": "PERM-INPUT",
}


def draw_swaps(
    layout: Layout, over: Over, permutations: int, rng: np.random.Generator
) -> tuple[Bool, ...]:
    """Permutations × rows, for systems, documents or both: which rows exchange their scores."""
    swaps = []
    if over != "documents":
        swaps.append(toss_coins(permutations, len(layout.system_names), rng)[:, layout.systems])
    if over != "systems":
        coins = toss_coins(permutations, len(layout.document_names), rng)
        swaps.append(coins[:, layout.documents])
    return tuple(swaps)


def permuted_differences(
    level: Level,
    first: Float64,
    second: Float64,
    y: Float64,
    layout: Layout,
    coefficient: str,
    swaps: Sequence[Bool],
) -> Float64:
    """corr(first, y) - corr(second, y) after each exchange; nothing may be missing.

    Exchanges of systems and of documents each have a difference, and these add up. The rows are
    standardised here. NaN where a correlation is not defined.
    """
    rows = np.array([_standardised(first), _standardised(second), y])
    work = _system_values if level == "system" else partial(_group_values, level)
    values = np.sum([work(rows, layout, coefficient, kind) for kind in swaps], axis=0)
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
