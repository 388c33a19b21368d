"""Contexts that a causal model has read: keys and values that every continuation goes on from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gistmark.cancellation import check

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Context:
    """The tokens of a context, and each layer's keys and values of them."""

    tokens: Tokens = ()
    layers: tuple[tuple[Any, Any], ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    def beginning(self, count: int) -> Context:
        """Its first tokens, which know nothing of the later ones."""
        layers = ((keys[:, :, :count], values[:, :, :count]) for keys, values in self.layers)
        return Context(self.tokens[:count], tuple(layers))

    def cache(self, rows: int) -> Any:
        """The keys and values as a model of transformers takes them, for several rows at once."""
        from transformers import DynamicCache

        if not self.tokens:
            return None
        made = DynamicCache()
        for number, (keys, values) in enumerate(self.layers):
            shape = (rows, -1, -1, -1)
            made.update(keys.expand(shape), values.expand(shape), number)
        return made


def read_context(network: Any, tokens: Tokens, before: Context) -> Context:
    """Read a context, unless it is the beginning of what was read before."""
    import torch

    if before.tokens[: len(tokens)] == tokens:
        return before.beginning(len(tokens))
    check()
    ids = torch.tensor([tokens], device=network.device)
    cache = network.base_model(input_ids=ids, use_cache=True).past_key_values
    return Context(tokens, tuple((layer.keys, layer.values) for layer in cache.layers))
