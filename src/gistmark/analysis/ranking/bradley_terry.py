"""Bradley-Terry strengths of systems from pairwise comparisons.

The model (Bradley and Terry 1952): i wins against j with probability 1 / (1 + exp(s_j - s_i)).
Strengths are those of largest penalised likelihood, the penalty being `penalty` * sum s_i^2: it
keeps a system finite that has won or lost everything, and sets the mean strength to 0. The same
penalty is choix's `alpha`; choix fits one table per call in Python, and a bootstrap needs a
thousand, so Newton's method runs on all tables at once here. A tie is half a win for each side,
which leaves the strengths of two systems as far apart as their shares of wins say.

Strengths know whom a system met, and shares of votes do not: who met weak systems more often wins
more votes. So strengths lead a ranking unless systems `met_equally`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.columns import LEFT_WINS
from gistmark.analysis.data.weights import UNWEIGHTED, Weights
from gistmark.analysis.resampling.bootstrap import NO_INTERVAL, Interval, Resampling, intervals
from gistmark.judgements.adaptive.strengths import PENALTY as PENALTY
from gistmark.judgements.adaptive.strengths import fit as fit
from gistmark.records import Comparison

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

METHOD = "Bradley-Terry"

NEVER_COMPARED = "systems of different groups were never compared, not even through others"

ABOUT_EQUALLY = 1.25
"""Pairs met about equally often where none did so a quarter more often than another."""


@dataclass(frozen=True)
class Wins:
    """`tables[d, i, j]` counts how often system i won against system j about document d.

    A tie is half a win for each. Where comparisons or documents are weighted, `counted` is how
    many comparisons each system has without that.
    """

    documents: tuple[str, ...]
    systems: tuple[str, ...]
    tables: Float64
    counted: Int64 | None = None

    @property
    def games(self) -> Int64:
        """How many comparisons each system has."""
        if self.counted is not None:
            return self.counted
        total = self.tables.sum(axis=0)
        games: Int64 = (total + total.T).sum(axis=1).astype(np.int64)
        return games

    @property
    def counts(self) -> Float64:
        """How many comparisons every two systems have, weights included."""
        total: Float64 = self.tables.sum(axis=0)
        return total + total.T

    def among(self, systems: Sequence[str]) -> Wins:
        """The wins with these systems in this order; who has no comparison has no win."""
        selection = np.zeros((len(self.systems), len(systems)))
        for row, name in enumerate(self.systems):
            selection[row, systems.index(name)] = 1.0
        return Wins(self.documents, tuple(systems), selection.T @ self.tables @ selection)

    def weighted(self, weights: Weights) -> Wins:
        """The wins with each document counting as its weight says."""
        documents = weights.of_documents(self.documents)
        if documents is None:
            return self
        return replace(self, tables=self.tables * documents[:, None, None], counted=self.games)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The systems that meet, directly or through others; more than one group is a problem."""
        total = self.tables.sum(axis=0)
        meets = (total + total.T > 0) | np.eye(len(total), dtype=np.bool_)
        for _ in range(max(len(total) - 1, 0).bit_length()):
            meets = meets @ meets
        groups = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in meets)
        return tuple(tuple(self.systems[index] for index in group) for group in groups)


@dataclass(frozen=True)
class Strengths:
    """A strength per system, with intervals over documents where a bootstrap was asked for.

    With several `groups` that never met, only strengths within a group can be compared; `reason`
    then names the groups. `n` counts the comparisons of each system.
    """

    systems: tuple[str, ...]
    values: Float64
    intervals: tuple[Interval, ...]
    n: Int64
    groups: tuple[tuple[str, ...], ...]
    reason: str | None = None


def strengths_of(
    wins: Wins, *, resampling: Resampling | None = None, penalty: float = PENALTY
) -> Strengths:
    """The strengths of all systems by tables of wins."""
    total = wins.tables.sum(axis=0)
    values = fit(total[None], penalty)[0]
    bounds: tuple[Interval, ...] = (NO_INTERVAL,) * len(values)
    if resampling is not None and len(wins.documents):
        counts = resampling.draw_documents(len(wins.documents)).astype(np.float64)
        draws = counts @ wins.tables.reshape(len(wins.documents), -1)
        bounds = tuple(intervals(fit(draws.reshape(-1, *total.shape), penalty)))
    groups = wins.groups
    return Strengths(wins.systems, values, bounds, wins.games, groups, disconnected(groups))


def count_wins(comparisons: Sequence[Comparison], weights: Weights | None = None) -> Wins:
    """The comparisons as tables, one per document; each counts as its choice has to be weighted."""
    documents: dict[str, int] = {}
    systems: dict[str, int] = {}
    for comparison in comparisons:
        documents.setdefault(comparison.document, len(documents))
        systems.setdefault(comparison.left, len(systems))
        systems.setdefault(comparison.right, len(systems))
    tables = np.zeros((len(documents), len(systems), len(systems)))
    counted = None
    if comparisons:
        rows = [(documents[c.document], systems[c.left], systems[c.right]) for c in comparisons]
        document, left, right = np.array(rows).T
        shares = np.array([LEFT_WINS[c.choice] for c in comparisons])
        counts = np.ones(len(comparisons))
        if weights is not None and weights.choices:
            counts = np.array([weights.of_comparison(c) for c in comparisons])
            counted = np.bincount(np.concatenate([left, right]), minlength=len(systems))
        np.add.at(tables, (document, left, right), shares * counts)
        np.add.at(tables, (document, right, left), (1.0 - shares) * counts)
    return Wins(tuple(documents), tuple(systems), tables, counted)


def met_equally(wins: Wins, weights: Weights = UNWEIGHTED) -> bool:
    """Whether every two systems met, and all about equally often (`ABOUT_EQUALLY`).

    Two things must be alike for all pairs, because a share of votes is taken document by document:
    how much of a system's share rests on the other one (the mean over its documents of the share
    of its comparisons there), and about how many documents both were compared with anyone.
    """
    games = wins.tables + wins.tables.swapaxes(1, 2)
    played = games.sum(axis=2)
    there = (played > 0).astype(np.float64)
    documents = weights.of_documents(wins.documents)
    counted = there if documents is None else there * documents[:, None]
    faced = np.einsum("dij,di->ij", games, np.nan_to_num(quotient(counted, played)))
    others = ~np.eye(len(wins.systems), dtype=np.bool_)
    alike = (quotient(faced, counted.sum(axis=0)[:, None])[others], (counted.T @ there)[others])
    return all(v.max(initial=0.0) <= ABOUT_EQUALLY * v.min(initial=np.inf) for v in alike)


def disconnected(groups: Sequence[Sequence[str]]) -> str | None:
    """Why systems cannot be compared, if there are several groups of them."""
    if len(groups) < 2:
        return None
    named = " and ".join(f"{{{', '.join(group)}}}" for group in groups)
    return f"{NEVER_COMPARED}: {named}"
