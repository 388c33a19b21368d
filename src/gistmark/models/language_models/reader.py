"""One pass of a causal network after another: queries in, likelihoods and choices out.

A query is a context and the tokens that follow it. Continuations of one context are laid side by
side; logits are computed only at the wanted positions, and reduced there at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gistmark.models.language_models.continuations import (
    Choices,
    Context,
    Head,
    Packed,
    Tokens,
    choices,
    packed,
    shared_out,
)
from gistmark.models.language_models.quantized import QuantizedDecoder, QuantizedHead
from gistmark.models.runtime import by_length, run, side_by_side, token_budget
from gistmark.runtime.cancellation import check

_ROWS = (128, 512)
"""A row is as long as its context, but at least and at most so many tokens: longer ones have less
filling, but each token is compared with all of its row."""


@dataclass(frozen=True)
class Query:
    """Tokens after a context, and the positions of those whose prediction is wanted."""

    context: Tokens
    tokens: Tokens
    wanted: tuple[int, ...]

    def after(self, *preceding: int) -> Query:
        """The query with `preceding` tokens before its own instead of its context."""
        return Query((), (*preceding, *self.tokens), tuple(len(preceding) + i for i in self.wanted))


@dataclass(frozen=True)
class Reading:
    """Queries, and how they are read after a context: `following` has what is left to read."""

    context: Context
    queries: Sequence[Query]
    following: Sequence[Query]


@dataclass(frozen=True)
class _Pass:
    """So many tokens through the network, and what runs it."""

    size: int
    run: Callable[[], list[tuple[Query, Choices]]]


@dataclass(frozen=True)
class Reader:
    """A causal network, its head, and the token that starts a text.

    `packs` says whether several continuations can share a row and a context; `decoder` computes
    their states instead of the network.
    """

    network: Any
    head: Head | QuantizedHead
    start: int
    packs: bool
    decoder: QuantizedDecoder | None = None

    @property
    def budget(self) -> int:
        """How many tokens go through the network at once."""
        return token_budget(self.network.device)

    def after(self, context: Context, queries: Sequence[Query]) -> list[Choices]:
        """Answers to queries whose tokens follow a context; the first token is never wanted."""
        answers = dict(self.answers([Reading(context, queries, queries)]))
        return [answers[query] for query in queries]

    def answers(self, readings: Sequence[Reading]) -> list[tuple[Query, Choices]]:
        """Each query with its answer, in any order; all passes run side by side."""
        passes = [one_pass for reading in readings for one_pass in self._passes(reading)]
        passes.sort(key=lambda one_pass: -one_pass.size)
        answers = side_by_side([one_pass.run for one_pass in passes])
        return [answer for pass_answers in answers for answer in pass_answers]

    def _passes(self, reading: Reading) -> list[_Pass]:
        """The passes that answer all queries of a reading."""
        texts = [query.tokens[: max(query.wanted)] for query in reading.following]
        lengths = [len(text) for text in texts]
        rows = shared_out(lengths, self._row_size(reading.context))
        filled = [sum(lengths[index] for index in row) for row in rows]

        def work(batch_rows: list[int]) -> list[list[tuple[Query, Choices]]]:
            continuations = [[texts[index] for index in rows[row]] for row in batch_rows]
            pack = packed(continuations, first=len(reading.context), filling=self.start)
            batch_queries = [
                [reading.following[index] for index in rows[row]] for row in batch_rows
            ]
            batch_answers = self._choices_of(
                self._states(pack, reading.context), pack, batch_queries
            )
            return [
                [
                    (reading.queries[index], answer)
                    for index, answer in zip(rows[row], answers, strict=True)
                ]
                for row, answers in zip(batch_rows, batch_answers, strict=True)
            ]

        batches = by_length(filled, self.budget, extra=len(reading.context))
        return [
            _Pass(sum(filled[row] for row in batch), partial(_flat_answers, work, batch))
            for batch in batches
        ]

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

    def _row_size(self, context: Context) -> int:
        """How many tokens of continuations a row holds; what is longer has a row of its own."""
        if self.decoder is not None:
            return self.budget
        least, most = _ROWS
        return min(max(len(context), least), most) if self.packs else 0

    def _states(self, pack: Packed, context: Context) -> Any:
        """The last hidden states of rows that go on from a context.

        Rows of a single continuation need no mask, since a token sees only what is to its left.
        """
        import torch

        if self.decoder is not None:
            return self.decoder.states(pack, context)
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

    def _choices_of(
        self, states: Any, pack: Packed, queries: Sequence[Sequence[Query]]
    ) -> list[list[Choices]]:
        """The state at each position of a continuation predicts its next token."""
        rows, columns, targets, counts = [], [], [], []
        for row, (starts, group) in enumerate(zip(pack.starts, queries, strict=True)):
            for start, query in zip(starts, group, strict=True):
                rows += [row] * len(query.wanted)
                columns += [start + position - 1 for position in query.wanted]
                targets += [query.tokens[position] for position in query.wanted]
                counts.append(len(query.wanted))
        runs = iter(choices(self.head, states[rows, columns], np.array(targets)).split(counts))
        return [[next(runs) for _ in group] for group in queries]


def _flat_answers(
    work: Callable[[list[int]], Sequence[list[tuple[Query, Choices]]]], rows: list[int]
) -> list[tuple[Query, Choices]]:
    return [answer for row in run(work, rows) for answer in row]
