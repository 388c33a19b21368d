"""Heat maps of correlations, with every value printed in its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.report import words
from gistmark.report.figures.drawing import (
    INK,
    MOST_METRICS,
    PAPER,
    WIDTH,
    Absent,
    Figure,
    canvas,
    rows_high,
    shorten,
    to_svg,
)
from gistmark.report.numbers import show_number
from gistmark.report.views import LEVELS, View, label, leading_first
from gistmark.study.ratings import Float64
from gistmark.study.records import Correlation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

MOST_COLUMNS = 14


def metric_figure(view: View) -> Figure | Absent:
    """Metrics in rows, human scores in columns."""
    name, title = "metric_correlations", "Metrics against people"
    for level, coefficient in _kinds(view):
        found = view.main_correlations(level, coefficient)
        if any(record.value is not None for record in found):
            return _draw_metrics(name, title, found, view.primary)
    return Absent(name, title, "No metric was correlated with a human score.")


def dimension_figure(view: View) -> Figure | Absent:
    """Human scores against each other."""
    name, title = "dimension_correlations", "Dimensions against each other"
    for level, coefficient in _kinds(view):
        found = view.dimension_correlations(level, coefficient)
        if any(record.value is not None for record in found):
            return _draw_dimensions(name, title, found)
    return Absent(name, title, "Fewer than two dimensions were correlated with each other.")


def _kinds(view: View) -> list[tuple[str, str]]:
    return [(level, coefficient) for coefficient in view.coefficients for level in LEVELS]


def _draw_metrics(name: str, title: str, records: list[Correlation], primary: str | None) -> Figure:
    values: dict[str, dict[str, float]] = {}
    for record in records:
        if record.value is not None:
            line = values.setdefault(label(record.metric, record.part), {})
            line[record.human] = record.value
    strength = {row: max(abs(v) for v in line.values()) for row, line in values.items()}
    rows = sorted(values, key=lambda row: -strength[row])[:MOST_METRICS]
    rows.sort(key=lambda row: -abs(values[row].get(primary or "", 0.0)))
    known = dict.fromkeys(record.human for record in records)
    humans = sorted(known, key=lambda human: human != primary)[:MOST_COLUMNS]
    table = [[values[row].get(human) for human in humans] for row in rows]
    kept = _kept(len(rows), len(values), "strongest") + _kept(len(humans), len(known), "first")
    return Figure(
        name,
        title,
        alt=f"Heat map of {_kind(records)} for {len(rows)} metrics in rows and {len(humans)} "
        f"human scores in columns. {_extremes(rows, humans, table)}",
        caption=f"{_kind(records).capitalize()} of each metric's main part with each human score. "
        "Yellow follows people, dark blue runs against them (good for a metric where lower is "
        f"better); near zero it says nothing about them.{kept}",
        svg=_heat_map(rows, humans, table),
    )


def _kept(shown: int, total: int, which: str) -> str:
    """A sentence about rows or columns that did not fit."""
    noun = "metrics" if which == "strongest" else "human scores"
    return f" The {which} {shown} of {total} {noun} are shown." if shown < total else ""


def _draw_dimensions(name: str, title: str, records: list[Correlation]) -> Figure:
    known = dict.fromkeys([record.metric for record in records] + [r.human for r in records])
    humans = _connected(leading_first(list(known)), records)[:MOST_COLUMNS]
    pairs = {(human, human): 1.0 for human in humans}
    for record in records:
        if record.value is not None:
            pairs[record.metric, record.human] = record.value
            pairs.setdefault((record.human, record.metric), record.value)
    table = [[pairs.get((row, column)) for column in humans] for row in humans]
    apart = [[None if row == column else pairs.get((row, column)) for column in humans]
             for row in humans]  # fmt: skip
    return Figure(
        name,
        title,
        alt=f"Heat map of {_kind(records)} among {len(humans)} human scores. "
        f"{_extremes(humans, humans, apart)}",
        caption=f"{_kind(records).capitalize()} among human scores. Pairs near 1 were hardly "
        "told apart by the annotators; a column that stays low measures something of its own.",
        svg=_heat_map(humans, humans, table),
    )


def _connected(names: list[str], records: list[Correlation]) -> list[str]:
    """The names that were correlated with the first; votes are not with ratings, for one."""
    pairs = {frozenset((record.metric, record.human)) for record in records}
    return [name for name in names if name == names[0] or frozenset((name, names[0])) in pairs]


def _heat_map(
    rows: Sequence[str], columns: Sequence[str], table: Sequence[Sequence[float | None]]
) -> str:
    grid = np.array([[np.nan if cell is None else cell for cell in line] for line in table])
    width = min(WIDTH, 2.6 + 0.72 * len(columns))
    with canvas(width, rows_high(len(rows), each=0.3, around=1.5)) as drawing:
        axes = drawing.subplots()
        mesh = axes.pcolormesh(
            np.ma.masked_invalid(grid), cmap="cividis", vmin=-1, vmax=1, linewidth=1.5,
            edgecolor=PAPER,
        )  # fmt: skip
        axes.invert_yaxis()
        _name_cells(axes, rows, columns)
        for (row, column), value in np.ndenumerate(grid):
            _print_value(axes, row, column, float(value), mesh)
        return to_svg(drawing)


def _name_cells(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes.set_yticks(np.arange(len(rows)) + 0.5, [shorten(row) for row in rows])
    style: dict[str, Any] = {"rotation": 35, "ha": "left", "rotation_mode": "anchor"}
    names = [shorten(column, 28) for column in columns]
    axes.set_xticks(np.arange(len(columns)) + 0.5, names, **style)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _print_value(axes: Axes, row: int, column: int, value: float, mesh: QuadMesh) -> None:
    """The value in its cell, in black or white, whichever is easier to read on its colour."""
    if np.isnan(value):
        shown, ink = "—", INK
    else:
        shown = f"{value:.2f}".replace("-", "−")
        ink = "#000000" if _luminance(mesh.to_rgba(np.array([value]))[0]) > 0.179 else "#ffffff"
    axes.text(
        column + 0.5, row + 0.5, shown, ha="center", va="center", fontsize=8.5, color=ink
    )  # fmt: skip


def _luminance(colour: Float64) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear[:3] @ np.array([0.2126, 0.7152, 0.0722]))


def _kind(records: list[Correlation]) -> str:
    first = records[0]
    coefficient = words.coefficient(first.coefficient)
    return f"{coefficient} correlations ({first.level} level)"


def _extremes(
    rows: Sequence[str], columns: Sequence[str], table: Sequence[Sequence[float | None]]
) -> str:
    cells = [
        (value, row, column)
        for row, line in zip(rows, table, strict=True)
        for column, value in zip(columns, line, strict=True)
        if value is not None
    ]
    if not cells:
        return ""
    (low, *lowest), (high, *highest) = min(cells), max(cells)
    return (
        f"Highest: {' with '.join(highest)}, {show_number(high)}. "
        f"Lowest: {' with '.join(lowest)}, {show_number(low)}."
    )
