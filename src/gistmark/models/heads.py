"""The part of a language model that turns hidden states into a score for every token.

It has a row for each token of the vocabulary and is often as costly as the rest of a small model,
so it is run apart, at the places alone that are asked about.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Head:
    """Makes logits from hidden states, one state to a row; `width` is how many tokens there are.

    It is the network itself, weights shared, with its base replaced by what hands the states on,
    so whatever the network does to its logits is done.
    """

    network: Any
    width: int

    def __call__(self, states: Any) -> Any:
        return self.network(inputs_embeds=states[None]).logits[0]


def head_of(network: Any) -> Head | None:
    """The head of a network, or None if it does not work apart from the rest."""
    import torch

    apart = copy.copy(network)
    apart._modules = {**network._modules, network.base_model_prefix: _handing_on()}
    places = [1, 3]
    ids = torch.arange(5, device=network.device)[None]
    with torch.inference_mode():
        expected = network(input_ids=ids).logits[0, places]
        states = network.base_model(input_ids=ids).last_hidden_state[0, places]
        head = Head(apart, expected.shape[1])
        try:
            found = head(states)
        except (AttributeError, TypeError, RuntimeError, ValueError):
            return None
    same = found.shape == expected.shape and torch.allclose(found, expected, rtol=1e-3, atol=1e-3)
    return head if same else None


def _handing_on() -> Any:
    import torch
    from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

    class HandingOn(torch.nn.Module):
        def forward(self, *_: Any, inputs_embeds: Any, **__: Any) -> Any:
            return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=inputs_embeds)

    return HandingOn()
