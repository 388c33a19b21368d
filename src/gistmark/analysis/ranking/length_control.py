"""Bradley-Terry strengths with the length of summaries held constant.

People may choose a summary because it is longer. Beside the strengths s the model has a coefficient
b of the difference in length ("style control" of arena leaderboards): the left summary wins with
probability

    1 / (1 + exp(-(s_left - s_right + b x))),    x = (length_left - length_right)
                                                     / (length_left + length_right)

with x in standard deviations over the choices, never centred, so that exchanging left and right
changes nothing. Strengths are those of two equally long summaries. Fit and penalty are those of
`bradley_terry`, the penalty falling on b too; a tie is half a win for each. Intervals come from the
infinitesimal jackknife over documents: a document's choices are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from gistmark.analysis.data.columns import LEFT_WINS, Unit
from gistmark.analysis.data.weights import UNWEIGHTED, Weights
from gistmark.analysis.ranking.bradley_terry import PENALTY, Wins, count_wins, disconnected
from gistmark.analysis.resampling.bootstrap import CONFIDENCE, Interval
from gistmark.analysis.studies.records import LengthEffect
from gistmark.records import Comparison

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

METHOD = "Bradley-Terry, length-controlled"

_STEPS = 200
_LONGEST = 2.0
_ENOUGH = 1e-11
_LEAST_WITHIN = 1e-9
"""With less, the two systems alone say which of their summaries is longer, and by how much."""


@dataclass(frozen=True)
class Choices:
    """Comparisons with lengths: `gaps` is x of each, `won` the share of the win that is left's.

    `counts` are weights of choices that were not as likely as others.
    """

    documents: Int64
    lefts: Int64
    rights: Int64
    won: Float64
    gaps: Float64
    counts: Float64
    systems: int

    @cached_property
    def spread(self) -> float:
        """The standard deviation of x around 0, which is what a coefficient of 1 is about."""
        return float(np.sqrt(np.mean(self.gaps**2))) if len(self.gaps) else 0.0

    @cached_property
    def within(self) -> float:
        """The share of the variation of x that is between choices among the same two systems."""
        turned = np.where(self.lefts < self.rights, 1.0, -1.0)
        low, high = np.minimum(self.lefts, self.rights), np.maximum(self.lefts, self.rights)
        _, pairs = np.unique(low * self.systems + high, return_inverse=True)
        gaps = self.gaps * turned
        means = np.bincount(pairs, gaps) / np.bincount(pairs)
        return float(np.sum((gaps - means[pairs]) ** 2) / np.sum(gaps**2))

    @cached_property
    def design(self) -> Float64:
        """A row per choice: 1 for the left system, -1 for the right one, and x in deviations."""
        rows = np.arange(len(self.lefts))
        design = np.zeros((len(rows), self.systems + 1))
        design[rows, self.lefts] += 1.0
        design[rows, self.rights] -= 1.0
        design[:, -1] = self.gaps / self.spread if self.spread > 0 else 0.0
        return design


@dataclass(frozen=True)
class Controlled:
    """Strengths at equal lengths, and what length does.

    `moves` has a row per document: how far the strengths move when it counts a little more.
    """

    wins: Wins
    strengths: Float64
    moves: Float64
    intervals: tuple[Interval, ...]
    effect: LengthEffect


def controlled(
    comparisons: Sequence[Comparison],
    lengths: Mapping[Unit, float],
    *,
    weights: Weights = UNWEIGHTED,
) -> Controlled | LengthEffect:
    """The comparisons of one dimension; without lengths that say something, the reason alone."""
    measured = [
        vote
        for vote in comparisons
        if all(lengths.get((vote.document, s), np.nan) >= 0 for s in (vote.left, vote.right))
    ]
    wins = count_wins(measured, weights).weighted(weights)
    choices = choices_of(measured, lengths, wins, weights)
    dimension = comparisons[0].dimension
    reason = _reason(choices, wins)
    if reason is not None:
        return LengthEffect(dimension, None, None, None, None, None, len(measured), reason)
    fitted, count = fit(choices), len(wins.documents)
    moves = _moves(choices, fitted, count, PENALTY)
    half = stats.t.ppf((1 + CONFIDENCE) / 2, count - 1) * _errors(moves)
    ends = zip((fitted - half).tolist(), (fitted + half).tolist(), strict=True)
    *bounds, of_length = (Interval(low, high) for low, high in ends)
    value, [error] = float(fitted[-1]), _errors(moves[:, -1:])
    p = float(2 * stats.t.sf(abs(value) / error, count - 1)) if error > 0 else None
    effect = LengthEffect(
        dimension, value, of_length.low, of_length.high, p, choices.spread, len(measured)
    )
    return Controlled(wins, fitted[:-1], moves[:, :-1], tuple(bounds), effect)


def choices_of(
    comparisons: Sequence[Comparison],
    lengths: Mapping[Unit, float],
    wins: Wins,
    weights: Weights = UNWEIGHTED,
) -> Choices:
    """The comparisons as columns; every summary's length must be known."""
    document_weights = weights.of_documents([c.document for c in comparisons])
    counts = np.array([weights.of_comparison(c) for c in comparisons])
    documents = {name: number for number, name in enumerate(wins.documents)}
    systems = {name: number for number, name in enumerate(wins.systems)}
    left = np.array([lengths[c.document, c.left] for c in comparisons], dtype=np.float64)
    right = np.array([lengths[c.document, c.right] for c in comparisons], dtype=np.float64)
    total = left + right
    return Choices(
        np.array([documents[c.document] for c in comparisons], dtype=np.int64),
        np.array([systems[c.left] for c in comparisons], dtype=np.int64),
        np.array([systems[c.right] for c in comparisons], dtype=np.int64),
        np.array([LEFT_WINS[c.choice] for c in comparisons], dtype=np.float64),
        np.divide(left - right, total, out=np.zeros_like(total), where=total > 0),
        counts if document_weights is None else counts * document_weights,
        len(systems),
    )


