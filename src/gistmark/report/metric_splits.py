"""The best metric against the larger group of each split (BLANC, figure 9, the pluses)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmark.analysis.arithmetic import exact_ties
from gistmark.analysis.columns import Float64, RatingColumns, columns_by_dimension
from gistmark.analysis.correlation.coefficients import correlate
from gistmark.analysis.records import Agreement
from gistmark.report.views import View

_JOINER = " + "


def metric_against_rest(view: View, dimension: str, splits: Sequence[Agreement]) -> list[float]:
    """Spearman of the best metric with the mean of those outside each split's group.

    A split whose group cannot be told from its name is left out, and so is an undefined value.
    """
    best = next(iter(view.strongest(dimension)), None)
    ratings = [rating for rating in view.corpus.ratings if rating.dimension == dimension]
    if best is None or view.scores is None or not ratings:
        return []
    columns = columns_by_dimension(ratings)[dimension]
    groups = [_members(split.scope, columns.rater_names) for split in splits]
    known = [group for group in groups if group]
    if not known:
        return []
    people = np.array([_means_without(columns, group) for group in known])
    sign = -1.0 if view.better(best.metric) == "lower" else 1.0
    metric = sign * _values(view, best.metric, best.part, columns)
    values = correlate(people, metric, "spearman").values
    return [float(value) for value in values[~np.isnan(values)]]


def _members(scope: str, raters: Sequence[str]) -> list[int]:
    """The places of the raters that a split is named after; none where the name is unclear."""
    names = scope.split(_JOINER)
    return [raters.index(name) for name in names] if set(names) <= set(raters) else []


def _means_without(columns: RatingColumns, group: list[int]) -> Float64:
    kept = np.delete(columns.matrix, group, axis=1)
    there = ~np.isnan(kept)
    means = np.full(len(kept), np.nan)
    np.divide(np.where(there, kept, 0.0).sum(axis=1), there.sum(axis=1), out=means,
              where=there.any(axis=1))  # fmt: skip
    return exact_ties(means)


def _values(view: View, metric: str, part: str, columns: RatingColumns) -> Float64:
    assert view.scores is not None
    units = zip(view.scores.documents, view.scores.systems, strict=True)
    found = dict(zip(units, view.scores.columns[metric].part(part), strict=True))
    return exact_ties(np.array([found.get(unit, np.nan) for unit in columns.unit_names]))
