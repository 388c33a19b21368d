"""All rankings by one kind of evidence as one family of tests.

Within a ranking p values are corrected by Holm. A study of 11 dimensions has 11 rankings, each with
a chance of 5 % of a false pair: were they independent, 1 - 0.95^11 = 43 % of such studies would
have one somewhere. Holm over all their pairs together bounds that by 5 % again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.ranking.ranking import MEAN, MEANS
from gistmark.analysis.resampling.significance import corrected_within
from gistmark.analysis.studies.records import Pair


@dataclass(frozen=True)
class Family:
    """The tested pairs of all rankings by one kind of evidence and one method."""

    by: str
    method: str
    rankings: int
    pairs: int
    significant: int

    @property
    def false_alarms(self) -> float:
        """In which share of such studies a pair differs by chance, if rankings are independent."""
        return float(1.0 - (1.0 - SIGNIFICANT) ** self.rankings)


def corrected_over_all(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs by people's evidence with `p_all`; metrics' means are no family of claims."""
    claims = [index for index, pair in enumerate(pairs) if pair.by != "scores"]
    corrected = corrected_within(
        [(pairs[index].by, _method(pairs[index])) for index in claims],
        [pairs[index].p for index in claims],
    )
    records = list(pairs)
    for index, p in zip(claims, corrected, strict=True):
        records[index] = replace(records[index], p_all=p)
    return tuple(records)


def families(pairs: Sequence[Pair]) -> Iterator[Family]:
    """By every kind of evidence, the family of its first method, where it has several rankings."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.p_all is not None:
            groups.setdefault(pair.by, []).append(pair)
    for by, group in groups.items():
        method = _method(group[0])
        family = [pair for pair in group if _method(pair) == method]
        rankings = len({pair.dimension for pair in family})
        if rankings > 1:
            p = np.array([pair.p_all for pair in family], dtype=np.float64)
            yield Family(by, method, rankings, len(p), int((p < SIGNIFICANT).sum()))


def _method(pair: Pair) -> str:
    """The method of a pair; means of dimensions are of one kind, adjusted or not."""
    return MEAN if pair.method in MEANS else pair.method
