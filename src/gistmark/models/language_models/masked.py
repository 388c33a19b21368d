"""Language models that fill in masked tokens from what stands on both sides of them.

Where the network can be taken apart, its end runs at the masked positions alone. The output layer,
which has a row for every word of the vocabulary, is often as costly as the rest of a small network;
and of the last layer only what leads to other tokens, its keys and values, is needed everywhere.
The parts share the weights of the network that they are taken from.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.language_models.causal import LONGEST, Tokens
from gistmark.models.language_models.continuations import pass_through
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of
from gistmark.models.runtime import Precision, one_at_a_time, run_all, token_budget

Positions = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Parts:
    """The body of a network, its last layer where that can be taken apart, and its head."""

    body: Any
    last: Any
    head: Any

    def states(self, inputs: dict[str, Any], positions: Positions) -> Any:
        """The final hidden states at the positions of each sequence, one after another."""
        import torch

        states = self.body(**inputs).last_hidden_state
        width = max(map(len, positions))
        padded = torch.tensor([[*row, *[0] * (width - len(row))] for row in positions])
        is_position = torch.tensor(
            [[True] * len(row) + [False] * (width - len(row)) for row in positions]
        )
        padded, is_position = padded.long().to(states.device), is_position.to(states.device)
        picked = states.take_along_dim(padded[:, :, None], dim=1)
        if self.last is not None:
            picked = _last_layer(self.last, states, picked, inputs.get("attention_mask"))
        return picked[is_position]

    def logits(self, states: Any) -> Any:
        """The logits of some states."""
        return self.head(inputs_embeds=states[None]).logits[0]


def parts_of(network: Any) -> Parts | None:
    """The parts, if together they say the same as the network; None if it is of another kind."""
    base = network.base_model
    head = _replace_part(network, network.base_model_prefix, pass_through())
    encoder = getattr(base, "encoder", None)
    layers = getattr(encoder, "layer", None)
    if layers is not None and len(layers) > 1:
        shorter = _replace_part(base, "encoder", _replace_part(encoder, "layer", layers[:-1]))
        parts = Parts(shorter, layers[-1], head)
        if _gives_same_logits(network, parts):
            return parts
    parts = Parts(base, None, head)
    return parts if _gives_same_logits(network, parts) else None


def _last_layer(layer: Any, states: Any, picked: Any, mask: Any) -> Any:
    """A layer of the BERT kind for the picked states, which look at all states."""
    import torch

    heads = layer.attention.self
    shape = (len(states), -1, heads.num_attention_heads, heads.attention_head_size)
    queries, keys, values = (
        projection.view(shape).transpose(1, 2)
        for projection in (heads.query(picked), heads.key(states), heads.value(states))
    )
    visible = None if mask is None else mask[:, None, None, :].bool()
    attention = torch.nn.functional.scaled_dot_product_attention(
        queries, keys, values, attn_mask=visible
    )
    attended = layer.attention.output(attention.transpose(1, 2).flatten(2), picked)
    return layer.output(layer.intermediate(attended), attended)


def _replace_part(module: Any, name: str, part: Any) -> Any:
    """A copy of the module with another part; the original stays as it is."""
    copied = copy.copy(module)
    copied._modules = {**module._modules, name: part}
    return copied


def _gives_same_logits(network: Any, parts: Parts) -> bool:
    """Whether the parts give the network's own logits, for a short and a filled-up sequence."""
    import torch

    positions = [[1, 3], [2]]
    inputs = {
        "input_ids": torch.tensor([[5, 6, 7, 8, 9], [6, 5, 8, 0, 0]], device=network.device),
        "attention_mask": torch.tensor([[1] * 5, [1] * 3 + [0] * 2], device=network.device),
    }
    with torch.inference_mode():
        expected = network(**inputs).logits[[0, 0, 1], [1, 3, 2]]
        try:
            logits = parts.logits(parts.states(inputs, positions))
        except (AttributeError, KeyError, TypeError, RuntimeError, ValueError):
            return False
    return logits.shape == expected.shape and torch.allclose(logits, expected, rtol=1e-2, atol=1e-2)


Int64 = NDArray[np.int64]

_LOGITS = 1 << 26


@dataclass(frozen=True)
class Gapped:
    """A whole sequence with masked tokens, and the positions at which one is to be filled in."""

    tokens: Tokens
    positions: tuple[int, ...]


