"""A masked network taken apart, so that its end runs at the masked places alone.

The output layer, which has a row for every word of the vocabulary, is often as costly as the rest
of a small network; and of the last layer only what leads to other tokens, its keys and values, is
needed everywhere. Parts share the weights of the network that they are taken from.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Places = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Parts:
    """The body of a network, its last layer where that can be told from the rest, and its head."""

    body: Any
    last: Any
    head: Any

    def states(self, inputs: dict[str, Any], places: Places) -> Any:
        """The final hidden states at the places of each sequence, one after another."""
        import torch

        states = self.body(**inputs).last_hidden_state
        width = max(map(len, places))
        filled = torch.tensor([[*row, *[0] * (width - len(row))] for row in places])
        there = torch.tensor([[True] * len(row) + [False] * (width - len(row)) for row in places])
        filled, there = filled.long().to(states.device), there.to(states.device)
        picked = states.take_along_dim(filled[:, :, None], dim=1)
        if self.last is not None:
            picked = _last_layer(self.last, states, picked, inputs.get("attention_mask"))
        return picked[there]

    def logits(self, states: Any) -> Any:
        """The logits of some states."""
        return self.head(inputs_embeds=states[None]).logits[0]


def parts_of(network: Any) -> Parts | None:
    """The parts, if together they say the same as the network; None if it is of another kind."""
    base = network.base_model
    head = _with(network, network.base_model_prefix, _handing_on())
    encoder = getattr(base, "encoder", None)
    layers = getattr(encoder, "layer", None)
    if layers is not None and len(layers) > 1:
        shorter = _with(base, "encoder", _with(encoder, "layer", layers[:-1]))
        parts = Parts(shorter, layers[-1], head)
        if _agree(network, parts):
            return parts
    parts = Parts(base, None, head)
    return parts if _agree(network, parts) else None


def _last_layer(layer: Any, states: Any, picked: Any, mask: Any) -> Any:
    """A layer of the BERT kind for the picked states, which look at all states."""
    import torch

    own = layer.attention.self
    shape = (len(states), -1, own.num_attention_heads, own.attention_head_size)
    asking, keys, values = (
        made.view(shape).transpose(1, 2)
        for made in (own.query(picked), own.key(states), own.value(states))
    )
    seen = None if mask is None else mask[:, None, None, :].bool()
    found = torch.nn.functional.scaled_dot_product_attention(asking, keys, values, attn_mask=seen)
    attended = layer.attention.output(found.transpose(1, 2).flatten(2), picked)
    return layer.output(layer.intermediate(attended), attended)


def _with(module: Any, name: str, part: Any) -> Any:
    """The same module with another part, the original untouched."""
    changed = copy.copy(module)
    changed._modules = {**module._modules, name: part}
    return changed


def _handing_on() -> Any:
    """In the place of a network's base: what hands given hidden states on to the head."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    class HandingOn(torch.nn.Module):
        def forward(self, *_: Any, inputs_embeds: Any, **__: Any) -> Any:
            return BaseModelOutput(last_hidden_state=inputs_embeds)

    return HandingOn()


def _agree(network: Any, parts: Parts) -> bool:
    """Whether the parts give the network's own logits, for a short and a filled-up sequence."""
    import torch

    places = [[1, 3], [2]]
    inputs = {
        "input_ids": torch.tensor([[5, 6, 7, 8, 9], [6, 5, 8, 0, 0]], device=network.device),
        "attention_mask": torch.tensor([[1] * 5, [1] * 3 + [0] * 2], device=network.device),
    }
    with torch.inference_mode():
        expected = network(**inputs).logits[[0, 0, 1], [1, 3, 2]]
        try:
            found = parts.logits(parts.states(inputs, places))
        except (AttributeError, KeyError, TypeError, RuntimeError, ValueError):
            return False
    return found.shape == expected.shape and torch.allclose(found, expected, rtol=1e-2, atol=1e-2)
