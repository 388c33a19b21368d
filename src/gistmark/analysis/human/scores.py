"""Human scores of summaries: the mean per dimension, z-scores, and shares of votes won.

Of systems, how often people preferred one to another, how often neither, and how strongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import exact_ties, quotient
from gistmark.analysis.data.columns import LEFT_WINS, TIE, RatingColumns, Unit, columns_by_dimension
from gistmark.analysis.studies.records import HumanScore
from gistmark.errors import unknown_name
from gistmark.records import Comparison, Rating

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

Z = " (z)"
VOTES = " (votes)"
GRADES = " (grades weighted)"
"""What the names of z-scores, of shares of votes, and of means with weighted grades end in."""


@dataclass(frozen=True)
class HumanScores:
    """A row of `values` per human score, a column per unit; NaN where there is none.

    `counts` says how many judgements are behind each value. `reasons` names scores that could
    not be made, and what was left out of others, and says why.
    """

    units: tuple[Unit, ...]
    names: tuple[str, ...]
    values: Float64
    counts: Int64
    reasons: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def positions(self) -> dict[Unit, int]:
        """The column of each unit."""
        return {unit: column_of for column_of, unit in enumerate(self.units)}

    def of(self, name: str) -> Float64:
        """The values of one score."""
        if name not in self.names:
            raise unknown_name("human score", name, self.names)
        values: Float64 = self.values[self.names.index(name)]
        return values

    def at(self, units: Sequence[Unit]) -> Float64:
        """The values of these units, in this order; NaN for a unit that is not known."""
        padded = np.concatenate([self.values, np.full((len(self.names), 1), np.nan)], axis=1)
        return padded[:, [self.positions.get(unit, -1) for unit in units]]

    def select(self, names: Sequence[str]) -> HumanScores:
        """Some of the scores, by name."""
        rows = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), values=self.values[rows], counts=self.counts[rows])

    def where(self, keep: Callable[[Unit], bool]) -> HumanScores:
        """The scores of some units."""
        kept = [column for column, unit in enumerate(self.units) if keep(unit)]
        units = tuple(self.units[column] for column in kept)
        return replace(self, units=units, values=self.values[:, kept], counts=self.counts[:, kept])

    def records(self) -> Iterator[HumanScore]:
        """Every value as a record."""
        for name, values, counts in zip(self.names, self.values, self.counts, strict=True):
            for (document, system), value, count in zip(self.units, values, counts, strict=True):
                if not np.isnan(value):
                    yield HumanScore(document, system, name, float(value), int(count))


def dimension_means(ratings: Iterable[Rating]) -> HumanScores:
    """The mean rating of each summary, per dimension.

    Where ratings carry campaigns (such as two sets of reviewers), each campaign's mean counts
    once, however many rated in it.
    """
    return _mean_of_means(_columns_by_campaign(ratings))


def grade_weighted_means(ratings: Iterable[Rating], weights: Mapping[float, float]) -> HumanScores:
    """The mean rating of each summary, each rating weighing as much as its grade.

        score = sum over ratings x of w(x) x / sum over ratings x of w(x)

    Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC" (2020), section 4, propose the weights
    3, 3, 1, 1, 2 for the grades 0 to 4, because annotators who repeat an evaluation exchange OK (2)
    and good (3) far more readily than other grades. A dimension of which every grade has a weight
    has such a score, named `dimension (grades weighted)`; for another, the reason names a grade
    without. Campaigns count as for `dimension_means`.
    """
    columns, reasons = [], {}
    for column in _columns_by_campaign(ratings) if weights else ():
        name = f"{column.dimension}{GRADES}"
        lacking = sorted(set(np.unique(column.values).tolist()) - weights.keys())
        if lacking:
            reasons[name] = f"there is no weight for the grade {lacking[0]:g}"
        columns.append(replace(column, dimension=name))
    kept = [column for column in columns if column.dimension not in reasons]

    def weighted_mean(column: RatingColumns) -> Float64:
        grades = np.array([weights[value] for value in column.values.tolist()])
        sums = np.bincount(column.units, weights=grades * column.values)
        return quotient(sums, np.bincount(column.units, weights=grades))

    return replace(_mean_of_means(kept, weighted_mean), reasons=reasons)


def z_scores(ratings: Iterable[Rating]) -> HumanScores:
    """The mean z-score of each summary, per dimension, named `dimension (z)`.

    Each annotator's ratings of a dimension are brought to mean 0 and standard deviation 1 (of
    the population), which takes out severity and spread. An annotator whose ratings of a
    dimension are all equal says nothing by them and is left out.
    """
    columns, reasons = [], {}
    for dimension, column in columns_by_dimension(ratings).items():
        name = f"{dimension}{Z}"
        standard, silent = _standardised(column)
        columns.append(replace(standard, dimension=name))
        if silent:
            reasons[name] = f"left out, as all their ratings are equal: {', '.join(silent)}"
    return replace(_mean_of_means(columns), reasons=reasons)


def votes_won(comparisons: Iterable[Comparison]) -> HumanScores:
    """The share of its comparisons that each summary won, per dimension: `dimension (votes)`.

    A comparison is two ratings: 1 for the winner and 0 for the loser, or 0.5 for each in a tie.
    """
    ratings: list[Rating] = []
    for vote in comparisons:
        left = LEFT_WINS[vote.choice]
        sides = (vote.left, left), (vote.right, 1.0 - left)
        ratings += (
            Rating(vote.document, system, vote.annotator, f"{vote.dimension}{VOTES}", won)
            for system, won in (sides if left >= TIE else sides[::-1])
        )
    return _mean_of_means([*columns_by_dimension(ratings).values()])


def joined(*tables: HumanScores) -> HumanScores:
    """The scores of all tables over the units of any; of two of a name, the first stays."""
    units = tuple(dict.fromkeys(unit for table in tables for unit in table.units))
    names = tuple(dict.fromkeys(name for table in tables for name in table.names))
    values = np.full((len(names), len(units)), np.nan)
    counts = np.zeros(values.shape, dtype=np.int64)
    column_of = {unit: column for column, unit in enumerate(units)}
    reasons: dict[str, str] = {}
    for table in reversed(tables):
        cells = np.ix_(
            [names.index(name) for name in table.names], [column_of[unit] for unit in table.units]
        )
        values[cells], counts[cells] = table.values, table.counts
        reasons |= table.reasons
    return HumanScores(units, names, values, counts, reasons)


def _columns_by_campaign(ratings: Iterable[Rating]) -> list[RatingColumns]:
    """The ratings of each dimension in each campaign."""
    campaigns: dict[tuple[str, str | None], list[Rating]] = {}
    for rating in ratings:
        campaigns.setdefault((rating.dimension, rating.campaign), []).append(rating)
    return [next(iter(columns_by_dimension(group).values())) for group in campaigns.values()]


def _mean_of_means(
    columns: Sequence[RatingColumns],
    means_of: Callable[[RatingColumns], Float64] = lambda column: column.unit_means,
) -> HumanScores:
    """The mean of the unit means of all columns of a dimension."""
    units = tuple(dict.fromkeys(unit for column in columns for unit in column.unit_names))
    names = tuple(dict.fromkeys(column.dimension for column in columns))
    column_of = {unit: number for number, unit in enumerate(units)}
    shape = (len(names), len(units))
    sums, sets = np.zeros(shape), np.zeros(shape)
    counts = np.zeros(shape, dtype=np.int64)
    for column in columns:
        row = names.index(column.dimension)
        cells = np.array([column_of[unit] for unit in column.unit_names], dtype=np.int64)
        sums[row, cells] += means_of(column)
        sets[row, cells] += 1
        counts[row, cells] += np.bincount(column.units, minlength=len(cells))
    return HumanScores(units, names, exact_ties(quotient(sums, sets)), counts)


def _standardised(column: RatingColumns) -> tuple[RatingColumns, list[str]]:
    """The z-scores, without units that nobody is left for; and raters whose ratings are equal."""
    size = len(column.rater_names)
    counts = np.bincount(column.raters, minlength=size)
    means = np.bincount(column.raters, weights=column.values, minlength=size) / counts
    centred = column.values - means[column.raters]
    deviations = np.sqrt(np.bincount(column.raters, weights=centred**2, minlength=size) / counts)
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, column.raters, column.values)
    np.maximum.at(high, column.raters, column.values)
    silent = low == high
    kept = ~silent[column.raters]
    values = centred[kept] / deviations[column.raters[kept]]
    numbers, units = np.unique(column.units[kept], return_inverse=True)
    standard = replace(
        column,
        unit_names=tuple(column.unit_names[number] for number in numbers),
        units=units.astype(np.int64),
        raters=column.raters[kept],
        values=values,
    )
    return standard, [name for name, k in zip(column.rater_names, silent, strict=True) if k]


@dataclass(frozen=True, slots=True)
class Preference:
    """The votes between two systems in one dimension.

    `strength` is the mean strength of preference for `left`, over votes with a strength and over
    ties, which count 0; where `right` was preferred it counts negated. It is None where nobody
    gave a strength.
    """

    dimension: str
    left: str
    right: str
    left_wins: int
    right_wins: int
    ties: int
    n: int
    strength: float | None


def preferences(comparisons: Iterable[Comparison]) -> list[Preference]:
    """The votes of every two systems that met, in dimensions where there is a tie or a strength.

    In other dimensions the ranking has all there is to say. Of two systems, the one that won more
    often is `left`.
    """
    groups: dict[str, dict[tuple[str, str], _Votes]] = {}
    for vote in comparisons:
        pairs = groups.setdefault(vote.dimension, {})
        key = min((vote.left, vote.right), (vote.right, vote.left))
        pairs.setdefault(key, _Votes()).add(vote, key[0])
    return [
        record
        for dimension, pairs in groups.items()
        if any(votes.ties or votes.strengths for votes in pairs.values())
        for record in _records(dimension, pairs)
    ]


class _Votes:
    """The votes on one pair, counted from the side of its first system."""

    def __init__(self) -> None:
        self.wins = self.losses = self.ties = self.strengths = 0
        self.sum = 0

    def add(self, vote: Comparison, first: str) -> None:
        if vote.choice == "tie":
            self.ties += 1
            return
        won = vote.winner == first
        self.wins += won
        self.losses += not won
        if vote.strength is not None:
            self.strengths += 1
            self.sum += vote.strength if won else -vote.strength


def _records(dimension: str, pairs: dict[tuple[str, str], _Votes]) -> Iterator[Preference]:
    weighed = any(votes.strengths for votes in pairs.values())
    for (first, second), votes in pairs.items():
        turned = votes.losses > votes.wins
        count = votes.strengths + votes.ties
        mean = votes.sum / count if weighed and count else None
        yield Preference(
            dimension=dimension,
            left=second if turned else first,
            right=first if turned else second,
            left_wins=max(votes.wins, votes.losses),
            right_wins=min(votes.wins, votes.losses),
            ties=votes.ties,
            n=votes.wins + votes.losses + votes.ties,
            strength=-mean if turned and mean else mean,
        )
