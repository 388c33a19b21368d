"""Decoders of the Llama kind with numbers of 8 bits: twice the speed of 16 where a CPU has them.

Weights have a scale for each output, vectors one for each token, found as they come. A few features
of a language model's vectors are far larger than the rest and would leave it few of the 255 steps.
So every feature is divided by a factor before, and its weights multiplied by it, as in Xiao and
others, "SmoothQuant" (2023); the factors come from what the network reads in a calibration. Only
behind the gates there are none: what is large there is large for single tokens.

The tokens of all continuations stand in one column, so nothing is computed for filling. Attention
is computed in bfloat16, rectangle by rectangle, each of continuations of like length. What stands
between two products (norms, rotation, gates, rounding) runs in one compiled loop each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.models.language_models import rounding
from gistmark.models.language_models.continuations import Context, Packed

_STRENGTH = 0.6
"""How much of the unevenness goes from the vectors to the weights; 0.5 to 0.8 do alike."""
_LEAST = 1e-5
_LEAST_FILLED = 0.75
"""Continuations share a rectangle if each fills so much of its row."""
_ZERO = 128


@dataclass(frozen=True)
class Product:
    """Linear layers that read the same vectors, as one matrix of 8 bits."""

    weights: Any
    scales: Any
    factors: Any
    offsets: Any

    @classmethod
    def of(cls, layers: Sequence[Any], ranges: Any = None) -> Product:
        """The layers in 8 bits.

        `ranges` are the largest values of the features that they read; without them all features
        have the factor 1.
        """
        import torch

        if any(layer.bias is not None for layer in layers):
            raise AttributeError("layers with a bias are of another kind")
        matrix = torch.cat([layer.weight for layer in layers]).float()
        heaviest = matrix.abs().amax(dim=0).clamp(min=_LEAST)
        factors = torch.ones_like(heaviest)
        if ranges is not None:
            factors = ranges.clamp(min=_LEAST) ** _STRENGTH / heaviest ** (1 - _STRENGTH)
        matrix = matrix * factors
        scales = matrix.abs().amax(dim=1).clamp(min=_LEAST) / rounding.STEPS
        rounded = (matrix / scales[:, None]).round().to(torch.int8)
        weights = torch.ops.onednn.qlinear_prepack(rounded, None)
        offsets = torch.zeros(len(scales), dtype=torch.int32)
        return cls(weights, scales, (1 / factors).numpy(), offsets)

    def __call__(self, steps: Any) -> Any:
        """The products of rounded vectors, which still want the scale of each vector."""
        import torch

        return torch.ops.onednn.qlinear_pointwise(
            torch.from_numpy(steps), 1.0, _ZERO, self.weights, self.scales, self.offsets, None,
            1.0, 0, torch.float32, "none", [], "",
        ).numpy()  # fmt: skip


@dataclass(frozen=True)
class QuantizedHead:
    """Makes logits from hidden states, as a network's head does."""

    product: Product
    width: int

    def __call__(self, states: Any) -> Any:
        import torch

        steps, scales = rounding.rounded(states.float().numpy(), self.product.factors)
        logits = self.product(steps)
        logits *= scales[:, None]
        return torch.from_numpy(logits)


@dataclass(frozen=True)
class _Layer:
    """A layer: its four products, and the weights of the norms before the first and the third."""

    attention_norm: Any
    queries_keys_values: Product
    from_heads: Product
    gates_norm: Any
    gate_and_up: Product
    down: Product


@dataclass(frozen=True)
class _Rectangle:
    """Continuations of like length: the index of each token, row by row, 0 where there is none.

    `filled` are the positions of tokens in the rectangle, `tokens` their indexes; `hidden` says
    for each position of a row which others of it come later.
    """

    index: Any
    filled: Any
    tokens: Any
    hidden: Any


