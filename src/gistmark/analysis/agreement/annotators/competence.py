"""Competence of annotators, estimated together with the answers that are likely to be right.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm"
(1979). Starts from the shares of the votes and stops as crowd-kit does, so that the numbers are
the same; that package works on data frames and takes many times as long.
"""

from __future__ import annotations

import numpy as np

from gistmark.analysis.agreement.coefficients.statistic import Statistic, encode, undefined
from gistmark.analysis.data.columns import Float64, Int64

FEWEST_UNITS = 10
"""With fewer units that several people rated, an estimate says nothing."""


def competence(
    units: Int64, raters: Int64, values: Float64, *, count: int
) -> tuple[Statistic, ...]:
    """The competence of raters 0 to `count` - 1, from 0 to 1; n is the number of their ratings.

    It is the probability that the rater's answer is the true one, that is the diagonal of the
    rater's estimated confusion matrix weighted by how frequent each true answer is.

    Values are categories, and a unit with one rating does not count. Not defined for anybody
    where fewer than `FEWEST_UNITS` units have two ratings, only one rater is left, or only one
    category occurs; nor for a rater without a unit that others rated.
    """
    shared = (np.bincount(units) >= 2)[units] if len(units) else np.zeros(0, dtype=bool)
    units, raters, values = units[shared], raters[shared], values[shared]
    reason = _obstacle(units, raters, values)
    if reason is not None:
        return (undefined(reason),) * count
    order = np.argsort(raters, kind="stable")
    used, workers = np.unique(raters[order], return_inverse=True)
    _, tasks = np.unique(units[order], return_inverse=True)
    _, answers = encode(values[order])
    skills = dawid_skene(tasks, workers, answers)
    ratings = np.bincount(raters, minlength=count)
    skill_of = dict(zip(used.tolist(), skills.tolist(), strict=True))
    return tuple(
        Statistic(min(max(skill_of[rater], 0.0), 1.0), int(ratings[rater]))
        if rater in skill_of
        else undefined("No unit in common with another annotator.")
        for rater in range(count)
    )


def _obstacle(units: Int64, raters: Int64, values: Float64) -> str | None:
    known = len(np.unique(units))
    if known < FEWEST_UNITS:
        return f"{known} units with two ratings are fewer than the {FEWEST_UNITS} it takes."
    if raters.min() == raters.max():
        return "Only one annotator."
    if values.min() == values.max():
        return f"All ratings are {values[0]:g}: only one category occurs."
    return None


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


def _sums(indices: Int64, rows: Float64, count: int) -> Float64:
    """The sums of the rows that have the same index."""
    columns = [np.bincount(indices, weights=column, minlength=count) for column in rows.T]
    return np.stack(columns, axis=1)
