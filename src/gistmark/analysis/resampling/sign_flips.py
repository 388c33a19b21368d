"""The sign-flip test of a paired difference, for many pairs at once, with its interval.

If two systems were equally good, their names could be exchanged within any document, which turns
the sign of that document's difference. The test compares the mean difference with those that all
(or many random) choices of signs make; it assumes nothing about the shape of the differences but
that it is symmetric if the systems are equal.

The interval holds every true difference that the same test, on the same signs, would not reject
at 5 %, so test and interval never contradict each other. For one choice of signs the differences
not rejected lie between the mean over the documents that kept their sign and the mean over those
that did not (Hartigan, "Using Subsample Values as Typical Values", 1969): no search is needed.

A difference may be made of blocks of two kinds, documents and annotators. Then both are given
signs, each block with all that it contributes: the test holds for other documents and for other
annotators, and is cautious, because what a document and an annotator share is counted twice.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.resampling.bootstrap import CHUNK, CONFIDENCE, toss_coins
from gistmark.runtime.compiled import compiled

Float64 = NDArray[np.float64]

Int64 = NDArray[np.int64]

Array = TypeVar("Array", Float64, Int64)

FLIPS = 5_000
"""How many random choices of signs there are, where not all are tried."""

_BUDGET = 3_000_000
"""With very many pairs there are fewer, about this many over all pairs."""

_ENOUGH = 25
"""A p that rests on more hits than this is precise enough."""

PER_PAIR = 40
"""With this many more for each pair, the smallest p times the number of pairs is 1 / 40."""

_ROUNDING = 1e-12

_AT_ONCE = 1_000


@dataclass(frozen=True)
class Contributions:
    """What each block (rows) adds to the differences of pairs, and its weight.

    Pair k compares column `lefts[k]` of `parts` with column `rights[k]`, or is column `lefts[k]`
    itself where that is -1. What the documents add to a pair sums to its difference and their
    weights to 1, and so do those of the annotators where there are any. `weights` has a single
    column for all pairs, or one for each.
    """

    differences: Float64
    parts: Float64
    lefts: Int64
    rights: Int64
    weights: Float64

    @property
    def of_documents_only(self) -> bool:
        return bool(self.weights.sum(axis=0).max(initial=1.0) < 1.5)

    @cached_property
    def squares(self) -> Float64:
        """The sum of the squares of what all blocks add to each pair."""
        return self._summed(np.square)

    @cached_property
    def least(self) -> Float64:
        """What a flipped difference must reach to be as large as the observed one."""
        return np.abs(self.differences) - _ROUNDING * self._summed(np.abs)

    def only(self, pairs: NDArray[np.intp]) -> Contributions:
        weights = self.weights if self.weights.shape[1] == 1 else self.weights[:, pairs]
        return Contributions(
            self.differences[pairs], self.parts, self.lefts[pairs], self.rights[pairs], weights
        )

    def _summed(self, function: Callable[[Float64], Float64]) -> Float64:
        values = np.empty(len(self.differences))
        for start in range(0, len(values), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            gaps = self.parts[:, self.lefts[part]]
            direct = self.rights[part] < 0
            gaps = gaps - np.where(direct, 0.0, self.parts[:, self.rights[part]])
            values[part] = function(gaps).sum(axis=0)
        return values


@dataclass(frozen=True)
class FlipTests:
    """Two-sided p of every pair, and the bounds of its interval (infinite for too few blocks)."""

    p: Float64
    low: Float64
    high: Float64


def flip_tests(contributions: Contributions, flips: int, rng: np.random.Generator) -> FlipTests:
    """Test all pairs on the same signs, and those that look significant on more and more of them.

    With few blocks all choices of signs are tried, and p is exact. A random p is at least one in
    the number of choices, so the number grows with the number of pairs.
    """
    blocks = len(contributions.parts)
    if not blocks or not len(contributions.differences):
        unknown = np.full(len(contributions.differences), np.nan)
        return FlipTests(unknown, unknown, unknown)
    most = max(flips, min(FLIPS, _BUDGET // max(len(contributions.differences), 1)))
    exact = 2**blocks <= most
    signs = choices_of_signs(blocks, most, rng)
    rejected = int((1.0 - CONFIDENCE) * len(signs))

    def bounds(part: Contributions, sums: Float64, b: Float64) -> Float64:
        return interval_bounds(sums, part.lefts, part.rights, part.differences, b, rejected)

    low, high = _over_pairs(contributions, signs, bounds).T
    hits = _over_pairs(contributions, signs, _hits)
    p = hits / len(signs) if exact else _refined(contributions, hits, len(signs), rng)
    return FlipTests(p, low, high)


def _hits(part: Contributions, sums: Float64, b: Float64) -> Int64:
    return count_hits(sums, part.lefts, part.rights, part.least, b)


def _over_pairs(
    contributions: Contributions,
    signs: Float64,
    work: Callable[[Contributions, Float64, Float64], Array],
) -> Array:
    """The work on every pair, divided among the cores, over the signed sums of all columns."""
    sums = np.ascontiguousarray((signs @ contributions.parts).T)
    workers = os.cpu_count() or 1
    chunks = np.array_split(np.arange(len(contributions.differences)), workers)

    def run(chunk: NDArray[np.intp]) -> Array:
        part = contributions.only(chunk)
        return work(part, sums, np.ascontiguousarray((signs @ part.weights).T))

    with ThreadPoolExecutor(workers) as pool:
        return np.concatenate(list(pool.map(run, chunks)))


def _refined(
    contributions: Contributions, hits: Int64, tried: int, rng: np.random.Generator
) -> Float64:
    """The p values, with more signs for pairs of few hits, as Besag and Clifford (1991) do.

    A pair whose p cannot exceed the least that there is, by Hoeffding's bound
    2 exp(-t² / 2 Σ parts²), needs no further signs.
    """
    most = max(tried, PER_PAIR * len(hits))
    hits, counts = hits.copy(), np.full(len(hits), tried)
    spread = 2.0 * np.maximum(contributions.squares, np.finfo(float).tiny)
    clear = np.log(2.0) - contributions.differences**2 / spread < -math.log(most)
    if contributions.of_documents_only:
        counts[clear], hits[clear] = most, 1
    rows = max(1, CHUNK // len(contributions.parts))
    while (left := np.flatnonzero((hits <= _ENOUGH) & (counts < most))).size:
        signs = _random_signs(len(contributions.parts), min(rows, most - int(counts[left[0]])), rng)
        hits[left] += _over_pairs(contributions.only(left), signs, _hits)
        counts[left] += len(signs)
    p: Float64 = hits / counts
    return p


def choices_of_signs(blocks: int, most: int, rng: np.random.Generator) -> Float64:
    """All choices of signs if there are at most so many, else random ones; the first flips none."""
    exact = 2**blocks <= most
    signs = _all_signs(blocks) if exact else _random_signs(blocks, most, rng)
    signs[0] = 1.0
    return signs


def _random_signs(blocks: int, rows: int, rng: np.random.Generator) -> Float64:
    signs: Float64 = toss_coins(rows, blocks, rng).astype(np.float64) * 2.0 - 1.0
    return signs


def _all_signs(blocks: int) -> Float64:
    """Every choice of signs, the one that changes nothing first."""
    signs = np.array(list(product((1.0, -1.0), repeat=blocks)), dtype=np.float64)
    return signs.reshape(-1, blocks)


_ONE = 1.0 - 1e-12


@compiled
def count_hits(sums: Float64, lefts: Int64, rights: Int64, least: Float64, b: Float64) -> Int64:
    """How many choices of signs make each pair's difference as large as the observed one."""
    hits = np.zeros(len(lefts), np.int64)
    for k in range(len(lefts)):
        own = b[k if len(b) > 1 else 0]
        count = 0
        for row in range(sums.shape[1]):
            a = sums[lefts[k], row]
            if rights[k] >= 0:
                a -= sums[rights[k], row]
            if abs(a) >= least[k] or abs(own[row]) >= _ONE:
                count += 1
        hits[k] = count
    return hits


