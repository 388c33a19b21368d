"""The power of a study to tell two systems apart, and how wide its interval will be.

By ratings, every annotator rates both systems on every document. What a document and an annotator
add to both systems cancels in the difference. What is left for each of the two systems:

    the single summary   `summary`     less with more documents
    a favour of one annotator for one system   `annotator`   less with more annotators
    the rest             `residual`    less with either

For other documents alone, the test is a paired t-test over documents, and its power follows from
the noncentral t distribution. For other documents and other annotators, the test is that of the
mixed model in a study (`gistmark.analysis.variance`): the mean squares of a complete design are
independent and chi-squared, so they are sampled, and with them the variances of REML, which are
made of them, and Satterthwaite's degrees of freedom. Further systems add to what is known of the
variances.

By pairwise choices, every annotator chooses between every two of S systems about every document, in
the Bradley-Terry model. Of the variance of one choice between two systems, one of which wins with
probability p,

    total     p (1 - p), less a quarter of the share of ties
    document  what annotators see alike in these two summaries, less with more documents
    annotator how far one annotator favours one system, less with more annotators
    the rest  less with either

`document` and `annotator` are shares of the total: the correlation of two choices about the same
two summaries, and of two choices of one annotator between the same two systems. With D documents
and A annotators the share of wins has the variance

    document / D + annotator / A + rest g / (D A)

g is what the other systems add through the model, by its Fisher information: 2 / S for systems that
are close, 1 for two. They add nothing to the other parts, which two summaries or one annotator
carry into every comparison. A strength is the log odds of that share (by the delta method), tested
by Student's t: over documents with D - 1 degrees of freedom, the annotators staying the same; over
both with Satterthwaite's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from gistmark.analysis.studies.options import PairsOver
from gistmark.errors import UsageError
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Method = Literal["satterthwaite", "wald"]

SAMPLES = 4_000
_WALD = 1.96
_ROUNDS = 200
_QUANTILES = 2_000


@dataclass(frozen=True, slots=True)
class Deviations:
    """Standard deviations of ratings, as a mixed model has them.

    `summary` is what is special to one summary (document by system), `annotator` how far an
    annotator favours one system (annotator by system), `residual` all the rest.
    """

    summary: float
    residual: float
    annotator: float = 0.0

    def __post_init__(self) -> None:
        for name in ("summary", "residual", "annotator"):
            if not 0 <= getattr(self, name) < np.inf:
                raise UsageError(f"The standard deviation {name!r} must be 0 or more.")
        if self.summary == self.residual == 0:
            raise UsageError(
                "Without any spread in summaries and ratings there is nothing to plan."
            )


@dataclass(frozen=True, slots=True)
class Power:
    """How often a true difference is found significant, and the mean width of its interval."""

    power: float
    width: float


def power_over_documents(
    spread: Deviations, difference: float, documents: int, annotators: int, level: float = 0.05
) -> Power:
    """The paired t-test over documents, exactly: other documents, the same annotators."""
    variance = 2 * spread.summary**2 + 2 * spread.residual**2 / annotators
    error, freedom = np.sqrt(variance / documents), documents - 1
    critical = float(stats.t.ppf(1 - level / 2, freedom))
    power = beyond(critical, freedom, abs(difference) / error)
    return Power(power, float(2 * critical * error * _mean_deviation(freedom)))


def beyond(critical: float, freedom: float, shift: float) -> float:
    """The share of a noncentral t distribution beyond both critical values.

    By its definition, a normal over the root of a chi-squared value, at even quantiles of that:
    the distribution function of scipy is not defined where the shift is large.
    """
    quantiles = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    limits = critical * np.sqrt(stats.chi2.ppf(quantiles, freedom) / freedom)
    return float((special.ndtr(shift - limits) + special.ndtr(-shift - limits)).mean())


def _mean_deviation(freedom: int) -> float:
    """The mean of a sample's standard deviation over the true one, for normal values."""
    logs = special.gammaln((freedom + 1) / 2) - special.gammaln(freedom / 2)
    return float(np.sqrt(2 / freedom) * np.exp(logs))


