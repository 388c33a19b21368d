"""Comparing each summary with its references or its document, and combining several references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.metric import Float64, Need, Values
from gistmark.metrics.options import Against, Combination

Int64 = NDArray[np.int64]

NEEDED: dict[Against, frozenset[Need]] = {
    "references": frozenset({"references"}),
    "document": frozenset({"documents"}),
}
MISSING = {"references": "the document has no reference", "document": "the document has no text"}


@dataclass(frozen=True)
class Pairs:
    """Summaries and what they are compared with, sorted by target; numbers into the pool.

    `order` says where each pair stood before sorting, so the first reference stays the first.
    """

    items: Int64
    summaries: Int64
    targets: Int64
    order: Int64
    against: Against


def pair_up(batch: Batch, against: Against) -> Pairs:
    """All pairs of a summary and a target."""
    if against == "document":
        items = np.flatnonzero(batch.documents != NO_DOCUMENT)
        targets = batch.documents[items]
    else:
        items = np.repeat(np.arange(len(batch)), np.diff(batch.reference_offsets))
        targets = batch.references
    order = np.argsort(targets, kind="stable")
    items, targets = items[order], targets[order]
    return Pairs(items, batch.summaries[items], targets, order, against)


def combine(
    pairs: Pairs,
    values: Float64,
    *,
    size: int,
    usable: NDArray[np.bool_],
    unusable: str | NDArray[np.str_] | NDArray[np.object_],
    how: Combination = "max",
    key: int = -1,
    lower: bool = False,
) -> Values:
    """One row per item from one row per pair.

    `max` takes the row of the best target as a whole, by column `key` (for ROUGE the F), the first
    on ties; `mean` averages; `jackknife` averages the best over all sets that leave one target out.
    Pairs that are not `usable` are skipped; an item with none left gets the reason `unusable` (one
    for all pairs, or one for each; the first target's counts), or that it has no target at all.
    """
    usable_pairs = np.flatnonzero(usable)
    items = pairs.items[usable_pairs]
    result = np.full((size, values.shape[1]), np.nan)
    if len(items) == 0 or np.bincount(items).max() == 1:
        result[items] = values[usable_pairs]
        return Values(result, _reasons(pairs, items, size, unusable))
    rank = values[usable_pairs, key] if lower else -values[usable_pairs, key]
    order = usable_pairs[np.lexsort((pairs.order[usable_pairs], rank, items))]
    scored, starts, counts = np.unique(pairs.items[order], return_index=True, return_counts=True)
    if how == "mean":
        sums = np.add.reduceat(values[order], starts, axis=0)
        result[scored] = sums / counts[:, None]
    else:
        best = values[order[starts]]
        if how == "jackknife":
            several = counts > 1
            second = values[order[starts + several]]
            weight = counts[:, None].astype(float)
            best = np.where(several[:, None], ((weight - 1) * best + second) / weight, best)
        result[scored] = best
    return Values(result, _reasons(pairs, scored, size, unusable))


def _reasons(
    pairs: Pairs, scored: Int64, size: int, unusable: str | NDArray[np.str_] | NDArray[np.object_]
) -> dict[int, str]:
    if len(scored) == size:
        return {}
    has_value = np.zeros(size, dtype=bool)
    has_value[scored] = True
    reasons = dict.fromkeys(map(int, np.flatnonzero(~has_value)), MISSING[pairs.against])
    failed = np.flatnonzero(~has_value[pairs.items])
    for pair in failed[np.argsort(pairs.order[failed])][::-1]:
        why = unusable if isinstance(unusable, str) else unusable[pair]
        reasons[int(pairs.items[pair])] = str(why)
    return reasons


def precision_recall_f(hits: Float64, in_summary: Float64, in_target: Float64) -> Float64:
    """Three columns: hits over the summary's total, over the target's, and their harmonic mean.

    A ratio with a denominator of 0 is 0.
    """
    precision = np.divide(hits, in_summary, out=np.zeros_like(hits), where=in_summary > 0)
    recall = np.divide(hits, in_target, out=np.zeros_like(hits), where=in_target > 0)
    return with_f(precision, recall)


def with_f(precision: Float64, recall: Float64) -> Float64:
    """Precision, recall and F as columns; F is 0 where both are."""
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return np.column_stack([precision, recall, f])
