"""Soft pairwise accuracy: is a metric as sure as people are that one system beats another?

SPA (Thompson and others 2024, "Soft Pairwise Accuracy"): for each pair of systems, p is the share
of random sign flips over documents whose summed difference is at least the observed one; SPA is 1
minus the mean distance of the metric's p from people's. One set of flips serves all pairs and both
sides.

Resampling does not flip signs again in every draw: there the sum of flipped differences d is taken
as normal with variance sum d^2, which the flips approach with the number of documents. An interval
has the variance over draws of documents (their percentiles would lie too low: a draw adds noise to
both sides) and, where it is to hold for other systems, that of leaving systems out. For these
systems alone two metrics are tested by the permutation of Deutsch, Dror and Roth (2021) over
documents: standardised, they exchange all scores of a document by the toss of a coin.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.resampling.bootstrap import Counts, toss_coins
from gistmark.analysis.resampling.significance import permutation_p
from gistmark.runtime.compiled import compiled

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

FLIPS = 1_000

_TABLE = ndtr(np.linspace(-6.0, 6.0, 3073))
"""The normal distribution function in steps of 1/256, for the many values of permutations."""
_STEP, _END = 256.0, 6.0
_FEW_HITS = 10
_NOTHING = 1e-6
"""Less than this, in squared standard deviations of a metric, is rounding."""


def soft_pairwise_accuracies(
    metrics: Float64, people: Float64, rng: np.random.Generator
) -> Float64:
    """SPA of several metrics, metrics × systems × documents, with people, on the same sign flips.

    Nothing is missing in any of the tables.

    >>> import numpy as np
    >>> from gistmark.analysis.correlation.soft_accuracy import soft_pairwise_accuracies
    >>> people, metric = np.array([[1, 2, 3], [2, 3, 4]]), np.array([[2, 2, 4], [1, 3, 5]])
    >>> soft_pairwise_accuracies(metric[None], people, np.random.default_rng(4)).round(3).tolist()
    [0.872]
    """
    signs = draw_signs(people.shape[1], rng)
    tables = sureness(np.concatenate([people[None], metrics]), signs)
    values: Float64 = 1.0 - np.abs(tables[1:] - tables[0]).mean(axis=1)
    return values


def draw_signs(documents: int, rng: np.random.Generator) -> Float64:
    """Flips × documents."""
    return np.where(rng.integers(0, 2, (FLIPS, documents)) == 1, 1.0, -1.0)


def sureness(values: Float64, signs: Float64) -> Float64:
    """Tables × pairs of systems: the share of flips with at least the observed difference.

    `values` is tables × systems × documents.
    """
    tables, systems, documents = values.shape
    rows = np.ascontiguousarray(values.reshape(-1, documents), dtype=np.float64)
    left, right = np.triu_indices(systems, 1)
    starts = systems * np.arange(tables)[:, None]
    lefts, rights = (starts + left).ravel(), (starts + right).ravel()
    sums = rows.sum(axis=1)
    slack = 1e-9 * np.abs(rows).sum(axis=1).reshape(tables, systems).max(axis=1)
    least = sums[lefts] - sums[rights] - np.repeat(slack, len(left))
    counts = count_reached(rows @ signs.T, lefts, rights, least)
    return counts.reshape(tables, len(left)) / len(signs)


@compiled
def count_reached(flipped: Float64, lefts: Int64, rights: Int64, least: Float64) -> Int64:
    """How many flips (columns) give each pair of rows a difference of at least `least`."""
    counts = np.zeros(len(lefts), np.int64)
    for k in range(len(lefts)):
        left, right, bound = flipped[lefts[k]], flipped[rights[k]], least[k]
        count = 0
        for flip in range(len(left)):
            count += left[flip] - right[flip] >= bound
        counts[k] = count
    return counts


@dataclass(frozen=True, eq=False)
class Gaps:
    """Documents × pairs of systems: the differences of one measure, nothing missing."""

    values: Float64

    @cached_property
    def squares(self) -> Float64:
        return self.values**2

    def resampled(self, counts: Counts) -> Float64:
        """Draws × pairs: how sure the measure is in each draw of documents."""
        weights = counts.astype(np.float64)
        return surely(weights @ self.values, weights @ self.squares)


def gaps_between(table: Float64) -> Gaps:
    """The differences of all pairs of systems, from documents × systems."""
    left, right = np.triu_indices(table.shape[1], 1)
    return Gaps(table[:, left] - table[:, right])


def surely(sums: Float64, squares: Float64) -> Float64:
    """What the share of flips approaches; systems that never differ reach 0 with every flip."""
    sure: Float64 = ndtr(-quotient(sums, np.sqrt(squares), squares > 0))
    return np.where(squares > 0, sure, 1.0)


def soft_accuracies(metric: Float64, people: Float64) -> Float64:
    """1 for each pair of which the two are equally sure, down to 0 where they are opposed."""
    closeness: Float64 = 1.0 - np.abs(metric - people)
    return closeness


def soft_chance(metric: Float64, people: Float64) -> float:
    """The mean SPA over all ways to deal out the metric's values among the systems.

    Each pair of systems then has the metric's sureness of any ordered pair, all as likely; of a
    turned pair it is 1 - p. So it is the mean over all combinations of the two.
    """
    ordered = np.sort(np.append(metric, 1.0 - metric))
    sums = np.append(0.0, np.cumsum(ordered))
    below = np.searchsorted(ordered, people)
    rest = len(ordered) - below
    distances = people * below - sums[below] + sums[-1] - sums[below] - people * rest
    return float(1.0 - distances.mean() / len(ordered))


@dataclass(frozen=True, eq=False)
class Prepared:
    """Sums and squares of a metric's gaps: 2 × pairs of all documents, 2 × permutations × pairs of
    those that are exchanged."""

    totals: Float32
    away: Float32


class Exchanges:
    """Coins for documents, and what each metric's sums are under them."""

    def __init__(self, people: Gaps, permutations: int, rng: np.random.Generator) -> None:
        coins = toss_coins(permutations + 1, len(people.values), rng)
        coins[0] = False
        self.coins = coins.astype(np.float64)
        self.people = surely(people.values.sum(axis=0), people.squares.sum(axis=0))

    def prepare(self, table: Float64) -> Prepared:
        """A metric's documents × systems, standardised, under all coins."""
        deviation = table.std()
        gaps = gaps_between(table / deviation if deviation > 0 else table)
        away = np.stack([self.coins @ gaps.values, self.coins @ gaps.squares])
        totals = np.stack([gaps.values.sum(axis=0), gaps.squares.sum(axis=0)])
        return Prepared(totals.astype(np.float32), away.astype(np.float32))

    def p(self, first: Prepared, second: Prepared) -> float | None:
        """The two-sided p of the difference of two prepared metrics.

        Few permutations reach a clear difference, and many pairs of metrics would need very many
        to survive a correction; the tail is then that of a normal distribution as wide.
        """
        one = distances(first.totals, first.away, second.away, self.people, _TABLE)
        other = distances(second.totals, second.away, first.away, self.people, _TABLE)
        observed, permuted = float(other[0] - one[0]), other[1:] - one[1:]
        p = permutation_p(observed, permuted)
        if p is None or p * len(permuted) > _FEW_HITS or not permuted.std() > 0:
            return p
        return min(p, float(2.0 * ndtr(-abs(observed) / permuted.std())))


@compiled
def distances(
    totals: Float32, away: Float32, given: Float32, people: Float64, table: Float64
) -> Float64:
    """The mean distance from people, in each permutation, of a metric made of two.

    Of its own sums and squares it gives some `away`, and is `given` those of the other.
    """
    permutations, pairs = away.shape[1:]
    result = np.zeros(permutations)
    for row in range(permutations):
        total = 0.0
        for pair in range(pairs):
            square = totals[1, pair] - away[1, row, pair] + given[1, row, pair]
            sure = 1.0
            if square > _NOTHING:
                z = (away[0, row, pair] - given[0, row, pair] - totals[0, pair]) / np.sqrt(square)
                at = min(max((z + _END) * _STEP, 0.0), len(table) - 1.001)
                index = int(at)
                sure = table[index] + (at - index) * (table[index + 1] - table[index])
            total += abs(sure - people[pair])
        result[row] = total / pairs
    return result