@dataclass(frozen=True)
class QuantizedDecoder:
    """The layers of a network in 8 bits, and how to run them on continuations of a context."""

    network: Any
    layers: tuple[_Layer, ...]
    head: QuantizedHead

    def states(self, pack: Packed, context: Context) -> Any:
        """The last hidden states of rows that go on from a context, as the network gives them."""
        import torch

        base = self.network.base_model
        filled = pack.owners >= 0
        hidden = base.embed_tokens(torch.as_tensor(pack.tokens[filled]))
        positions = torch.as_tensor(pack.positions[filled])
        cosines, sines = (
            part[0].float().numpy() for part in base.rotary_emb(hidden, positions[None])
        )
        rectangles = _rectangles(pack)
        total, epsilon = hidden.float().numpy(), self.network.config.rms_norm_eps
        change, scales = np.zeros_like(total), np.zeros(len(total), dtype=np.float32)
        for number, layer in enumerate(self.layers):
            context_layer = context.layers[number] if context.tokens else None
            steps, scales = rounding.normed(total, change, scales, layer.attention_norm, epsilon)
            heads = layer.queries_keys_values(steps)
            rounding.turn(heads, scales, cosines, sines, self._rotated_heads)
            steps, scales = rounding.rounded(
                self._attend(torch.from_numpy(heads), rectangles, context_layer),
                layer.from_heads.factors,
            )
            change = layer.from_heads(steps)
            steps, scales = rounding.normed(total, change, scales, layer.gates_norm, epsilon)
            steps, scales = rounding.gated(layer.gate_and_up(steps), scales, layer.down.factors)
            change = layer.down(steps)
        total += change * scales[:, None]
        states = hidden.new_zeros((*filled.shape, hidden.shape[-1]))
        states[torch.as_tensor(filled)] = base.norm(torch.from_numpy(total)).to(hidden.dtype)
        return states

    @property
    def _rotated_heads(self) -> int:
        """How many heads are rotated by position: those of queries and keys."""
        settings = self.network.config
        return int(settings.num_attention_heads + settings.num_key_value_heads)

    def _attend(self, heads: Any, rectangles: Sequence[_Rectangle], context_layer: Any) -> Any:
        """Attention of each token to those of its context and its continuation."""
        import torch

        settings = self.network.config
        kv_heads = settings.num_key_value_heads
        count = settings.num_attention_heads
        heads_by_token = heads.to(self.network.dtype).view(len(heads), count + 2 * kv_heads, -1)
        attended = torch.empty(
            (len(heads), count * heads_by_token.shape[2]), dtype=heads_by_token.dtype
        )
        for rectangle in rectangles:
            rows = heads_by_token[rectangle.index]
            query, key, value = rows.split((count, kv_heads, kv_heads), dim=2)
            result = _attention(query, key, value, rectangle.hidden, context_layer)
            attended[rectangle.tokens] = result.flatten(0, 1)[rectangle.filled]
        return attended.float().numpy()