@compiled
def interval_bounds(
    sums: Float64, lefts: Int64, rights: Int64, t: Float64, b: Float64, rejected: int
) -> Float64:
    """Pairs × 2: the least and the greatest difference that too few choices of signs rule out.

    With signs s the flipped difference is a - d b when the true one is d: a the signed sum of the
    parts, b that of the weights. It is as large as the observed one, |a - d b| >= |t - d|, for d
    between (t - a) / (1 - b) and (t + a) / (1 + b); for all d where |b| is 1 or more.
    """
    flips = sums.shape[1]
    bounds = np.empty((len(lefts), 2))
    low, high = np.empty(flips), np.empty(flips)
    for k in range(len(lefts)):
        own = b[k if len(b) > 1 else 0]
        for row in range(flips):
            a = sums[lefts[k], row]
            if rights[k] >= 0:
                a -= sums[rights[k], row]
            if abs(own[row]) >= _ONE:
                low[row], high[row] = -np.inf, np.inf
            else:
                one, other = (t[k] - a) / (1.0 - own[row]), (t[k] + a) / (1.0 + own[row])
                low[row], high[row] = min(one, other), max(one, other)
        bounds[k, 0] = np.partition(low, rejected)[rejected]
        bounds[k, 1] = np.partition(high, flips - 1 - rejected)[flips - 1 - rejected]
    return bounds
