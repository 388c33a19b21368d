"""Language models that read from left to right: how well they predict the tokens of a text.

A query is a context and the tokens that follow it. Queries with the same context share one pass
over it: its keys and values are computed once, and the continuations are laid side by side after
them. Logits are computed only at the wanted positions, and reduced there at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.language_models.continuations import (
    Choices,
    Context,
    Head,
    Packed,
    Tokens,
    choices,
    head_of,
    packed,
    read_context,
    shared_out,
)
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of
from gistmark.models.runtime import Precision, one_at_a_time, pass_cost, run_all, token_budget
from gistmark.runtime.cancellation import check
from gistmark.text import readable

__all__ = ["LONGEST", "CausalModel", "Predictions", "Query", "Tokens", "causal_model"]

DOCUMENT_START = "<|endoftext|>"
LONGEST = 8192
_WINDOWS = ("sliding_window", "window_size")
_ROWS = (128, 512)
"""A row is as long as its context, but at least and at most so many tokens: longer ones have less
filling, but each token is compared with all of its row."""


@dataclass(frozen=True)
class Query:
    """Tokens after a context, and the positions of those whose prediction is wanted."""

    context: Tokens
    tokens: Tokens
    wanted: tuple[int, ...]

    @property
    def without_context(self) -> Query:
        """The same query with the context as the beginning of the tokens."""
        before = len(self.context)
        return Query((), self.context + self.tokens, tuple(before + i for i in self.wanted))


@dataclass(frozen=True)
class Reader:
    """A causal network, its head, and the token that starts a text.

    `packs` says whether several continuations can share a row and a context.
    """

    network: Any
    head: Head
    start: int
    packs: bool

    @property
    def budget(self) -> int:
        """How many tokens go through the network at once."""
        return token_budget(self.network.device)

    def after(self, context: Context, last: int, queries: Sequence[Query]) -> list[Choices]:
        """Answers to queries that follow a context and its last token.

        This token is read anew with each of them, since it predicts the first.
        """
        texts = [(last, *query.tokens[: max(query.wanted)]) for query in queries]
        lengths = [len(text) for text in texts]
        least, most = _ROWS
        size = min(max(len(context), least), most) if self.packs else 0
        rows = shared_out(lengths, size)

        def work(chosen: list[int]) -> list[list[Choices]]:
            laid = [[texts[index] for index in rows[row]] for row in chosen]
            pack = packed(laid, first=len(context), filling=self.start)
            wanted = [[queries[index] for index in rows[row]] for row in chosen]
            return self._judged(self._states(pack, context), pack, wanted)

        filled = [sum(lengths[index] for index in row) for row in rows]
        answers = run_all(work, filled, self.budget, extra=len(context))
        choices_of = {
            index: answer
            for row, row_choices in zip(rows, answers, strict=True)
            for index, answer in zip(row, row_choices, strict=True)
        }
        return [choices_of[index] for index in range(len(queries))]

    def one_by_one(self, query: Query, numbers: Sequence[int]) -> list[bool]:
        """Whether some of the wanted tokens are right, each judged by itself in a pass of its own.

        It rounds the same every time, whatever else is queried.
        """
        import torch

        check()
        ids = torch.tensor([(self.start, *query.context, *query.tokens[:-1])])
        states = self.network.base_model(
            input_ids=ids.to(self.network.device), use_cache=False
        ).last_hidden_state[0]
        right = []
        for number in numbers:
            position = query.wanted[number]
            state = states[len(query.context) + position][None]
            choice = choices(self.head, state, np.array([query.tokens[position]]))
            right.append(bool(choice.right[0]))
        return right

    def _states(self, pack: Packed, context: Context) -> Any:
        """The last hidden states of rows that go on from a context.

        Rows of a single continuation need no mask, since a token sees only what is to its left.
        """
        import torch

        network, where = self.network, self.network.device
        inputs = {"input_ids": torch.as_tensor(pack.tokens, device=where)}
        if not pack.is_plain:
            visible = torch.as_tensor(pack.visible(len(context)), device=where)[:, None]
            mask = torch.zeros(visible.shape, dtype=network.dtype, device=where)
            inputs["attention_mask"] = mask.masked_fill_(~visible, torch.finfo(mask.dtype).min)
            inputs["position_ids"] = torch.as_tensor(pack.positions, device=where)
        cache = context.cache(len(pack.tokens))
        output = network.base_model(**inputs, past_key_values=cache, use_cache=cache is not None)
        return output.last_hidden_state

    def _judged(
        self, states: Any, pack: Packed, queries: Sequence[Sequence[Query]]
    ) -> list[list[Choices]]:
        """The state `i` positions after the start of a continuation predicts its token `i`."""
        rows, columns, targets, counts = [], [], [], []
        for row, (starts, group) in enumerate(zip(pack.starts, queries, strict=True)):
            for start, query in zip(starts, group, strict=True):
                rows += [row] * len(query.wanted)
                columns += [start + position for position in query.wanted]
                targets += [query.tokens[position] for position in query.wanted]
                counts.append(len(query.wanted))
        runs = iter(choices(self.head, states[rows, columns], np.array(targets)).split(counts))
        return [[next(runs) for _ in group] for group in queries]


@dataclass(frozen=True)
class Predictions:
    """For each wanted token its log-likelihood, and whether the model would have chosen it."""

    likelihoods: NDArray[np.float64]
    right: NDArray[np.bool_]


@dataclass(frozen=True)
class CausalModel:
    """A causal language model with its tokenizer.

    `longest` is how many tokens it reads, with the one that starts a text.
    """

    source: Source
    tokenizer: Any
    reader: Reader
    longest: int

    @property
    def network(self) -> Any:
        return self.reader.network

    @property
    def start(self) -> int:
        """The token that stands before every text."""
        return self.reader.start

    @property
    def _is_exact(self) -> bool:
        """Whether it computes with numbers of 32 bits."""
        return bool(self.network.dtype.itemsize >= 4)

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts, without any that mark start or end."""
        if not texts:
            return []
        ids = self.tokenizer([*map(readable, texts)], add_special_tokens=False)["input_ids"]
        return [tuple(tokens) for tokens in ids]

    def predict(self, queries: Sequence[Query], *, share: bool = True) -> list[Predictions]:
        """The predictions for each query; equal queries are run once.

        In full precision, which tokens are right does not depend on the company of a query, though
        likelihoods do in their last digits. Without `share` each query reads its whole context,
        which gives the same more slowly.
        """
        import torch

        distinct = list(dict.fromkeys(queries))
        wanted = [query for query in distinct if query.wanted]
        predictions = dict.fromkeys(distinct, Predictions(np.empty(0), np.empty(0, dtype=bool)))
        with one_at_a_time(), torch.inference_mode():
            for query, choice in self._by_context(wanted, share=share):
                predictions[query] = Predictions(choice.likelihoods, self._settled(query, choice))
        return [predictions[query] for query in queries]

    def _by_context(self, queries: list[Query], *, share: bool) -> list[tuple[Query, Choices]]:
        """All answers; a context that many share is read once, the others with each query."""
        groups: dict[Tokens, list[Query]] = {}
        for query in queries:
            groups.setdefault(query.context, []).append(query)
        answered: list[tuple[Query, Choices]] = []
        alone: list[Query] = []
        read = Context()
        # In this order a context is followed by its own beginnings, such as shorter fillers.
        for context, group in sorted(groups.items(), reverse=True):
            saved = len(context) * (len(group) - 1)
            if share and self.reader.packs and saved > 2 * pass_cost(self.reader.budget):
                read = read_context(self.network, (self.start, *context[:-1]), read)
                answered += zip(group, self.reader.after(read, context[-1], group), strict=True)
            else:
                alone += group
        bare = [query.without_context for query in alone]
        choices_alone = self.reader.after(Context(), self.start, bare)
        return [*answered, *zip(alone, choices_alone, strict=True)]

    def _settled(self, query: Query, choice: Choices) -> NDArray[np.bool_]:
        """Which tokens are right; what rounding may have decided is decided by the query alone.

        Not in 16 bits, in which so many tokens are as likely as another that it would double the
        work.
        """
        close = np.flatnonzero(choice.close).tolist() if self._is_exact else []
        if not close:
            return choice.right
        right = choice.right.copy()
        right[close] = self.reader.one_by_one(query, close)
        return right


