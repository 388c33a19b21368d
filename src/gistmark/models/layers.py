"""The layers of a model: how many there are, and taking away those that are not needed."""

from __future__ import annotations

from typing import Any

from gistmark.errors import GistmarkError
from gistmark.models.loading import Source, settings_of

_STACKS = ("layer", "layers", "block", "h")
"""What the models of transformers call the list of their layers."""


_COUNTS = ("encoder_layers", "num_layers", "num_hidden_layers", "n_layers", "n_layer")
"""What their settings call the number of layers; that of the encoder goes first."""


def layer_count(source: Source) -> int:
    """How many layers the model has by its settings; of an encoder and a decoder, the encoder."""
    settings = settings_of(source)
    for name in _COUNTS:
        count = settings.get(name)
        if isinstance(count, int):
            return count
    raise GistmarkError(
        f"The settings of the model {source.name} do not tell how many layers it has; choose one."
    )


def keep_layers(source: Source, network: Any, layer: int) -> None:
    """Take away the layers above `layer`, so that they are never computed."""
    import torch

    inner: Any = getattr(network, "encoder", None)
    if hasattr(inner, "albert_layer_groups"):
        # ALBERT has one layer and runs it as often as its settings say.
        _check(source, layer, inner.config.num_hidden_layers)
        inner.config.num_hidden_layers = layer
        return
    for holder in (network, inner, getattr(network, "transformer", None)):
        for name in _STACKS:
            stack = getattr(holder, name, None)
            if isinstance(stack, torch.nn.ModuleList):
                _check(source, layer, len(stack))
                setattr(holder, name, stack[:layer])
                return
    raise GistmarkError(
        f"The layers of the model {source.name} cannot be told apart, so none can be chosen."
    )


def _check(source: Source, layer: int, count: int) -> None:
    if not 1 <= layer <= count:
        raise GistmarkError(
            f"The model {source.name} has layers 1 to {count}, so layer {layer} cannot be used."
        )
