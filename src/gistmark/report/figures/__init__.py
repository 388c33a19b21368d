"""The figures of the report; one that has no data says so instead."""

from __future__ import annotations

from gistmark.report.figures.agreement import against_rest_figure, split_figure
from gistmark.report.figures.drawing import Absent, Figure
from gistmark.report.figures.heatmaps import dimension_figure, metric_figure
from gistmark.report.figures.pairs import (
    difference_figure,
    metric_pairs_figure,
    system_pairs_figure,
)
from gistmark.report.figures.ratings import histogram_figure, variance_figure
from gistmark.report.figures.systems import evidence_figure, forest_figure, rank_figure
from gistmark.report.views import View

__all__ = ["Absent", "Figure", "all_figures"]


def all_figures(view: View) -> dict[str, Figure | Absent]:
    """Every figure by name, in the order of the report."""
    makers = (
        forest_figure,
        system_pairs_figure,
        evidence_figure,
        rank_figure,
        metric_figure,
        dimension_figure,
        difference_figure,
        metric_pairs_figure,
        against_rest_figure,
        split_figure,
        histogram_figure,
        variance_figure,
    )
    return {figure.name: figure for figure in (make(view) for make in makers)}
