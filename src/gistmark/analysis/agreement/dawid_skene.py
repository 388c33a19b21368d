"""Dawid and Skene's estimate of who is right how often, by expectation and maximisation.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm"
(1979). Starts from the shares of the votes and stops as crowd-kit does, so that the numbers are
the same; that package works on data frames and takes many times as long.
"""

from __future__ import annotations

import numpy as np

from gistmark.analysis.ratings import Float64, Int64

_ITERATIONS = 100
_LEAST_GAIN = 1e-5
"""The steps end where the bound of the likelihood grows by less than this for each answer."""
_SMALLEST = 1e-10


def dawid_skene(units: Int64, raters: Int64, answers: Int64) -> Float64:
    """For each rater, the probability that an answer is the true one.

    That is the diagonal of the rater's confusion matrix, weighted by how frequent each true answer
    is. Each column counts from 0 without gaps.
    """
    kinds = int(answers.max()) + 1
    sizes = np.bincount(units)[:, None]
    votes = np.bincount(units * kinds + answers, minlength=len(sizes) * kinds)
    truths: Float64 = votes.reshape(-1, kinds) / sizes
    cells = raters * kinds + answers
    counts = _counts(cells, truths[units], int(raters.max()) + 1)
    errors = _confusions(counts)
    bound = -np.inf
    for _ in range(_ITERATIONS):
        truths = _expected(units, np.log(errors)[cells], _frequent(truths))
        counts = _counts(cells, truths[units], len(counts) // kinds)
        errors = _confusions(counts)
        before, bound = bound, _bound(counts, errors, truths, sizes) / len(units)
        if bound - before < _LEAST_GAIN:
            break
    errors = np.where(counts > 0, errors, 0.0).reshape(-1, kinds, kinds)
    return np.asarray(np.einsum("raa,a->r", errors, _frequent(truths)), dtype=np.float64)


def _frequent(truths: Float64) -> Float64:
    """How frequent each true answer is."""
    return np.asarray(np.maximum(truths.mean(axis=0), _SMALLEST), dtype=np.float64)


def _counts(cells: Int64, truths: Float64, raters: int) -> Float64:
    """Row (rater, answer), column truth: how often the rater gave the answer to that truth.

    0 where the rater never gave the answer, else never quite 0.
    """
    rows = raters * truths.shape[1]
    given = np.bincount(cells, minlength=rows)[:, None] > 0
    return np.where(given, np.maximum(_sums(cells, truths, rows), _SMALLEST), 0.0)


def _confusions(counts: Float64) -> Float64:
    """How likely the rater gives each answer to each truth; 1 for answers that were never given."""
    kinds = counts.shape[1]
    table = counts.reshape(-1, kinds, kinds)
    shares: Float64 = table / table.sum(axis=1, keepdims=True)
    return np.where(counts > 0, shares.reshape(-1, kinds), 1.0)


def _expected(units: Int64, errors: Float64, frequent: Float64) -> Float64:
    """How likely each answer is the true one of each unit; `errors` are logarithms."""
    sums = np.log(frequent) + _sums(units, errors, int(units.max()) + 1)
    likely: Float64 = np.exp(sums - sums.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def _bound(counts: Float64, errors: Float64, truths: Float64, sizes: Int64) -> float:
    """The lower bound of the likelihood, as crowd-kit has it."""
    joint = (counts * np.log(errors)).sum()
    joint += ((sizes * truths) @ np.log(_frequent(truths))).sum()
    kept = np.maximum(truths, _SMALLEST)
    return float(joint - (np.log(kept) * kept).sum())


def _sums(places: Int64, rows: Float64, count: int) -> Float64:
    """The sums of the rows that have the same place."""
    columns = [np.bincount(places, weights=column, minlength=count) for column in rows.T]
    return np.stack(columns, axis=1)
