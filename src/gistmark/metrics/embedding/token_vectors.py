"""What metrics that compare two texts by the vectors of their tokens share.

These are the layer of a model that the vectors come from, and the weight of each token: all alike,
or by its rareness in a collection of texts. The usual layer of a model is the one whose tokens
match best with what people say. The numbers are those of bert-score 0.3.13, whose authors measured
them on the translations of WMT16; they hold for a model whatever account or folder it is in, as
long as it bears its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import ceil, log
from typing import Any, ClassVar, Self

import numpy as np

from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Float64, Need, OnModel
from gistmark.metrics.options import SENTENCE_ENCODER, Against, Combination, ModelOptions
from gistmark.metrics.targets import NEEDED, Pairs, pair_up
from gistmark.models.encoders import Encoded, Encoder, Float32, Long, Tokens, encoder, layer_count
from gistmark.models.loading import source_of
from gistmark.options import option
from gistmark.runtime.files import user_path
from gistmark.signature import without_hash

_BEST_LAYERS: Mapping[str, int] = {
    "bert-base-uncased": 9, "bert-large-uncased": 18, "bert-base-cased-finetuned-mrpc": 9,
    "bert-base-multilingual-cased": 9, "bert-base-chinese": 8, "bert-base-turkish-cased": 10,
    "roberta-base": 10, "roberta-large": 17, "roberta-large-mnli": 19,
    "roberta-base-openai-detector": 7, "roberta-large-openai-detector": 15,
    "xlm-roberta-base": 9, "xlm-roberta-large": 17, "xlnet-base-cased": 5, "xlnet-large-cased": 7,
    "scibert_scivocab_uncased": 8, "scibert_scivocab_cased": 9,
    "distilroberta-base": 5, "distilbert-base-uncased": 5,
    "distilbert-base-multilingual-cased": 5,
    "albert-base-v1": 10, "albert-large-v1": 17, "albert-xlarge-v1": 16, "albert-xxlarge-v1": 8,
    "albert-base-v2": 9, "albert-large-v2": 14, "albert-xlarge-v2": 13, "albert-xxlarge-v2": 8,
    "electra-small-discriminator": 11, "electra-base-discriminator": 9,
    "electra-large-discriminator": 14, "electra-small-generator": 9, "electra-base-generator": 10,
    "electra-large-generator": 18,
    "bart-base": 6, "bart-large": 10, "bart-large-cnn": 10, "bart-large-mnli": 11,
    "bart-large-xsum": 9, "mbart-large-cc25": 12, "mbart-large-50": 12,
    "t5-small": 6, "t5-base": 11, "t5-large": 23,
    "mt5-small": 8, "mt5-base": 11, "mt5-large": 19, "mt5-xl": 24,
    "byt5-small": 1, "byt5-base": 17, "byt5-large": 30,
    "bertweet-base": 9, "finbert": 10,
    "deberta-base": 9, "deberta-base-mnli": 9, "deberta-large": 16, "deberta-large-mnli": 18,
    "deberta-xlarge": 18, "deberta-xlarge-mnli": 40,
    "deberta-v2-xlarge": 10, "deberta-v2-xlarge-mnli": 17, "deberta-v2-xxlarge": 21,
    "deberta-v2-xxlarge-mnli": 22, "deberta-v3-xsmall": 10, "deberta-v3-small": 4,
    "deberta-v3-base": 9, "deberta-v3-large": 12, "mdeberta-v3-base": 10,
    "mpnet-base": 8, "squeezebert-uncased": 9, "conv-bert-base": 10,
    "pegasus-large": 8, "pegasus-xsum": 11, "pegasus_paraphrase": 15,
    "led-base-16384": 6, "longformer-base-4096": 7, "longformer-large-4096": 14,
    "bigbird-roberta-base": 10, "bigbird-roberta-large": 14,
    "spanbert-base-cased": 8, "spanbert-large-cased": 17,
    "unsup-simcse-bert-base-uncased": 10, "unsup-simcse-roberta-large": 13,
    "sup-simcse-bert-base-uncased": 10, "sup-simcse-bert-large-uncased": 18,
    "sup-simcse-roberta-base": 10, "sup-simcse-roberta-large": 16,
}  # fmt: skip


def usual_layer(model: str, layers: int) -> int:
    """The default layer of a model with so many layers.

    For a model that nobody measured it is the one three quarters up, rounded up. That is where
    most of the measured ones are best: layer 9 of 12, 18 of 24, 5 of 6, 3 of 4. The embedded
    all-MiniLM-L6-v2 is one of these, with layer 5 of 6.
    """
    name = model.rstrip("/").rpartition("/")[2]
    best = _BEST_LAYERS.get(name, layers + 1)
    return best if best <= layers else ceil(layers * 3 / 4)


@dataclass(frozen=True)
class Collection:
    """Texts in which tokens are counted; `label` is what a signature calls them."""

    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Weights:
    """The weights of the `known` tokens by number; `unseen` is that of all others."""

    known: Mapping[int, float]
    unseen: float

    def of(self, tokens: Tokens) -> Float64:
        """The weights of the tokens of a text, in order."""
        return np.array([self.known.get(token, self.unseen) for token in tokens], dtype=np.float64)


def equal_weights(encoder: Encoder) -> Weights:
    """All tokens count alike, but those that mark the start and the end of a text not at all."""
    return Weights(dict.fromkeys(encoder.separators, 0.0), 1.0)


def rareness(encoder: Encoder, texts: Sequence[str], *, long: Long) -> Weights:
    """Inverse document frequency: log((N + 1) / (n + 1)) for a token in n of the N texts.

    Special tokens are in all texts, so they weigh nothing. With `long` as `cut`, only what the
    model reads of a text is counted.
    """
    counts: Counter[int] = Counter()
    for tokens in encoder.tokenize(texts):
        counted = tokens[: encoder.capacity] if long == "cut" else tokens
        counts.update({*encoder.before, *counted, *encoder.after})
    size = len(texts) + 1
    weights = {token: log(size / (count + 1)) for token, count in counts.items()}
    return Weights(weights, log(size))


def collection_of(texts: Iterable[str], name: str) -> Collection:
    """Texts under a name; the label has the start of a hash, which their order does not change."""
    non_blank = sorted(text for text in texts if text.strip())
    digest = sha256()
    for text in non_blank:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return Collection(f"{name}@{digest.hexdigest()[:12]}", tuple(non_blank))


def read_collection(file: str) -> Collection:
    """The texts of a file, one on each line."""
    path = user_path(file)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"idf: {file!r} is neither no nor corpus, and no file of texts can be read there: "
            f"{_reason(error)}."
        ) from None
    collection = collection_of(lines, path.name)
    if not collection.texts:
        raise UsageError(f"idf: the file {file} has no text; write one text on each line.")
    return collection


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8"


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
        fields = super()._shown()
        if self._collection is not None:
            fields["idf"] = self._collection.label
        # A signature is never an error, and never a reason to fetch a model.
        if not fields["model"].endswith("@missing"):
            with suppress(GistmarkError):
                fields["layer"] = str(self._layer)
        return fields

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
        """Indexes of pairs, some at a time, and the texts of those by number, with unit vectors.

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
        memo: dict[int, Encoded] = batch.memo(key, dict)
        for indexes in groups:
            group_texts = {*pairs.summaries[indexes].tolist(), *pairs.targets[indexes].tolist()}
            new = [number for number in sorted(group_texts - memo.keys()) if tokens[number]]
            encoded = reader.encode([tokens[number] for number in new], long=options.long)
            for number, text in zip(new, encoded, strict=True):
                memo[number] = Encoded(text.tokens, to_unit_length(text.vectors))
            yield indexes, memo
            if len(groups) > 1:
                memo.clear()


_Texts = Mapping[int, Encoded]


def _grouped(pairs: Pairs, lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Indexes of pairs in groups whose texts have at most `MOST_TOKENS` tokens together."""
    group: list[int] = []
    texts: set[int] = set()
    size = 0
    for index in np.argsort(pairs.order).tolist():
        pair_texts = {int(pairs.summaries[index]), int(pairs.targets[index])}
        new_tokens = sum(lengths[number] for number in pair_texts - texts)
        if group and size + new_tokens > MOST_TOKENS:
            yield group
            group, texts, size = [], set(), 0
            new_tokens = sum(lengths[number] for number in pair_texts)
        group.append(index)
        texts |= pair_texts
        size += new_tokens
    if group:
        yield group


def to_unit_length(vectors: Float32) -> Float32:
    """Vectors brought to length 1; one without length stays as it is."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    units: Float32 = np.divide(vectors, lengths, out=vectors.copy(), where=lengths > 0)
    return units
