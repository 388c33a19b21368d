"""All statistics of agreement on comparisons, dimension by dimension, as records of a study.

The share of the majority and alpha: Mieskes, Loza Mencía and Kronsbein, "A Data Set for the
Analysis of Text Quality Dimensions in Summarization Evaluation" (2020), Table 2.

Transitivity, how seldom A beats B, B beats C and yet C beats A: Kendall and Babington Smith, "On
the method of paired comparisons" (1940). Of three systems that were all compared with each other,
coin flips make a circle in one of four cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.coefficients.intervals import (
    Rows,
    over_documents,
    quotient_over_documents,
    shared_documents,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.agreement.ratings import Named, agreement
from gistmark.analysis.data.columns import Float64, Int64, VoteColumns, votes_by_dimension
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus.corpus import Corpus


def comparisons_agreement(corpus: Corpus) -> list[Agreement]:
    """How far annotators agree in their choices; a unit is a pair of summaries of a document.

    - `pairwise-agreement`: the mean share of the majority, with its chance level.
    - `alpha`: nominal alpha in the stored orientation; `alpha-symmetric`: free of orientation.
    - `transitivity`: the share of triads of one annotator that are no circle, over all annotators
      and with the annotator as scope; n counts triads.
    - `transitivity-majority`: the same for the majority's choices, over all documents and with
      the document as scope.

    Intervals are over documents: for the first three those with a pair that two people compared.
    """
    return [
        agreement("comparisons", dimension, name, scope, records)
        for dimension, votes in votes_by_dimension(corpus.comparisons).items()
        for name, scope, records in _statistics(votes)
    ]


def _statistics(votes: VoteColumns) -> Iterator[Named]:
    def coefficients(rows: Rows) -> dict[str, Statistic]:
        part = votes.take(rows)
        return {
            "pairwise-agreement": pairwise_agreement(*part.counts),
            "alpha": alpha(part.pairs, part.values, "nominal"),
            "alpha-symmetric": symmetric_alpha(*part.counts),
        }

    documents = shared_documents(votes.pair_documents, np.sum(votes.counts, axis=0))
    for name, whole in over_documents(documents[votes.pairs], coefficients).items():
        yield name, "", whole
    for name, compute in (
        ("transitivity", annotator_transitivity),
        ("transitivity-majority", majority_transitivity),
    ):
        result = compute(votes)
        yield name, "", result.whole
        for part, share in result.parts.items():
            yield name, part, share


_NO_PAIR = "No pair has two votes."


def pairwise_agreement(first: Int64, second: Int64, ties: Int64 | None = None) -> Statistic:
    """The mean over pairs of max(a, b, t) / (a + b + t): a and b votes for either side, t ties.

    Up to 1, and at least 0.5 without ties; `chance` is what coin flips would give for these
    numbers of votes and this share of ties. Pairs with one vote always agree with themselves and
    are left out; n is the number of the others. Not defined where there are none.
    """
    ties = np.zeros_like(first) if ties is None else ties
    votes = first + second + ties
    good = votes >= 2
    if not good.any():
        return undefined(_NO_PAIR)
    shares = np.maximum(np.maximum(first, second), ties)[good] / votes[good]
    share = float(ties[good].sum() / votes[good].sum())
    chance = chance_agreement(votes[good], share)
    return Statistic(float(shares.mean()), int(good.sum()), chance=chance, least=0.0)


def chance_agreement(votes: Int64, ties: float = 0.0) -> float:
    """What `pairwise_agreement` is under coin flips, `ties` being the probability of a tie.

    Without ties that is E max(a, m - a) / m for a binomial a, or 1/2 + C(m-1, (m-1)//2) / 2^m for
    m votes: 0.75 for 2 and 3 votes, 0.65625 for 7. With ties, their number is binomial, too.
    """
    sizes, counts = np.unique(votes, return_counts=True)
    chances = [
        _chance_with_ties(m, ties) if ties else 0.5 + comb(m - 1, (m - 1) // 2) / 2**m
        for m in map(int, sizes)
    ]
    return float(np.average(chances, weights=counts))


def _chance_with_ties(m: int, ties: float) -> float:
    """The sum over k ties and a votes for the first of P(k, a) max(k, a, m - k - a) / m."""
    total = 0.0
    for k in range(m + 1):
        decided = m - k
        inner = sum(comb(decided, a) * max(k, a, decided - a) for a in range(decided + 1))
        total += comb(m, k) * ties**k * (1 - ties) ** decided * (inner / 2**decided)
    return total / m


def symmetric_alpha(first: Int64, second: Int64, ties: Int64 | None = None) -> Statistic:
    """Nominal alpha that does not depend on which of two summaries stands first.

    Plain alpha depends on it: where one side wins more often in the stored order, chance agreement
    seems higher. Here each pair is counted in both orientations, so that of the 2 n values either
    side has n - T and ties have 2 T, T being the number of ties:

        alpha = 1 - (2 n - 1) 2 D / (4 n^2 - 2 (n - T)^2 - 4 T^2)
        D = sum over pairs of (m^2 - a^2 - b^2 - t^2) / (m - 1)

    with a and b the votes for either side, t the ties and m their sum for a pair, and n all votes
    of pairs with at least two. Not defined where no pair has two votes, or where all are ties.
    """
    ties = np.zeros_like(first) if ties is None else ties
    good = first + second + ties >= 2
    if not good.any():
        return undefined(_NO_PAIR)
    a, b, t = first[good], second[good], ties[good]
    if not (a + b).any():
        return undefined("All votes are ties.", len(a))
    m = a + b + t
    n, tied = float(m.sum()), float(t.sum())
    disagreement = float(((2 * a * b + 2 * t * (a + b)) / (m - 1)).sum())
    expected = 4 * n * n - 2 * (n - tied) ** 2 - 4 * tied * tied
    return Statistic(1 - (2 * n - 1) * 2 * disagreement / expected, len(a))


CHANCE = 0.75

_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Transitivity:
    """The share of triads that are no circle, for the whole and for each part; n counts triads.

    A triad is three systems of which each beat or lost to each other on the same document. Where
    a vote is a tie, or votes on a pair are even, there is no winner and no triad with that pair.
    """

    whole: Statistic
    parts: dict[str, Statistic]


def annotator_transitivity(votes: VoteColumns) -> Transitivity:
    """Of each annotator's own choices, the share of triads that are no circle."""
    documents = len(votes.document_names)
    groups = votes.annotators * documents + votes.pair_documents[votes.pairs]
    used, numbers = np.unique(groups, return_inverse=True)
    triads, circles = _count(votes, numbers.ravel(), len(used))
    annotator_of, document_of = np.divmod(used, max(documents, 1))
    return _by_part(annotator_of, votes.annotator_names, document_of, triads, circles)


def majority_transitivity(votes: VoteColumns) -> Transitivity:
    """Of the choices of the majority on each document, the share of triads that are no circle."""
    documents = len(votes.document_names)
    triads, circles = _count(votes, votes.pair_documents[votes.pairs], documents)
    every = np.arange(documents)
    return _by_part(every, votes.document_names, every, triads, circles)


def _count(votes: VoteColumns, groups: Int64, count: int) -> tuple[Int64, Int64]:
    """The triads of each group of votes, and how many of them are circles; block by block."""
    pairs, systems = len(votes.pair_documents), len(votes.system_names)
    keys, indices = np.unique(groups * max(pairs, 1) + votes.pairs, return_inverse=True)
    margins = np.bincount(indices.ravel(), weights=2 * votes.values - 1)
    keys, won = keys[margins != 0], margins[margins != 0] > 0
    group_of, pair_of = np.divmod(keys, max(pairs, 1))
    first, second = votes.pair_first[pair_of], votes.pair_second[pair_of]
    winners, losers = np.where(won, first, second), np.where(won, second, first)
    step = max(1, _BLOCK // max(systems * systems, 1))
    triads, circles = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for start in range(0, count, step):
        stop = min(start + step, count)
        low, high = np.searchsorted(group_of, [start, stop])
        beats = np.zeros((stop - start, systems, systems))
        beats[group_of[low:high] - start, winners[low:high], losers[low:high]] = 1
        triads[start:stop] = _closed_walks(beats + beats.transpose(0, 2, 1)) // 6
        circles[start:stop] = _closed_walks(beats) // 3
    return triads, circles


def _closed_walks(edges: Float64) -> Int64:
    """The number of walks of three steps that end where they began: the trace of the cube."""
    walks: Float64 = np.einsum("gij,gji->g", edges @ edges, edges)
    return np.rint(walks).astype(np.int64)


def _by_part(
    part_of: Int64, names: tuple[str, ...], document_of: Int64, triads: Int64, circles: Int64
) -> Transitivity:
    sums = np.bincount(part_of, weights=triads, minlength=len(names))
    bad = np.bincount(part_of, weights=circles, minlength=len(names))
    parts = {name: _share(int(sums[i]), int(bad[i])) for i, name in enumerate(names)}
    whole = _share(int(triads.sum()), int(circles.sum()))
    straight = np.bincount(document_of, weights=triads - circles)
    documents = np.stack([straight, np.bincount(document_of, weights=triads)], axis=1).astype(float)
    return Transitivity(quotient_over_documents(whole, documents), parts)


def _share(triads: int, circles: int) -> Statistic:
    if not triads:
        return undefined("No three systems were all compared with each other.", chance=CHANCE)
    return Statistic(1 - circles / triads, triads, chance=CHANCE, least=0.0)
