"""Which system is best, how surely, and which systems cannot be told apart.

For ratings and scores a system's value is its mean over documents, or its normalised mean rank;
for comparisons its normalised mean rank by votes won, or its Bradley-Terry strength. Intervals
are by bootstrap over documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.records import Comparison
from gistmark.study import bradley_terry, ranks
from gistmark.study.clusters import NeighbourTest, cell_test, clusters, strength_test
from gistmark.study.draws import Counts, Interval, Resampling, drawn_means, intervals
from gistmark.study.human import VOTES, HumanScores, votes_won
from gistmark.study.layout import layout_of
from gistmark.study.measures import Measures
from gistmark.study.quotients import quotient
from gistmark.study.records import Rank
from gistmark.study.ties import average_ranks, exact_ties

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

By = Literal["ratings", "comparisons", "scores"]

MEAN = "mean"
NO_DOCUMENTS = "no document has a value to rank it by"


@dataclass(frozen=True)
class _Standings:
    """The values of all systems by one method, ready to be put in order."""

    systems: Sequence[str]
    values: Float64
    intervals: Sequence[Interval]
    n: Int64
    test: NeighbourTest
    reason: str | None = None

    def records(self, by: By, dimension: str, method: str, sign: float = 1.0) -> list[Rank]:
        """From best to worst; `sign` is -1 where less is better, and 0 where neither is."""
        ordered = bool(sign) and self.reason is None
        merits = exact_ties(self.values * sign) if ordered else np.full(len(self.values), np.nan)
        places = average_ranks(-merits)
        groups = clusters(merits, self.test)
        found = [
            Rank(
                by=by,
                dimension=dimension,
                method=method,
                system=system,
                value=None if np.isnan(value) else float(value),
                low=bounds.low,
                high=bounds.high,
                rank=None if np.isnan(place) else float(place),
                cluster=cluster,
                n=int(n),
                reason=NO_DOCUMENTS if np.isnan(value) else self.reason,
            )
            for system, value, bounds, place, cluster, n in zip(
                self.systems, self.values, self.intervals, places, groups, self.n, strict=True
            )
        ]
        return sorted(found, key=lambda record: (record.rank is None, record.rank or 0.0))


def rank_human(
    human: HumanScores, resampling: Resampling, *, by: By = "ratings"
) -> tuple[Rank, ...]:
    """Systems by every human score (dimensions, HS1 to HS3, z), as mean and as mean rank."""
    layout = layout_of(human.units)
    counts = resampling.draw_documents(len(layout.document_names))
    found: list[Rank] = []
    for name, values in zip(human.names, human.values, strict=True):
        cells = layout.cube(values)
        dimension = name.removesuffix(VOTES) if by == "comparisons" else name
        for method, table in ((MEAN, cells), (ranks.METHOD, ranks.normalised_ranks(cells))):
            standings = _cell_standings(layout.system_names, table, counts, resampling)
            found += standings.records(by, dimension, method)
    return tuple(found)


def rank_comparisons(comparisons: Sequence[Comparison], resampling: Resampling) -> tuple[Rank, ...]:
    """Systems by normalised mean rank of votes and by Bradley-Terry strength, per dimension."""
    votes = [
        rank
        for rank in rank_human(votes_won(comparisons), resampling, by="comparisons")
        if rank.method == ranks.METHOD
    ]
    groups: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        groups.setdefault(comparison.dimension, []).append(comparison)
    for dimension, group in groups.items():
        found = bradley_terry.strengths(group, resampling=resampling)
        test = strength_test(bradley_terry.count_wins(group), resampling)
        standings = _Standings(
            found.systems, found.values, found.intervals, found.n, test, found.reason
        )
        votes += standings.records("comparisons", dimension, bradley_terry.METHOD)
    return tuple(votes)


def rank_scores(measures: Measures, resampling: Resampling) -> tuple[Rank, ...]:
    """Systems by the mean of every metric; a plain description such as a length ranks nobody."""
    layout = layout_of(measures.units)
    signs = {"higher": 1.0, "lower": -1.0, "neither": 0.0}
    counts = resampling.draw_documents(len(layout.document_names))
    found: list[Rank] = []
    for name, better, values in zip(measures.names, measures.better, measures.values, strict=True):
        standings = _cell_standings(layout.system_names, layout.cube(values), counts, resampling)
        found += standings.records("scores", str(name), MEAN, signs[better])
    return tuple(found)


def _cell_standings(
    systems: Sequence[str], cells: Float64, counts: Counts, resampling: Resampling
) -> _Standings:
    """Means over documents, with intervals over documents drawn with replacement."""
    there = ~np.isnan(cells)
    n = there.sum(axis=0)
    return _Standings(
        systems=systems,
        values=quotient(np.sum(cells, axis=0, where=there), n),
        intervals=intervals(drawn_means(cells, counts)),
        n=n,
        test=cell_test(cells, resampling),
    )
