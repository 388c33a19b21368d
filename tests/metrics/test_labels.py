"""What a metric is called beside its numbers: nobody may take one model's values for another's."""

from __future__ import annotations

import pytest

from gistmark.metrics.catalogue import METRICS, metric_from
from gistmark.metrics.labels import labelled, model_of


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        ("bertscore", "bertscore (all-MiniLM-L6-v2)"),
        ("bertscore:idf=corpus", "bertscore:idf=corpus (all-MiniLM-L6-v2)"),
        ("blanc-help", "blanc-help (SmolLM2-135M-Instruct)"),
        ("wmd", "wmd (glove-6b-50d)"),
        ("rouge1", "rouge1"),
    ],
)
def test_the_model_stands_beside_the_name(metric: str, label: str):
    assert labelled(metric, metric_from(metric).signature) == label


@pytest.mark.parametrize("metric", ["bertscore:model=roberta-large", "bertscore:model=org/tiny"])
def test_a_model_that_was_asked_for_by_name_is_not_named_twice(metric: str):
    assert labelled(metric, metric_from(metric).signature) == metric


def test_a_model_called_like_a_part_of_the_metric_is_named():
    assert labelled("bertscore", "bertscore|v:1|model:bert@missing") == "bertscore (bert)"


def test_scores_without_a_signature_keep_their_name():
    assert labelled("bertscore", None) == "bertscore"


@pytest.mark.parametrize("name", METRICS.builtin)
def test_every_metric_with_a_model_tells_it_in_its_signature(name: str):
    metric = metric_from(name)
    chosen = [getattr(metric.options, key, None) for key in ("model", "vectors")]
    assert model_of(metric.signature) == next(filter(None, chosen), None)
