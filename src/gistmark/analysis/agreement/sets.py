"""Agreement on rankings and best-worst choices: do annotators put the same summaries in order?

Kendall's W, the coefficient of concordance with a correction for ties: Kendall and Babington Smith,
"The Problem of m Rankings" (1939). With m annotators, k summaries, R_i the sum of the ranks of
summary i, and t the sizes of the ties of an annotator:

    W = (12 sum R_i^2 - 3 m^2 k (k + 1)^2) / (m^2 k (k^2 - 1) - m sum over ties (t^3 - t))

Split-half reliability of best-worst scores: Kiritchenko and Mohammad, "Best-Worst Scaling More
Reliable than Rating Scales" (2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from gistmark.analysis.agreement.coefficients.distances import distance_alpha, interval_distances
from gistmark.analysis.agreement.coefficients.intervals import (
    Rows,
    over_documents,
    quotient_over_documents,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.agreement.ratings import Named, agreement
from gistmark.analysis.data.arithmetic import average_ranks, quotient
from gistmark.analysis.data.columns import Float64, Int64
from gistmark.analysis.human.sets import Sets
from gistmark.analysis.studies.records import Agreement
from gistmark.runtime.seeds import generator

SUBJECTS = {"ranking": "rankings", "best-worst": "best-worst"}
SPLITS = 100

_ALONE = "No set was judged by two annotators."
_ALL_TIED = "In every set all summaries are tied."


def sets_agreement(
    every: Iterable[Sets], *, rng: np.random.Generator | None = None
) -> list[Agreement]:
    """How far annotators agree on the order of the summaries of one set.

    Rankings: `kendall-tau`, the mean over sets of the mean tau-b of every two annotators, and
    `kendall-w`, the mean of W, whose chance level is 1 / m for m annotators. Best-worst choices:
    `alpha-ordinal` of worst, neither and best, and `split-half`, the mean Spearman correlation of
    systems' scores between random halves of each set's answers. n counts sets that two or more
    people judged, for alpha summaries in them. Intervals are over the documents of these sets.
    """
    rng = rng or generator(0)
    return [
        agreement(SUBJECTS[sets.type], sets.question, name, scope, statistic)
        for sets in every
        for name, scope, statistic in _statistics(sets, rng)
    ]


def _statistics(sets: Sets, rng: np.random.Generator) -> Iterator[Named]:
    groups = set_groups(sets)
    if sets.type == "ranking":
        yield "kendall-tau", "", _mean(sets, groups, mean_tau)
        result = _mean(sets, groups, concordance, least=0.0)
        if result.value is not None:
            sizes = [len(members) for members in groups]
            result = replace(result, chance=float(np.mean([1 / size for size in sizes])))
        yield "kendall-w", "", result
        return
    yield "alpha-ordinal", "", _alpha(sets, groups)
    yield "split-half", "", split_half(sets, groups, rng)


def set_groups(sets: Sets) -> list[Int64]:
    """The answers about the same summaries of the same document, where there are two or more."""
    groups: dict[tuple[int, bytes], list[int]] = {}
    for row, document in enumerate(sets.documents.tolist()):
        groups.setdefault((document, sets.shown[row].tobytes()), []).append(row)
    return [np.array(rows, dtype=np.int64) for rows in groups.values() if len(rows) > 1]


def mean_tau(ranks: Float64) -> float:
    """The mean of Kendall's tau-b of every two rows; NaN where fewer than two rows vary."""
    signs = _signs(ranks)
    norms = np.sqrt((signs * signs).sum(axis=1))
    signs = signs[norms > 0] / norms[norms > 0, None]
    count = len(signs)
    if count < 2:
        return float("nan")
    total = signs.sum(axis=0)
    tau = float((total @ total - count) / (count * (count - 1)))
    return min(max(tau, -1.0), 1.0)


def _signs(ranks: Float64) -> Float64:
    """For each row, which of every two columns is smaller: -1, 0 or 1."""
    first, second = np.triu_indices(ranks.shape[1], 1)
    return np.sign(ranks[:, first] - ranks[:, second])


def concordance(ranks: Float64) -> float:
    """Kendall's W of rows of mid-ranks; NaN where every row is one tie."""
    m, k = ranks.shape
    sums = ranks.sum(axis=0)
    ties = sum(float(((sizes := np.unique(row, return_counts=True)[1]) ** 3 - sizes).sum())
               for row in ranks)  # fmt: skip
    below = m * m * k * (k * k - 1) - m * ties
    above = 12 * float(sums @ sums) - 3 * m * m * k * (k + 1) ** 2
    return above / below if below > 0 else float("nan")


