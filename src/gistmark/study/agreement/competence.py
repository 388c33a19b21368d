"""Competence of annotators, estimated together with the answers that are likely to be right.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm"
(1979), and Hovy et al., "Learning Whom to Trust with MACE" (2013), both by crowd-kit.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmark.errors import unknown_name
from gistmark.study.agreement.statistic import Statistic, undefined
from gistmark.study.agreement.tally import encode
from gistmark.study.ratings import Float64, Int64

if TYPE_CHECKING:
    import pandas

Method = Literal["dawid-skene", "mace"]
METHODS: tuple[Method, ...] = ("dawid-skene", "mace")

FEWEST_UNITS = 10
"""With fewer units that several people rated, an estimate says nothing."""

_ITERATIONS = 100


def competence(
    units: Int64, raters: Int64, values: Float64, *, count: int, method: Method = "dawid-skene"
) -> tuple[Statistic, ...]:
    """The competence of raters 0 to `count` - 1, from 0 to 1; n is the number of their ratings.

    `dawid-skene`: the probability that the rater's answer is the true one, that is the diagonal of
    the rater's estimated confusion matrix weighted by how frequent each true answer is. `mace`:
    the probability that the rater answers in earnest and not at random.

    Values are categories, and a unit with one rating does not count. Not defined for anybody
    where fewer than `FEWEST_UNITS` units have two ratings, only one rater is left, or only one
    category occurs; nor for a rater without a unit that others rated.
    """
    if method not in METHODS:
        raise unknown_name("method for competence", method, METHODS)
    shared = (np.bincount(units) >= 2)[units] if len(units) else np.zeros(0, dtype=bool)
    units, raters, values = units[shared], raters[shared], values[shared]
    reason = _obstacle(units, raters, values)
    if reason is not None:
        return (undefined(reason),) * count
    frame, used = _frame(units, raters, values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        skills = _dawid_skene(frame) if method == "dawid-skene" else _mace(frame)
    ratings = np.bincount(raters, minlength=count)
    found = dict(zip(used.tolist(), skills.tolist(), strict=True))
    return tuple(
        Statistic(min(max(found[rater], 0.0), 1.0), int(ratings[rater]))
        if rater in found
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


def _frame(units: Int64, raters: Int64, values: Float64) -> tuple[pandas.DataFrame, Int64]:
    """The columns that crowd-kit wants, and the rater of each worker number.

    Workers and labels are numbered in the order of their first row. crowd-kit's MACE relies on
    the two orders being the same: it mixes arrays by first appearance with sorted ones.
    """
    import pandas

    order = np.argsort(raters, kind="stable")
    used, workers = np.unique(raters[order], return_inverse=True)
    labels, _ = pandas.factorize(encode(values[order])[1])
    frame = pandas.DataFrame({"task": units[order], "worker": workers.ravel(), "label": labels})
    return frame, used


def _dawid_skene(frame: pandas.DataFrame) -> Float64:
    from crowdkit.aggregation import DawidSkene

    fitted = DawidSkene(n_iter=_ITERATIONS).fit(frame)
    assert fitted.errors_ is not None
    assert fitted.priors_ is not None
    labels = fitted.errors_.columns.to_numpy()
    workers, answers = fitted.errors_.index.to_frame().to_numpy().T
    right = answers[:, None] == labels
    parts = (fitted.errors_.to_numpy() * right) @ fitted.priors_.loc[labels].to_numpy()
    return np.bincount(workers, weights=parts).astype(np.float64)


def _mace(frame: pandas.DataFrame) -> Float64:
    """One start is enough: crowd-kit starts every time from the same random numbers."""
    from crowdkit.aggregation import MACE

    fitted = MACE(n_restarts=1).fit(frame)
    return np.asarray(fitted.spamming_, dtype=np.float64)[:, 1]
