"""The learnt metric on the bundled sample: what must lower a score lowers it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gistmark
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.learnt.spoiling import SPOILINGS, Spoiling, spoiled
from gistmark.records import CONTRIBUTIONS
from gistmark.runtime.seeds import generator

DOCUMENTS = 6


@cache
def sample() -> tuple[Item, ...]:
    """What the careful system wrote about some documents of the sample."""
    corpus = gistmark.load(gistmark.sample_folder())
    texts = {document.id: document.text for document in corpus.documents}
    careful = [s for s in corpus.summaries if s.system == "careful"][:DOCUMENTS]
    return tuple(Item(s.text, (), texts[s.document]) for s in careful)


@cache
def scored() -> tuple[np.ndarray, dict[Spoiling, np.ndarray]]:
    """The values of these summaries, and once they are spoiled in each way; in one batch."""
    items = sample()
    variants = [spoiled(item, items, generator(0)) for item in items]
    rows = [(item, kind) for item, each in zip(items, variants, strict=True) for kind in each]
    texts = [Item(each[kind], (), item.document)
             for item, each in zip(items, variants, strict=True) for kind in each]  # fmt: skip
    values = metric_from("gistmark-1").score(Batch.of([*items, *texts])).values
    own = {id(item): value for item, value in zip(items, values[:, 0], strict=False)}
    differences: dict[Spoiling, list[float]] = {kind: [] for kind in SPOILINGS}
    for (item, kind), value in zip(rows, values[len(items) :, 0], strict=True):
        differences[kind].append(value - own[id(item)])
    return values, {kind: np.array(each) for kind, each in differences.items()}


@pytest.mark.parametrize("kind", SPOILINGS)
def test_a_spoiled_summary_scores_lower(kind: Spoiling) -> None:
    differences = scored()[1][kind]
    assert len(differences) == DOCUMENTS
    assert differences.mean() < 0
    assert (differences < 0).mean() >= 0.5


def test_the_contributions_sum_to_the_value() -> None:
    metric = metric_from("gistmark-1")
    values = scored()[0]
    own = values[:, [metric.parts.index(part) for part in CONTRIBUTIONS]]
    np.testing.assert_allclose(own.sum(axis=1), values[:, 0], atol=1e-9)
    assert (values[:, metric.parts.index("sd")] > 0).all()


def test_references_can_take_the_documents_place() -> None:
    metric = metric_from("gistmark-1:references=yes")
    assert metric.needs == {"references"}
    reference = ("A crack shut the swing bridge.",)
    close, far = metric.score(
        Batch.of([Item("A crack shut the bridge.", reference), Item("Cats like sun.", reference)])
    ).values[:, 0]
    assert close > far


def test_the_signature_names_the_weights_with_a_hash() -> None:
    assert "|weights:gistmark-1@" in metric_from("gistmark-1").signature
    assert "|weights:gistmark-1-references@" in metric_from("gistmark-1:references=yes").signature


def test_another_encoder_is_worth_a_warning() -> None:
    with pytest.warns(UserWarning, match="so values are not comparable"):
        metric_from("gistmark-1:model=bert-base-uncased")
