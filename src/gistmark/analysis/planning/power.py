"""The power of a study of ratings to tell two systems apart, and how wide its interval will be.

Every annotator rates every system on every document. What a document and an annotator add to both
systems cancels in their difference. What is left for each of the two systems:

    the single summary   `summary`     less with more documents
    a favour of one annotator for one system   `annotator`   less with more annotators
    the rest             `residual`    less with either

In two designs each summary has annotators of its own, and how strict they are (`severity`) does not
cancel either; it is part of the rest, and so are favours. From a `crowd` they are drawn anew for
each summary. With `one-per-document` the same people go on from document to document and get one
summary of each, as few as that takes: whom they favour on the whole stays.

The test is that of a study (`flips`): sign flips over documents, whose result holds for other
documents with the same annotators, or over documents and annotators. Whom these annotators favour
counts too: a study may have the wrong ones. `mixed_model_power` is for the contrasts of the mixed
model in a study (`gistmark.analysis.variance`): the mean squares of a complete design are
independent and chi-squared, so they are sampled, and with them the variances of REML, which are
made of them, and Satterthwaite's degrees of freedom. Further systems add to what is known of the
variances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gistmark.analysis.planning.flips import Power, crossed_bounds, document_bounds
from gistmark.analysis.resampling.bootstrap import CONFIDENCE
from gistmark.errors import UsageError
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Method = Literal["flips", "satterthwaite", "wald"]
PlanDesign = Literal["crossed", "crowd", "one-per-document"]
"""Who judges what: everybody everything, or every summary of a document by other people."""

SAMPLES = 4_000
_WALD = 1.96
_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Deviations:
    """Standard deviations of ratings, as a mixed model has them.

    `summary` is what is special to one summary (document by system), `annotator` how far an
    annotator favours one system (annotator by system), `residual` all the rest. `severity`, how
    strict annotators are, counts only where summaries have annotators of their own.
    """

    summary: float
    residual: float
    annotator: float = 0.0
    severity: float = 0.0

    def __post_init__(self) -> None:
        for name in ("summary", "residual", "annotator", "severity"):
            if not 0 <= getattr(self, name) < np.inf:
                raise UsageError(f"The standard deviation {name!r} must be 0 or more.")
        if self.summary == self.residual == 0:
            raise UsageError(
                "Without any spread in summaries and ratings there is nothing to plan."
            )


def power_over_documents(
    spread: Deviations, difference: float, documents: int, annotators: int, level: float = 0.05,
    *, systems: int = 2, design: PlanDesign = "crossed", seed: int = 0,
) -> Power:  # fmt: skip
    """The study's test over documents: how often the better system is found better."""
    rest, favour = spread.residual**2, 2 * spread.annotator**2 / annotators
    if design != "crossed":
        rest += spread.severity**2 + spread.annotator**2
        people = np.inf if design == "crowd" else systems * annotators
        favour = 2 * spread.annotator**2 / people
    variance = 2 * spread.summary**2 + 2 * rest / annotators
    scale = float(np.sqrt(variance))
    bounds = document_bounds(documents, level, systems, seed)
    power, error = bounds.power(difference, variance / documents, favour, scale)
    return Power(power, bounds.width(scale), error)


def power_over_both(
    spread: Deviations, difference: float, documents: int, annotators: int, level: float = 0.05,
    *, systems: int = 2, seed: int = 0,
) -> Power:  # fmt: skip
    """The study's test over documents and annotators."""
    rest, cells = 2 * spread.residual**2, documents * annotators
    by_document = 2 * spread.summary**2 + rest / annotators
    by_annotator = 2 * spread.annotator**2 + rest / documents
    whole = by_document / documents + by_annotator / annotators - rest / cells
    deviations = float(np.sqrt(by_document)), float(np.sqrt(by_annotator))
    bounds = crossed_bounds(documents, annotators, deviations, level, systems, seed)
    power, error = bounds.power(difference, whole)
    return Power(power, bounds.width(), error)


def mixed_model_power(
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

    `satterthwaite` is the test of a study's contrasts: Satterthwaite's degrees of freedom on the
    variances of REML. `wald` takes the variances of maximum likelihood and calls a difference
    significant if it is 1.96 standard errors from 0, as Card and others (2020) did of two systems:
    too often with few annotators. The level is that of this one pair.
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
        critical = half = np.full(SAMPLES, _WALD)
    else:
        others = systems - 1
        freedoms = (free_a * others, free_d * others, free_a * free_d * others)
        squares = _squares(rng, (by_annotator, by_document, rest), freedoms)
        a, d, residual = _restricted(squares, freedoms)
        scatter = sum(mean**2 / df for mean, df in zip((a, d, residual), freedoms, strict=True))
        freedom = np.maximum((a + d - residual) ** 2 / scatter, 1.0)
        critical = np.asarray(special.stdtrit(freedom, 1 - level / 2))
        half = np.asarray(special.stdtrit(freedom, (1 + CONFIDENCE) / 2))
    errors = np.sqrt((a + d - residual) / cells)
    power = float((np.abs(estimates) > critical * errors).mean())
    error = float(np.sqrt(power * (1 - power) / SAMPLES))
    return Power(power, float(2 * (half * errors).mean()), error)


def _squares(
    rng: np.random.Generator, expected: tuple[float, ...], freedoms: tuple[int, ...]
) -> list[Float64]:
    """Sums of squares of simulated studies, from their expected mean squares."""
    return [mean * rng.chisquare(df, SAMPLES) for mean, df in zip(expected, freedoms, strict=True)]


def _restricted(
    squares: list[Float64], freedoms: tuple[int, ...]
) -> tuple[Float64, Float64, Float64]:
    """The expected mean squares by REML, by annotators, by documents and of the rest.

    No variance is below 0: a mean square below that of the rest is one with it, the lowest first.
    """
    means = [square / df for square, df in zip(squares, freedoms, strict=True)]
    rest, total, count = means[2], squares[2], np.full(SAMPLES, float(freedoms[2]))
    first = means[0] < means[1]
    for lower in (True, False):
        of_annotators = first == lower
        pooled = np.where(of_annotators, means[0], means[1]) < rest
        total = total + np.where(pooled, np.where(of_annotators, *squares[:2]), 0.0)
        count = count + np.where(pooled, np.where(of_annotators, *freedoms[:2]), 0)
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
