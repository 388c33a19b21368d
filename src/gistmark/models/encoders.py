"""Encoders: a vector for every token of a text, from the requested layer.

Layers above that one are taken away and never computed. Of a model with an encoder and a decoder
the encoder is used. What a model does after its last layer, such as the final normalisation of T5
and PEGASUS, is done after the chosen layer. This is how bert-score counts layers, too. A text that
is longer than the model reads goes through it in overlapping windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.loading import (
    Source,
    load_pretrained,
    load_tokenizer,
    settings_of,
    source_of,
)
from gistmark.models.runtime import Precision, one_at_a_time, run_all, token_budget
from gistmark.text import readable

Long = Literal["windows", "cut"]
"""What happens to a text that is too long for the model: read in windows, or cut off."""


@dataclass(frozen=True)
class Window:
    """The tokens from `start` to `end`; those from `first` to `last` stand nowhere more central."""

    start: int
    end: int
    first: int
    last: int


def windows(length: int, size: int) -> list[Window]:
    """Windows of `size` tokens, evenly spread, that overlap by a quarter or a little more.

    Each token belongs to the window whose middle is nearest, so it is read with something on both
    sides but at the ends of the text. A sequence that fits is one window, and so is an empty one.
    """
    if length <= size:
        return [Window(0, length, 0, length)]
    step = max(1, size - size // 4)
    count = 1 + -(-(length - size) // step)
    starts = [(length - size) * number // (count - 1) for number in range(count)]
    borders = [(left + right + size) // 2 for left, right in pairwise(starts)]
    return [
        Window(start, start + size, first, last)
        for start, first, last in zip(starts, [0, *borders], [*borders, length], strict=True)
    ]


_LAYER_LISTS = ("layer", "layers", "block", "h")
"""The names that models of transformers have for the list of their layers."""


_COUNT_SETTINGS = ("encoder_layers", "num_layers", "num_hidden_layers", "n_layers", "n_layer")
"""What their settings call the number of layers; that of the encoder goes first."""


def layer_count(source: Source) -> int:
    """How many layers the model has by its settings; of an encoder and a decoder, the encoder."""
    settings = settings_of(source)
    for name in _COUNT_SETTINGS:
        count = settings.get(name)
        if isinstance(count, int):
            return count
    raise GistmarkError(
        f"The settings of the model {source.name} do not say how many layers it has; choose one."
    )


def keep_layers(source: Source, network: Any, layer: int) -> None:
    """Take away the layers above `layer`, so that they are never computed."""
    inner: Any = getattr(network, "encoder", None)
    if hasattr(inner, "albert_layer_groups"):
        # ALBERT has one layer and runs it as often as its settings say.
        _require_layer(source, layer, inner.config.num_hidden_layers)
        inner.config.num_hidden_layers = layer
        return
    named_layers = layer_list(network)
    if named_layers is None:
        raise GistmarkError(
            f"The model {source.name} has no list of layers known to Gistmark, so layer cannot be "
            "set."
        )
    name, layers = named_layers
    _require_layer(source, layer, len(layers))
    holder, _, attribute = name.rpartition(".")
    setattr(network.get_submodule(holder), attribute, layers[:layer])


def layer_list(network: Any) -> tuple[str, Any] | None:
    """The name and the outermost list of a network's layers; None if no list is found."""
    import torch

    for name, module in network.named_modules():
        for stack in _LAYER_LISTS:
            layers = getattr(module, stack, None)
            if isinstance(layers, torch.nn.ModuleList):
                return f"{name}.{stack}".removeprefix("."), layers
    return None


def _require_layer(source: Source, layer: int, count: int) -> None:
    if not 1 <= layer <= count:
        raise GistmarkError(
            f"The model {source.name} has layers 1 to {count}, so layer {layer} cannot be used."
        )


Float32 = NDArray[np.float32]
Tokens = tuple[int, ...]

_DEFAULT_LONGEST = 512
_BOUNDLESS = 1_000_000
_ENCODER_CLASSES = {"t5": "T5EncoderModel", "mt5": "MT5EncoderModel", "umt5": "UMT5EncoderModel"}
_NEEDS_LEADING_SPACE = ("roberta", "gpt2")


@dataclass(frozen=True)
class Encoded:
    """A text as the model reads it: tokens, special ones included, and a vector for each."""

    tokens: Tokens
    vectors: Float32


