"""How dimensions go with each other: rating by rating, summary by summary, and by votes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.coefficients import COEFFICIENTS, Coefficient
from gistmark.analysis.correlation import Observed
from gistmark.analysis.draws import Resampling
from gistmark.analysis.human import HumanScores, dimension_means, votes_won
from gistmark.analysis.layout import Level, layout_of
from gistmark.analysis.measures import DIMENSION, MeasureName
from gistmark.analysis.ratings import Unit
from gistmark.analysis.records import Correlation
from gistmark.records import Comparison, Rating

Float64 = NDArray[np.float64]


def dimension_correlations(
    ratings: Sequence[Rating],
    *,
    levels: Sequence[Level] = ("annotation", "global"),
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    resampling: Resampling | None = None,
) -> tuple[Correlation, ...]:
    """Every pair of dimensions, over single annotations and over the means of summaries.

    An annotation is what one annotator said about one summary in one campaign. The level
    matters: means correlate more highly than single ratings, because errors average out.
    """
    found: list[Correlation] = []
    table: tuple[Sequence[Unit], Sequence[str], Float64]
    for level in levels:
        if level == "annotation":
            table = _annotations(ratings)
        else:
            means = dimension_means(ratings)
            table = (means.units, means.names, means.values)
        found += _pairs(*table, level, coefficients, resampling)
    return tuple(found)


def vote_correlations(
    comparisons: Sequence[Comparison],
    *,
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    resampling: Resampling | None = None,
) -> tuple[Correlation, ...]:
    """Every pair of dimensions, over the share of votes that each summary won in its document."""
    return score_correlations(
        votes_won(comparisons), coefficients=coefficients, resampling=resampling
    )


def score_correlations(
    human: HumanScores,
    *,
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    resampling: Resampling | None = None,
) -> tuple[Correlation, ...]:
    """Every pair of human scores, over all summaries."""
    table = (human.units, human.names, human.values)
    return tuple(_pairs(*table, "global", coefficients, resampling))


def _pairs(
    units: Sequence[Unit],
    names: Sequence[str],
    values: Float64,
    level: Level,
    coefficients: Sequence[Coefficient],
    resampling: Resampling | None,
) -> list[Correlation]:
    layout = layout_of(units)
    draws = resampling.draw(layout) if resampling is not None and len(layout) else None
    found: list[Correlation] = []
    for row in range(1, len(names)):
        before = [MeasureName(name, DIMENSION) for name in names[:row]]
        rows = Observed(before, layout, values[:row], draws=draws)
        for coefficient in coefficients:
            found += rows.against(names[row], values[row], level, coefficient)
    return found


def _annotations(ratings: Sequence[Rating]) -> tuple[Sequence[Unit], Sequence[str], Float64]:
    """A column per annotation, a row per dimension."""
    names = tuple(dict.fromkeys(rating.dimension for rating in ratings))
    places: dict[tuple[str, str, str, str | None], int] = {}
    cells = [
        places.setdefault((r.document, r.system, r.annotator, r.campaign), len(places))
        for r in ratings
    ]
    values = np.full((len(names), len(places)), np.nan)
    rows = {name: row for row, name in enumerate(names)}
    values[[rows[rating.dimension] for rating in ratings], cells] = [r.value for r in ratings]
    return [(document, system) for document, system, *_ in places], names, values
