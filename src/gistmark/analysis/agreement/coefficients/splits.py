"""Groups of annotators against each other: one against the rest, and k against the rest.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC" (2020), Figures 8 and 9: each annotator
against the mean of the others, and 3 of 10 annotators against the other 7 in all 120 ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import LEAST, complete_pairs, correlate
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.columns import Float64, Int64, RatingColumns
from gistmark.runtime.seeds import generator

MOST_SPLITS = 1_000

_BLOCK = 1 << 21
_DECIMALS = 10
"""Means are rounded to this, so that equal means tie however they were summed."""


@dataclass(frozen=True, slots=True)
class Split:
    """Some annotators, and how the mean of their ratings goes with that of all others."""

    group: tuple[str, ...]
    correlation: Statistic


def means_of_others(columns: RatingColumns) -> Float64:
    """For each rating, the mean of the other ratings of its unit; NaN where there is no other."""
    count = len(columns.unit_names)
    sizes = np.bincount(columns.units, minlength=count)[columns.units]
    sums = np.bincount(columns.units, weights=columns.values, minlength=count)[columns.units]
    return quotient(sums - columns.values, sizes - 1)


def annotators_against_rest(
    columns: RatingColumns, coefficient: str = "spearman", stand_in: Float64 | None = None
) -> tuple[Split, ...]:
    """Each annotator against the mean of the others, on the units that both sides rated.

    Not defined for fewer than three such units, as for somebody who rated alone, or where one
    side is constant on them. A `stand_in`, whose value of each unit this is, may take the place of
    each annotator in turn.
    """
    others = np.round(means_of_others(columns), _DECIMALS)
    count = len(columns.rater_names)
    values = columns.values if stand_in is None else stand_in[columns.units]
    own, rest = (by_rater(columns.raters, side, count) for side in (values, others))
    return tuple(
        Split((name,), _correlations(x[None], y[None], coefficient)[0])
        for name, x, y in zip(columns.rater_names, own, rest, strict=True)
    )


def mean_left_out(columns: RatingColumns, groups: Int64, coefficient: str) -> Float64:
    """The mean of `annotators_against_rest` without one group of units each.

    `groups` has the group of each unit. Annotators who have no value then do not count.
    """
    others = np.round(means_of_others(columns), _DECIMALS)
    there = ~np.isnan(others)
    sides = (columns.values[there], others[there], groups[columns.units[there]].astype(np.float64))
    parts = [by_rater(columns.raters[there], side, len(columns.rater_names)) for side in sides]
    values = [
        _left_out(x[None], y[None], group, int(groups.max()) + 1, coefficient)
        for x, y, group in zip(*parts, strict=True)
        if len(x) >= LEAST
    ]
    return _nanmean(np.concatenate(values, axis=1))


def _left_out(x: Float64, y: Float64, groups: Float64, count: int, coefficient: str) -> Float64:
    """Groups × rows: the correlation of each row of x with that of y without a group."""
    weights = (np.arange(count)[:, None] != groups).astype(np.float64)
    return COEFFICIENTS.get(coefficient).prepare(*complete_pairs(x, y)).under(weights)


def _nanmean(values: Float64) -> Float64:
    """The mean of the values of each row that are defined, if any are."""
    there = ~np.isnan(values)
    return quotient(np.where(there, values, 0.0).sum(axis=1), there.sum(axis=1).astype(float))


def beside_annotators(columns: RatingColumns, values: Float64) -> list[tuple[float, float]]:
    """For each annotator, Spearman of annotator and of `values` with the mean of the others.

    `values` has one per unit. Both are on the units that the annotator, somebody else and `values`
    have; an annotator for whom either is not defined is left out.
    """
    others = np.round(means_of_others(columns), _DECIMALS)
    rows = []
    for rater in range(len(columns.rater_names)):
        rated = columns.raters == rater
        both = np.array([columns.values[rated], values[columns.units[rated]]])
        both = np.where(np.isnan(both).any(axis=0), np.nan, both)
        result = correlate(both, others[rated], "spearman", test=False).values
        if not np.isnan(result).any():
            rows.append((float(result[0]), float(result[1])))
    return rows


def by_rater(raters: Int64, values: Float64, count: int) -> list[Float64]:
    """The values of rater 0, of rater 1, and so on to `count` - 1."""
    order = np.argsort(raters, kind="stable")
    ends = np.cumsum(np.bincount(raters, minlength=count))
    return np.split(values[order], ends[:-1]) if count else []


def splits_against_rest(
    columns: RatingColumns,
    k: int,
    *,
    rng: np.random.Generator,
    most: int = MOST_SPLITS,
) -> tuple[Split, ...]:
    """Spearman of the means of k annotators and of the others, for all ways to choose the k.

    Where there are more than `most` ways, `most` different ones are drawn. Where k is half of the
    annotators, each split occurs once, not once for either side. Empty unless there are at least
    k + 1 annotators. A unit counts in a split where both sides rated it; for the undefined cases
    see `annotators_against_rest`.
    """
    raters = len(columns.rater_names)
    groups = _groups(raters, k, rng, most) if 1 <= k < raters else []
    return tuple(
        Split(tuple(columns.rater_names[rater] for rater in group), correlation)
        for block, sides in _split_means(columns, groups)
        for group, correlation in zip(block, _correlations(*sides, "spearman"), strict=True)
    )


def mean_split_left_out(columns: RatingColumns, k: int, groups: Int64, most: int) -> Float64:
    """The mean of `most` splits (see `splits_against_rest`) without one group each, then with all.

    `groups` has the group of each unit.
    """
    splits = _groups(len(columns.rater_names), k, generator(0), most)
    count = int(groups.max()) + 2
    values = [
        _left_out(*sides, groups.astype(np.float64), count, "spearman")
        for _, sides in _split_means(columns, splits)
    ]
    return _nanmean(np.concatenate(values, axis=1))


def _split_means(
    columns: RatingColumns, groups: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Sequence[tuple[int, ...]], tuple[Float64, Float64]]]:
    """Blocks of groups × units: the means of each group of raters, and of all others."""
    from scipy.sparse import csr_array

    raters, units = len(columns.rater_names), len(columns.unit_names)
    cells, shape = (columns.raters, columns.units), (raters, units)
    values = csr_array((columns.values, cells), shape)
    counts = csr_array((np.ones(len(columns)), cells), shape)
    step = max(1, _BLOCK // max(units, 1))
    for start in range(0, len(groups), step):
        block = groups[start : start + step]
        members = np.zeros((len(block), raters))
        np.put_along_axis(members, np.array(block), 1.0, axis=1)
        first, second = (
            np.round(quotient(np.asarray(side @ values), np.asarray(side @ counts)), _DECIMALS)
            for side in (members, 1 - members)
        )
        yield block, (first, second)


def usual_group(raters: int) -> int:
    """Three in ten annotators, as in BLANC; at least one."""
    return max(1, round(0.3 * raters))


def _groups(raters: int, k: int, rng: np.random.Generator, most: int) -> list[tuple[int, ...]]:
    """All groups of k, or a sample without repetition; one of two halves always holds rater 0."""
    fixed: tuple[int, ...] = (0,) if 2 * k == raters else ()
    others, free = range(len(fixed), raters), k - len(fixed)
    if comb(len(others), free) <= most:
        return [fixed + group for group in combinations(others, free)]
    sampled: dict[tuple[int, ...], None] = {}
    while len(sampled) < most:
        picks = rng.choice(len(others), size=free, replace=False) + len(fixed)
        sampled.setdefault(fixed + tuple(sorted(picks.tolist())))
    return list(sampled)


def _correlations(first: Float64, second: Float64, coefficient: str) -> list[Statistic]:
    """The correlation of each row of `first` with that row of `second`."""
    result = correlate(first, second, coefficient)
    return [
        Statistic(float(value), int(n)) if lacking is None else _undefined(int(n))
        for value, n, lacking in zip(result.values, result.n, result.undefined, strict=True)
    ]


def _undefined(n: int) -> Statistic:
    if n < LEAST:
        return undefined(f"{n} units in common are too few; {LEAST} are needed.", n)
    return undefined("One side has the same value throughout.", n)
