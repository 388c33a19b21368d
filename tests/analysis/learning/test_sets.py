"""Corpora as training sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.learning import sets
from gistmark.analysis.learning.sets import feature_values, judged, training_set
from gistmark.corpus import Corpus
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.learnt.features import FEATURES
from gistmark.metrics.learnt.model import shipped
from gistmark.records import Document, Rating, Summary

SIZE = 20


def corpus(*, documents: bool, references: bool, systems: int = 2) -> Corpus:
    """Twenty documents with summaries that one annotator rated."""
    written = [
        Summary(f"d{n}", f"s{k}", f"Summary {k} of {n}.")
        for n in range(SIZE)
        for k in range(systems)
    ]
    gold = [Summary(f"d{n}", "gold", f"Gold {n}.", reference=True) for n in range(SIZE)]
    return Corpus(
        documents=tuple(Document(f"d{n}", (f"Text {n}.",)) for n in range(SIZE * documents)),
        summaries=(*written, *(gold if references else ())),
        ratings=tuple(Rating(s.document, s.system, "ann", "overall", 3) for s in written),
    )


@pytest.mark.parametrize(
    ("documents", "references", "expected"),
    [(True, True, "Text 0."), (False, True, "Gold 0."), (False, False, None)],
)
def test_references_stand_in_for_a_document(
    documents: bool, references: bool, expected: str | None
) -> None:
    data = judged(corpus(documents=documents, references=references), "c", against="document")
    assert data.items[0] == Item("Summary 0 of 0.", (), expected)
    assert data.stands_in == (not documents)
    assert data.human == "overall"


def test_what_is_spoiled_does_not_depend_on_the_name_and_every_lead_is_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sets, "SPOILED", 15)
    plain = corpus(documents=True, references=False, systems=1)
    here, there = (
        training_set(judged(plain, name, against="document"), against="document", cache=False)
        for name in ("news", "/another/folder/news")
    )
    counts = {kind: len(before) for kind, (before, _) in here.spoiled.items()}
    assert (counts["lead"], counts["doubled"]) == (SIZE, 15)
    for kind, rows in here.spoiled.items():
        for ours, theirs in zip(rows, there.spoiled[kind], strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_training_sees_the_features_that_the_metric_sees() -> None:
    """Through a scoring run with its cache, and in the metric itself."""
    items = [
        Item("Rain fell on Rome. It fell again.", (), "Rain fell on Rome all day. Nobody minded."),
        Item("Nobody minded.", (), "Rain fell on Rome all day. Nobody minded."),
        Item("Rain fell on Rome all day.", (), "Rain fell on Rome all day. Nobody minded."),
    ]
    model = shipped("gistmark-1").model
    ours = model.predict(feature_values(items, model.features, cache=False)).values
    theirs = metric_from("gistmark-1").score(Batch.of(items)).values[:, 0]
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_a_copy_of_the_reference_that_stands_in_for_a_document_is_compared_with_it() -> None:
    plain = corpus(documents=False, references=True, systems=1)
    text = "Rain fell on Rome all day."
    copies = tuple(replace(s, text=text if s.system == "s0" else f"{text} Nobody minded.")
                   for s in plain.summaries)  # fmt: skip
    features = FEATURES["document"]
    content = [feature.main for feature in features]
    beside = {}
    for stands_in in (True, False):
        data = judged(replace(plain, summaries=copies), "c", against="document")
        data = replace(data, stands_in=stands_in)
        beside[stands_in] = training_set(data, against="document", cache=False).features[0, content]
    assert (beside[True] > beside[False]).all()


def test_summaries_with_nothing_to_compare_them_with_still_teach_style() -> None:
    """Features beside a text are unknown, and no summary is spoiled."""
    data = judged(corpus(documents=False, references=False), "c", against="document")
    taught = training_set(data, against="document", cache=False)
    known = {
        feature.name
        for feature, column in zip(FEATURES["document"], taught.features.T, strict=True)
        if np.isfinite(column).all()
    }
    assert known == {feature.name for feature in FEATURES["document"] if feature.alone}
    assert taught.spoiled == {}