@dataclass(frozen=True)
class Encoder:
    """An encoder with its tokenizer.

    `before` and `after` are the special tokens around every text, `longest` is how many tokens it
    reads with them, and `lead` is put before every text. `separators` are the tokens that only
    mark where a text starts and ends.
    """

    source: Source
    tokenizer: Any
    network: Any
    before: Tokens
    after: Tokens
    longest: int
    lead: str
    separators: frozenset[int]

    @property
    def capacity(self) -> int:
        """How many tokens of a text fit between the special ones."""
        return self.longest - len(self.before) - len(self.after)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts, without special ones and however many they are."""
        if not texts:
            return []
        stripped = [readable(text).strip() for text in texts]
        with one_at_a_time():  # a tokenizer is not made for several threads
            ids = self.tokenizer(
                [self.lead + text if text else "" for text in stripped],
                add_special_tokens=False,
                return_attention_mask=False,
                return_token_type_ids=False,
                verbose=False,
            )["input_ids"]
        return [tuple(tokens) for tokens in ids]

    def token_names(self, tokens: Tokens) -> list[str]:
        """The tokens as the vocabulary writes them."""
        return [str(name) for name in self.tokenizer.convert_ids_to_tokens(list(tokens))]

    def encode(self, texts: Sequence[Tokens], *, long: Long = "windows") -> list[Encoded]:
        """The vectors of tokenized texts, none of them empty; equal ones are computed once.

        In a text of several windows, each token has its vector from the window where it stands
        most central; special tokens have theirs from the first and the last window.
        """
        encoded = {}
        for text, spread, states in self._read(texts, long, lambda state: state):
            inner = [
                state[len(self.before) :][window.first - window.start : window.last - window.start]
                for state, window in zip(states, spread, strict=True)
            ]
            tail = len(states[-1]) - len(self.after)
            vectors = np.concatenate([states[0][: len(self.before)], *inner, states[-1][tail:]])
            encoded[text] = Encoded((*self.before, *text, *self.after), vectors)
        return [encoded[text] for text in self._limited(texts, long)]

    def first_vectors(self, texts: Sequence[Tokens], *, long: Long = "windows") -> Float32:
        """The vector of the first token of each text, which is `[CLS]` in models of BERT's kind.

        Of a text of several windows it is their mean, weighted by the tokens that each stands for.
        """
        vectors = {}
        for text, spread, states in self._read(texts, long, lambda state: state[0]):
            weights = np.array([window.last - window.first for window in spread], dtype=np.float32)
            vectors[text] = (
                states[0] if len(states) == 1 else weights @ np.stack(states) / weights.sum()
            )
        return np.array([vectors[text] for text in self._limited(texts, long)], dtype=np.float32)

    def _limited(self, texts: Sequence[Tokens], long: Long) -> list[Tokens]:
        return [text[: self.capacity] for text in texts] if long == "cut" else list(texts)

    def _read(
        self, texts: Sequence[Tokens], long: Long, keep: Callable[[Any], Any]
    ) -> Iterator[tuple[Tokens, list[Window], list[Float32]]]:
        """Each distinct text with its windows and what `keep` takes of their states."""
        spreads = {text: windows(len(text), self.capacity) for text in self._limited(texts, long)}
        rows = [
            text[window.start : window.end] for text, spread in spreads.items() for window in spread
        ]
        states = iter(self._run(rows, keep))
        for text, spread in spreads.items():
            yield text, spread, [next(states) for _ in spread]

    def _run(self, rows: Sequence[Tokens], keep: Callable[[Any], Any]) -> list[Float32]:
        """What `keep` takes of each row's states; equal rows go through the network once."""
        import torch

        distinct = list(dict.fromkeys(rows))
        lengths = [len(self.before) + len(row) + len(self.after) for row in distinct]

        def work(indexes: list[int]) -> list[Float32]:
            states = self._states([distinct[index] for index in indexes], lengths[indexes[0]])
            return [
                keep(states[row, : lengths[index]]).numpy(force=True).copy()
                for row, index in enumerate(indexes)
            ]

        with one_at_a_time(), torch.inference_mode():
            rows_of_states = run_all(work, lengths, token_budget(self.network.device))
        states = dict(zip(distinct, rows_of_states, strict=True))
        return [states[row] for row in rows]

    def _states(self, rows: Sequence[Tokens], width: int) -> Any:
        """The last hidden states of rows that are filled up to `width` tokens at their ends."""
        import torch

        filler = self.tokenizer.pad_token_id or 0
        ids = torch.full((len(rows), width), filler)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for number, row in enumerate(rows):
            tokens = (*self.before, *row, *self.after)
            ids[number, : len(tokens)] = torch.tensor(tokens, dtype=torch.long)
            mask[number, : len(tokens)] = 1
        device = self.network.device
        output = self.network(input_ids=ids.to(device), attention_mask=mask.to(device))
        return output.last_hidden_state.float().cpu()


def encoder(name: str, precision: Precision = "full", layer: int | None = None) -> Encoder:
    """The encoder of this name, up to a layer or with all its layers; loaded once."""
    with one_at_a_time():
        return _encoder(name, precision, layer)


@lru_cache(maxsize=2)
def _encoder(name: str, precision: Precision, layer: int | None) -> Encoder:
    source = source_of(name)
    kind = _ENCODER_CLASSES.get(settings_of(source).get("model_type", ""), "AutoModel")
    network = load_pretrained(kind, source, precision)
    if hasattr(network, "encoder") and hasattr(network, "decoder"):
        network = network.encoder
    if layer is not None:
        keep_layers(source, network, layer)
    tokenizer = load_tokenizer(source)
    before, after = _around(tokenizer)
    marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
    return Encoder(
        source, tokenizer, network, before, after, longest_input(tokenizer, network),
        " " if network.config.model_type in _NEEDS_LEADING_SPACE else "",
        frozenset(mark for mark in marks if mark is not None),
    )  # fmt: skip


def _around(tokenizer: Any) -> tuple[Tokens, Tokens]:
    """The special tokens that the tokenizer puts before and after a text."""
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    with_marks = tokenizer("a")["input_ids"]
    start = next(
        index
        for index in range(len(with_marks) - len(plain) + 1)
        if with_marks[index : index + len(plain)] == plain
    )
    return tuple(with_marks[:start]), tuple(with_marks[start + len(plain) :])


def longest_input(tokenizer: Any, network: Any) -> int:
    """How many tokens the model reads, by its tokenizer and its settings."""
    limits = [tokenizer.model_max_length]
    positions = getattr(network.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        # RoBERTa and its kin count positions from behind that of the filling.
        table = getattr(getattr(network, "embeddings", None), "position_embeddings", None)
        filling = getattr(table, "padding_idx", None)
        limits.append(positions if filling is None else positions - filling - 1)
    least = min(limits)
    return int(least) if least < _BOUNDLESS else _DEFAULT_LONGEST
