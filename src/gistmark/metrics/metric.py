"""What a metric is: a name, what it needs, options, a signature, and `score(batch)`.

A plugin subclasses `Metric` and names the class in the entry-point group `gistmark.metrics`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.options import ModelOptions
from gistmark.models.loading import label_of
from gistmark.options import Configured
from gistmark.records import Part

Need = Literal["references", "documents", "highlights", "units"]
Better = Literal["higher", "lower", "neither"]
Float64 = NDArray[np.float64]

DEFAULT_BLOCK_SIZE = 4096
"""Twice as many would take a quarter more time, because new memory is not in the cache."""

PRECISION_RECALL_F: tuple[Part, ...] = ("precision", "recall", "f")


@dataclass(frozen=True)
class Values:
    """A metric's values for a batch: one row per item, one column per part.

    A row that could not be scored is NaN, and `reasons` says why in words. The reason for a
    `transient` row may be gone next time, so that it is not cached.
    """

    values: Float64
    reasons: dict[int, str] = field(default_factory=dict)
    transient: frozenset[int] = frozenset()

    def rows(self, rows: range) -> Values:
        """The values of some rows."""
        reasons = {i - rows.start: why for i, why in self.reasons.items() if i in rows}
        transient = frozenset(i - rows.start for i in self.transient if i in rows)
        return Values(self.values[rows.start : rows.stop], reasons, transient)


class Metric(Configured, ABC):
    """A metric with its options set.

    `about` says in a sentence or two what it measures, its range and its direction. `better` is
    `higher`, `lower`, or `neither` for plain descriptions such as a length. `range` is that of
    every part but the counts. `block_size` is how many summaries it gets at a time at the most: a
    slow metric wants few, because an interrupted run loses those under way. `tolerance` is how much
    a value may depend on what else is in the batch, because a model then sums its numbers in
    another order.
    """

    family: ClassVar[str]
    about: ClassVar[str]
    parts: tuple[Part, ...] = ("value",)
    better: ClassVar[Better] = "higher"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    block_size: ClassVar[int] = DEFAULT_BLOCK_SIZE
    tolerance: ClassVar[float] = 1e-9

    @property
    @abstractmethod
    def needs(self) -> frozenset[Need]:
        """What must be there besides the summary for a value."""

    @property
    def reads(self) -> frozenset[Need]:
        """What a value depends on besides the summary: what it needs, and what it may use.

        Most metrics use only what they need. The cache tells items apart by this.
        """
        return self.needs

    @abstractmethod
    def score(self, batch: Batch) -> Values:
        """The values of every item of the batch, each independent of the others."""

    def announce(self, batch: Batch) -> None:
        """Announce what `score` will need, before any metric of a run scores the batch.

        In this way metrics that share expensive work have it done once for all of them.
        """

    def for_corpus(self, batches: Callable[[], Iterable[Batch]]) -> Metric:
        """The metric to score a whole corpus with, which `batches` covers.

        Most are the same for every corpus. One that weighs words by how rare they are in all of it
        looks through it here, and records a hash of that corpus in its signature.
        """
        return self

    @classmethod
    def variants(cls, spec: str) -> tuple[str, ...]:
        """The specs of the metrics that one spec stands for: usually itself alone."""
        return (spec,)

    @property
    def main_part(self) -> Part:
        """The part that a leaderboard shows: F where there is one."""
        return "f" if "f" in self.parts else self.parts[0]

    @property
    def card(self) -> tuple[str, ...]:
        """What users should know about the training of a trained metric, line by line."""
        return ()

    def _signed_as(self) -> str:
        return self.family


class OnModel(Metric):
    """A metric whose signature names the model, with the start of its hash."""

    block_size = 32
    tolerance = 1e-4
    Options: ClassVar[type[Any]] = ModelOptions

    def _shown(self) -> dict[str, str]:
        return {"model": label_of(self.options.model)}
