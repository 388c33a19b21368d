"""Habits of annotators: severity, spread, straight-lining, a liking for one side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gistmark.analysis.agreement.splits import by_rater, means_of_others
from gistmark.analysis.agreement.statistic import Statistic, undefined
from gistmark.analysis.agreement.votes import VoteColumns
from gistmark.analysis.ratings import Float64, RatingColumns
from gistmark.records import Rating

FEWEST_DIMENSIONS = 3
"""Equal values in fewer dimensions are no sign of straight-lining."""

_SIGNIFICANT = 0.05
_ALONE = "No unit in common with another annotator."


@dataclass(frozen=True, slots=True)
class Leaning:
    """How far somebody leans, and where to; `direction` is empty where nothing can be tested."""

    size: Statistic
    direction: str


def severities(columns: RatingColumns) -> list[Leaning]:
    """For each rater, how far below the mean of the others a unit is rated on average.

    The direction is `severe` or `lenient` where a t-test at 5 % tells the mean from 0, else
    `none`. Not defined for a rater who shares no unit with others; not tested for one unit.
    """
    below = means_of_others(columns) - columns.values
    shared = ~np.isnan(below)
    groups = by_rater(columns.raters[shared], below[shared], len(columns.rater_names))
    return [
        Leaning(Statistic(float(own.mean()), len(own)), _direction(own))
        if len(own)
        else Leaning(undefined(_ALONE), "")
        for own in groups
    ]


def spreads(columns: RatingColumns) -> list[Statistic]:
    """For each rater, the sample standard deviation of the values; not defined for one value."""
    return [
        Statistic(float(own.std(ddof=1)), len(own))
        if len(own) > 1
        else undefined("Fewer than two ratings.", len(own))
        for own in by_rater(columns.raters, columns.values, len(columns.rater_names))
    ]


def straight_lines(ratings: Iterable[Rating]) -> dict[str, Statistic]:
    """For each annotator, the share of summaries that got one value in every dimension.

    Only summaries that the annotator rated in at least `FEWEST_DIMENSIONS` dimensions count; n is
    their number. Not defined where there are none.
    """
    sheets: dict[tuple[str, str, str, str | None], list[float]] = defaultdict(list)
    for rating in ratings:
        key = (rating.annotator, rating.document, rating.system, rating.campaign)
        sheets[key].append(rating.value)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (annotator, _, _, campaign), values in sheets.items():
        for name in names_of(annotator, campaign):
            enough = len(values) >= FEWEST_DIMENSIONS
            counts[name][0] += enough and len(set(values)) == 1
            counts[name][1] += enough
    none = undefined(f"No summary was rated in {FEWEST_DIMENSIONS} dimensions.")
    return {name: Statistic(same / n, n) if n else none for name, (same, n) in counts.items()}


def names_of(annotator: str, campaign: str | None) -> tuple[str, ...]:
    """The annotator, and the annotator in a campaign: `RatingColumns` uses either as a rater."""
    return (annotator, f"{annotator} ({campaign})") if campaign else (annotator,)


def majority_shares(votes: VoteColumns) -> list[Statistic]:
    """For each annotator, the share of choices that the majority of the other voters shares.

    Pairs on which the others are tied, or where there are no others, do not count.
    """
    first, second = votes.wins
    lead = (first - second)[votes.pairs] - np.where(votes.first_won, 1, -1)
    decided = lead != 0
    same = ((lead > 0) == votes.first_won)[decided].astype(np.float64)
    groups = by_rater(votes.annotators[decided], same, len(votes.annotator_names))
    return [Statistic(float(g.mean()), len(g)) if len(g) else undefined(_ALONE) for g in groups]


def sides(votes: VoteColumns) -> list[Leaning]:
    """For each annotator, how often the left summary was chosen.

    The direction is `left` or `right` where a binomial test at 5 % tells the share from one half,
    else `none`.
    """
    left = votes.left_won.astype(np.float64)
    groups = by_rater(votes.annotators, left, len(votes.annotator_names))
    return [side(int(own.sum()), len(own)) for own in groups]


def side(left: int, n: int) -> Leaning:
    """The share of the left side, and where it leans."""
    from scipy.special import bdtr

    share = Statistic(left / n, n, chance=0.5)
    if 2 * float(bdtr(min(left, n - left), n, 0.5)) >= _SIGNIFICANT:
        return Leaning(share, "none")
    return Leaning(share, "left" if 2 * left > n else "right")


def _direction(below: Float64) -> str:
    from scipy.special import stdtrit

    n, mean = len(below), float(below.mean())
    if n < 2:
        return ""
    error = float(below.std(ddof=1)) / n**0.5
    if abs(mean) <= float(stdtrit(n - 1, 1 - _SIGNIFICANT / 2)) * error:
        return "none"
    return "severe" if mean > 0 else "lenient"