@dataclass(frozen=True)
class MaskedModel:
    """A masked language model with its tokenizer.

    `longest` is how many tokens it reads; `opening` and `closing` stand around every text. Where
    the network can be taken apart, `parts` spares it the work at positions that are not needed.
    """

    source: Source
    tokenizer: Any
    network: Any
    parts: Parts | None
    longest: int
    mask: int
    opening: Tokens
    closing: Tokens

    def predict(self, sequences: Sequence[Gapped]) -> list[Int64]:
        """The likeliest token at each of the positions; equal sequences are read once."""
        import torch

        distinct = list(dict.fromkeys(sequence for sequence in sequences if sequence.positions))

        def work(indexes: list[int]) -> list[Int64]:
            return self._predict_batch([distinct[index] for index in indexes])

        lengths = [len(sequence.tokens) for sequence in distinct]
        with one_at_a_time(), torch.inference_mode():
            tokens = run_all(work, lengths, token_budget(self.network.device))
        predicted = dict(zip(distinct, tokens, strict=True))
        nothing = np.empty(0, dtype=np.int64)
        return [predicted.get(sequence, nothing) for sequence in sequences]

    def logits(self, inputs: dict[str, Any], rows: Any, columns: Any) -> Any:
        """The logits at some positions of a batch, through which gradients flow."""
        if self.parts is None:
            return self.network(**inputs).logits[rows, columns]
        states = self.network.base_model(**inputs).last_hidden_state
        return self.parts.logits(states[rows, columns])

    def _predict_batch(self, sequences: Sequence[Gapped]) -> list[Int64]:
        """A batch through the network."""
        positions = [sequence.positions for sequence in sequences]
        inputs = self._inputs([sequence.tokens for sequence in sequences])
        if self.parts is None:
            rows = [row for row, row_positions in enumerate(positions) for _ in row_positions]
            columns = [position for row_positions in positions for position in row_positions]
            best = self.logits(inputs, rows, columns).argmax(dim=1)
        else:
            best = self._best(self.parts, self.parts.states(inputs, positions))
        ends = np.cumsum([len(row_positions) for row_positions in positions])
        return np.split(best.cpu().numpy(), ends[:-1])

    def _inputs(self, rows: Sequence[Tokens]) -> dict[str, Any]:
        """Sequences filled up at their ends; a mask only if there is any filling."""
        import torch

        width = max(map(len, rows))
        filling = self.tokenizer.pad_token_id or 0
        ids = [[*row, *[filling] * (width - len(row))] for row in rows]
        inputs = {"input_ids": torch.tensor(ids)}
        if min(map(len, rows)) < width:
            inputs["attention_mask"] = torch.tensor(
                [[1] * len(row) + [0] * (width - len(row)) for row in rows]
            )
        return {name: values.to(self.network.device) for name, values in inputs.items()}

    def _best(self, parts: Parts, states: Any) -> Any:
        """The likeliest token for each state, a few rows of logits at a time."""
        import torch

        size = max(1, _LOGITS // (4 * self.network.config.vocab_size))
        best = [parts.logits(piece).argmax(dim=1) for piece in states.split(size)]
        return torch.cat(best)


@lru_cache(maxsize=2)
def masked_model(name: str, precision: Precision = "full") -> MaskedModel:
    """The masked language model of this name, loaded once."""
    source = source_of(name)
    network = load_pretrained("AutoModelForMaskedLM", source, precision)
    tokenizer = load_tokenizer(source)
    if tokenizer.mask_token_id is None:
        raise GistmarkError(f"The model {source.name} has no token that masks another one.")
    around = tuple(tokenizer("")["input_ids"])
    return MaskedModel(
        source=source,
        tokenizer=tokenizer,
        network=network,
        parts=parts_of(network),
        longest=_longest(network, tokenizer),
        mask=int(tokenizer.mask_token_id),
        opening=around[:1],
        closing=around[1:],
    )


def _longest(network: Any, tokenizer: Any) -> int:
    """The most tokens that both parts allow.

    Models of the RoBERTa kind count positions from the one after that of the filling.
    """
    most = int(getattr(network.config, "max_position_embeddings", LONGEST))
    for name, module in network.base_model.named_modules():
        filling = getattr(module, "padding_idx", None)
        if name.endswith("position_embeddings") and filling is not None:
            most -= filling + 1
    return min(most, int(tokenizer.model_max_length), LONGEST)
