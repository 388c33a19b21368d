"""Annotators against the others: step lines and splits (BLANC, figures 7 and 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmark.analysis.findings.words import show_number
from gistmark.analysis.studies.records import AGAINST_REST, SPLIT, Agreement
from gistmark.report.figures.drawing import (
    Absent,
    Figure,
    first_panels,
    grid,
    left_out,
    panels,
    render,
    shorten,
)
from gistmark.report.figures.palette import COLOURS
from gistmark.report.views import View, leading

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_CROWD = 150


def against_rest_figure(view: View) -> Figure | Absent:
    """A panel per dimension: each annotator's agreement with the rest as a step, weakest first."""
    name, title = "annotators", "Each annotator against the rest"
    groups = view.raters(AGAINST_REST)
    if not groups:
        return Absent(name, title, "No annotator can be compared with another.")
    first = leading(tuple(groups))
    dimensions = first_panels(tuple(groups), first)
    with panels(dimensions) as (drawing, all_axes):
        for axes, dimension in zip(all_axes, dimensions, strict=True):
            _draw_steps(axes, groups[dimension], _best(view, dimension))
        drawing.supylabel("Correlation", fontsize=9)
        image = render(drawing)
    return Figure(
        name,
        title,
        alt=f"Step lines of {len(dimensions)} dimensions. "
        f"{_medians(view, AGAINST_REST, dimensions)}",
        caption="Each step is one annotator, from the one who agrees least with the others to the "
        "one who agrees most. The dashed line is the metric that follows the mean of all "
        "annotators best: where it runs above a step, it is closer to people than that annotator "
        "is." + left_out(tuple(groups)),
        image=image,
    )


def split_figure(view: View) -> Figure | Absent:
    """A panel per dimension: some annotators against the rest, over all ways to choose them."""
    name, title = "splits", "Some annotators against the rest"
    groups = view.raters(SPLIT)
    if not groups:
        return Absent(name, title, "There are too few annotators to split them into two groups.")
    first = leading(tuple(groups))
    dimensions = first_panels(tuple(groups), first)
    with panels(dimensions) as (drawing, all_axes):
        for axes, dimension in zip(all_axes, dimensions, strict=True):
            splits = view.study.metric_splits
            pluses = [split.value for split in splits if split.dimension == dimension]
            _draw_splits(axes, groups[dimension], pluses, _best(view, dimension))
        drawing.supylabel("Correlation", fontsize=9)
        image = render(drawing)
    return Figure(
        name,
        title,
        alt=f"Split plots of {len(dimensions)} dimensions. {_medians(view, SPLIT, dimensions)}",
        caption="Each circle is one way to split the annotators: the correlation between the "
        "means of the two groups. Each plus is the correlation of the named metric, the best one "
        "over all annotators, with the larger group. Circles and pluses are "
        "sorted, each on their own. Where pluses reach the circles, the metric could stand in for "
        "the smaller group. Circles that rise steeply show that it matters who was asked."
        + left_out(tuple(groups)),
        image=image,
    )


@dataclass(frozen=True, slots=True)
class Line:
    """The line of the best metric: its name and its correlation."""

    name: str
    height: float


def _best(view: View, dimension: str) -> Line | None:
    for record in view.strongest(dimension):
        return Line(view.label(record.metric, record.part), record.strength)
    return None


def _draw_steps(axes: Axes, records: Sequence[Agreement], best: Line | None) -> None:
    values = [record.value or 0.0 for record in records]
    edges = list(range(len(values) + 1))
    axes.stairs(values, edges, color=COLOURS[2], linewidth=2, baseline=None)
    _draw_line(axes, best)
    few = len(values) <= 8
    ticks = [index + 0.5 for index in range(len(values))] if few else []
    axes.set_xticks(ticks, [shorten(record.scope, 9) for record in records] if few else [],
                    fontsize=8)  # fmt: skip
    if not few:
        axes.set_xlabel(f"{len(values)} annotators", fontsize=8)
    _floor_at_zero(axes)
    grid(axes, "y")


def _draw_splits(
    axes: Axes,
    circles: Sequence[Agreement],
    pluses: Sequence[float],
    best: Line | None,
) -> None:
    people = [record.value or 0.0 for record in circles]
    for values, shape, tint in ((people, "o", COLOURS[0]), (pluses, "+", COLOURS[1])):
        heights = sorted(values)
        size = 5 if len(heights) <= _CROWD else 3
        axes.plot(range(1, len(heights) + 1), heights, shape, color=tint, markersize=size,
                  markerfacecolor="none")  # fmt: skip
    if pluses and best is not None:
        _name_metric(axes, f"+  {best.name}")
    axes.set_xlabel(f"{max(len(circles), len(pluses)):,} splits", fontsize=8)
    axes.locator_params(axis="x", integer=True)
    _floor_at_zero(axes)
    grid(axes, "y")


def _draw_line(axes: Axes, best: Line | None) -> None:
    """Draw a dashed line at the best metric, and its name at the foot of the panel."""
    if best is None:
        return
    axes.axhline(best.height, color=COLOURS[1], linewidth=1.4, linestyle="--")
    _name_metric(axes, f"– –  {best.name}")


def _name_metric(axes: Axes, text: str) -> None:
    axes.text(0.03, 0.07, shorten(text, 28), transform=axes.transAxes, fontsize=8)


def _floor_at_zero(axes: Axes) -> None:
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), max(high * 1.06, 0.1))


def _medians(view: View, statistic: str, dimensions: Sequence[str]) -> str:
    parts = []
    for dimension in dimensions:
        spread = view.spread(statistic, dimension)
        if spread is not None:
            lowest, highest = show_number(spread.lowest), show_number(spread.highest)
            median = show_number(spread.median)
            parts.append(f"{dimension}: from {lowest} to {highest}, median {median}")
    return "; ".join(parts) + "."