def power_over_both(
    spread: Deviations,
    difference: float,
    documents: int,
    annotators: int,
    level: float = 0.05,
    *,
    systems: int = 2,
    method: Method = "satterthwaite",
    seed: int = 0,
) -> Power:
    """The test of a mixed model for other documents and other annotators, by simulation.

    `satterthwaite` is the test of a study: Satterthwaite's degrees of freedom on the variances of
    REML. `wald` takes the variances of maximum likelihood and calls a difference significant if it
    is 1.96 standard errors from 0, as Card and others (2020) did of two systems: too often with few
    annotators.
    """
    rng = generator(seed, "power", documents, annotators)
    rest = 2 * spread.residual**2
    by_annotator = rest + documents * 2 * spread.annotator**2
    by_document = rest + annotators * 2 * spread.summary**2
    cells = documents * annotators
    whole = by_annotator + by_document - rest
    estimates = abs(difference) + rng.normal(0, np.sqrt(whole / cells), SAMPLES)
    free_a, free_d = annotators - 1, documents - 1
    if method == "wald":
        # The sums of the two systems have the same residual as the differences: it counts twice.
        squares = _squares(rng, (by_annotator, by_document, rest),
                           (free_a, free_d, 2 * free_a * free_d))  # fmt: skip
        residual = squares[2] / (2 * free_a * free_d)
        a, d = _likeliest(squares[0], squares[1], residual, annotators, documents)
        critical = np.full(SAMPLES, _WALD)
    else:
        others = systems - 1
        freedoms = (free_a * others, free_d * others, free_a * free_d * others)
        squares = _squares(rng, (by_annotator, by_document, rest), freedoms)
        a, d, residual = _restricted(squares, freedoms)
        scatter = sum(mean**2 / own for mean, own in zip((a, d, residual), freedoms, strict=True))
        freedom = np.maximum((a + d - residual) ** 2 / scatter, 1.0)
        critical = np.asarray(special.stdtrit(freedom, 1 - level / 2))
    errors = np.sqrt((a + d - residual) / cells)
    significant = np.abs(estimates) > critical * errors
    return Power(float(significant.mean()), float(2 * (critical * errors).mean()))


def _squares(
    rng: np.random.Generator, expected: tuple[float, ...], freedoms: tuple[int, ...]
) -> list[Float64]:
    """Sums of squares of simulated studies, from their expected mean squares."""
    return [
        mean * rng.chisquare(own, SAMPLES) for mean, own in zip(expected, freedoms, strict=True)
    ]


def _restricted(
    squares: list[Float64], freedoms: tuple[int, ...]
) -> tuple[Float64, Float64, Float64]:
    """The expected mean squares by REML, by annotators, by documents and of the rest.

    No variance is below 0: a mean square below that of the rest is one with it, the lowest first.
    """
    means = [square / own for square, own in zip(squares, freedoms, strict=True)]
    rest, total, count = means[2], squares[2], np.full(SAMPLES, float(freedoms[2]))
    first = means[0] < means[1]
    for lower in (True, False):
        mine = first == lower
        own = np.where(mine, squares[0], squares[1])
        pooled = np.where(mine, means[0], means[1]) < rest
        total = total + np.where(pooled, own, 0.0)
        count = count + np.where(pooled, np.where(mine, freedoms[0], freedoms[1]), 0)
        rest = total / count
    return np.maximum(means[0], rest), np.maximum(means[1], rest), rest


def _likeliest(
    squares_a: Float64, squares_d: Float64, residual: Float64, annotators: int, documents: int
) -> tuple[Float64, Float64]:
    """The expected mean squares by maximum likelihood, where the mean costs a degree of freedom."""
    a = np.maximum(squares_a / annotators, residual)
    d = np.maximum(squares_d / documents, residual)
    for _ in range(_ROUNDS):
        a = np.maximum(squares_a / (annotators - 1 + a / (a + d - residual)), residual)
        d = np.maximum(squares_d / (documents - 1 + d / (a + d - residual)), residual)
    return a, d


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


def choice_power(
    spread: ChoiceSpread,
    share: float,
    documents: int,
    annotators: int,
    systems: int,
    level: float = 0.05,
    *,
    over: PairsOver = "documents",
) -> Power:
    """How often a system that wins this share against another is found better; width of the share.

    A share of one half is never found; one below it is the other's.
    """
    share = min(max(share, 1 - share), 1 - 1e-9)
    odds = share * (1 - share)
    total = max(odds - spread.ties / 4, 0.02 * odds)
    rest = total * (1 - spread.document - spread.annotator)
    parts = [
        (total * spread.document / documents, documents - 1),
        (rest * information_gain(share, systems) / (documents * annotators),
         documents * annotators - 1),
    ]  # fmt: skip
    if over == "both" and spread.annotator > 0:
        parts.append((total * spread.annotator / annotators, annotators - 1))
    variance = sum(part for part, _ in parts)
    freedom = float(documents - 1)
    if over == "both":
        freedom = max(variance**2 / sum(part**2 / own for part, own in parts), 1.0)
    error = float(np.sqrt(variance))
    critical = float(stats.t.ppf(1 - level / 2, freedom))
    shift = float(special.logit(share)) * odds / error
    return Power(beyond(critical, freedom, shift), 2 * critical * error)


@cache
def information_gain(share: float, systems: int) -> float:
    """The variance of two systems' difference among all, over that of the two alone.

    The two are as far apart as the share says, the others half-way between them; every two meet as
    often.
    """
    if systems <= 2:
        return 1.0
    half = float(special.logit(share)) / 2
    strengths = np.zeros(systems)
    strengths[:2] = half, -half
    chances = special.expit(strengths[:, None] - strengths[None, :])
    bends = chances * (1 - chances)
    np.fill_diagonal(bends, 0.0)
    information = np.diag(bends.sum(axis=1)) - bends
    inverse = np.linalg.pinv(information)
    variance = inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]
    return float(variance * share * (1 - share))