def fit(choices: Choices, penalty: float = PENALTY) -> Float64:
    """Strengths and, last, the coefficient, by Newton's method on the penalised likelihood."""
    fitted = np.zeros(choices.systems + 1)
    for _ in range(_STEPS):
        slope, curve = _derivatives(choices, fitted, penalty)
        step = np.linalg.solve(curve, slope)
        longest = float(np.abs(step).max())
        fitted += step * min(1.0, _LONGEST / max(longest, _ENOUGH))
        fitted[:-1] -= fitted[:-1].mean()
        if longest < _ENOUGH:
            break
    return fitted


def _derivatives(choices: Choices, fitted: Float64, penalty: float) -> tuple[Float64, Float64]:
    """The slope of the penalised likelihood, and its negative curvature."""
    design = choices.design
    chances = special.expit(design @ fitted)
    slope = design.T @ (choices.counts * (choices.won - chances)) - 2.0 * penalty * fitted
    bends = choices.counts * chances * (1.0 - chances)
    curve = (design * bends[:, None]).T @ design + 2.0 * penalty * np.eye(len(fitted))
    return slope, curve


def _moves(choices: Choices, fitted: Float64, documents: int, penalty: float) -> Float64:
    """Documents × strengths and coefficient: H^-1 (u_d - u / D), as in `pairs.document_moves`."""
    chances = special.expit(choices.design @ fitted)
    slopes = np.zeros((documents, len(fitted)))
    wrong = choices.counts * (choices.won - chances)
    np.add.at(slopes, choices.documents, choices.design * wrong[:, None])
    curve = _derivatives(choices, fitted, penalty)[1]
    moves: Float64 = np.linalg.solve(curve, (slopes - slopes.mean(axis=0)).T).T
    return moves


def _errors(moves: Float64) -> Float64:
    count = len(moves)
    errors: Float64 = np.sqrt((moves**2).sum(axis=0) * count / (count - 1))
    return errors


def _reason(choices: Choices, wins: Wins) -> str | None:
    if not len(choices.lefts):
        return "no comparison has the texts of both summaries, so their lengths are not known"
    if len(wins.documents) < 2:
        return "all choices are about one document"
    if choices.spread == 0:
        return "the two summaries of every choice are equally long"
    if (reason := disconnected(wins.groups)) is not None:
        return reason
    if choices.within < _LEAST_WITHIN:
        return (
            "how long a summary is follows from its system alone, so length and strength cannot "
            "be told apart"
        )
    return None
