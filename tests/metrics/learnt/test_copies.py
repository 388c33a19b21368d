"""Copies of a document's beginning are compared with the rest of it."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.learnt.copies import beside_the_rest
from gistmark.metrics.learnt.features import Feature
from gistmark.metrics.learnt.structure import MEASURES, structure

FIRST, SECOND = "The ferry left the port on Monday morning.", "A storm rose and tugs came."
DOCUMENT = f"{FIRST} {SECOND}"
FEATURES = (
    Feature("length", "content", 1),
    Feature("lead", "copying", -1),
    Feature("words", "style", 1, alone=True),
)


def measure(batch: Batch) -> np.ndarray:
    """The document's characters, minus the measure of copies, and the document's words."""
    texts = [item.document or "" for item in batch]
    lead = structure(batch)[:, MEASURES.index("lead")]
    return np.column_stack([[len(text) for text in texts], -lead, [len(t.split()) for t in texts]])


def measured(summary: str) -> list[float]:
    (row,) = beside_the_rest(Batch.of([Item(summary, (), DOCUMENT)]), FEATURES, measure)
    return row.tolist()


def test_a_copy_is_compared_with_the_rest_but_for_what_is_about_the_summary_alone() -> None:
    assert measured(FIRST) == [len(SECOND), -1, len(DOCUMENT.split())]


def test_other_summaries_are_compared_with_the_whole_document() -> None:
    assert measured("The ferry left the port and met a storm.")[0] == len(DOCUMENT)


def test_between_them_features_are_between() -> None:
    # Of the eight words' five runs of four and one more, five are the document's: 5 × 5/6 - 4.
    length, lead, _ = measured(f"{FIRST[:-1]} early")
    share = 5 * 5 / 6 - 4
    assert lead == pytest.approx(-share)
    assert length == pytest.approx((1 - share) * len(DOCUMENT) + share * len(SECOND))


def test_a_metric_without_a_feature_of_copying_sees_no_copies() -> None:
    batch = Batch.of([Item(FIRST, (), DOCUMENT)])
    features = (Feature("length", "content", 1),)
    assert beside_the_rest(batch, features, lambda b: measure(b)[:, :1])[0, 0] == len(DOCUMENT)
