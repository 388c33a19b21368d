"""Fitting a learnt metric: a ridge regression on people's scores whose weights keep their sign.

Of several data sets with features X and people's scores y, all standardised within a data set (or
within a document, where it has enough summaries), and of summaries spoiled on purpose, w minimises

      mean over data sets of the mean of (y - Xw)²
    + sum over features of ridge (w - prior)²
    + spoiling × mean over kinds of spoiling of the mean of max(0, margin - (x - x')w)²
    with w ≥ 0.01

where x' is a spoiled version of x, and every feature is turned so that more is better: the metric
rises with each. `prior` gives the main features the same weight, since these follow people well by
themselves; all others have theirs from the data. Features that look at the summary alone mean the
same in every data set, so a small ridge holds them; the others hang on what summaries are compared
with, be it a document, a reference or a lead, and take a larger one. A feature that a data set
lacks learns nothing from it.

A copied lead has no part in it. The weight of the feature `lead` is found last, with the others as
they are: as large as it takes for eight in ten copies not to score higher than the good summaries
in whose place they stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gistmark.metrics.learnt.features import COPYING, Feature
from gistmark.metrics.options import Against

Float64 = NDArray[np.float64]

CLIPS: Mapping[Against, float] = {"document": 5.0, "references": 3.0}
"""How many standard deviations a feature counts at the most, in either direction. Against documents
data sets differ in their means, so within three a whole one may look the same."""

LEAST_WEIGHT = 0.01
"""What every feature weighs at the least: whatever gets worse about a summary lowers its value."""

COPIED = "lead"
"""The kind of spoiling that the group `copying` is there to see."""

COPIES_BELOW = 0.8
"""The share of copied leads that may not score higher."""

LEAST_GROUP = 5
"""How many summaries of a document it takes to standardise within it."""


@dataclass(frozen=True)
class TrainingSet:
    """A data set: features with more as better, people's scores, the document of each row.

    `spoiled` has, for each kind of spoiling, rows of the features before and after.
    """

    name: str
    features: Float64
    scores: Float64
    documents: Sequence[str]
    spoiled: Mapping[str, tuple[Float64, Float64]] = field(default_factory=dict)

    def rows(self, indexes: NDArray[np.int64]) -> TrainingSet:
        """The training set with only some rows; the spoiled ones stay."""
        documents = [self.documents[i] for i in indexes]
        return TrainingSet(
            self.name, self.features[indexes], self.scores[indexes], documents, self.spoiled
        )


@dataclass(frozen=True)
class Settings:
    """How strongly the weights are held to the prior, and spoiled summaries below the others.

    `alone` is the ridge of features that look at the summary alone, `clip` how many standard
    deviations a feature counts at the most.
    """

    ridge: float = 1.0
    alone: float = 0.1
    spoiling: float = 1.0
    margin: float = 0.5
    prior: float = 0.5
    clip: float = CLIPS["document"]


@dataclass(frozen=True)
class Fit:
    """Centre and spread of each feature over the data sets, and its weight per spread.

    `clip` is how many spreads a feature counts at the most.
    """

    centre: Float64
    spread: Float64
    weights: Float64
    clip: float = CLIPS["document"]

    def standardised(self, features: Float64) -> Float64:
        """Features in spreads from the centre, clipped; a missing one is 0."""
        spreads = (features - self.centre) / self.spread
        return np.nan_to_num(np.clip(spreads, -self.clip, self.clip))

    def predict(self, features: Float64) -> Float64:
        values: Float64 = self.standardised(features) @ self.weights
        return values


def fit(sets: Sequence[TrainingSet], features: Sequence[Feature], settings: Settings) -> Fit:
    """The weights of features from some data sets."""
    centre, spread = _scales(sets)
    main = np.array([feature.main for feature in features], dtype=np.float64)
    prior: Float64 = settings.prior * main / max(main.sum(), 1.0)
    unfitted = Fit(centre, spread, prior, settings.clip)
    falls: list[Float64] = []
    copies: list[Float64] = []
    for training_set in sets:
        for kind, (before, after) in training_set.spoiled.items():
            fall = unfitted.standardised(before) - unfitted.standardised(after)
            (copies if kind == COPIED else falls).append(fall)
    copying = np.array([feature.group == COPYING for feature in features])
    ridge = np.where([f.alone for f in features], settings.alone, settings.ridge)
    upper_bounds = np.where(copying, LEAST_WEIGHT, np.inf)
    blocks = [standardised_set(training_set, settings.clip) for training_set in sets]
    weights = _minimise(blocks, falls, prior, ridge, settings, upper_bounds)
    if copies and copying.any():
        weights[copying] = _weight_of_copying(np.concatenate(copies), weights, copying)
    return Fit(centre, spread, weights, settings.clip)


def _weight_of_copying(falls: Float64, weights: Float64, copying: NDArray[np.bool_]) -> float:
    """The smallest weight with which most copies that the feature sees do not score higher."""
    copied = falls[:, copying].sum(axis=1)
    gains = -falls[:, ~copying] @ weights[~copying]
    ratios = gains[copied > 0] / copied[copied > 0]
    return (
        max(LEAST_WEIGHT, float(np.quantile(ratios, COPIES_BELOW))) if len(ratios) else LEAST_WEIGHT
    )


def standardised_set(training_set: TrainingSet, clip: float) -> tuple[Float64, Float64]:
    """Features and scores in standard deviations, within documents if these are large enough."""
    labels = np.unique(
        np.asarray(training_set.documents, dtype=object).astype(str), return_inverse=True
    )[1]
    if np.bincount(labels).mean() < LEAST_GROUP:
        labels = np.zeros(len(labels), dtype=np.int64)
    columns = np.column_stack([training_set.features, training_set.scores])
    centred = columns.copy()
    for label in range(labels.max() + 1):
        rows = labels == label
        centred[rows] -= _finite_mean(columns[rows])
    spread = _spread(centred)
    scaled = np.nan_to_num(np.clip(centred / spread, -clip, clip))
    return scaled[:, :-1], scaled[:, -1]


def _finite_mean(columns: Float64) -> Float64:
    """The mean of the finite values of each column; 0 where there are none."""
    finite = np.isfinite(columns)
    total = np.where(finite, columns, 0.0).sum(axis=0)
    means: Float64 = total / np.maximum(finite.sum(axis=0), 1)
    return means


def _spread(columns: Float64) -> Float64:
    """The standard deviation of each column; 1 where it does not vary."""
    squares = _finite_mean((columns - _finite_mean(columns)) ** 2)
    return np.where(squares > 1e-18, np.sqrt(squares), 1.0)


def _scales(sets: Sequence[TrainingSet]) -> tuple[Float64, Float64]:
    """The means over data sets of each feature's mean, and of its standard deviation.

    A data set that lacks a feature says nothing of it.
    """
    measured = np.array([np.isfinite(training_set.features).any(axis=0) for training_set in sets])
    count = np.maximum(measured.sum(axis=0), 1)
    means = np.array([_finite_mean(training_set.features) for training_set in sets])
    squares = np.array([_spread(training_set.features) ** 2 for training_set in sets])
    centre = np.where(measured, means, 0.0).sum(axis=0) / count
    spread = np.sqrt(np.where(measured, squares, 0.0).sum(axis=0) / count)
    return centre, np.where(measured.any(axis=0), spread, 1.0)


def _minimise(
    blocks: Sequence[tuple[Float64, Float64]],
    falls: Sequence[Float64],
    prior: Float64,
    ridge: Float64,
    settings: Settings,
    upper_bounds: Float64,
) -> Float64:
    """The best weights between the least that there may be and `upper_bounds`."""
    gram = np.mean([x.T @ x / len(x) for x, _ in blocks], axis=0)
    moment = np.mean([x.T @ y / len(y) for x, y in blocks], axis=0)

    def loss(weights: Float64) -> tuple[float, Float64]:
        difference = weights - prior
        value = weights @ gram @ weights - 2 * moment @ weights + (ridge * difference) @ difference
        slope = 2 * (gram @ weights - moment) + 2 * ridge * difference
        for rows in falls:
            shortfall = np.maximum(settings.margin - rows @ weights, 0.0)
            share = settings.spoiling / len(falls)
            value += share * (shortfall @ shortfall) / len(rows)
            slope = slope - 2 * share * (rows.T @ shortfall) / len(rows)
        return float(value), slope

    start = np.clip(prior, LEAST_WEIGHT, upper_bounds)
    bounds = [(LEAST_WEIGHT, upper_bound) for upper_bound in upper_bounds]
    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    weights: Float64 = result.x
    return weights
