"""Models that BLANC-tune tunes: the training examples of a summary, and predictions for a document.

In the paper every example is the whole summary with other words masked. In the authors' package the
summary is cut into chunks that overlap: each starts `stride` tokens after the one before, and what
a short first chunk would have left out of the top of the summary is added, so that the first words
are trained as often as the others.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.language_model.eligible import (
    Least,
    Pieces,
    Positions,
    Rule,
    in_pieces,
    maskable,
    maskings,
    word_starts,
)
from gistmark.metrics.language_model.predictions import architecture_of
from gistmark.models.language_models.causal import CausalModel, Query, causal_model
from gistmark.models.language_models.masked import Gapped, MaskedModel, masked_model
from gistmark.runtime.seeds import generator
from gistmark.text.sentences import sentences

if TYPE_CHECKING:
    from gistmark.metrics.language_model.blanc_tune import TuneOptions

Tokens = tuple[int, ...]
Masking = Literal["random", "even"]


@dataclass(frozen=True)
class Example:
    """Tokens that a model reads, and the positions and tokens that it has to predict."""

    read: Tokens
    positions: Positions
    answers: Tokens


@dataclass(frozen=True)
class Hiding:
    """How words are hidden from a masked model.

    Of the words to be predicted, the share `replaced` is shown as a random token, `kept` as it is,
    the rest as the `mask`. `vocabulary` is how many tokens there are.
    """

    replaced: float
    kept: float
    mask: int
    vocabulary: int


def chunks(count: int, size: int, stride: int) -> list[slice]:
    """Where the chunks of a summary of `count` tokens start and end."""
    slices = []
    for start in range(0, count, stride):
        slices.append(slice(start, min(start + size, count)))
        if 0 < start < size:
            slices.append(slice(0, start))
    return slices


def causal_examples(
    tokens: Tokens, predicted: Positions, start: int, slices: Sequence[slice]
) -> list[Example]:
    """An example per chunk: after the token that starts a text, long words are to be predicted.

    The position of a word is where the token before it stands.
    """
    eligible = set(predicted)
    examples = []
    for piece in slices:
        positions = tuple(p - piece.start for p in range(piece.start, piece.stop) if p in eligible)
        body = tokens[piece]
        examples.append(
            Example((start, *body), positions, tuple(body[position] for position in positions))
        )
    return [example for example in examples if example.positions]


def masked_examples(
    tokens: Tokens,
    groups: Sequence[Positions],
    hiding: Hiding,
    around: tuple[Tokens, Tokens],
    rng: np.random.Generator,
) -> list[Example]:
    """An example for each group of positions hidden together; `around` stands on both sides."""
    opening, closing = around
    examples = []
    for group in groups:
        masked = list(tokens)
        for position, chance in zip(group, rng.random(len(group)), strict=True):
            if chance < hiding.replaced:
                masked[position] = int(rng.integers(hiding.vocabulary))
            elif chance >= hiding.replaced + hiding.kept:
                masked[position] = hiding.mask
        positions = tuple(len(opening) + position for position in group)
        answers = tuple(tokens[position] for position in group)
        examples.append(Example((*opening, *masked, *closing), positions, answers))
    return examples


def shuffled(
    pieces: Pieces, share: float, rule: Rule, least: Least, rng: np.random.Generator
) -> Iterator[Positions]:
    """All that may be hidden, in random order: int(share * count) tokens or words at a time.

    Of a text so short that this is none, one at a time.
    """
    units, count = maskable(pieces, rule=rule, least=least)
    size = max(1, int(count * share))
    order = rng.permutation(len(units))
    for begin in range(0, len(order), size):
        group = [units[index] for index in order[begin : begin + size]]
        yield tuple(sorted(position for unit in group for position in unit))


Bools = NDArray[np.bool_]


class TunableModel(Protocol):
    """A model that can be tuned on a summary and predicts the words of a document."""

    @property
    def network(self) -> Any:
        """What is tuned."""

    def examples(self, summary: str) -> list[Example]:
        """All training examples of a summary, in order, for every epoch."""

    def loss(self, examples: Sequence[Example]) -> Any:
        """How wrong the model is about a few examples."""

    def predicted(self, document: str) -> Bools:
        """Which of the document's long words the model gets right."""


def tunable_model(options: TuneOptions) -> TunableModel:
    """The model of the options, masked or causal."""
    if architecture_of(options.model) == "masked":
        return TunableMaskedModel(masked_model(options.model, options.precision), options)
    return TunableCausalModel(causal_model(options.model, options.precision), options)


