"""Language models that read from left to right: how well they predict the tokens of a text.

Queries with the same context share one pass over it: its keys and values are computed once, and
serve all continuations (`reader.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.corpus.loading import load, sample_folder
from gistmark.errors import GistmarkError
from gistmark.models.language_models.continuations import (
    Choices,
    Context,
    Tokens,
    head_of,
    read_context,
    read_contexts,
)
from gistmark.models.language_models.quantized import quantized
from gistmark.models.language_models.reader import Query, Reader, Reading
from gistmark.models.loading import Source, load_pretrained, load_tokenizer, source_of
from gistmark.models.runtime import Precision, one_at_a_time, pass_cost
from gistmark.text import readable

__all__ = ["LONGEST", "CausalModel", "Predictions", "Query", "Tokens", "causal_model"]

DOCUMENT_START = "<|endoftext|>"
LONGEST = 8192
_WINDOWS = ("sliding_window", "window_size")
_CALIBRATION, _LONG_ROW = 2, 256
"""How many documents of the sample calibrate a model of 8 bits, and how many tokens of each."""
_KEPT_BUDGETS = 2
"""Contexts are kept for as many tokens as go through the network at once, times this."""
_MOST_DIFFERENCE = 0.5
"""By how many nats 8 bits may move a log-probability on average; SmolLM2 has less than a tenth."""


@dataclass(frozen=True)
class Predictions:
    """For each wanted token its log-likelihood, and whether the model would have chosen it."""

    likelihoods: NDArray[np.float64]
    right: NDArray[np.bool_]

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """How likely the model holds each token."""
        return np.exp(self.likelihoods)


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

        In full precision, which tokens are right does not depend on the other queries, though
        likelihoods do in their last digits. Without `share` each query reads its whole context,
        which gives the same more slowly.
        """
        import torch

        distinct = list(dict.fromkeys(queries))
        to_predict = [query for query in distinct if query.wanted]
        predictions = dict.fromkeys(distinct, Predictions(np.empty(0), np.empty(0, dtype=bool)))
        with one_at_a_time(), torch.inference_mode():
            for query, choice in self._by_context(to_predict, share=share):
                right = self._right_tokens(query, choice)
                predictions[query] = Predictions(choice.likelihoods, right)
        return [predictions[query] for query in queries]

    def _by_context(self, queries: list[Query], *, share: bool) -> list[tuple[Query, Choices]]:
        """All answers; a context that many share is read once, the others with each query."""
        groups: dict[Tokens, list[Query]] = {}
        for query in queries:
            groups.setdefault(query.context, []).append(query)
        single: list[Query] = []
        shared: list[Tokens] = []
        for context, group in groups.items():
            saved = len(context) * (len(group) - 1)
            if share and self.reader.packs and saved > 2 * pass_cost(self.reader.budget):
                shared.append(context)
            else:
                single += group
        readings = self._unshared_readings(single)
        answered: list[tuple[Query, Choices]] = []
        for contexts in _windows(shared, _KEPT_BUDGETS * self.reader.budget):
            # The last token of a context is read with each query: it predicts the first.
            starts = [(self.start, *tokens[:-1]) for tokens in contexts]
            readings += [
                Reading(
                    start, groups[tokens], [query.after(tokens[-1]) for query in groups[tokens]]
                )
                for tokens, start in zip(contexts, read_contexts(self.network, starts), strict=True)
            ]
            answered += self.reader.answers(readings)
            readings = []
        return answered + self.reader.answers(readings)

    def _unshared_readings(self, queries: list[Query]) -> list[Reading]:
        """What is read for queries of which each reads its own context.

        In 8 bits the first token of a text, whose values are the largest by far, is left to the
        network, which reads it once for all.
        """
        bare = [query for query in queries if not query.context or not self.reader.decoder]
        with_context = [query for query in queries if query.context and self.reader.decoder]
        readings = []
        if bare:
            full_queries = [query.after(self.start, *query.context) for query in bare]
            readings.append(Reading(Context(), bare, full_queries))
        if with_context:
            start = read_context(self.network, (self.start,))
            following = [query.after(*query.context) for query in with_context]
            readings.append(Reading(start, with_context, following))
        return readings

    def _right_tokens(self, query: Query, choice: Choices) -> NDArray[np.bool_]:
        """Which tokens are right; what rounding may have decided is judged by the query alone.

        Not in 16 bits, where so many tokens are equally likely that it would double the work.
        """
        undecided = np.flatnonzero(choice.close).tolist() if self._is_exact else []
        if not undecided:
            return choice.right
        right = choice.right.copy()
        right[undecided] = self.reader.one_by_one(query, undecided)
        return right


def _windows(contexts: Sequence[Tokens], most: int) -> Iterator[list[Tokens]]:
    """Contexts in groups of at most so many tokens, or of one that is longer.

    One that is the beginning of another, such as a shorter filler, follows it.
    """
    window: list[Tokens] = []
    size = 0
    for context in sorted(contexts, reverse=True):
        if window and size + len(context) > most:
            yield window
            window, size = [], 0
        window.append(context)
        size += len(context)
    if window:
        yield window


