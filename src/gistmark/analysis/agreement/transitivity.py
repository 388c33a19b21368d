"""Transitivity of choices: how seldom A beats B, B beats C and yet C beats A.

Kendall and Babington Smith, "On the method of paired comparisons" (1940): of three systems that
were all compared with each other, coin flips make a circle in one of four cases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gistmark.analysis.agreement.statistic import Statistic, undefined
from gistmark.analysis.agreement.votes import VoteColumns
from gistmark.analysis.ratings import Float64, Int64

CHANCE = 0.75

_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Transitivity:
    """The share of triads that are no circle, for the whole and for each part; n counts triads.

    A triad is three systems of which each beat or lost to each other on the same document. Where
    votes on a pair are tied, there is no winner and no triad with that pair.
    """

    whole: Statistic
    parts: dict[str, Statistic]


def annotator_transitivity(votes: VoteColumns) -> Transitivity:
    """Of each annotator's own choices, the share of triads that are no circle."""
    documents = len(votes.document_names)
    groups = votes.annotators * documents + votes.pair_documents[votes.pairs]
    used, numbers = np.unique(groups, return_inverse=True)
    triads, circles = _count(votes, numbers.ravel(), len(used))
    return _by_part(used // max(documents, 1), votes.annotator_names, triads, circles)


def majority_transitivity(votes: VoteColumns) -> Transitivity:
    """Of the choices of the majority on each document, the share of triads that are no circle."""
    documents = len(votes.document_names)
    triads, circles = _count(votes, votes.pair_documents[votes.pairs], documents)
    return _by_part(np.arange(documents), votes.document_names, triads, circles)


def _count(votes: VoteColumns, groups: Int64, count: int) -> tuple[Int64, Int64]:
    """The triads of each group of votes, and how many of them are circles."""
    pairs = len(votes.pair_documents)
    keys, places = np.unique(groups * max(pairs, 1) + votes.pairs, return_inverse=True)
    margins_of = np.bincount(places.ravel(), weights=np.where(votes.first_won, 1, -1))
    group_of, pair_of = np.divmod(keys, max(pairs, 1))
    won = margins_of > 0
    first, second = votes.pair_first[pair_of], votes.pair_second[pair_of]
    decided = margins_of != 0
    winners, losers = np.where(won, first, second)[decided], np.where(won, second, first)[decided]
    return _count_blocks(group_of[decided], winners, losers, count, len(votes.system_names))


def _count_blocks(
    groups: Int64, winners: Int64, losers: Int64, count: int, systems: int
) -> tuple[Int64, Int64]:
    step = max(1, _BLOCK // max(systems * systems, 1))
    triads, circles = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for start in range(0, count, step):
        stop = min(start + step, count)
        low, high = np.searchsorted(groups, [start, stop])
        beats = np.zeros((stop - start, systems, systems))
        beats[groups[low:high] - start, winners[low:high], losers[low:high]] = 1
        triads[start:stop] = _closed_walks(beats + beats.transpose(0, 2, 1)) // 6
        circles[start:stop] = _closed_walks(beats) // 3
    return triads, circles


def _closed_walks(edges: Float64) -> Int64:
    """The number of walks of three steps that end where they began: the trace of the cube."""
    walks: Float64 = np.einsum("gij,gji->g", edges @ edges, edges)
    return np.rint(walks).astype(np.int64)


def _by_part(part_of: Int64, names: tuple[str, ...], triads: Int64, circles: Int64) -> Transitivity:
    sums = np.bincount(part_of, weights=triads, minlength=len(names))
    bad = np.bincount(part_of, weights=circles, minlength=len(names))
    parts = {name: _share(int(sums[i]), int(bad[i])) for i, name in enumerate(names)}
    return Transitivity(_share(int(triads.sum()), int(circles.sum())), parts)


def _share(triads: int, circles: int) -> Statistic:
    if not triads:
        return undefined("No three systems were all compared with each other.", chance=CHANCE)
    return Statistic(1 - circles / triads, triads, chance=CHANCE)
