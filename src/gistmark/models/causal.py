"""Language models that read from left to right: how well they foresee the tokens of a text.

A query is a context and the tokens that follow it. All queries with the same context share one
pass over it: its keys and values are computed once and used for every continuation. Logits are
made only where they are wanted and reduced at once to what is asked of them.
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
from gistmark.models.batches import run_all
from gistmark.models.devices import Precision, one_at_a_time, token_budget
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of

Tokens = tuple[int, ...]

DOCUMENT_START = "<|endoftext|>"
LONGEST = 8192
_SHARED = 2
_LOGITS = 1 << 26


@dataclass(frozen=True)
class Query:
    """Tokens after a context, and the places of those whose foreseeing is asked for."""

    context: Tokens
    tokens: Tokens
    wanted: tuple[int, ...]


@dataclass(frozen=True)
class Foreseen:
    """For each wanted token its log-likelihood, and whether the model would have chosen it."""

    likelihoods: NDArray[np.float64]
    right: NDArray[np.bool_]


@dataclass(frozen=True)
class CausalModel:
    """A causal language model with its tokenizer. `longest` is how many tokens it reads."""

    source: Source
    tokenizer: Any
    network: Any
    start: int
    longest: int

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts, without any that mark start or end."""
        if not texts:
            return []
        found = self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
        return [tuple(tokens) for tokens in found]

    def foresee(self, queries: Sequence[Query], *, share: bool = True) -> list[Foreseen]:
        """What the model says of each query; equal ones are asked once.

        A token that marks the start of a document stands before every context. Without `share`
        each query reads its whole context, which gives the same more slowly.
        """
        import torch

        distinct = list(dict.fromkeys(queries))
        groups: dict[Tokens, list[int]] = {}
        for place, query in enumerate(distinct):
            groups.setdefault(query.context, []).append(place)
        found: dict[int, Foreseen] = {}
        alone: list[int] = []
        with one_at_a_time(), torch.inference_mode():
            for context, places in groups.items():
                if share and len(places) >= _SHARED and context:
                    found.update(self._after(context, distinct, places))
                else:
                    alone += places
            found.update(self._whole(distinct, alone))
        answers = {query: found[place] for place, query in enumerate(distinct)}
        return [answers[query] for query in queries]

    def _whole(self, queries: Sequence[Query], places: list[int]) -> dict[int, Foreseen]:
        """Queries that read their context by themselves."""
        rows = [(self.start, *queries[place].context, *queries[place].tokens) for place in places]
        firsts = [len(queries[place].context) for place in places]

        def work(chosen: list[int]) -> list[Foreseen]:
            states = self._states([rows[index][:-1] for index in chosen])
            asked = [queries[places[index]] for index in chosen]
            return self._judged(states, asked, [firsts[index] for index in chosen])

        lengths = [len(row) for row in rows]
        answers = run_all(work, lengths, token_budget(self.network.device))
        return dict(zip(places, answers, strict=True))

    def _after(
        self, context: Tokens, queries: Sequence[Query], places: list[int]
    ) -> dict[int, Foreseen]:
        """Queries that share a context: its keys and values are computed once.

        The last token of the context is read anew with each query, since it foresees the first.
        """
        import torch

        before = (self.start, *context)
        ids = torch.tensor([before[:-1]], device=self.network.device)
        cache = self.network.base_model(input_ids=ids, use_cache=True).past_key_values
        rows = [(before[-1], *queries[place].tokens[:-1]) for place in places]

        def work(chosen: list[int]) -> list[Foreseen]:
            states = self._states([rows[i] for i in chosen], _repeated(cache, len(chosen)))
            asked = [queries[places[index]] for index in chosen]
            return self._judged(states, asked, [0] * len(chosen))

        lengths = [len(row) for row in rows]
        answers = run_all(work, lengths, token_budget(self.network.device), extra=len(context))
        return dict(zip(places, answers, strict=True))

    def _states(self, rows: Sequence[Tokens], cache: Any = None) -> Any:
        """The last hidden states of sequences that go on from a cache, filled up at their ends.

        No mask is needed: a token sees only what stands to its left, so never the filling.
        """
        import torch

        width = max(map(len, rows))
        ids = torch.tensor([[*row, *[self.start] * (width - len(row))] for row in rows])
        read = self.network.base_model(
            input_ids=ids.to(self.network.device),
            past_key_values=cache,
            use_cache=cache is not None,
        )
        return read.last_hidden_state

    def _judged(
        self, states: Any, queries: Sequence[Query], firsts: Sequence[int]
    ) -> list[Foreseen]:
        """The state at `firsts + i` foresees token `i` of its query."""
        import torch

        counts = [len(query.wanted) for query in queries]
        rows = np.repeat(np.arange(len(queries)), counts)
        columns = [f + i for f, query in zip(firsts, queries, strict=True) for i in query.wanted]
        targets = [query.tokens[i] for query in queries for i in query.wanted]
        picked = states[torch.as_tensor(rows), torch.tensor(columns, dtype=torch.long)]
        likelihoods, right = self._reduced(picked, torch.tensor(targets, dtype=torch.long))
        ends = np.cumsum(counts)[:-1]
        return [
            Foreseen(*both)
            for both in zip(np.split(likelihoods, ends), np.split(right, ends), strict=True)
        ]

    def _reduced(self, states: Any, targets: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Log-likelihood and rightness of the targets, a few rows of logits at a time."""
        import torch

        head = self.network.get_output_embeddings()
        size = max(1, _LOGITS // (4 * head.weight.shape[0]))
        likelihoods, right = [], []
        for start in range(0, len(targets), size):
            logits = head(states[start : start + size]).float()
            wanted = targets[start : start + size].to(logits.device)
            chosen = logits.gather(1, wanted[:, None])[:, 0]
            right.append(logits.argmax(dim=1) == wanted)
            likelihoods.append(chosen.double() - torch.logsumexp(logits, dim=1).double())
        if not right:
            return np.empty(0), np.empty(0, dtype=bool)
        return torch.cat(likelihoods).cpu().numpy(), torch.cat(right).cpu().numpy()


@lru_cache(maxsize=2)
def causal_model(name: str, precision: Precision = "full") -> CausalModel:
    """The causal language model of this name, loaded once."""
    source = source_of(name)
    network = load_pretrained("AutoModelForCausalLM", source, precision)
    tokenizer = load_tokenizer(source)
    _check_head(source, network)
    return CausalModel(
        source, tokenizer, network, _start(source, tokenizer), _longest(network.config)
    )


def _start(source: Source, tokenizer: Any) -> int:
    """The token that stands before a text: what marks a document's start in training."""
    known = tokenizer.get_vocab()
    candidates = (known.get(DOCUMENT_START), tokenizer.bos_token_id, tokenizer.eos_token_id)
    found = next((token for token in candidates if token is not None), None)
    if found is None:
        raise GistmarkError(
            f"The model {source.name} has no token that starts a text, so it cannot be used."
        )
    return int(found)


def _longest(config: Any) -> int:
    return min(int(getattr(config, "max_position_embeddings", LONGEST)), LONGEST)


def _check_head(source: Source, network: Any) -> None:
    """Make sure that hidden states and output matrix give the model's own logits."""
    import torch

    head = network.get_output_embeddings()
    with torch.inference_mode():
        ids = torch.tensor([[0, 1, 2]], device=network.device)
        expected = network(input_ids=ids).logits
        found = None if head is None else head(network.base_model(input_ids=ids).last_hidden_state)
    if found is None or not torch.allclose(expected, found, rtol=1e-3, atol=1e-3):
        raise GistmarkError(
            f"The model {source.name} makes its predictions in a way that is not supported; "
            "use a plain causal language model such as gpt2 or a model of the Llama kind."
        )


def _repeated(cache: Any, times: int) -> Any:
    """A cache of one sequence as one of several, the original untouched."""
    copied = copy.deepcopy(cache)
    copied.batch_repeat_interleave(times)
    return copied