def causal_model(name: str, precision: Precision = "full") -> CausalModel:
    """The causal language model of this name, loaded once."""
    return _load_model(name, precision)


@lru_cache(maxsize=2)
def _load_model(name: str, precision: Precision) -> CausalModel:
    source = source_of(name)
    numbers: Precision = "bfloat16" if precision == "int8" else precision
    network = load_pretrained("AutoModelForCausalLM", source, numbers)
    tokenizer = load_tokenizer(source)
    head = head_of(network)
    if head is None or _looks_ahead(network):
        raise GistmarkError(
            f"The model {source.name} does not read from left to right as known models do; "
            "take a causal language model such as gpt2 or one of the Llama kind."
        )
    positions = getattr(network.config, "max_position_embeddings", None)
    longest = min(int(positions or LONGEST), LONGEST)
    reader = Reader(network, head, _start(source, tokenizer), packs=False)
    packing = replace(reader, packs=_can_pack(reader, longest))
    model = CausalModel(source, tokenizer, packing, longest)
    return in_8_bits(model) if precision == "int8" else model


def in_8_bits(model: CausalModel) -> CausalModel:
    """The model with products of 8 bits, calibrated on the first documents of the sample.

    The loss of precision is measured there: a model whose predictions change too much is refused.
    """
    import torch

    name, reader, device = model.source.name, model.reader, model.network.device.type
    if device != "cpu":
        raise GistmarkError(f"precision: int8 is for the CPU, not for {device}; take bfloat16.")
    texts = [document.text for document in load(sample_folder()).documents[:_CALIBRATION]]
    size = min(_LONG_ROW, model.longest - 1)
    rows = [torch.tensor([model.start, *tokens[:size]]) for tokens in model.encode(texts)]
    try:
        decoder = quantized(model.network, rows) if reader.packs else None
    except RuntimeError as error:
        raise GistmarkError(
            "precision: PyTorch has no int8 products on this machine; take bfloat16."
        ) from error
    if decoder is None:
        raise GistmarkError(
            f"precision: int8 is for models of the Llama kind, which {name} is not; take bfloat16."
        )
    coarse = replace(reader, head=decoder.head, decoder=decoder)
    tokens = tuple(rows[0].tolist())
    check_query = Query(tokens[:2], tokens[2:], tuple(range(len(tokens) - 2)))
    exact, rounded = (
        replace(model, reader=variant).predict([check_query])[0].likelihoods
        for variant in (reader, coarse)
    )
    difference = float(np.abs(exact - rounded).mean())
    if not difference < _MOST_DIFFERENCE:
        raise GistmarkError(
            f"precision: int8 moves log-probabilities of {name} by {difference:.1f} on average; "
            "take bfloat16."
        )
    return replace(model, reader=coarse)


def _looks_ahead(network: Any) -> bool:
    """Whether a position sees what comes after it, as in a masked model."""
    import torch

    ids = torch.tensor([[1, 2, 3], [1, 2, 4]], device=network.device)
    with torch.inference_mode():
        first, second = network.base_model(input_ids=ids).last_hidden_state[:, 1]
    return not torch.allclose(first, second, rtol=1e-3, atol=1e-3)


def _start(source: Source, tokenizer: Any) -> int:
    """The token that stands before a text: what marks a document's start in training."""
    vocabulary = tokenizer.get_vocab()
    candidates = (vocabulary.get(DOCUMENT_START), tokenizer.bos_token_id, tokenizer.eos_token_id)
    start = next((token for token in candidates if token is not None), None)
    if start is None:
        raise GistmarkError(
            f"The model {source.name} has no token that starts a text, so it cannot be used."
        )
    return int(start)


def _can_pack(reader: Reader, longest: int) -> bool:
    """Whether continuations in one row after a shared context are predicted as they are alone."""
    import torch

    settings = reader.network.config.get_text_config()
    if any((getattr(settings, name, None) or LONGEST) < longest for name in _WINDOWS):
        return False
    queries = [Query((1, 2, 3), (4, 5, 6), (0, 1, 2)), Query((1, 2, 3), (7, 8), (0, 1))]
    bare = [query.after(reader.start, *query.context) for query in queries]
    with torch.inference_mode():
        single = reader.after(Context(), bare)
        try:
            context = read_context(reader.network, (reader.start, 1, 2))
            following = [query.after(3) for query in queries]
            together = replace(reader, packs=True).after(context, following)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return False
    tolerance = 1e-3 if reader.network.dtype == torch.float32 else 0.1
    return all(
        np.allclose(expected.likelihoods, predicted.likelihoods, rtol=0, atol=tolerance)
        for expected, predicted in zip(single, together, strict=True)
    )
