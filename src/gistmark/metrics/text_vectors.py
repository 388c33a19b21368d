"""What metrics share that compare two texts by one vector for each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Float64, Need, Values
from gistmark.metrics.on_models import SENTENCE_ENCODER, ModelOptions, OnModel
from gistmark.metrics.targets import NEEDED, Against, Combination, combine, pair_up
from gistmark.models.windows import Long
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
            both = np.concatenate([pairs.summaries, pairs.targets])
            numbers, places = np.unique(both, return_inverse=True)
            vectors = self._unit_vectors(batch, numbers.tolist())[places]
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
        kept: dict[int, Float64] = batch.memo(key, dict)
        new = [number for number in numbers if number not in kept]
        if new:
            rows = self._embed([batch.texts[number] for number in new]).astype(np.float64)
            lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
            missing = np.full_like(rows, np.nan)
            kept.update(
                zip(new, np.divide(rows, lengths, out=missing, where=lengths > 0), strict=True)
            )
        return np.stack([kept[number] for number in numbers])
