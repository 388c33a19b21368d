"""Dawid and Skene's estimate of who is right how often, by expectation and maximisation.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm"
(1979). Starts from the shares of the votes and stops as crowd-kit does, so that the numbers are
the same; that package works on data frames and takes many times as long.
"""

from __future__ import annotations

import numpy as np

from gistmark.study.ratings import Float64, Int64

_ITERATIONS = 100
_LEAST_GAIN = 1e-5
"""The steps end where the bound of the likelihood grows by less than this for each answer."""
_SMALLEST = 1e-10


def dawid_skene(units: Int64, raters: Int64, answers: Int64) -> Float64:
    """For each rater, the probability that an answer is the true one.

    That is the diagonal of the rater's confusion matrix, weighted by how frequent each true answer
    is. Each column counts from 0 without gaps.
    """
    shape = int(units.max()) + 1, int(answers.max()) + 1
    truths = _sums(units * shape[1] + answers, np.ones((len(units), 1)), shape[0] * shape[1])
    truths = truths.reshape(shape) / np.bincount(units)[:, None]
    cells = raters * shape[1] + answers
    errors = _confusions(cells, truths[units], int(raters.max()) + 1)
    bound = -np.inf
    for _ in range(_ITERATIONS):
        frequent = np.maximum(truths.mean(axis=0), _SMALLEST)
        truths = _expected(units, np.log(errors[cells]), np.log(frequent))
        errors = _confusions(cells, truths[units], int(raters.max()) + 1)
        before, bound = bound, _bound(units, truths, errors[cells]) / len(units)
        if bound - before < _LEAST_GAIN:
            break
    frequent = np.maximum(truths.mean(axis=0), _SMALLEST)
    right = np.einsum("raa,a->r", errors.reshape(-1, shape[1], shape[1]), frequent)
    return np.asarray(right, dtype=np.float64)


def _confusions(cells: Int64, truths: Float64, raters: int) -> Float64:
    """Row (rater, answer), column truth: how likely the rater gives the answer to that truth."""
    kinds = truths.shape[1]
    sums = _sums(cells, truths, raters * kinds)
    given = np.bincount(cells, minlength=raters * kinds) > 0
    sums = np.where(given[:, None], np.maximum(sums, _SMALLEST), 0.0).reshape(raters, kinds, kinds)
    shares: Float64 = sums / sums.sum(axis=1, keepdims=True)
    return shares.reshape(-1, kinds)


def _expected(units: Int64, errors: Float64, frequent: Float64) -> Float64:
    """How likely each answer is the true one of each unit, from the logarithms of both."""
    sums = frequent + _sums(units, errors, int(units.max()) + 1)
    likely: Float64 = np.exp(sums - sums.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def _bound(units: Int64, truths: Float64, errors: Float64) -> float:
    """The lower bound of the likelihood, as crowd-kit has it."""
    frequent = np.maximum(truths.mean(axis=0), _SMALLEST)
    joint = (truths[units] * (np.log(errors) + np.log(frequent))).sum()
    kept = np.maximum(truths, _SMALLEST)
    return float(joint - (np.log(kept) * kept).sum())


def _sums(places: Int64, rows: Float64, count: int) -> Float64:
    """The sums of the rows that have the same place."""
    columns = [np.bincount(places, weights=column, minlength=count) for column in rows.T]
    return np.stack(columns, axis=1)
