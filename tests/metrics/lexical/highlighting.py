"""Highlights, and the row of values of one item."""

from __future__ import annotations

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.records import Highlight


def mark(annotator: str, start: int, end: int, budget: int | None = None) -> Highlight:
    return Highlight("document", annotator, start, end, budget)


def rows(spec: str, item: Item) -> list[float]:
    result: list[float] = metric_from(spec).score(Batch.of([item])).values[0].tolist()
    return result
