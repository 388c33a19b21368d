"""Competence of annotators, estimated together with the answers that are likely to be right.

Dawid and Skene's (`dawid_skene`), and Hovy et al., "Learning Whom to Trust with MACE" (2013), by
crowd-kit.
"""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np

from gistmark.analysis.agreement.dawid_skene import dawid_skene
from gistmark.analysis.agreement.statistic import Statistic, undefined
from gistmark.analysis.agreement.tally import encode
from gistmark.analysis.ratings import Float64, Int64
from gistmark.errors import unknown_name

Method = Literal["dawid-skene", "mace"]
METHODS: tuple[Method, ...] = ("dawid-skene", "mace")

FEWEST_UNITS = 10
"""With fewer units that several people rated, an estimate says nothing."""


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
    order = np.argsort(raters, kind="stable")
    used, workers = np.unique(raters[order], return_inverse=True)
    _, tasks = np.unique(units[order], return_inverse=True)
    _, answers = encode(values[order])
    skills = (dawid_skene if method == "dawid-skene" else _mace)(tasks, workers, answers)
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


def _mace(tasks: Int64, workers: Int64, answers: Int64) -> Float64:
    """How likely each worker answers in earnest; the workers come in order.

    Labels are numbered in the order of their first row, as workers are: crowd-kit's MACE mixes
    arrays by first appearance with sorted ones. One start is enough: it starts every time from
    the same random numbers.
    """
    import pandas
    from crowdkit.aggregation import MACE

    labels, _ = pandas.factorize(answers)
    frame = pandas.DataFrame({"task": tasks, "worker": workers, "label": labels})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = MACE(n_restarts=1).fit(frame)
    return np.asarray(fitted.spamming_, dtype=np.float64)[:, 1]
