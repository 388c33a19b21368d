"""The sign-flip test of a study that is yet to be run: what a difference must be to be found.

A study calls a pair of systems different where the p of its sign flips, corrected by Holm among all
pairs, is below the level. Holm asks at most that p times the number of pairs is below it, and asks
just that where no other pair differs: so the power is planned for, which is right or too low
wherever the other systems stand.

For normal contributions of documents (and of annotators) studies are drawn and tested on their
signs by the study's own kernel. That gives the lower bound of the difference that each study cannot
rule out (Hartigan 1969, see `resampling.sign_flips`). Bounds move with the true difference, so one
set of draws serves all differences: with m the mean of a study, which is normal and independent of
the rest, and b the bound less the mean, the difference d is found where d + m + b > 0, and the
power is the mean of Phi((d + b) / sd(m)) over the draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil, comb, floor, log2

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gistmark.analysis.resampling.bootstrap import CONFIDENCE
from gistmark.analysis.resampling.sign_flips import (
    FLIPS,
    PER_PAIR,
    choices_of_signs,
    count_hits,
    interval_bounds,
)
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]

STUDIES = 500
"""How many studies are drawn."""
_MOST_SIGNS = 2_500_000
"""With very many pairs of systems fewer studies are drawn: no more signs than this in all."""
_OF_WIDTHS = 100
"""How many of them say how wide the usual interval is."""
MANY = 200
"""More documents are drawn as this many that vary less, where signs are all but normal."""


@dataclass(frozen=True)
class Power:
    """How often a true difference is found significant, and the mean width of its interval.

    `width` is None where too few documents give no interval. `error` is the standard error of a
    power that was simulated.
    """

    power: float
    width: float | None
    error: float = 0.0


@dataclass(frozen=True)
class Bounds:
    """Of simulated studies: how far the corrected lower bound is from the mean.

    `half` is half the mean width of the usual interval, infinite where there is none.
    """

    lows: Float64
    half: float

    def power(
        self, difference: float, variance: float, favour: float = 0.0, scale: float = 1.0
    ) -> tuple[float, float]:
        """The power for a difference whose estimate has this variance, and its standard error.

        The annotators of a study move the difference by a `favour` of this variance. What they
        turn for the worse counts; that a small difference is found by their favour does not.
        """
        powers = []
        for whole in {variance, variance + favour}:
            chances = special.ndtr((difference + scale * self.lows) / np.sqrt(whole))
            error = float(chances.std() / np.sqrt(len(chances)))
            powers.append((float(chances.mean()), error))
        return min(powers)

    def width(self, scale: float = 1.0) -> float | None:
        """The mean width of the interval of a difference."""
        return 2 * scale * self.half if np.isfinite(self.half) else None


def pairs_of(systems: int) -> int:
    """Among how many pairs a p is corrected."""
    return comb(systems, 2)


def least_documents(level: float, systems: int) -> int:
    """Below so many documents no choice of signs is rare enough to be significant after correction.

    The observed one and its opposite are 2 of 2^D: p is at least 2^(1 - D).
    """
    return floor(1 + log2(pairs_of(systems) / level)) + 1


@cache
def document_bounds(documents: int, level: float, systems: int, seed: int) -> Bounds:
    """The bounds of studies whose documents' differences have a standard deviation of 1."""
    size = min(documents, MANY)
    rng = generator(seed, "power", size)

    def draw(studies: int) -> Float64:
        return _deviations(rng, studies, size, np.sqrt(size / documents))

    return _bounds(draw, np.full(size, 1 / size), level, systems, rng)


@lru_cache(maxsize=2_000)
def crossed_bounds(
    documents: int, annotators: int, deviations: tuple[float, float], level: float, systems: int,
    seed: int,
) -> Bounds:  # fmt: skip
    """The bounds of studies over documents and annotators, of whose means these are deviations."""
    size = min(documents, MANY)
    rng = generator(seed, "power", size, annotators)
    by_document, by_annotator = deviations[0] / np.sqrt(documents / size), deviations[1]

    def draw(studies: int) -> Float64:
        rows = _deviations(rng, studies, size, by_document)
        columns = _deviations(rng, studies, annotators, by_annotator)
        return np.concatenate([rows, columns], axis=1)

    weights = np.concatenate([np.full(size, 1 / size), np.full(annotators, 1 / annotators)])
    return _bounds(draw, weights, level, systems, rng)


def _deviations(rng: np.random.Generator, studies: int, size: int, scale: float) -> Float64:
    """Normal values of this standard deviation, less their mean."""
    values: Float64 = rng.normal(size=(studies, size))
    values -= values.mean(axis=1, keepdims=True)
    return values * scale


def _bounds(
    draw: Callable[[int], Float64],
    weights: Float64,
    level: float,
    systems: int,
    rng: np.random.Generator,
) -> Bounds:
    """Test drawn studies, whose means are 0, on signs as many as a study would try."""
    pairs = pairs_of(systems)
    signs = choices_of_signs(len(weights), max(FLIPS, PER_PAIR * pairs), rng)
    studies = max(min(STUDIES, _MOST_SIGNS // len(signs)), 100)
    sums = np.ascontiguousarray((draw(studies) * weights) @ signs.T)
    turned = np.ascontiguousarray((signs @ weights)[None])

    def lows(studies: int, allowed: int) -> Float64:
        """The bounds where so many choices of signs may be as extreme as the observed one."""
        columns = np.arange(studies)
        bounds: Float64 = interval_bounds(
            sums[:studies], columns, np.full_like(columns, -1), np.zeros(studies), turned, allowed
        )[:, 0]
        return bounds

    significant = max(ceil(level * len(signs) / pairs - 1e-9) - 1, 0)
    usual = lows(_OF_WIDTHS, int((1.0 - CONFIDENCE) * len(signs)))
    return Bounds(lows(studies, significant), float(-usual.mean()))


def power_by_flips(
    gaps: Float64, level: float, systems: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The power of studies whose documents' differences (studies × documents) are these.

    The first `STUDIES` are tested by flips, all by Student's t, which nearly always says the same:
    its share over all is a control variate.
    """
    documents, pairs = gaps.shape[1], pairs_of(systems)
    means, errors = gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / np.sqrt(documents)
    usual = means > special.stdtrit(documents - 1, 1 - level / pairs / 2) * errors
    signs = choices_of_signs(documents, max(FLIPS, PER_PAIR * pairs), rng)
    tested = gaps[: max(min(STUDIES, _MOST_SIGNS // len(signs)), 100)]
    columns = np.arange(len(tested))
    hits = count_hits(
        np.ascontiguousarray(tested @ signs.T), columns, np.full_like(columns, -1),
        np.abs(tested.sum(axis=1)) - 1e-9, np.ascontiguousarray(signs.mean(axis=1)[None]),
    )  # fmt: skip
    significant = (hits * pairs < level * len(signs)) & (tested.sum(axis=1) > 0)
    excess = significant.astype(float) - usual[: len(tested)]
    error = np.sqrt(usual.var() / len(usual) + excess.var() / len(excess))
    return float(np.clip(usual.mean() + excess.mean(), 0.0, 1.0)), float(error)
