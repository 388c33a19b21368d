"""What metrics share that compare two texts by the vectors of their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch
from gistmark.metrics.bertscore.layers import usual_layer
from gistmark.metrics.bertscore.matching import to_unit_length
from gistmark.metrics.bertscore.weights import (
    Collection,
    Weights,
    collection_of,
    equal_weights,
    rareness,
    read_collection,
)
from gistmark.metrics.metric import Need
from gistmark.metrics.on_models import SENTENCE_ENCODER, ModelOptions, OnModel
from gistmark.metrics.targets import NEEDED, Against, Combination, Pairs, pair_up
from gistmark.models.encoders import Encoded, Encoder, encoder
from gistmark.models.layers import layer_count
from gistmark.models.loading import source_of
from gistmark.models.windows import Long
from gistmark.options import option
from gistmark.signature import without_hash

NO_TARGET = "the text that the summary is compared with is empty"
NO_WEIGHT = "all tokens of the summary or of its target weigh nothing"
MOST_TOKENS = 1 << 16
"""How many tokens' vectors are held at a time, unless one pair of texts has more."""


@dataclass(frozen=True)
class TokenOptions(ModelOptions):
    """Options of metrics on token vectors."""

    model: str = option(SENTENCE_ENCODER, "a known model, a model folder, or a name on the hub")
    layer: int = option(0, "the layer whose vectors are compared; 0 is the usual one of the model")
    idf: str = option(
        "no", "weigh rare tokens more: no, corpus, or a file with a text on each line"
    )
    long: Long = option("windows", "read texts too long for the model in windows, or cut them off")
    against: Against = option("references", "what the summary is compared with")
    refs: Combination = option("max", "how several references are combined")

    def __post_init__(self) -> None:
        """A file of texts, or the corpus, with the hash that a signature shows is the same."""
        super().__post_init__()
        object.__setattr__(self, "idf", without_hash(self.idf))


class OnTokens(OnModel):
    """A metric on the vectors of tokens, each with a weight."""

    Options: ClassVar[type[Any]] = TokenOptions

    def __init__(self, options: Any | None = None, *, corpus: Collection | None = None) -> None:
        super().__init__(options)
        idf = self.options.idf
        self._collection = corpus if idf in ("no", "corpus") else read_collection(idf)

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    def for_corpus(self, batches: Callable[[], Iterable[Batch]]) -> Self:
        """With `idf=corpus`, tokens are counted in the texts that summaries are compared with.

        These are all references of the corpus, or all documents, each distinct one once.
        """
        if self.options.idf != "corpus":
            return self
        texts: set[str] = set()
        for batch in batches():
            targets = np.unique(pair_up(batch, self.options.against).targets)
            texts.update(batch.texts[number] for number in targets)
        return type(self)(self.options, corpus=collection_of(texts, "corpus"))

    def _shown(self) -> dict[str, str]:
        """With the layer that is used, and the start of the hash of what weights come from."""
        shown = super()._shown()
        if self._collection is not None:
            shown["idf"] = self._collection.label
        # A signature is never an error, and never a reason to fetch a model.
        if not shown["model"].endswith("@missing"):
            with suppress(GistmarkError):
                shown["layer"] = str(self._layer)
        return shown

    @cached_property
    def _layer(self) -> int:
        options = self.options
        return int(
            options.layer or usual_layer(options.model, layer_count(source_of(options.model)))
        )

    @property
    def _encoder(self) -> Encoder:
        return encoder(self.options.model, self.options.precision, self._layer)

    @cached_property
    def _weights(self) -> Weights:
        if self.options.idf == "no":
            return equal_weights(self._encoder)
        if self._collection is None:
            raise GistmarkError(
                "idf=corpus weighs tokens by a whole corpus, so it goes with gistmark.score; "
                "for single batches give a file of texts."
            )
        return rareness(self._encoder, self._collection.texts, long=self.options.long)

    def _groups(self, batch: Batch, pairs: Pairs) -> Iterator[tuple[list[int], _Texts]]:
        """Places of pairs, some at a time, and the texts of those by number, with unit vectors.

        A text without tokens is left out. Texts are encoded once, and kept for other metrics
        where one group is all.
        """
        options = self.options
        reader = self._encoder
        numbers = np.unique(np.concatenate([pairs.summaries, pairs.targets])).tolist()
        tokenized = reader.tokenize([batch.texts[number] for number in numbers])
        tokens = dict(zip(numbers, tokenized, strict=True))
        groups = list(_grouped(pairs, {number: len(tokens[number]) for number in numbers}))
        key = ("token vectors", options.model, options.precision, self._layer, options.long)
        kept: dict[int, Encoded] = batch.memo(key, dict)
        for places in groups:
            wanted = {*pairs.summaries[places].tolist(), *pairs.targets[places].tolist()}
            new = [number for number in sorted(wanted - kept.keys()) if tokens[number]]
            read = reader.encode([tokens[number] for number in new], long=options.long)
            for number, text in zip(new, read, strict=True):
                kept[number] = Encoded(text.tokens, to_unit_length(text.vectors))
            yield places, kept
            if len(groups) > 1:
                kept.clear()


_Texts = Mapping[int, Encoded]


def _grouped(pairs: Pairs, lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Places of pairs by item, so many together that their texts have no more than the tokens."""
    group: list[int] = []
    held: set[int] = set()
    size = 0
    for place in np.argsort(pairs.places).tolist():
        both = {int(pairs.summaries[place]), int(pairs.targets[place])}
        more = sum(lengths[number] for number in both - held)
        if group and size + more > MOST_TOKENS:
            yield group
            group, held, size = [], set(), 0
            more = sum(lengths[number] for number in both)
        group.append(place)
        held |= both
        size += more
    if group:
        yield group
