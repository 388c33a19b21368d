"""Who rated what: ratings as arrays, and the random terms that a design can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]
Factor = Literal["system", "annotator", "document"]

TERMS: Mapping[str, tuple[Factor, ...]] = {
    "annotator": ("annotator",),
    "document": ("document",),
    "annotator:document": ("annotator", "document"),
    "document:system": ("document", "system"),
    "annotator:system": ("annotator", "system"),
}
"""The random terms of a model: `document:system` is the single summary, `annotator:system` how far
an annotator favours a system."""

RESIDUAL = "residual"
FAVOUR = "annotator:system"

MOST_CELLS = 1_200
MOST_WORK = 500_000
"""Where ratings are missing, favour has a term only with no more annotators × systems than the
first, and no more squared ratings of a document, summed over documents, than the second: solving
the model would take minutes."""


@dataclass(frozen=True, eq=False)
class Observations:
    """Ratings as arrays: a value, and the number of its system, annotator and document."""

    value: Float64
    system: Int64
    annotator: Int64
    document: Int64

    def codes(self, factors: Sequence[Factor]) -> Int64:
        """The numbers of the levels of crossed factors, from 0."""
        code = np.zeros(len(self.value), dtype=np.int64)
        for factor in factors:
            levels = getattr(self, factor)
            code = code * (int(levels.max()) + 1) + levels
        return np.unique(code, return_inverse=True)[1].astype(np.int64)

    def levels(self, *factors: Factor) -> int:
        """How many levels crossed factors have."""
        return int(self.codes(factors).max()) + 1

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The numbers of systems, annotators and documents."""
        systems, annotators, documents = (
            int(each.max()) + 1 for each in (self.system, self.annotator, self.document)
        )
        return systems, annotators, documents

    @property
    def is_complete(self) -> bool:
        """Whether every annotator rated every system on every document, once."""
        whole = int(np.prod(self.sizes)) == len(self.value)
        return whole and self.levels("system", "annotator", "document") == len(self.value)


def identifiable(data: Observations) -> tuple[str, ...]:
    """Those of all random terms that the design can tell from the residual and from each other.

    Annotators and documents are where there are several. With several of both, so are interactions
    of which some level has more than one rating, and which are more than their two factors.
    """
    both = bool(data.annotator.max() > 0 and data.document.max() > 0)

    def separable(name: str) -> bool:
        factors = TERMS[name]
        if len(factors) == 1:
            return bool(getattr(data, factors[0]).max() > 0)
        if name == FAVOUR and not _is_affordable(data):
            return False
        repeated = data.levels(*factors) < len(data.value)
        return both and repeated and interaction_freedom(data, factors) > 0

    return tuple(filter(separable, TERMS))


def _is_affordable(data: Observations) -> bool:
    """Whether a model with a term for favour is solved in seconds."""
    if data.is_complete:
        return True
    work = int((np.bincount(data.document).astype(np.int64) ** 2).sum())
    return work <= MOST_WORK and data.levels(*TERMS[FAVOUR]) <= MOST_CELLS


def interaction_freedom(data: Observations, factors: Sequence[Factor]) -> int:
    """The degrees of freedom of an interaction: levels that its two factors leave unexplained."""
    one, other = (data.codes((factor,)) for factor in factors)
    size = int(one.max()) + 1
    total = size + int(other.max()) + 1
    graph = coo_array((np.ones(len(one)), (one, size + other)), shape=(total, total))
    parts = int(connected_components(graph, directed=False)[0])
    return data.levels(*factors) - total + parts
