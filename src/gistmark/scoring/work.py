"""The work on one batch: some metrics, a few summaries at a time.

An error in a metric becomes the reason for a missing value and stops nothing.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch
from gistmark.metrics.catalogue import METRICS
from gistmark.metrics.metric import Metric, Values
from gistmark.records import DETAILS
from gistmark.runtime.cancellation import check

_LOG = logging.getLogger(__name__)

NO_VALUE = "the metric gave no value"

Todo = Mapping[str, Sequence[int] | None]
"""For each metric the items to score, ascending; None means all."""


@dataclass(frozen=True)
class Done:
    """What was computed for some `rows` of a batch.

    `computed` says which of these rows each metric has values for, counted from the first of
    them; `failed` metrics raised an error and are not to be cached.
    """

    rows: range
    computed: Mapping[str, Sequence[int]]
    values: dict[str, Values]
    failed: frozenset[str]


def score_batch(batch: Batch, metrics: Mapping[str, Metric], todo: Todo) -> Iterator[Done]:
    """Score the items to do, as many rows at a time as the smallest block size of the metrics."""
    shares = _shares(batch, todo)
    size = min((metrics[name].block_size for name in todo), default=len(batch))
    for start in range(0, len(batch), max(size, 1)):
        rows = range(start, min(start + size, len(batch)))
        parts = {name: share.within(rows) for name, share in shares.items()}
        yield _score_rows(rows, parts, metrics)


@dataclass(frozen=True)
class _Share:
    """What a metric has to do: items by their index in the block, and a batch of these alone."""

    indexes: Sequence[int]
    items: Batch

    def within(self, rows: range) -> _Share:
        first, last = (bisect_left(self.indexes, row) for row in (rows.start, rows.stop))
        return _Share(self.indexes[first:last], self.items.rows(first, last))


def _shares(batch: Batch, todo: Todo) -> dict[str, _Share]:
    """The share of each metric; metrics that score the same items share one batch."""
    by_indexes: dict[tuple[int, ...] | None, _Share] = {None: _Share(range(len(batch)), batch)}
    shares = {}
    for name, indexes in todo.items():
        key = None if indexes is None else tuple(indexes)
        if key is not None and key not in by_indexes:
            by_indexes[key] = _Share(key, batch.subset(key))
        shares[name] = by_indexes[key]
    return shares


def _score_rows(rows: range, shares: Mapping[str, _Share], metrics: Mapping[str, Metric]) -> Done:
    values: dict[str, Values] = {}
    failed: set[str] = set()
    _announce(shares, metrics)
    for name, share in shares.items():
        check()
        try:
            with METRICS.naming_plugin(name):
                values[name] = _score(metrics[name], share.items)
        except Exception as error:
            _LOG.debug("The metric %s failed.", name, exc_info=True)
            failed.add(name)
            values[name] = _all_missing(metrics[name], len(share.items), _failure_reason(error))
    computed = {
        name: [index - rows.start for index in share.indexes] for name, share in shares.items()
    }
    return Done(rows, computed, values, frozenset(failed))


def _announce(shares: Mapping[str, _Share], metrics: Mapping[str, Metric]) -> None:
    """Let metrics that share work announce it; an error here occurs again in scoring."""
    for name, share in shares.items():
        try:
            metrics[name].announce(share.items)
        except Exception:
            _LOG.debug("The metric %s could not announce its work.", name, exc_info=True)


def _score(metric: Metric, batch: Batch) -> Values:
    """Check that a metric returns one row per item, and a reason for every missing value.

    Where one part is missing, all that judge the summary become missing; the details stay.
    """
    if not len(batch):
        return _all_missing(metric, 0, NO_VALUE)
    values = metric.score(batch)
    expected = (len(batch), len(metric.parts))
    if values.values.shape != expected:
        raise GistmarkError(f"the metric returned {values.values.shape} values, not {expected}")
    missing = np.flatnonzero(~np.isfinite(values.values).all(axis=1))
    if not len(missing) and not values.reasons:
        return values
    numbers = values.values.copy()
    for index, part in enumerate(metric.parts):
        if part not in DETAILS:
            numbers[missing, index] = np.nan
    reasons = {int(i): values.reasons.get(int(i), NO_VALUE) for i in missing}
    return Values(numbers, reasons, values.transient & reasons.keys())


def _all_missing(metric: Metric, size: int, reason: str) -> Values:
    values = np.full((size, len(metric.parts)), np.nan)
    return Values(values, dict.fromkeys(range(size), reason))


def _failure_reason(error: Exception) -> str:
    if isinstance(error, GistmarkError):
        return str(error)
    return f"the metric failed: {type(error).__name__}: {error}"