@dataclass(frozen=True)
class TunableCausalModel:
    """A model that reads from left to right. Sentences longer than it reads are cut."""

    model: CausalModel
    options: TuneOptions

    @property
    def network(self) -> Any:
        return self.model.network

    def examples(self, summary: str) -> list[Example]:
        text = unicodedata.normalize("NFKC", summary)
        ((tokens, positions),) = word_starts(self.model.tokenizer, [text], self.options.least)
        slices = self.options.chunks(len(tokens), self.model.longest - 1)
        return causal_examples(tokens, positions, self.model.start, slices) * self.options.epochs

    def loss(self, examples: Sequence[Example]) -> Any:
        ids, rows, columns, answers = _tensors(examples, self.model.start, self.network.device)
        states = self.network.base_model(input_ids=ids, use_cache=False).last_hidden_state
        return _cross_entropy(self.network.get_output_embeddings()(states[rows, columns]), answers)

    def predicted(self, document: str) -> Bools:
        encoded = word_starts(
            self.model.tokenizer,
            sentences(unicodedata.normalize("NFKC", document), self.options.lang),
            self.options.least,
        )
        most = self.model.longest - 1
        queries = [
            Query((), tokens[:most], tuple(position for position in positions if position < most))
            for tokens, positions in encoded
        ]
        answers = self.model.predict([query for query in queries if query.wanted])
        return _concatenated([answer.right for answer in answers])


@dataclass(frozen=True)
class TunableMaskedModel:
    """A model that fills in masks. Sentences longer than it reads are cut."""

    model: MaskedModel
    options: TuneOptions

    @property
    def network(self) -> Any:
        return self.model.network

    @property
    def _least(self) -> Least:
        return Least(self.options.least, self.options.lead, self.options.follow)

    def examples(self, summary: str) -> list[Example]:
        options, model = self.options, self.model
        (pieces,) = in_pieces(model.tokenizer, [unicodedata.normalize("NFKD", summary)])
        budget = model.longest - len(model.opening) - len(model.closing)
        slices = options.chunks(len(pieces.tokens), budget)
        hiding = Hiding(options.replaced, options.kept, model.mask, len(model.tokenizer))
        rng = generator(options.seed)
        examples: list[Example] = []
        for _ in range(options.epochs):
            for piece in map(pieces.part, slices):
                if options.masking == "random":
                    groups = list(shuffled(piece, options.share, options.rule, self._least, rng))
                else:
                    groups = maskings(piece, gap=options.gap, rule=options.rule, least=self._least)
                around = (model.opening, model.closing)
                examples += masked_examples(piece.tokens, groups, hiding, around, rng)
        return examples

    def loss(self, examples: Sequence[Example]) -> Any:
        filling = self.model.tokenizer.pad_token_id or 0
        ids, rows, columns, answers = _tensors(examples, filling, self.network.device)
        inputs = {"input_ids": ids, "attention_mask": _mask(examples, ids)}
        return _cross_entropy(self.model.logits(inputs, rows, columns), answers)

    def predicted(self, document: str) -> Bools:
        options, model = self.options, self.model
        texts = sentences(unicodedata.normalize("NFKD", document), options.lang)
        budget = model.longest - len(model.opening) - len(model.closing)
        sequences, answers = [], []
        for pieces in in_pieces(model.tokenizer, texts):
            first_pieces = pieces.first(budget)
            for group in maskings(
                first_pieces, gap=options.gap, rule=options.rule, least=self._least
            ):
                masked = list(first_pieces.tokens)
                for position in group:
                    masked[position] = model.mask
                first = len(model.opening)
                tokens = (*model.opening, *masked, *model.closing)
                sequences.append(Gapped(tokens, tuple(first + position for position in group)))
                answers.append(np.array([first_pieces.tokens[position] for position in group]))
        outputs = model.predict(sequences)
        return _concatenated(
            [tokens == right for tokens, right in zip(outputs, answers, strict=True)]
        )


def _tensors(examples: Sequence[Example], filling: int, device: Any) -> tuple[Any, Any, Any, Any]:
    """Examples side by side, padded at their ends, with positions and tokens to predict."""
    import torch

    width = max(len(example.read) for example in examples)
    ids = [[*example.read, *[filling] * (width - len(example.read))] for example in examples]
    rows = [row for row, example in enumerate(examples) for _ in example.positions]
    columns = [position for example in examples for position in example.positions]
    answers = [token for example in examples for token in example.answers]
    tensors = (torch.tensor(values, device=device) for values in (ids, rows, columns, answers))
    return tuple(tensors)  # type: ignore[return-value]


def _mask(examples: Sequence[Example], ids: Any) -> Any:
    import torch

    lengths = torch.tensor([len(example.read) for example in examples], device=ids.device)
    return (torch.arange(ids.shape[1], device=ids.device)[None] < lengths[:, None]).long()


def _cross_entropy(logits: Any, answers: Any) -> Any:
    import torch

    return torch.nn.functional.cross_entropy(logits.float(), answers)


def _concatenated(parts: list[Bools]) -> Bools:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