def _mean(
    sets: Sets, groups: list[Int64], compute: Callable[[Float64], float], *, least: float = -1.0
) -> Statistic:
    """The mean over sets, with an interval over documents."""
    if not groups:
        return undefined(_ALONE)
    values = np.array([compute(sets.ranks[rows][:, sets.shown[rows[0]]]) for rows in groups])
    documents = np.array([sets.documents[rows[0]] for rows in groups])
    defined = ~np.isnan(values)
    if not defined.any():
        return undefined(_ALL_TIED, len(groups))
    values, documents = values[defined], documents[defined]
    tied = len(groups) - len(values)
    left_out = f"{tied} of {len(groups)} sets left out: all summaries are tied there."
    reason = left_out if tied else None
    result = Statistic(float(values.mean()), len(values), reason, least=least)
    used, document_of = np.unique(documents, return_inverse=True)
    parts = np.zeros((len(used), 2))
    np.add.at(parts, document_of.ravel(), np.stack([values, np.ones(len(values))], axis=1))
    return quotient_over_documents(result, parts)


def _alpha(sets: Sets, groups: list[Int64]) -> Statistic:
    """Alpha of worst, neither and best.

    There are as many bests as worsts, so that the ordinal distances are those of -1, 0 and 1.
    """
    if not groups:
        return undefined(_ALONE)
    units, codes, documents = [], [], []
    count = 0
    for rows in groups:
        ranks = sets.ranks[rows][:, sets.shown[rows[0]]]
        size = ranks.shape[1]
        units.append(np.tile(np.arange(count, count + size), len(rows)))
        codes.append((ranks - 1).astype(np.int64).ravel())
        documents.append(np.full(size, sets.documents[rows[0]]))
        count += size
    return distance_alpha(
        np.concatenate(units), np.concatenate(codes), np.concatenate(documents),
        interval_distances(np.array([1.0, 0.0, -1.0])),
    )  # fmt: skip


def split_half(sets: Sets, groups: list[Int64], rng: np.random.Generator) -> Statistic:
    """The mean Spearman correlation of systems' scores by one half of the answers and the other.

    The answers to each set are halved at random, `SPLITS` times. Not defined where no set has two
    answers, for fewer than three systems, or where a half says nothing of some system.
    """
    if not groups:
        return undefined(_ALONE)
    if len(sets.system_names) < 3:
        return undefined("There are fewer than three systems.", len(groups))
    rows = np.concatenate(groups)
    sizes = np.array([len(group) for group in groups])
    group_of, starts = np.repeat(np.arange(len(groups)), sizes), np.cumsum(sizes) - sizes
    values, shown = np.nan_to_num(sets.values[rows]), sets.shown[rows].astype(np.float64)
    halves = np.zeros((SPLITS, len(rows)), dtype=np.bool_)
    for half in halves:
        order = np.lexsort((rng.random(len(rows)), group_of))
        position = np.arange(len(rows)) - starts[group_of]
        extra = rng.integers(2, size=len(groups))
        half[order] = position < ((sizes + extra) // 2)[group_of]

    def mean(some: Rows) -> dict[str, Statistic]:
        results = [
            _spearman(*(quotient(values[part].sum(axis=0), shown[part].sum(axis=0))
                        for part in (half & some, ~half & some)))
            for half in halves
        ]  # fmt: skip
        defined = [value for value in results if not np.isnan(value)]
        if not defined:
            none = "No half of the answers has a score for three systems."
            return {"split-half": undefined(none, len(groups))}
        return {"split-half": Statistic(float(np.mean(defined)), len(groups))}

    return over_documents(sets.documents[rows], mean)["split-half"]


def _spearman(first: Float64, second: Float64) -> float:
    both = ~np.isnan(first) & ~np.isnan(second)
    if both.sum() < 3:
        return float("nan")
    one, other = average_ranks(first[both]), average_ranks(second[both])
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / scale if scale else float("nan")


def annotator_taus(sets: Sets) -> dict[str, Statistic]:
    """For each annotator, the mean tau-b of their orders with those of each of the others.

    For best-worst choices the order is best, neither, worst. n counts pairs of answers.
    """
    sums: dict[str, list[float]] = {name: [] for name in sets.annotators}
    for rows in set_groups(sets):
        signs = _signs(sets.ranks[rows][:, sets.shown[rows[0]]])
        norms = np.sqrt((signs * signs).sum(axis=1))
        with np.errstate(invalid="ignore", divide="ignore"):
            taus = (signs @ signs.T) / np.outer(norms, norms)
        for one, row in enumerate(rows.tolist()):
            values = np.delete(taus[one], one)
            sums[sets.annotators[row]] += values[~np.isnan(values)].tolist()
    return {
        name: Statistic(float(np.mean(values)), len(values)) if values else undefined(_ALONE)
        for name, values in sums.items()
    }