def causal_model(name: str, precision: Precision = "full") -> CausalModel:
    """The causal language model of this name, loaded once."""
    return _opened(name, precision)


@lru_cache(maxsize=2)
def _opened(name: str, precision: Precision) -> CausalModel:
    source = source_of(name)
    network = load_pretrained("AutoModelForCausalLM", source, precision)
    tokenizer = load_tokenizer(source)
    head = head_of(network)
    if head is None or _looks_ahead(network):
        raise GistmarkError(
            f"The model {source.name} does not read from left to right as known models do; "
            "take a causal language model such as gpt2 or one of the Llama kind."
        )
    longest = _longest(network.config)
    reader = Reader(network, head, _start(source, tokenizer), packs=False)
    packing = replace(reader, packs=_can_pack(reader, longest))
    return CausalModel(source, tokenizer, packing, longest)


def _looks_ahead(network: Any) -> bool:
    """Whether a position sees what comes after it, as in a masked model."""
    import torch

    ids = torch.tensor([[1, 2, 3], [1, 2, 4]], device=network.device)
    with torch.inference_mode():
        one, other = network.base_model(input_ids=ids).last_hidden_state[:, 1]
    return not torch.allclose(one, other, rtol=1e-3, atol=1e-3)


def _start(source: Source, tokenizer: Any) -> int:
    """The token that stands before a text: what marks a document's start in training."""
    known = tokenizer.get_vocab()
    candidates = (known.get(DOCUMENT_START), tokenizer.bos_token_id, tokenizer.eos_token_id)
    start = next((token for token in candidates if token is not None), None)
    if start is None:
        raise GistmarkError(
            f"The model {source.name} has no token that starts a text, so it cannot be used."
        )
    return int(start)


def _longest(config: Any) -> int:
    return min(int(getattr(config, "max_position_embeddings", None) or LONGEST), LONGEST)


def _can_pack(reader: Reader, longest: int) -> bool:
    """Whether continuations in one row after a shared context are predicted as they are alone."""
    import torch

    settings = reader.network.config.get_text_config()
    if any((getattr(settings, name, None) or LONGEST) < longest for name in _WINDOWS):
        return False
    queries = [Query((1, 2, 3), (4, 5, 6), (0, 1, 2)), Query((1, 2, 3), (7, 8), (0, 1))]
    bare = [query.without_context for query in queries]
    with torch.inference_mode():
        alone = reader.after(Context(), reader.start, bare)
        try:
            context = read_context(reader.network, (reader.start, 1, 2), Context())
            together = replace(reader, packs=True).after(context, 3, queries)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
    near = 1e-3 if reader.network.dtype == torch.float32 else 0.1
    return all(
        np.allclose(one.likelihoods, other.likelihoods, rtol=0, atol=near)
        for one, other in zip(alone, together, strict=True)
    )
