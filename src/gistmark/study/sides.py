"""Ratings and comparisons side by side: do two ways to ask people give the same ranking?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.records import Comparison, Rating
from gistmark.study.coefficients import correlate, explain
from gistmark.study.human import VOTES, dimension_means, votes_won
from gistmark.study.ranks import mean_ranks
from gistmark.study.ties import average_ranks, exact_ties


@dataclass(frozen=True, slots=True)
class Side:
    """One system's normalised mean rank by ratings and by comparisons, None where it has none.

    The ranks are among the systems that have both.
    """

    dimension: str
    system: str
    ratings: float | None
    comparisons: float | None
    ratings_rank: float | None
    comparisons_rank: float | None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All systems of a dimension that was both rated and compared, with Kendall's tau-b."""

    dimension: str
    sides: tuple[Side, ...]
    tau: float | None
    n: int
    reason: str | None = None


def side_by_side(
    ratings: Sequence[Rating], comparisons: Sequence[Comparison]
) -> tuple[SideBySide, ...]:
    """Every dimension that occurs in both, whatever the case of its name."""
    means, votes = dimension_means(ratings), votes_won(comparisons)
    voted = {name.removesuffix(VOTES).casefold(): name for name in votes.names}
    found = []
    for dimension in means.names:
        if dimension.casefold() in voted:
            rated = mean_ranks(means, dimension)
            chosen = mean_ranks(votes, voted[dimension.casefold()])
            left = dict(zip(rated.systems, rated.values.tolist(), strict=True))
            right = dict(zip(chosen.systems, chosen.values.tolist(), strict=True))
            found.append(_compare(dimension, left, right))
    return tuple(found)


def _compare(dimension: str, left: dict[str, float], right: dict[str, float]) -> SideBySide:
    systems = list(dict.fromkeys((*left, *right)))
    values = np.array([[side.get(name, np.nan) for name in systems] for side in (left, right)])
    shared = np.where(np.isnan(values).any(axis=0), np.nan, exact_ties(values))
    places = average_ranks(-shared)
    tau = correlate(shared[0], shared[1], "kendall")
    undefined = tau.undefined[0]
    sides = tuple(
        Side(dimension, system, *map(_plain, (*values[:, column], *places[:, column])))
        for column, system in enumerate(systems)
    )
    return SideBySide(
        dimension=dimension,
        sides=sides,
        tau=_plain(tau.values[0]),
        n=int(tau.n[0]),
        reason=undefined and explain(undefined, "the ratings", "the comparisons"),
    )


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
