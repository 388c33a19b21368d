"""Contexts: read once, and the beginnings of what was read are there already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tiny_models
from gistmark.models.language_models.continuations import Context, read_context

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture
def network(tmp_path: Path) -> Any:
    folder = tiny_models.llama(tmp_path / "llama")
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


def continued(network: Any, context: Context, tokens: list[list[int]]) -> Any:
    with torch.inference_mode():
        return network.base_model(
            input_ids=torch.tensor(tokens), past_key_values=context.cache(len(tokens))
        ).last_hidden_state


def whole(network: Any, tokens: list[int]) -> Any:
    with torch.inference_mode():
        return network.base_model(input_ids=torch.tensor([tokens])).last_hidden_state[0]


def test_rows_go_on_from_a_context_as_often_as_they_like(network: Any):
    with torch.inference_mode():
        context = read_context(network, (0, 5, 6, 7), Context())
    assert len(context) == 4
    for _ in range(2):
        result = continued(network, context, [[8, 9], [10, 11]])
        torch.testing.assert_close(result[0], whole(network, [0, 5, 6, 7, 8, 9])[4:])
        torch.testing.assert_close(result[1], whole(network, [0, 5, 6, 7, 10, 11])[4:])


def test_the_beginning_of_what_was_read_is_not_read_again(network: Any):
    with torch.inference_mode():
        before = read_context(network, (0, 5, 6, 7), Context())
        beginning = read_context(None, (0, 5), before)
        other = read_context(network, (0, 5, 7), before)
    assert (beginning.tokens, other.tokens) == ((0, 5), (0, 5, 7))
    for context in (beginning, other):
        result = continued(network, context, [[8, 9]])
        expected = whole(network, [*context.tokens, 8, 9])[len(context) :]
        torch.testing.assert_close(result[0], expected)


def test_nothing_is_a_context_without_a_cache():
    assert len(Context()) == 0
    assert Context().cache(3) is None
