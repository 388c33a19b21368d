"""The parts of a causal model's pass: contexts, rows of continuations, the head, and choices.

A context is read once; its keys and values serve every continuation. Continuations differ much in
length: one to a row, filled up to the longest, half of what a model computes would be padding. Here
a row holds as many as go into it; each token sees the context and what stands before it in its own
continuation, and nothing of its neighbours. The head, which has a row for each token of the
vocabulary and is often as costly as the rest of a small model, runs only at the positions that are
needed, and its logits are reduced at once to the tokens' log-likelihoods and choices.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.models.runtime import side_by_side
from gistmark.runtime.cancellation import check

Tokens = tuple[int, ...]
Int64 = NDArray[np.int64]

_NO_OWNER = -1


@dataclass(frozen=True)
class Packed:
    """Rows for one pass.

    `tokens` and `positions` have a row each; `owners` says which of a row's continuations a
    position belongs to. `starts` is where each continuation starts, row by row.
    """

    tokens: Int64
    positions: Int64
    owners: Int64
    starts: tuple[tuple[int, ...], ...]

    @property
    def is_plain(self) -> bool:
        """Whether every row holds a single continuation, so that nothing must be hidden."""
        return all(len(starts) == 1 for starts in self.starts)

    def visible(self, context: int) -> NDArray[np.bool_]:
        """For each position of a row what it sees: positions of the context, then of the row."""
        rows, width = self.tokens.shape
        same_owner = self.owners[:, :, None] == self.owners[:, None, :]
        same_owner &= np.tri(width, dtype=bool)
        return np.concatenate([np.ones((rows, width, context), dtype=bool), same_owner], axis=2)


def shared_out(lengths: Sequence[int], size: int) -> list[list[int]]:
    """The indexes of continuations by row: each goes into the first row that has room for it.

    The longest go first. One that is longer than `size` has a row of its own.
    """
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], index))
    rows: list[list[int]] = []
    space_left: list[int] = []
    for index in order:
        length = lengths[index]
        row = next((row for row, space in enumerate(space_left) if space >= length), len(rows))
        if row == len(rows):
            rows.append([])
            space_left.append(size)
        rows[row].append(index)
        space_left[row] -= length
    return rows


def packed(rows: Sequence[Sequence[Tokens]], *, first: int, filling: int) -> Packed:
    """Lay continuations into rows; the first token of each has the position `first`."""
    width = max(sum(map(len, row)) for row in rows)
    tokens = np.full((len(rows), width), filling, dtype=np.int64)
    positions = np.full((len(rows), width), first, dtype=np.int64)
    owners = np.full((len(rows), width), _NO_OWNER, dtype=np.int64)
    starts = []
    for number, row in enumerate(rows):
        ends = np.cumsum([len(continuation) for continuation in row])
        starts.append(tuple(int(end) - len(text) for end, text in zip(ends, row, strict=True)))
        for owner, (start, text) in enumerate(zip(starts[-1], row, strict=True)):
            span = slice(start, start + len(text))
            tokens[number, span] = text
            positions[number, span] = np.arange(first, first + len(text))
            owners[number, span] = owner
    return Packed(tokens, positions, owners, tuple(starts))


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
        cache = DynamicCache()
        for number, (keys, values) in enumerate(self.layers):
            shape = (rows, -1, -1, -1)
            cache.update(keys.expand(shape), values.expand(shape), number)
        return cache


def read_context(network: Any, tokens: Tokens) -> Context:
    """The keys and values of a context."""
    import torch

    check()
    ids = torch.tensor([tokens], device=network.device)
    cache = network.base_model(input_ids=ids, use_cache=True).past_key_values
    return Context(tokens, tuple((layer.keys, layer.values) for layer in cache.layers))


def read_contexts(network: Any, contexts: Sequence[Tokens]) -> list[Context]:
    """Several contexts, read side by side; the beginning of another is cut from that one."""
    longest: list[Tokens] = []
    for tokens in sorted(contexts, reverse=True):
        # In this order nothing stands between a context and its beginnings but others of these.
        if not longest or longest[-1][: len(tokens)] != tokens:
            longest.append(tokens)
    contexts_read = side_by_side([partial(read_context, network, tokens) for tokens in longest])
    return [_beginning_of(contexts_read, tokens) for tokens in contexts]


def _beginning_of(contexts: Sequence[Context], tokens: Tokens) -> Context:
    longer = next(context for context in contexts if context.tokens[: len(tokens)] == tokens)
    return longer.beginning(len(tokens))


@dataclass(frozen=True)
class Head:
    """Makes logits from hidden states, one state to a row; `width` is how many tokens there are.

    It is the network itself, weights shared, with its base replaced by what passes the states
    through, so whatever the network does to its logits is done.
    """

    network: Any
    width: int

    def __call__(self, states: Any) -> Any:
        return self.network(inputs_embeds=states[None]).logits[0]


def head_of(network: Any) -> Head | None:
    """The head of a network, or None if it does not work apart from the rest."""
    import torch

    head_network = copy.copy(network)
    head_network._modules = {**network._modules, network.base_model_prefix: pass_through()}
    positions = [1, 3]
    ids = torch.arange(5, device=network.device)[None]
    with torch.inference_mode():
        expected = network(input_ids=ids).logits[0, positions]
        states = network.base_model(input_ids=ids).last_hidden_state[0, positions]
        head = Head(head_network, expected.shape[1])
        try:
            logits = head(states)
        except (AttributeError, TypeError, RuntimeError, ValueError):
            return None
    equal = logits.shape == expected.shape and torch.allclose(
        logits, expected, rtol=1e-3, atol=1e-3
    )
    return head if equal else None


def pass_through() -> Any:
    """A module that stands for a network's base and passes given hidden states to the head."""
    import torch
    from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

    class PassThrough(torch.nn.Module):
        def forward(self, *_: Any, inputs_embeds: Any, **__: Any) -> Any:
            return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=inputs_embeds)

    return PassThrough()


