"""What the tests of metrics share: scoring a few items, and the bundled sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gistmark
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.metric import Values

Row = list[float]


@pytest.fixture(scope="session")
def score() -> Callable[..., Values]:
    """Score items with the metric of a spec."""

    def score_items(spec: str, *items: Item) -> Values:
        return metric_from(spec).score(Batch.of(items))

    return score_items


@pytest.fixture(scope="session")
def row() -> Callable[..., Row]:
    """The values of one item, written `row(spec, summary, references=..., ...)`."""

    def values_of(spec: str, summary: str, *references: str, **others: Any) -> Row:
        item = Item(summary, references, **others)
        result: Row = metric_from(spec).score(Batch.of([item])).values[0].tolist()
        return result

    return values_of


@pytest.fixture(scope="session")
def reason() -> Callable[..., str | None]:
    """Why one item has no value, or None if it has one."""

    def reason_of(spec: str, summary: str, *references: str, **others: Any) -> str | None:
        item = Item(summary, references, **others)
        return metric_from(spec).score(Batch.of([item])).reasons.get(0)

    return reason_of


@pytest.fixture(scope="session")
def sample_summaries() -> list[dict[str, Any]]:
    """The summaries of the bundled sample corpus, references among them."""
    file = Path(gistmark.__file__).parent / "corpus" / "sample" / "summaries.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
