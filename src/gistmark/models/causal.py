"""Language models that read from left to right: how well they foresee the tokens of a text.

A query is a context and the tokens that follow it. Queries with the same context share one pass
over it: its keys and values are computed once, and the continuations are laid side by side after
them. Logits are made only where they are wanted and reduced at once to what is asked of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.batches import pass_cost
from gistmark.models.choices import Choices
from gistmark.models.contexts import Context, read_context
from gistmark.models.devices import Precision, one_at_a_time
from gistmark.models.heads import head_of
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of
from gistmark.models.packing import Tokens
from gistmark.models.reading import Query, Reader
from gistmark.text import readable

__all__ = ["LONGEST", "CausalModel", "Foreseen", "Query", "Tokens", "causal_model"]

DOCUMENT_START = "<|endoftext|>"
LONGEST = 8192
_WINDOWS = ("sliding_window", "window_size")


@dataclass(frozen=True)
class Foreseen:
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

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts, without any that mark start or end."""
        if not texts:
            return []
        found = self.tokenizer([*map(readable, texts)], add_special_tokens=False)["input_ids"]
        return [tuple(tokens) for tokens in found]

    def foresee(self, queries: Sequence[Query], *, share: bool = True) -> list[Foreseen]:
        """What the model says of each query; equal ones are asked once.

        Which tokens are right does not depend on the company of a query, though likelihoods do
        in their last digits. Without `share` each query reads its whole context, which gives the
        same more slowly.
        """
        import torch

        distinct = list(dict.fromkeys(queries))
        asked = [query for query in distinct if query.wanted]
        answers = dict.fromkeys(distinct, Foreseen(np.empty(0), np.empty(0, dtype=bool)))
        with one_at_a_time(), torch.inference_mode():
            for query, found in self._by_context(asked, share=share):
                answers[query] = Foreseen(found.likelihoods, self._settled(query, found))
        return [answers[query] for query in queries]

    def _by_context(self, queries: list[Query], *, share: bool) -> list[tuple[Query, Choices]]:
        """All answers; a context that many share is read once, the others with each query."""
        groups: dict[Tokens, list[Query]] = {}
        for query in queries:
            groups.setdefault(query.context, []).append(query)
        found: list[tuple[Query, Choices]] = []
        alone: list[Query] = []
        read = Context()
        # In this order a context is followed by its own beginnings, such as shorter fillers.
        for context, group in sorted(groups.items(), reverse=True):
            saved = len(context) * (len(group) - 1)
            if share and self.reader.packs and saved > 2 * pass_cost(self.reader.budget):
                read = read_context(self.network, (self.start, *context[:-1]), read)
                found += zip(group, self.reader.after(read, context[-1], group), strict=True)
            else:
                alone += group
        bare = [query.without_context for query in alone]
        told = self.reader.after(Context(), self.start, bare)
        return [*found, *zip(alone, told, strict=True)]

    def _settled(self, query: Query, found: Choices) -> NDArray[np.bool_]:
        """Which tokens are right; what rounding may have decided is decided by the query alone."""
        close = np.flatnonzero(found.close).tolist()
        if not close:
            return found.right
        right = found.right.copy()
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
            f"The model {source.name} does not read from left to right in a way that is known "
            "here; take a causal language model such as gpt2 or one of the Llama kind."
        )
    longest = _longest(network.config)
    reader = Reader(network, head, _start(source, tokenizer), packs=False)
    packing = replace(reader, packs=_can_pack(reader, longest))
    return CausalModel(source, tokenizer, packing, longest)


def _looks_ahead(network: Any) -> bool:
    """Whether a place sees what comes after it, as in a masked model."""
    import torch

    ids = torch.tensor([[1, 2, 3], [1, 2, 4]], device=network.device)
    with torch.inference_mode():
        one, other = network.base_model(input_ids=ids).last_hidden_state[:, 1]
    return not torch.allclose(one, other, rtol=1e-3, atol=1e-3)


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
    return min(int(getattr(config, "max_position_embeddings", None) or LONGEST), LONGEST)


def _can_pack(reader: Reader, longest: int) -> bool:
    """Whether continuations in one row after a shared context are foreseen as they are alone."""
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
