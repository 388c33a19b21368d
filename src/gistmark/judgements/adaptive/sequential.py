"""A sequential test that may be checked after every value, by betting on bounded values.

Waudby-Smith and Ramdas 2024 ("Estimating means of bounded random variables by betting"). Values lie
in [0, 1] and have the mean mu given all values before. Whoever bets against "mu is at most m" with
a share lambda of their wealth has after n values the wealth

    W = product of (1 + lambda_t (x_t - m)),

which grows by chance to 1 / a or more with a probability of at most a, however often one checks
(Ville's inequality), if each lambda_t is fixed before x_t is known and m is true. Here lambda_t
follows the mean and variance of the values before (aGRAPA; near 0 and 1 the largest variance that m
allows), so wealth grows fast where the hypothesis is false. Both "mu is at most m" and "mu is at
least m" are tested, each at half the level.

The values of m that neither bet has refuted make an interval that holds mu at all times together
with the wanted probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Verdict = Literal["above", "below", "equal"]

BOLDEST = 0.75
"""The share of the wealth that a single value can cost at most."""
_STEPS = 400
"""The interval is searched on a grid of so many steps; its bounds are rounded outwards."""


@dataclass(frozen=True, slots=True)
class Bets:
    """What is known of one mean: moments of its values, and the highest wealth of each bet.

    The bets are against "at most 1/2", "at least 1/2", "at most 1/2 - margin" and "at least
    1/2 + margin", as logarithms; `peaks` are the highest values so far. A `verdict` stays.
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    wealth: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    peaks: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    verdict: Verdict | None = None
    decided_after: int | None = None

    @property
    def mean(self) -> float | None:
        """The mean of the values; None without any."""
        return self.total / self.n if self.n else None

    @property
    def variance(self) -> float:
        """The variance, with one value at the middle and a wide one beforehand."""
        mean = self.centre
        return (0.25 + max(self.squares - 2 * mean * self.total + self.n * mean**2, 0.0)) / (
            self.n + 1
        )

    @property
    def centre(self) -> float:
        """The mean, with one value at the middle beforehand."""
        return (0.5 + self.total) / (self.n + 1)

    def add(self, value: float, *, margin: float, threshold: float) -> Bets:
        """The bets after one more value; a verdict falls where a wealth reaches the threshold."""
        centre, variance = self.centre, self.variance
        means = (0.5, 0.5, 0.5 - margin, 0.5 + margin)
        grown = []
        for wealth, mean, sign in zip(self.wealth, means, (1, -1, 1, -1), strict=True):
            edge = sign * (centre - mean)
            most = BOLDEST / (mean if sign > 0 else 1.0 - mean)
            spread = min(variance + edge**2, mean * (1.0 - mean))
            bet = min(max(edge / spread, 0.0), most)
            grown.append(wealth + log1p(bet * sign * (value - mean)))
        wealth4 = (grown[0], grown[1], grown[2], grown[3])
        peaks = (
            max(self.peaks[0], grown[0]),
            max(self.peaks[1], grown[1]),
            max(self.peaks[2], grown[2]),
            max(self.peaks[3], grown[3]),
        )
        verdict = self.verdict or _verdict(peaks, margin, threshold)
        after = self.decided_after or (self.n + 1 if verdict else None)
        squares = self.squares + value**2
        return Bets(self.n + 1, self.total + value, squares, wealth4, peaks, verdict, after)

    def more(self, threshold: float) -> int | None:
        """How many more values a verdict of "above" or "below" may take at the present mean.

        None where the mean is within two standard errors of 1/2, so that no forecast is possible.
        """
        if self.verdict is not None:
            return 0
        edge, variance = abs(self.centre - 0.5), self.variance
        if self.n < 5 or edge < 2 * (variance / self.n) ** 0.5:
            return None
        bet = min(edge / (variance + edge**2), 2 * BOLDEST)
        growth = bet * edge - bet**2 * (variance + edge**2) / 2
        left = threshold - max(self.wealth[:2])
        return max(1, int(-(-left // growth)))


def threshold_of(level: float) -> float:
    """The logarithm of the wealth that refutes a hypothesis, at half the level for each side."""
    return log(2.0 / level)


def interval(values: Sequence[float] | Float64, level: float) -> tuple[float, float]:
    """An interval that holds the mean at every time together, with 1 - level.

    >>> from gistmark.judgements.adaptive.sequential import interval
    >>> low, high = interval([1.0] * 30, 0.05)
    >>> round(low, 2), high
    (0.83, 1.0)
    """
    grid = np.linspace(0.0, 1.0, _STEPS + 1)
    up, down = np.zeros(len(grid)), np.zeros(len(grid))
    risen, fallen = np.zeros(len(grid)), np.zeros(len(grid))
    known = Bets()
    for value in values:
        edge, variance = known.centre - grid, known.variance
        bold = edge / np.maximum(np.minimum(variance + edge**2, grid * (1.0 - grid)), 1e-12)
        gap = value - grid
        up += np.log1p(np.clip(bold, 0.0, BOLDEST / np.maximum(grid, 1e-12)) * gap)
        down += np.log1p(-np.clip(-bold, 0.0, BOLDEST / np.maximum(1.0 - grid, 1e-12)) * gap)
        np.maximum(risen, up, out=risen)
        np.maximum(fallen, down, out=fallen)
        known = Bets(known.n + 1, known.total + value, known.squares + value**2)
    threshold = threshold_of(level)
    low = _last_refuted(risen >= threshold)
    high = _last_refuted((fallen >= threshold)[::-1])
    return float(grid[low]), float(grid[_STEPS - high])


def holds(streams: Float64, means: Float64 | float, level: float) -> NDArray[np.bool_]:
    """For each row of values whether its interval holds the given mean at all times together."""
    rows = len(streams)
    mean = np.broadcast_to(np.asarray(means, dtype=np.float64), rows)
    total, squares = np.zeros(rows), np.zeros(rows)
    up, down = np.zeros(rows), np.zeros(rows)
    highest = np.zeros(rows)
    for n, value in enumerate(streams.T):
        centre = (0.5 + total) / (n + 1)
        spread = np.maximum(squares - 2 * centre * total + n * centre**2, 0.0)
        edge, variance = centre - mean, (0.25 + spread) / (n + 1)
        bold = edge / np.maximum(np.minimum(variance + edge**2, mean * (1.0 - mean)), 1e-12)
        gap = value - mean
        up += np.log1p(np.clip(bold, 0.0, BOLDEST / np.maximum(mean, 1e-12)) * gap)
        down += np.log1p(-np.clip(-bold, 0.0, BOLDEST / np.maximum(1.0 - mean, 1e-12)) * gap)
        highest = np.maximum(highest, np.maximum(up, down))
        total += value
        squares += value**2
    result: NDArray[np.bool_] = highest < threshold_of(level)
    return result


def _verdict(
    peaks: tuple[float, float, float, float], margin: float, threshold: float
) -> Verdict | None:
    if peaks[0] >= threshold and peaks[0] >= peaks[1]:
        return "above"
    if peaks[1] >= threshold:
        return "below"
    return "equal" if margin > 0 and min(peaks[2:]) >= threshold else None


def _last_refuted(refuted: NDArray[np.bool_]) -> int:
    """The index before the first that stands; 0 where the first one stands."""
    first = int(np.argmin(refuted)) if not refuted.all() else len(refuted) - 1
    return max(first - 1, 0)
