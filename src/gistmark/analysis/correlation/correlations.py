"""How metrics, lengths and dimensions go with human scores, at every level, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import (
    complete_pairs,
    explain,
)
from gistmark.analysis.correlation.levels import Layout, Level, correlate_at, layout_of
from gistmark.analysis.correlation.subsets import Subset
from gistmark.analysis.data.columns import Unit, columns_by_dimension
from gistmark.analysis.data.measures import DIMENSION, MeasureName, Measures
from gistmark.analysis.human import HumanScores, dimension_means, votes_won
from gistmark.analysis.resampling.bootstrap import (
    NO_INTERVAL,
    Draws,
    Resampling,
    too_few_systems,
)
from gistmark.analysis.resampling.uncertainty import uncertainty
from gistmark.analysis.studies.records import Correlation
from gistmark.errors import UsageError
from gistmark.records import Comparison, Rating

Float64 = NDArray[np.float64]


def correlations(
    measures: Measures,
    human: HumanScores,
    *,
    levels: Sequence[Level] = ("global", "summary", "system"),
    coefficients: Sequence[str] | None = None,
    resampling: Resampling | None = None,
    given: Measures | None = None,
    subset: Subset | None = None,
) -> tuple[Correlation, ...]:
    """Every measure against every human score, over the summaries that have both.

    Values are those of the metric as it is: one of which less is better correlates negatively.
    `given`, with a single row such as the length, makes the correlations partial ones. `subset`
    restricts the summaries. Without `resampling` there are no intervals.
    """
    if "annotation" in levels:
        raise UsageError("For the annotation level, use annotation_correlations.")
    units = [unit for unit in measures.units if unit in human.positions]
    units = units if subset is None else [unit for unit in units if unit in subset.units]
    rows = observed(measures, units, resampling=resampling, given=given, subset=subset)
    return tuple(
        record
        for level in levels
        for coefficient in _names(coefficients)
        for name, y in zip(human.names, human.at(units), strict=True)
        for record in rows.against(name, y, level, coefficient)
    )


def annotation_correlations(
    measures: Measures,
    ratings: Sequence[Rating],
    *,
    coefficients: Sequence[str] | None = None,
    resampling: Resampling | None = None,
    given: Measures | None = None,
    subset: Subset | None = None,
) -> tuple[Correlation, ...]:
    """Every measure against each single rating, dimension by dimension."""
    chosen = measures.positions.keys() & (measures.positions if subset is None else subset.units)
    records: list[Correlation] = []
    for dimension, column in columns_by_dimension(ratings).items():
        units = [column.unit_names[number] for number in column.units]
        kept = [index for index, unit in enumerate(units) if unit in chosen]
        units = [units[index] for index in kept]
        rows = observed(measures, units, resampling=resampling, given=given, subset=subset)
        for coefficient in _names(coefficients):
            records += rows.against(dimension, column.values[kept], "annotation", coefficient)
    return tuple(records)


@dataclass(frozen=True)
class Observed:
    """Measures of the chosen rows, ready to be correlated with any human score of those rows."""

    names: Sequence[MeasureName]
    layout: Layout
    x: Float64
    draws: Draws | None = None
    scope: str = ""
    given: Float64 | None = None
    given_name: str = ""
    subset: str = ""

    def against(
        self, human: str, y: Float64, level: Level, coefficient: str
    ) -> Iterator[Correlation]:
        """A record per measure."""
        x, z = self.x, None
        if self.given is not None:
            x, z = complete_pairs(x, np.where(np.isnan(y), np.nan, self.given))
        x, full = complete_pairs(x, y)
        records = correlate_at(level, x, full, self.layout, coefficient, given=z)
        sure = None
        if self.draws is not None:
            sure = uncertainty(
                level, x, full, self.layout, coefficient, records, self.draws, given=z
            )
        p = records.p if sure is None or level == "system" else sure.p_values()
        few = None
        if self.scope.endswith("these systems") and level != "system":
            few = too_few_systems(len(self.layout.system_names))
        for row, name in enumerate(self.names):
            undefined = records.undefined[row]
            bound = NO_INTERVAL if sure is None else sure.interval(row)
            reason = few if sure is None else sure.reasons[row] or few
            if undefined is not None:
                reason = explain(undefined, str(name), human, least=records.least)
            yield Correlation(
                metric=name.metric,
                part=name.part,
                human=human,
                level=level,
                coefficient=coefficient,
                value=number(records.values[row]),
                low=bound.low,
                high=bound.high,
                p=None if few or (level != "system" and bound.low is None) else number(p[row]),
                n=int(records.n[row]),
                given=self.given_name,
                subset=self.subset,
                reason=reason,
                over=self.scope,
            )


def observed(
    measures: Measures,
    units: Sequence[Unit],
    *,
    resampling: Resampling | None = None,
    given: Measures | None = None,
    subset: Subset | None = None,
) -> Observed:
    """The measures of these units (which may repeat), with draws for the bootstrap."""
    if given is not None and len(given.names) != 1:
        raise UsageError("A partial correlation holds exactly one measure constant.")
    layout = layout_of(units)
    return Observed(
        names=measures.names,
        layout=layout,
        x=measures.at(units),
        draws=resampling.draw(layout) if resampling is not None and len(layout) else None,
        scope=resampling.scope(layout) if resampling is not None and len(layout) else "",
        given=None if given is None else given.at(units)[0],
        given_name="" if given is None else str(given.names[0]),
        subset="" if subset is None else subset.expression,
    )


def number(value: float) -> float | None:
    """A float for a record: what is not finite is None."""
    return float(value) if np.isfinite(value) else None


def dimension_correlations(
    ratings: Sequence[Rating],
    *,
    levels: Sequence[Level] = ("annotation", "global"),
    coefficients: Sequence[str] | None = None,
    resampling: Resampling | None = None,
) -> tuple[Correlation, ...]:
    """Every pair of dimensions, over single annotations and over the means of summaries.

    An annotation is what one annotator said about one summary in one campaign. The level
    matters: means correlate more highly than single ratings, because errors average out.
    """
    records: list[Correlation] = []
    table: tuple[Sequence[Unit], Sequence[str], Float64]
    for level in levels:
        if level == "annotation":
            table = _annotations(ratings)
        else:
            means = dimension_means(ratings)
            table = (means.units, means.names, means.values)
        records += _pairs(*table, level, coefficients, resampling)
    return tuple(records)


def vote_correlations(
    comparisons: Sequence[Comparison],
    *,
    coefficients: Sequence[str] | None = None,
    resampling: Resampling | None = None,
) -> tuple[Correlation, ...]:
    """Every pair of dimensions, over the share of votes that each summary won in its document."""
    return score_correlations(
        votes_won(comparisons), coefficients=coefficients, resampling=resampling
    )


def score_correlations(
    human: HumanScores,
    *,
    coefficients: Sequence[str] | None = None,
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
    coefficients: Sequence[str] | None,
    resampling: Resampling | None,
) -> list[Correlation]:
    layout = layout_of(units)
    draws, scope = None, ""
    if resampling is not None and len(layout):
        draws, scope = resampling.draw(layout), resampling.scope(layout)
    records: list[Correlation] = []
    for row in range(1, len(names)):
        before = [MeasureName(name, DIMENSION) for name in names[:row]]
        rows = Observed(before, layout, values[:row], draws=draws, scope=scope)
        for coefficient in _names(coefficients):
            records += rows.against(names[row], values[row], level, coefficient)
    return records


def _annotations(ratings: Sequence[Rating]) -> tuple[Sequence[Unit], Sequence[str], Float64]:
    """A column per annotation, a row per dimension."""
    names = tuple(dict.fromkeys(rating.dimension for rating in ratings))
    columns: dict[tuple[str, str, str, str | None], int] = {}
    cells = [
        columns.setdefault((r.document, r.system, r.annotator, r.campaign), len(columns))
        for r in ratings
    ]
    values = np.full((len(names), len(columns)), np.nan)
    rows = {name: row for row, name in enumerate(names)}
    values[[rows[rating.dimension] for rating in ratings], cells] = [r.value for r in ratings]
    return [(document, system) for document, system, *_ in columns], names, values


def _names(coefficients: Sequence[str] | None) -> Sequence[str]:
    """The coefficients that were asked for; all, without a choice."""
    return COEFFICIENTS.names() if coefficients is None else coefficients
