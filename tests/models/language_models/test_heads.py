"""Heads: the network's own logits from hidden states, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tiny_models
from gistmark.models.language_models.continuations import head_of

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(params=[tiny_models.causal_model, tiny_models.llama])
def network(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    folder = request.param(tmp_path / "model")
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


def test_a_head_gives_the_logits_of_the_network(network: Any):
    head = head_of(network)
    assert head is not None
    ids = torch.arange(12)[None]
    with torch.inference_mode():
        expected = network(input_ids=ids).logits[0]
        states = network.base_model(input_ids=ids).last_hidden_state[0]
        torch.testing.assert_close(head(states), expected)
        torch.testing.assert_close(head(states[4:5]), expected[4:5])
    assert head.width == expected.shape[1]


def test_the_weights_are_those_of_the_network(network: Any):
    """What tunes the network tunes its head."""
    head = head_of(network)
    assert head is not None
    states = torch.ones(1, 32)
    with torch.no_grad():
        before = head(states)
        network.get_output_embeddings().weight.mul_(2)
        torch.testing.assert_close(head(states), 2 * before)


def test_a_network_that_bends_its_logits_by_their_place_has_no_head(network: Any):
    """The states alone do not tell what such a network says."""

    class Bent(type(network)):  # type: ignore[misc]
        def forward(self, **inputs: Any) -> Any:
            result = super().forward(**inputs)
            result.logits = result.logits + torch.arange(result.logits.shape[1])[None, :, None]
            return result

    network.__class__ = Bent
    assert head_of(network) is None


def test_a_network_that_needs_tokens_has_no_head(network: Any):
    class Asking(type(network)):  # type: ignore[misc]
        def forward(self, input_ids: Any, **inputs: Any) -> Any:
            return super().forward(input_ids=input_ids, **inputs)

    network.__class__ = Asking
    assert head_of(network) is None