def _attention(query: Any, key: Any, value: Any, hidden: Any, context_layer: Any) -> Any:
    """Attention of rows of tokens, each to the context and to what stands before it in its row.

    All have the axes row, token, head and feature; several heads of the query share one of keys
    and values. For short rows this takes two thirds of the time of torch's own function.
    """
    import torch

    rows, width, count, size = query.shape
    kv_heads = key.shape[2]
    # By head of the keys: the heads that share it, token by token.
    queries = query.view(rows, width, kv_heads, -1, size).permute(2, 0, 3, 1, 4) * size**-0.5
    own_keys, own_values = (tensor.permute(2, 0, 1, 3).flatten(0, 1) for tensor in (key, value))
    scores = torch.bmm(queries.flatten(0, 1).flatten(1, 2), own_keys.transpose(1, 2))
    scores = scores.view(kv_heads, -1, width, width).masked_fill_(hidden, -torch.inf)
    if context_layer is None:
        row_weights = scores.softmax(dim=-1)
    else:
        keys, values = (tensor[0] for tensor in context_layer)
        context_scores = torch.bmm(queries.flatten(1, 3), keys.transpose(1, 2))
        weights = torch.cat(
            (context_scores.view(kv_heads, -1, width, keys.shape[1]), scores), dim=-1
        ).softmax(dim=-1)
        context_weights, row_weights = weights[..., : keys.shape[1]], weights[..., keys.shape[1] :]
    result = torch.bmm(row_weights.reshape(kv_heads * rows, -1, width), own_values)
    result = result.view(kv_heads, rows, count // kv_heads, width, size)
    if context_layer is not None:
        from_context = torch.bmm(context_weights.reshape(kv_heads, -1, keys.shape[1]), values)
        result += from_context.view(result.shape)
    return result.permute(1, 3, 0, 2, 4).flatten(2)


def quantized(network: Any, calibration: Sequence[Any]) -> QuantizedDecoder | None:
    """A network in 8 bits, or None if it is not of the Llama kind.

    `calibration` are rows of tokens such as it will read.
    """
    import torch

    if not hasattr(torch.ops.onednn, "qlinear_pointwise"):
        raise RuntimeError("this build of PyTorch lacks products of 8 bits")
    if getattr(network.config, "hidden_act", None) != "silu":
        return None
    try:
        with torch.inference_mode():
            return _quantize_layers(network, _feature_ranges(network, calibration))
    except AttributeError:
        return None


def _quantize_layers(network: Any, ranges: dict[Any, Any]) -> QuantizedDecoder:
    def product(*layers: Any) -> Product:
        return Product.of(layers, ranges[layers[0]])

    layers = []
    for layer in network.base_model.layers:
        attention, gates = layer.self_attn, layer.mlp
        heads = product(attention.q_proj, attention.k_proj, attention.v_proj)
        gate_and_up = product(gates.gate_proj, gates.up_proj)
        layers.append(
            _Layer(
                _scaled(layer.input_layernorm, heads),
                heads,
                product(attention.o_proj),
                _scaled(layer.post_attention_layernorm, gate_and_up),
                gate_and_up,
                Product.of([gates.down_proj]),
            )
        )
    head = QuantizedHead(product(network.lm_head), len(network.lm_head.weight))
    return QuantizedDecoder(network, tuple(layers), head)


def _scaled(norm: Any, product: Product) -> Any:
    """The weights of a norm, times the factors of what reads the result."""
    return norm.weight.float().numpy() * product.factors


def _feature_ranges(network: Any, rows: Sequence[Any]) -> dict[Any, Any]:
    """By linear layer the largest value of each feature that it reads.

    The first token of a row is left out: networks keep values there that are larger by far than
    any other, and the same for all texts.
    """
    import torch

    largest: dict[Any, Any] = {}

    def note_largest(module: Any, inputs: tuple[Any, ...]) -> None:
        values = inputs[0][:, 1:].flatten(0, 1).abs().amax(dim=0).float()
        largest[module] = torch.maximum(largest.get(module, values), values)

    linear_layers = [layer for layer in network.modules() if isinstance(layer, torch.nn.Linear)]
    handles = [layer.register_forward_pre_hook(note_largest) for layer in linear_layers]
    try:
        for row in rows:
            network(input_ids=row[None], use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    return largest


def _rectangles(pack: Packed) -> list[_Rectangle]:
    """The continuations of all rows, by length; indexes are those of the tokens in one column."""
    starts, lengths, first = [], [], 0
    for begins, owners in zip(pack.starts, pack.owners, strict=True):
        sizes = np.bincount(owners[owners >= 0]).tolist()
        starts += [first + begin for begin in begins]
        lengths += sizes
        first += sum(sizes)
    groups: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if not groups or lengths[index] < _LEAST_FILLED * lengths[groups[-1][0]]:
            groups.append([])
        groups[-1].append(index)
    return [_rectangle([starts[i] for i in group], [lengths[i] for i in group]) for group in groups]


def _rectangle(starts: list[int], lengths: list[int]) -> _Rectangle:
    import torch

    width = lengths[0]
    columns = np.arange(width)
    is_filled = columns < np.array(lengths)[:, None]
    index = np.where(is_filled, np.array(starts)[:, None] + columns, 0)
    filled = np.flatnonzero(is_filled)
    return _Rectangle(
        index=torch.as_tensor(index),
        filled=torch.as_tensor(filled),
        tokens=torch.as_tensor(index.ravel()[filled]),
        hidden=torch.ones((width, width), dtype=torch.bool).triu_(1),
    )
