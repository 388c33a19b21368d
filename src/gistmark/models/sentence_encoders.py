"""Sentence encoders: one vector for a text, by the package sentence-transformers.

It builds the model from the modules that its folder lists (pooling, dense layer, normalisation);
a plain encoder gets the mean of its tokens' vectors. A text that is too long for the model is read
in pieces, one after another, and its vector is the mean of theirs, weighted by their tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.models.encoders import Long
from gistmark.models.loading import Source, explained, source_of, warn_of_pickles
from gistmark.models.runtime import (
    Precision,
    device,
    library,
    number_type,
    one_at_a_time,
    quiet,
    run_all,
    set_threads,
    token_budget,
)
from gistmark.text import readable

Float32 = NDArray[np.float32]

_BOUNDLESS = 1_000_000


@dataclass(frozen=True)
class Piece:
    """A text that the model reads at once, and how many tokens it has."""

    text: str
    tokens: int


@dataclass(frozen=True)
class SentenceEncoder:
    """A model of sentence-transformers; `capacity` is how many tokens it reads, if limited."""

    source: Source
    network: Any
    capacity: int | None

    def embed(self, texts: Sequence[str], *, long: Long = "windows") -> Float32:
        """The vectors of one text or more, a row for each; equal ones are computed once.

        The row of a text without any tokens is not a number.
        """
        texts = [readable(text) for text in texts]
        pieces = self._pieces(list(dict.fromkeys(texts)), long)
        vectors = self._vectors([piece for text_pieces in pieces.values() for piece in text_pieces])
        rows = {text: _weighted_mean(text_pieces, vectors) for text, text_pieces in pieces.items()}
        return np.stack([rows[text] for text in texts])

    def _pieces(self, texts: Sequence[str], long: Long) -> dict[str, list[Piece]]:
        """Each text as the pieces that the model reads at once."""
        if self.capacity is None:
            return {text: [Piece(text, len(text.split()))] for text in texts}
        with one_at_a_time():  # a tokenizer is not made for several threads
            offsets = self.network.tokenizer(
                list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
            )["offset_mapping"]
        if long == "cut":
            return {
                text: [Piece(text, min(len(spans), self.capacity))]
                for text, spans in zip(texts, offsets, strict=True)
            }
        return {
            text: list(_split_text(text, spans, self.capacity))
            for text, spans in zip(texts, offsets, strict=True)
        }

    def _vectors(self, pieces: Sequence[Piece]) -> dict[str, Float32]:
        """The vector of each distinct piece of text."""
        distinct = list({piece.text: piece for piece in pieces}.values())

        def work(indexes: list[int]) -> Sequence[Float32]:
            vectors: NDArray[Any] = self.network.encode(
                [distinct[index].text for index in indexes],
                batch_size=len(indexes),
                show_progress_bar=False,
            )
            return list(vectors.astype(np.float32, copy=False))

        with one_at_a_time():
            lengths = [piece.tokens for piece in distinct]
            # One at a time: `encode` uses the tokenizer, which is not made for several threads.
            vectors = run_all(work, lengths, token_budget(self.network.device), at_once=False)
        return {piece.text: vector for piece, vector in zip(distinct, vectors, strict=True)}


def sentence_encoder(name: str, precision: Precision = "full") -> SentenceEncoder:
    """The sentence encoder of this name, loaded once."""
    with one_at_a_time():
        return _sentence_encoder(name, precision)


@lru_cache(maxsize=2)
def _sentence_encoder(name: str, precision: Precision) -> SentenceEncoder:
    source = source_of(name)
    target_device = device()
    set_threads()
    warn_of_pickles(source)
    numbers = number_type(precision, target_device)
    with quiet():
        network = explained(
            source.name,
            lambda: library("sentence_transformers").SentenceTransformer(
                str(source.folder),
                device=str(target_device),
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"dtype": numbers, "weights_only": True},
            ),
        )
    return SentenceEncoder(source, network.eval(), _capacity(network))


def _capacity(network: Any) -> int | None:
    """How many tokens fit between the special ones, after the prompt that the model may have."""
    limit = network.max_seq_length
    if limit is None or limit >= _BOUNDLESS:
        return None
    prompt = network.prompts.get(network.default_prompt_name) or ""
    around = len(network.tokenizer(prompt)["input_ids"])
    return max(1, int(limit) - around)


def _split_text(text: str, spans: Sequence[tuple[int, int]], capacity: int) -> Iterator[Piece]:
    """Pieces of at most `capacity` tokens, whose `spans` are their characters in the text.

    A piece ends before a word if there is one in its second half, otherwise before any token.
    """
    first = 0
    while len(spans) - first > capacity:
        last = next(
            (
                index
                for index in range(first + capacity, first + capacity // 2, -1)
                if spans[index][0] > spans[index - 1][1]
            ),
            first + capacity,
        )
        yield Piece(text[spans[first][0] : spans[last - 1][1]], last - first)
        first = last
    yield Piece(text[spans[first][0] :] if first else text, len(spans) - first)


def _weighted_mean(pieces: Sequence[Piece], vectors: dict[str, Float32]) -> Float32:
    weights = np.array([piece.tokens for piece in pieces], dtype=np.float32)
    rows = np.stack([vectors[piece.text] for piece in pieces])
    if not weights.any():
        return np.full_like(rows[0], np.nan)
    mean: Float32 = rows[0] if len(rows) == 1 else weights @ rows / weights.sum()
    return mean
