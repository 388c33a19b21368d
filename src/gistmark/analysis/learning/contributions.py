"""What makes the value of a learnt metric, summary by summary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gistmark.records import CONTRIBUTIONS, Part
from gistmark.scoring import Scores


@dataclass(frozen=True, slots=True)
class Contribution:
    """The value of a summary by a learnt metric, its standard deviation, and what adds up to it.

    Without a document, they are the means over all summaries of the system.
    """

    metric: str
    document: str | None
    system: str
    value: float
    sd: float
    content: float
    support: float
    repetition: float
    order: float
    copying: float
    style: float


_PARTS: tuple[Part, ...] = ("value", "sd", *CONTRIBUTIONS)


def contributions(scores: Scores | None) -> Iterator[Contribution]:
    """A record for each learnt metric and system, then for each summary.

    A metric is learnt if its values have these parts.
    """
    if scores is None:
        return
    for name, column in scores.columns.items():
        if not {*_PARTS} <= {*column.parts}:
            continue
        values = np.column_stack([column.part(part) for part in _PARTS])
        scored = np.isfinite(values).all(axis=1)
        systems = np.array(scores.systems, dtype=object)
        for system in dict.fromkeys(systems[scored].tolist()):
            means = values[scored & (systems == system)].mean(axis=0)
            yield Contribution(name, None, system, *map(float, means))
        for row in np.flatnonzero(scored).tolist():
            yield Contribution(
                name, scores.documents[row], scores.systems[row], *map(float, values[row])
            )
