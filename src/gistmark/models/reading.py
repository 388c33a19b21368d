"""Continuations of a context through a causal network: rows, batches, and what is foreseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.cancellation import check
from gistmark.models.batches import run_all
from gistmark.models.choices import Choices, choices
from gistmark.models.contexts import Context
from gistmark.models.devices import token_budget
from gistmark.models.heads import Head
from gistmark.models.packing import Packed, Tokens, packed, shared_out

_ROWS = (128, 512)
"""A row is as long as its context, but at least and at most so many tokens: longer ones have less
filling, but each token is compared with all of its row."""


@dataclass(frozen=True)
class Query:
    """Tokens after a context, and the places of those whose foreseeing is asked for."""

    context: Tokens
    tokens: Tokens
    wanted: tuple[int, ...]

    @property
    def without_context(self) -> Query:
        """The same question with the context as the beginning of the tokens."""
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

        This token is read anew with each of them, since it foresees the first.
        """
        texts = [(last, *query.tokens[: max(query.wanted)]) for query in queries]
        lengths = [len(text) for text in texts]
        least, most = _ROWS
        size = min(max(len(context), least), most) if self.packs else 0
        rows = shared_out(lengths, size)

        def work(chosen: list[int]) -> list[list[Choices]]:
            laid = [[texts[place] for place in rows[row]] for row in chosen]
            pack = packed(laid, first=len(context), filling=self.start)
            asked = [[queries[place] for place in rows[row]] for row in chosen]
            return self._judged(self._states(pack, context), pack, asked)

        filled = [sum(lengths[place] for place in row) for row in rows]
        answers = run_all(work, filled, self.budget, extra=len(context))
        found = {
            place: answer
            for row, told in zip(rows, answers, strict=True)
            for place, answer in zip(row, told, strict=True)
        }
        return [found[place] for place in range(len(queries))]

    def one_by_one(self, query: Query, numbers: Sequence[int]) -> list[bool]:
        """Whether some of the wanted tokens are right, each judged by itself in a pass of its own.

        This rounds in the same way every time, whatever else is asked.
        """
        import torch

        check()
        ids = torch.tensor([(self.start, *query.context, *query.tokens[:-1])])
        states = self.network.base_model(
            input_ids=ids.to(self.network.device), use_cache=False
        ).last_hidden_state[0]
        right = []
        for number in numbers:
            place = query.wanted[number]
            state = states[len(query.context) + place][None]
            told = choices(self.head, state, np.array([query.tokens[place]]))
            right.append(bool(told.right[0]))
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
        found = network.base_model(**inputs, past_key_values=cache, use_cache=cache is not None)
        return found.last_hidden_state

    def _judged(
        self, states: Any, pack: Packed, queries: Sequence[Sequence[Query]]
    ) -> list[list[Choices]]:
        """The state `i` places after the start of a continuation foresees its token `i`."""
        rows, columns, targets, counts = [], [], [], []
        for row, (starts, group) in enumerate(zip(pack.starts, queries, strict=True)):
            for start, query in zip(starts, group, strict=True):
                rows += [row] * len(query.wanted)
                columns += [start + place for place in query.wanted]
                targets += [query.tokens[place] for place in query.wanted]
                counts.append(len(query.wanted))
        told = iter(choices(self.head, states[rows, columns], np.array(targets)).split(counts))
        return [[next(told) for _ in group] for group in queries]
