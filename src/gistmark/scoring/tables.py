"""Scores as Arrow tables: long (a row per value) and wide (a row per summary)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow

    from gistmark.scoring.scores import Scores

LONG_COLUMNS = ("document", "system", "metric", "part", "value", "reason")


def table_of(
    scores: Scores, start: int = 0, stop: int | None = None, *, wide: bool
) -> pyarrow.Table:
    """The long or the wide table of some summaries, by default of all."""
    return (wide_table if wide else long_table)(scores, start, stop)


def long_table(scores: Scores, start: int = 0, stop: int | None = None) -> pyarrow.Table:
    """document, system, metric, part, value, reason: summary by summary."""
    import pyarrow as pa

    stop = scores.summary_count if stop is None else min(stop, scores.summary_count)
    kinds = [(name, part) for name, column in scores.columns.items() for part in column.parts]
    count, width = stop - start, len(kinds)
    values = np.hstack([column.values[start:stop] for column in scores.columns.values()])
    summary = np.repeat(np.arange(count), width)
    kind = np.tile(np.arange(width), count)
    return pa.table(
        {
            "document": pa.array(scores.documents[start:stop], pa.string()).take(summary),
            "system": pa.array(scores.systems[start:stop], pa.string()).take(summary),
            "metric": pa.array([name for name, _ in kinds], pa.string()).take(kind),
            "part": pa.array([part for _, part in kinds], pa.string()).take(kind),
            "value": pa.array(values.reshape(-1), pa.float64(), from_pandas=True),
            "reason": _reasons(scores, start, stop),
        }
    )


def wide_table(scores: Scores, start: int = 0, stop: int | None = None) -> pyarrow.Table:
    """document, system, a column per value such as `rouge1.f`, and the reasons in words."""
    import pyarrow as pa

    stop = scores.summary_count if stop is None else min(stop, scores.summary_count)
    columns: dict[str, Any] = {
        "document": pa.array(scores.documents[start:stop], pa.string()),
        "system": pa.array(scores.systems[start:stop], pa.string()),
    }
    for name, column in scores.columns.items():
        for place, part in enumerate(column.parts):
            values = column.values[start:stop, place]
            columns[f"{name}.{part}"] = pa.array(values, pa.float64(), from_pandas=True)
    columns["reason"] = pa.array(
        [_all_reasons(scores, index) for index in range(start, stop)], pa.string()
    )
    return pa.table(columns)


def _reasons(scores: Scores, start: int, stop: int) -> Any:
    import pyarrow as pa

    width = sum(len(column.parts) for column in scores.columns.values())
    if not any(column.reasons for column in scores.columns.values()):
        return pa.nulls((stop - start) * width, pa.string())
    reasons: list[str | None] = [None] * ((stop - start) * width)
    offset = 0
    for column in scores.columns.values():
        for index, reason in column.reasons.items():
            if start <= index < stop:
                at = (index - start) * width + offset
                for place in np.flatnonzero(np.isnan(column.values[index])):
                    reasons[at + place] = reason
        offset += len(column.parts)
    return pa.array(reasons, pa.string())


def _all_reasons(scores: Scores, index: int) -> str | None:
    found = [
        f"{name}: {column.reasons[index]}"
        for name, column in scores.columns.items()
        if index in column.reasons
    ]
    return "; ".join(found) or None
