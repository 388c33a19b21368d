"""How often people preferred one system to another, how often neither, and how strongly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gistmark.records import Comparison


@dataclass(frozen=True, slots=True)
class Preference:
    """The votes between two systems in one dimension.

    `strength` is the mean strength of preference for `left`, over votes with a strength and over
    ties, which count 0; where `right` was preferred it counts negated. It is None where nobody
    gave a strength.
    """

    dimension: str
    left: str
    right: str
    left_wins: int
    right_wins: int
    ties: int
    n: int
    strength: float | None


def preferences(comparisons: Iterable[Comparison]) -> list[Preference]:
    """The votes of every two systems that met, in dimensions where there is a tie or a strength.

    In other dimensions the ranking has all there is to say. Of two systems, the one that won more
    often is `left`.
    """
    groups: dict[str, dict[tuple[str, str], _Votes]] = {}
    for vote in comparisons:
        pairs = groups.setdefault(vote.dimension, {})
        key = min((vote.left, vote.right), (vote.right, vote.left))
        pairs.setdefault(key, _Votes()).add(vote, key[0])
    return [
        record
        for dimension, pairs in groups.items()
        if any(votes.ties or votes.strengths for votes in pairs.values())
        for record in _records(dimension, pairs)
    ]


class _Votes:
    """The votes on one pair, counted from the side of its first system."""

    def __init__(self) -> None:
        self.wins = self.losses = self.ties = self.strengths = 0
        self.sum = 0

    def add(self, vote: Comparison, first: str) -> None:
        if vote.choice == "tie":
            self.ties += 1
            return
        won = vote.winner == first
        self.wins += won
        self.losses += not won
        if vote.strength is not None:
            self.strengths += 1
            self.sum += vote.strength if won else -vote.strength


def _records(dimension: str, pairs: dict[tuple[str, str], _Votes]) -> Iterator[Preference]:
    weighed = any(votes.strengths for votes in pairs.values())
    for (first, second), votes in pairs.items():
        turned = votes.losses > votes.wins
        count = votes.strengths + votes.ties
        mean = votes.sum / count if weighed and count else None
        yield Preference(
            dimension=dimension,
            left=second if turned else first,
            right=first if turned else second,
            left_wins=max(votes.wins, votes.losses),
            right_wins=min(votes.wins, votes.losses),
            ties=votes.ties,
            n=votes.wins + votes.losses + votes.ties,
            strength=-mean if turned and mean else mean,
        )
