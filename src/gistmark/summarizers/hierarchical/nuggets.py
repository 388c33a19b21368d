"""The first step of every hierarchical system: which sentences are nuggets."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import fill
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.ranking import Float64, best_first

MOST = 300
"""No hierarchy has more nuggets: clustering many thousands takes minutes and gives no more to
choose from for a summary that people read."""


def select(
    relevance: Float64, candidates: Sequence[Sentence], limit: Limit, share: float
) -> list[int]:
    """The most relevant candidates, best first; of equal ones the earlier.

    They are the given share of all, but enough to fill the limit and never more than `MOST`.
    """
    ranked: list[int] = best_first(relevance).tolist()
    enough = len(fill(ranked, candidates, limit))
    return ranked[: min(MOST, max(enough, ceil(share * len(ranked))))]
