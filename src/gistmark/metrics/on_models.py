"""What metrics that run a neural model share: its choice, and its place in the signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gistmark.metrics.metric import Metric
from gistmark.models.devices import Precision
from gistmark.models.loading import label_of
from gistmark.options import option
from gistmark.signature import without_hash

SENTENCE_ENCODER = "all-MiniLM-L6-v2"
LANGUAGE_MODEL = "SmolLM2-135M-Instruct"


@dataclass(frozen=True)
class ModelOptions:
    """Options of every metric on a model; a subclass gives `model` its default."""

    model: str = option("", "a known model, a model folder, or a name on the hub")
    precision: Precision = option("full", "numbers of 32 bits, or of 16 on a GPU")

    def __post_init__(self) -> None:
        """A name with the hash that a signature shows means the same as the name alone."""
        object.__setattr__(self, "model", without_hash(self.model))


class OnModel(Metric):
    """A metric whose signature tells the model with the start of its hash."""

    block_size = 32
    tolerance = 1e-4
    Options: ClassVar[type[Any]] = ModelOptions

    def _shown(self) -> dict[str, str]:
        return {"model": label_of(self.options.model)}
