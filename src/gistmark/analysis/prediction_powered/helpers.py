"""What helps people: one metric, or several whose weights are learnt on the judged documents.

Weights are those of a ridge regression of people's values on the standardised metrics, within
systems, over all judged summaries. They are cross-fitted (Zrnic and Candès 2024): judged documents
are dealt into five folds, a fold's documents have the prediction of weights learnt on the others,
and documents that nobody judged have the mean of the five. So no document's own judgements are in
its prediction, and an interval holds as it does for a metric that was there before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.measures import Measures
from gistmark.errors import UsageError

Float64 = NDArray[np.float64]
Bool = NDArray[np.bool_]

EVERY = "all"
"""The helper that is made of every metric of which more or less is better."""
FOLDS = 5
_RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class Helper:
    """The rows of one or several measures, and what they are called together."""

    name: str
    rows: tuple[int, ...]

    @property
    def is_learnt(self) -> bool:
        return len(self.rows) > 1

    @property
    def least(self) -> int:
        """How many judged documents its weights want: two for each fold."""
        return 2 * FOLDS if self.is_learnt else 0


def helper_of(measures: Measures, spec: str) -> Helper:
    """`bertscore.f`, `rouge1+js`, or `all`."""
    if spec.strip() == EVERY:
        rows = [row for row, better in enumerate(measures.better) if better != "neither"]
        if not rows:
            raise UsageError("No metric that judges summaries was scored, so none can help.")
        return Helper(EVERY if len(rows) > 1 else str(measures.names[rows[0]]), tuple(rows))
    names = [name.strip() for name in spec.split("+")]
    if not all(names):
        raise UsageError(f"{spec!r} does not name helpers; write them with +, as in rouge1+js.")
    rows = list(dict.fromkeys(measures.row(name) for name in names))
    return Helper("+".join(str(measures.names[row]) for row in rows), tuple(rows))


def predictions(metrics: Float64, judged: Float64, rng: np.random.Generator) -> Float64:
    """Documents × systems: the helper's values, from metrics × documents × systems.

    A single metric is taken as it is. With fewer judged documents than folds need, or where a
    system was never scored, there is nothing to learn from, and values are NaN.
    """
    if len(metrics) == 1:
        return np.asarray(metrics[0])
    missing = np.isnan(metrics).any(axis=0)
    features = _standardised(np.where(missing, np.nan, metrics))
    usable = ~missing & ~np.isnan(judged)
    documents = np.flatnonzero(usable.any(axis=1))
    if len(documents) < 2 * FOLDS:
        return np.full(judged.shape, np.nan)
    folds = np.full(len(judged), -1)
    folds[documents] = rng.permutation(len(documents)) % FOLDS
    weights = np.array([_ridge(features, judged, usable & (folds != k)[:, None])
                        for k in range(FOLDS)])  # fmt: skip
    sizes = np.bincount(folds[documents], minlength=FOLDS) / len(documents)
    weights = np.concatenate([weights, [sizes @ weights]])[folds]
    predicted: Float64 = np.einsum("dp,pds->ds", weights, np.nan_to_num(features))
    return np.asarray(np.where(missing, np.nan, predicted), dtype=np.float64)


def _standardised(metrics: Float64) -> Float64:
    """Each metric less its mean in each system, over its deviation; a constant one is 0."""
    scored = ~np.isnan(metrics)
    counts = np.maximum(scored.sum(axis=1, keepdims=True), 1)
    means = np.where(scored, metrics, 0.0).sum(axis=1, keepdims=True) / counts
    centred = metrics - means
    squares = np.where(scored, centred, 0.0) ** 2
    deviations = np.sqrt(squares.sum(axis=(1, 2)) / np.maximum(scored.sum(axis=(1, 2)), 1))
    scaled: Float64 = centred / np.where(deviations > 0, deviations, 1.0)[:, None, None]
    return scaled


def _ridge(features: Float64, judged: Float64, summaries: Bool) -> Float64:
    """Weights of the metrics from these summaries, within systems."""
    systems = np.broadcast_to(np.arange(judged.shape[1]), judged.shape)[summaries]
    x: Float64 = features[:, summaries].T
    y: Float64 = judged[summaries]
    counts = np.maximum(np.bincount(systems, minlength=judged.shape[1]), 1)
    x, y = x.copy(), y.copy()
    for column in (y, *x.T):
        means = np.bincount(systems, column, minlength=len(counts)) / counts
        np.subtract(column, means[systems], out=column)
    gram = x.T @ x + _RIDGE * np.eye(x.shape[1])
    return np.asarray(np.linalg.solve(gram, x.T @ y), dtype=np.float64)
