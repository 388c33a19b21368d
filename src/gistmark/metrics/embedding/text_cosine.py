"""The cosine of two texts by one vector for each: of a sentence encoder, or of [CLS].

Sentence encoders are those of Reimers and Gurevych, "Sentence-BERT: Sentence Embeddings using
Siamese BERT-Networks" (2019), and their successors in the package sentence-transformers. The EMFoS
thesis also takes the last layer's vector of `[CLS]`, the token that BERT puts before every text and
RoBERTa calls `<s>`, for the whole text.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Float64, Need, OnModel, Values
from gistmark.metrics.options import SENTENCE_ENCODER, Against, Combination, ModelOptions
from gistmark.metrics.targets import NEEDED, combine, pair_up
from gistmark.models.encoders import Long, encoder
from gistmark.models.sentence_encoders import sentence_encoder
from gistmark.options import option

NO_VECTOR = "the summary or its target has nothing that the model reads"


@dataclass(frozen=True)
class TextVectorOptions(ModelOptions):
    """Options of metrics on one vector for each text."""

    model: str = option(SENTENCE_ENCODER, "a known model, a model folder, or a name on the hub")
    long: Long = option("windows", "read texts too long for the model in windows, or cut them off")
    against: Against = option("references", "what the summary is compared with")
    refs: Combination = option("max", "how several references are combined")


class OnTextVectors(OnModel):
    """The cosine of two texts' vectors, -1 to 1; a text that is empty has none."""

    range = (-1.0, 1.0)
    Options: ClassVar[type[Any]] = TextVectorOptions

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    @abstractmethod
    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each of some texts; not numbers where there is nothing to read."""

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        cosines = np.full(len(pairs.items), np.nan)
        if len(pairs.items):
            both_sides = np.concatenate([pairs.summaries, pairs.targets])
            numbers, inverse = np.unique(both_sides, return_inverse=True)
            vectors = self._unit_vectors(batch, numbers.tolist())[inverse]
            left, right = np.split(vectors, 2)
            cosines = np.clip(np.einsum("ij,ij->i", left, right), *self.range)
        return combine(
            pairs, cosines[:, None], size=len(batch), usable=np.isfinite(cosines),
            unusable=NO_VECTOR, how=self.options.refs,
        )  # fmt: skip

    def _unit_vectors(self, batch: Batch, numbers: list[int]) -> Float64:
        """The vectors of some texts of the batch, each made once for all metrics on this model."""
        options = self.options
        key = (self.family, options.model, options.precision, options.long)
        memo: dict[int, Float64] = batch.memo(key, dict)
        new = [number for number in numbers if number not in memo]
        if new:
            rows = self._embed([batch.texts[number] for number in new]).astype(np.float64)
            lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
            undefined = np.full_like(rows, np.nan)
            memo.update(
                zip(new, np.divide(rows, lengths, out=undefined, where=lengths > 0), strict=True)
            )
        return np.stack([memo[number] for number in numbers])


class SentenceCosine(OnTextVectors):
    """The cosine of the vectors that a sentence encoder has for the summary and its target.

    A text that is too long for the model is read in pieces, and its vector is the mean of theirs,
    weighted by their tokens; with `long=cut` the rest is not read, as sentence-transformers does.
    Where either text is empty, the value is missing.
    """

    family = "sentence-cosine"
    about = "Cosine of the vectors of the summary and its target by a sentence encoder, -1 to 1."

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        model = sentence_encoder(self.options.model, self.options.precision)
        return model.embed(texts, long=self.options.long)


class ClsCosine(OnTextVectors):
    """The cosine of the vectors of the first token, which is `[CLS]` in models of BERT's kind.

    In a text that is too long for the model every window has a first token of its own, and their
    mean is taken, weighted by the tokens that each window stands for; with `long=cut` the rest is
    not read. Where either text is empty, the value is missing. Of a model that puts no token
    before a text, such as T5, the first token of the text itself is taken.
    """

    family = "cls-cosine"
    about = "Cosine of the [CLS] vectors of the summary and its target by an encoder, -1 to 1."

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        model = encoder(self.options.model, self.options.precision)
        tokenized = model.tokenize(texts)
        rows = np.full((len(texts), model.network.config.hidden_size), np.nan, dtype=np.float32)
        readable = [index for index, tokens in enumerate(tokenized) if tokens]
        if readable:
            tokens = [tokenized[index] for index in readable]
            rows[readable] = model.first_vectors(tokens, long=self.options.long)
        return rows
