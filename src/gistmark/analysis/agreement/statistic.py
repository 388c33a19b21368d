"""`Statistic`: one number about agreement, with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statistic:
    """A value, how many units it rests on, and what goes with it.

    A value that is not defined is None and `reason` says why in words. Where a value is defined
    and part of the data had to be left out, `reason` says how much. `low` and `high` bound the
    value at 95 % where an interval is known; `chance` is what coin flips would give.
    """

    value: float | None
    n: int
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    chance: float | None = None


def undefined(reason: str, n: int = 0, *, chance: float | None = None) -> Statistic:
    """A statistic without a value, for this reason."""
    return Statistic(None, n, reason, chance=chance)


def mean_of(statistics: Iterable[Statistic], noun: str) -> Statistic:
    """The mean of the defined values, with their number as n; `noun` says of what, in the plural.

    Undefined where none of them is defined: the reason is then that of the first.
    """
    every = list(statistics)
    values = [found.value for found in every if found.value is not None]
    if not values:
        reasons = [found.reason for found in every if found.reason]
        return undefined(reasons[0] if reasons else f"There are no {noun}.")
    lacking = len(every) - len(values)
    reason = f"{lacking} of {len(every)} {noun} left out: no value there." if lacking else None
    return Statistic(sum(values) / len(values), len(values), reason)
