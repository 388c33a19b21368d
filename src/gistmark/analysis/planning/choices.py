"""The power of a study of pairwise choices to tell two systems apart.

Every annotator chooses between every two of S systems about every document. A system that wins a
share of the choices against another (a tie is half a win) is that much stronger in the
Bradley-Terry model; the other systems stand half-way between the two. Of the variance of one choice

    total     share (1 - share), less a quarter of the share of ties
    document  what annotators see alike in these two summaries, less with more documents
    annotator how far one annotator favours one system, less with more annotators
    the rest  less with either

`document` and `annotator` are shares of the total: the correlation of two choices about the same
two summaries, and of two choices of one annotator between the same two systems.

Many documents of this kind are drawn: a summary is better or worse than its system by a normal
amount, on the scale on which a choice is a normal value above 0. On these a study's own statistics
are taken: the mean rank of votes within a document, and the contributions of documents to
Bradley-Terry strengths. Their means and deviations over documents go into the test of a study over
documents (`flips`). A study may headline either, so the power is the lower one. How far annotators
favour systems is drawn anew in each study, as its result holds for its own annotators.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from gistmark.analysis.planning.flips import MANY, Power, document_bounds, power_by_flips
from gistmark.analysis.ranking.bradley_terry import fit
from gistmark.analysis.ranking.pairs import document_moves
from gistmark.analysis.ranking.ranking import normalised_ranks
from gistmark.errors import UsageError
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]

DOCUMENTS = 40_000
"""How many documents are drawn."""
STUDIES_BY_T = 10_000
"""How many studies are made of them."""
_MOST_VALUES = 1_000_000
_MOST_TABLES = 8_000_000
"""With many systems there are fewer: no more cells than this in their tables of wins."""
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(64)
_CLOSEST = 0.999


@dataclass(frozen=True, slots=True)
class ChoiceSpread:
    """How far choices hang together, as shares of their variance, and the share of ties."""

    document: float = 0.0
    annotator: float = 0.0
    ties: float = 0.0

    def __post_init__(self) -> None:
        for name in ("document", "annotator", "ties"):
            if not 0 <= getattr(self, name) < 1:
                raise UsageError(f"The share {name!r} must be at least 0 and below 1.")
        if self.document + self.annotator >= 1:
            raise UsageError(
                "The correlations of documents and annotators must leave something to chance: "
                "together they must be below 1."
            )


@dataclass(frozen=True, slots=True)
class _Statistic:
    """What documents say of two systems: mean, standard error of that, deviation, and values."""

    mean: float
    error: float
    deviation: float
    values: Float64

    def studies(self, documents: int, favour: float, rng: np.random.Generator) -> Float64:
        """Studies × documents: of documents drawn, which annotators' favour moves together."""
        studies = min(STUDIES_BY_T, _MOST_VALUES // documents)
        values = self.values[rng.integers(len(self.values), size=(studies, documents))]
        return values + favour * self.mean * rng.normal(size=(studies, 1)) if favour else values


def choice_power(
    spread: ChoiceSpread,
    share: float,
    documents: int,
    annotators: int,
    systems: int,
    level: float = 0.05,
    *,
    like: float | None = None,
    seed: int = 0,
) -> Power:
    """How often a system that wins this share against another is found better; width of the share.

    Documents are drawn, and their studies tested by flips; very many are about normal. With `like`,
    documents are drawn for that share and their statistics scaled to the other: means by log odds,
    variances by share (1 - share).
    """
    share = min(max(share, 1 - share, 0.5 + 1e-6), 1 - 1e-9)
    sampled_share = like or share
    odds = share * (1 - share)
    stretch = float(special.logit(share) / special.logit(sampled_share))
    widen = float(np.sqrt(sampled_share * (1 - sampled_share) / odds))
    bounds = document_bounds(documents, level, systems, seed)
    favour = _total(share, spread.ties) * spread.annotator / annotators / (share - 0.5) ** 2
    results = []
    statistics = _statistics(spread, sampled_share, annotators, systems, seed)
    for statistic in statistics:
        mean, scale = statistic.mean * stretch, statistic.deviation * widen
        spreads = scale**2 / documents, favour * mean**2, scale
        power, error = bounds.power(mean, *spreads)
        unsure = power - bounds.power(mean - statistic.error * stretch, *spreads)[0]
        if share == sampled_share and documents <= MANY and power > 0:
            rng = generator(seed, "power", documents, annotators, systems)
            excess = bounds.power(float(statistic.values.mean()), *spreads)[0] - power
            power, error = min(
                power_by_flips(statistic.studies(documents, size, rng), level, systems, rng)
                for size in {0.0, float(np.sqrt(favour))}
            )
            power = min(max(power - excess, 0.0), 1.0)
        results.append((power, float(np.hypot(error, unsure))))
    power, error = min(results)
    return Power(power, bounds.width(statistics[-1].deviation * widen * odds), error)


def check_share(share: float, spread: ChoiceSpread) -> None:
    """Refuse a share that so many ties do not leave, a tie being half a win."""
    if share >= 1 - spread.ties / 2:
        raise UsageError(
            f"Where {100 * spread.ties:g} % of the choices are ties, each half a win, no system "
            f"can win {100 * share:g} % of them."
        )


def _total(share: float, ties: float) -> float:
    """The variance of one choice, which is 1, 0 or, for a tie, a half."""
    odds = share * (1 - share)
    return max(odds - ties / 4, 0.02 * odds)


@cache
def _statistics(
    spread: ChoiceSpread, share: float, annotators: int, systems: int, seed: int
) -> tuple[_Statistic, ...]:
    """Of mean ranks by votes, and of Bradley-Terry strengths."""
    rng = generator(seed, "choices", annotators, systems)
    size = max(min(DOCUMENTS, _MOST_TABLES // systems**2), 2_000)
    strengths = np.zeros(systems)
    strengths[:2] = special.logit(share) / 2, -special.logit(share) / 2
    shares = special.expit(strengths[:, None] - strengths[None, :])
    tables = _tables(spread, shares, annotators, size, rng)
    votes = tables.sum(axis=2)
    expected = annotators * float((shares[0] - shares[1]).sum())
    excess = votes[:, 0] - votes[:, 1] - expected
    ranks = normalised_ranks(votes)
    fitted = fit(tables.sum(axis=0)[None])[0]
    moves = document_moves(tables, fitted) * size
    return tuple(
        _steadied(values[:, 0] - values[:, 1], excess) for values in (ranks, fitted + moves)
    )


def _steadied(gaps: Float64, excess: Float64) -> _Statistic:
    """The mean by way of votes, whose true mean is told: a control variate."""
    square = float(excess @ excess)
    slope = float((gaps - gaps.mean()) @ excess) / square if square else 0.0
    rest = gaps - slope * excess
    mean, error = float(rest.mean()), float(rest.std() / np.sqrt(len(rest)))
    return _Statistic(mean, error, float(gaps.std()), gaps)


def _tables(
    spread: ChoiceSpread,
    shares: Float64,
    annotators: int,
    size: int,
    rng: np.random.Generator,
) -> Float64:
    """Documents × systems × systems: how often one won against the other, ties half."""
    systems, ties = len(shares), spread.ties
    decided = np.clip((shares - ties / 2) / (1 - ties), 1e-9, 1 - 1e-9)
    wanted = spread.document * _total(float(shares[0, 1]), ties) / (1 - ties) ** 2
    alike = _latent_correlation(float(decided[0, 1]), wanted)
    quality = rng.normal(size=(size, systems)) * np.sqrt(alike / 2)
    tables = np.zeros((size, systems, systems))
    for i, j in zip(*np.triu_indices(systems, k=1), strict=True):
        gap = special.ndtri(decided[i, j]) + quality[:, i] - quality[:, j]
        chances = special.ndtr(gap / np.sqrt(1 - alike))
        tied = rng.binomial(annotators, ties, size) if ties else np.zeros(size, np.int64)
        wins = rng.binomial(annotators - tied, chances) + tied / 2
        tables[:, i, j], tables[:, j, i] = wins, annotators - wins
    return tables


def _latent_correlation(share: float, covariance: float) -> float:
    """How alike two normal values are, of which choices with this covariance are the signs."""
    if covariance <= 0:
        return 0.0
    middle, weights = special.ndtri(share), _WEIGHTS / _WEIGHTS.sum()

    def excess(alike: float) -> float:
        chances = special.ndtr((middle + np.sqrt(alike) * _NODES) / np.sqrt(1 - alike))
        return float(weights @ chances**2) - share**2 - covariance

    if excess(_CLOSEST) <= 0:
        return _CLOSEST
    return float(optimize.brentq(excess, 0.0, _CLOSEST))
