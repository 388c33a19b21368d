"""Answers of a causal model are shared by all metrics that look at one batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gistmark.metrics.batch import Batch
from gistmark.metrics.language_model.predictions import predictions
from gistmark.metrics.options import ModelOptions
from gistmark.models.language_models.causal import CausalModel, Query, causal_model
from tiny_models import causal_model as tiny_causal_model

CONTEXT, TOKENS = (20, 30, 40), (50, 60, 70, 80)
SOME = Query(CONTEXT, TOKENS, (1, 3))
ALL = Query(CONTEXT, TOKENS, (0, 1, 2, 3))
OTHER = Query((), TOKENS, (1, 3))


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> ModelOptions:
    return ModelOptions(model=str(tiny_causal_model(tmp_path_factory.mktemp("models") / "gpt2")))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[Query]]:
    """What the model was asked, call by call; it still answers."""
    calls: list[list[Query]] = []
    predict = CausalModel.predict

    def recorded(self: CausalModel, queries: Any, **options: Any) -> Any:
        calls.append(list(queries))
        return predict(self, queries, **options)

    monkeypatch.setattr(CausalModel, "predict", recorded)
    return calls


def test_answers_are_those_of_the_model(options: ModelOptions) -> None:
    queries = [SOME, OTHER, ALL, SOME]
    result = predictions(Batch.of([]), options, queries)
    expected = causal_model(options.model).predict(queries)
    for answer, right in zip(result, expected, strict=True):
        np.testing.assert_allclose(answer.likelihoods, right.likelihoods, atol=1e-5)
        assert answer.right.tolist() == right.right.tolist()


def test_only_what_is_not_known_is_asked(options: ModelOptions, asked: list[list[Query]]) -> None:
    batch = Batch.of([])
    predictions(batch, options, [SOME])
    predictions(batch, options, [ALL, SOME])
    predictions(batch, options, [ALL])
    assert asked == [[SOME], [Query(CONTEXT, TOKENS, (0, 2))]]


def test_a_token_is_asked_for_once_in_one_call_too(
    options: ModelOptions, asked: list[list[Query]]
) -> None:
    predictions(Batch.of([]), options, [SOME, OTHER, ALL, SOME])
    assert asked == [[ALL, OTHER]]


def test_another_batch_shares_nothing(options: ModelOptions, asked: list[list[Query]]) -> None:
    for _ in range(2):
        predictions(Batch.of([]), options, [SOME])
    assert asked == [[SOME], [SOME]]


def test_nothing_wanted_asks_nothing(options: ModelOptions, asked: list[list[Query]]) -> None:
    (answer,) = predictions(Batch.of([]), options, [Query(CONTEXT, TOKENS, ())])
    assert len(answer.right) == len(answer.likelihoods) == 0
    assert asked == []
