"""One piece of work: some metrics on one batch, with what went wrong as reasons, not as errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Metric, Values

NO_VALUE = "the metric gave no value"


@dataclass(frozen=True)
class Done:
    """The values of the asked items; `failed` metrics raised an error and are not to be cached."""

    values: dict[str, Values]
    failed: frozenset[str]


def score_batch(
    batch: Batch, metrics: Mapping[str, Metric], todo: Mapping[str, Sequence[int] | None]
) -> Done:
    """Score, with each metric, the items that `todo` lists for it (`None` means all)."""
    parts: dict[tuple[int, ...], Batch] = {}
    values: dict[str, Values] = {}
    failed: set[str] = set()
    for name, indexes in todo.items():
        part = batch
        if indexes is not None:
            key = tuple(indexes)
            if key not in parts:
                parts[key] = batch.subset(indexes)
            part = parts[key]
        try:
            values[name] = _checked(metrics[name], metrics[name].score(part), len(part))
        except Exception as error:
            failed.add(name)
            values[name] = _all_missing(metrics[name], len(part), _why(error))
    return Done(values, frozenset(failed))


def _checked(metric: Metric, values: Values, size: int) -> Values:
    """A metric's promise, held to: one row per item, and a reason wherever there is no value."""
    expected = (size, len(metric.parts))
    if values.values.shape != expected:
        raise GistmarkError(f"the metric returned {values.values.shape} values, not {expected}")
    missing = np.flatnonzero(~np.isfinite(values.values).all(axis=1))
    if not len(missing) and not values.reasons:
        return values
    numbers = values.values.copy()
    numbers[missing] = np.nan
    return Values(numbers, {int(i): values.reasons.get(int(i), NO_VALUE) for i in missing})


def _all_missing(metric: Metric, size: int, reason: str) -> Values:
    values = np.full((size, len(metric.parts)), np.nan)
    return Values(values, dict.fromkeys(range(size), reason))


def _why(error: Exception) -> str:
    if isinstance(error, GistmarkError):
        return str(error)
    return f"the metric failed: {type(error).__name__}: {error}"
