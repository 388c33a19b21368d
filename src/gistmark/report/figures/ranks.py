"""Rank charts: systems by dimension, and ratings against pairwise choices side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gistmark.report.figures.drawing import (
    MOST_SYSTEMS,
    RULE,
    WIDTH,
    Absent,
    Figure,
    canvas,
    colour,
    grid,
    marker,
    name_panel,
    rows_high,
    shorten,
    to_svg,
)
from gistmark.report.views import View, leading, leading_first
from gistmark.study.records import Rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_COLUMNS = 14
_SIDES = {"ratings": "Ratings", "comparisons": "Pairwise choices"}


def rank_figure(view: View) -> Figure | Absent:
    """A line per system through its ranks by each dimension."""
    name, title = "ranks", "Ranks of systems by dimension"
    every = [
        (by, dimension) for by in _SIDES for dimension in leading_first(view.ranked_dimensions(by))
    ]
    columns = every[:_MOST_COLUMNS]  # fmt: skip
    if not columns:
        return Absent(name, title, "Nobody rated or compared these systems.")
    systems = view.systems[:MOST_SYSTEMS]
    ranks = {column: {r.system: r.rank for r in view.ranks(*column)} for column in columns}
    firsts = [
        f"{dimension} ({_SIDES[by].lower()}): {view.ranks(by, dimension)[0].system}"
        for by, dimension in columns
    ]
    with canvas(WIDTH, rows_high(len(systems), each=0.34, around=1.6)) as drawing:
        _draw_lines(drawing.subplots(), systems, columns, ranks)
        svg = to_svg(drawing)
    return Figure(
        name,
        title,
        alt=f"Rank chart of {len(systems)} systems. First by {'; '.join(firsts)}.",
        caption="Rank 1 is on top. Lines that cross mean that the dimensions disagree about "
        "who is better; parallel lines mean that they agree."
        + _cut(len(systems), len(view.systems), "systems")
        + _cut(len(columns), len(every), "dimensions"),
        svg=svg,
    )


def evidence_figure(view: View) -> Figure | Absent:
    """What ratings and pairwise choices say about the same dimension, with intervals."""
    name, title = "ratings_and_comparisons", "Ratings against pairwise choices"
    rated = view.ranked_dimensions("ratings")
    both = [dimension for dimension in view.ranked_dimensions("comparisons") if dimension in rated]
    dimension = leading(both)
    if dimension is None:
        return Absent(name, title, "No dimension has both ratings and pairwise choices.")
    sides = {by: view.ranks(by, dimension, _common(view, dimension)) for by in _SIDES}
    known = {record.system for records in sides.values() for record in records}
    systems = [system for system in view.systems if system in known][:MOST_SYSTEMS]
    with canvas(WIDTH, rows_high(len(systems), each=0.3, around=1.2)) as drawing:
        axes = drawing.subplots(1, 2, sharey=True)
        for place, (by, records) in zip(axes, sides.items(), strict=True):
            _draw_side(place, by, records, systems, view.systems)
        svg = to_svg(drawing)
    orders = [f"{_SIDES[by]}: {', '.join(r.system for r in sides[by][:8])}" for by in _SIDES]
    return Figure(
        name,
        title,
        alt=f"Two dot plots of {len(systems)} systems on {dimension}, best first. "
        f"{'. '.join(orders)}.",
        caption=f"{dimension}: the same systems by ratings (left) and by pairwise choices (right), "
        "with 95 % intervals. Where the order differs, the two ways of asking disagree. "
        "Intervals that overlap much leave the order open."
        + _cut(len(systems), len(known), "systems"),
        svg=svg,
    )


def _common(view: View, dimension: str) -> str | None:
    """A method that both kinds of evidence know, so that the two sides share a unit."""
    rated, compared = (view.methods(by, dimension) for by in _SIDES)
    return next((method for method in rated if method in compared), None)


def _draw_lines(
    axes: Axes,
    systems: Sequence[str],
    columns: Sequence[tuple[str, str]],
    ranks: dict[tuple[str, str], dict[str, float | None]],
) -> None:
    for place, system in enumerate(systems):
        heights = [ranks[column].get(system) for column in columns]
        xs = [x for x, height in enumerate(heights) if height is not None]
        ys = [height for height in heights if height is not None]
        axes.plot(xs, ys, color=colour(place), marker=marker(place), linewidth=1.8, markersize=7)
        if xs:
            axes.annotate(
                shorten(system, 22), (xs[-1], ys[-1]), xytext=(9, 0), textcoords="offset points",
                va="center", fontsize=9,
            )  # fmt: skip
    names = [f"{shorten(d, 20)}\n(pairwise)" if by == "comparisons" else shorten(d, 20)
             for by, d in columns]  # fmt: skip
    crowded = len(columns) > 4
    axes.set_xticks(range(len(columns)), names, rotation=30 if crowded else 0,
                    ha="right" if crowded else "center")  # fmt: skip
    axes.set_xlim(-0.3, max(len(columns) - 1, 0) + (0.3 + 0.16 * len(columns)))
    axes.set_ylim(len(systems) + 0.5, 0.5)
    axes.set_yticks(range(1, len(systems) + 1))
    axes.set_ylabel("Rank")
    grid(axes, "y")


def _draw_side(
    axes: Axes, by: str, records: list[Rank], systems: Sequence[str], order: Sequence[str]
) -> None:
    lines = {system: line for line, system in enumerate(systems)}
    for record in records:
        if record.value is None or record.system not in lines:
            continue
        line, place = lines[record.system], order.index(record.system)
        if record.low is not None and record.high is not None:
            axes.plot([record.low, record.high], [line, line], color=colour(place), linewidth=2)
        axes.plot(record.value, line, marker(place), color=colour(place), markersize=7)
    axes.set_yticks(range(len(systems)), [shorten(system) for system in systems])
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.set_xlabel(shorten(records[0].method, 40) if records else "")
    axes.spines["left"].set_color(RULE)
    grid(axes)
    name_panel(axes, _SIDES[by])


def _cut(shown: int, total: int, noun: str) -> str:
    return f" The first {shown} of {total} {noun} are shown." if shown < total else ""