CLOSE = 1e-3
LOGITS = 1 << 23


@dataclass(frozen=True)
class Choices:
    """For each token its log-likelihood and whether the model would have chosen it.

    `close` marks those that are so nearly as likely as the best other token that rounding, which
    differs with what else is in a pass, may decide.
    """

    likelihoods: NDArray[np.float64]
    right: NDArray[np.bool_]
    close: NDArray[np.bool_]

    def split(self, counts: list[int]) -> list[Choices]:
        """Consecutive runs, one for each count of tokens."""
        ends = np.cumsum(counts)[:-1]
        columns = (np.split(column, ends) for column in (self.likelihoods, self.right, self.close))
        return [Choices(*run) for run in zip(*columns, strict=True)]


def choices(head: Any, states: Any, targets: NDArray[np.int64]) -> Choices:
    """The likelihood of each target after its state, computed a few rows of logits at a time.

    Of tokens that are equally likely the model chooses the first of the vocabulary.
    """
    import torch

    pieces = []
    size = max(1, LOGITS // head.width)
    for start in range(0, len(targets), size):
        logits = head(states[start : start + size]).float()
        target_ids = torch.as_tensor(targets[start : start + size], device=logits.device)
        pieces.append(_reduce_logits(logits, target_ids))
    if not pieces:
        return Choices(np.empty(0), np.empty(0, dtype=bool), np.empty(0, dtype=bool))
    return Choices(*(torch.cat(column).cpu().numpy() for column in zip(*pieces, strict=True)))


def _reduce_logits(logits: Any, targets: Any) -> tuple[Any, Any, Any]:
    """The columns of `Choices`; the logits are used up, which saves copies of them."""
    import torch

    target_logits = logits.gather(1, targets[:, None])[:, 0]
    logits.scatter_(1, targets[:, None], -torch.inf)
    best_others, best = logits.max(dim=1)
    top = torch.maximum(target_logits, best_others)
    others_sum = logits.sub_(top[:, None]).exp_().sum(dim=1)
    likelihoods = (target_logits - top).double() - (
        others_sum + (target_logits - top).exp()
    ).double().log()
    right = (target_logits > best_others) | ((target_logits == best_others) & (targets < best))
    return likelihoods, right, (target_logits - best_others).abs() < CLOSE
