"""Heat maps of correlations, with every value printed in its cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.analysis.findings import words
from gistmark.analysis.findings.words import show_number
from gistmark.analysis.studies.records import Correlation
from gistmark.report.figures.drawing import (
    MOST_METRICS,
    WIDTH,
    Absent,
    Figure,
    Image,
    canvas,
    readable_ink,
    render,
    rows_high,
    shorten,
)
from gistmark.report.figures.palette import INK, PAPER
from gistmark.report.views import LEVELS, View, leading_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

MOST_COLUMNS = 14

Values = Sequence[Sequence[float | None]]


def metric_figure(view: View) -> Figure | Absent:
    """Metrics in rows, human scores in columns, a panel per level of the headline."""
    name, title = "metric_correlations", "Metrics against people"
    for coefficient in view.coefficients:
        for levels in (view.headline.levels, *((level,) for level in LEVELS)):
            groups = {level: view.main_correlations(level, coefficient) for level in levels}
            groups = {k: v for k, v in groups.items() if any(r.value is not None for r in v)}
            if groups:
                return _draw_metrics(view, name, title, groups)
    return Absent(name, title, "No metric was correlated with a human score.")


def dimension_figure(view: View) -> Figure | Absent:
    """Human scores against each other."""
    name, title = "dimension_correlations", "Dimensions against each other"
    for coefficient in view.coefficients:
        for level in LEVELS:
            result = view.dimension_correlations(level, coefficient)
            if any(record.value is not None for record in result):
                return _draw_dimensions(name, title, result)
    return Absent(name, title, "Fewer than two dimensions were correlated with each other.")


def _draw_metrics(
    view: View, name: str, title: str, levels: Mapping[str, list[Correlation]]
) -> Figure:
    values: dict[str, dict[tuple[str, str], Correlation]] = {}
    for level, records in levels.items():
        for record in records:
            if record.value is not None:
                line = values.setdefault(view.label(record.metric, record.part), {})
                line[level, record.human] = record
    first = next(iter(levels)), view.primary or ""
    rows = sorted(values, key=lambda row: min(map(view.closeness, values[row].values())))
    rows = sorted(rows[:MOST_METRICS], key=lambda row: view.closeness(values[row].get(first)))
    all_humans = dict.fromkeys(record.human for records in levels.values() for record in records)
    humans = sorted(all_humans, key=lambda human: human != view.primary)[
        : MOST_COLUMNS // len(levels)
    ]
    panels = {
        f"{words.sentence(level)} level": [
            [cell.value if (cell := values[row].get((level, human))) else None for human in humans]
            for row in rows
        ]
        for level in levels
    }
    cut = _cut_note(len(rows), len(values), "closest") + _cut_note(
        len(humans), len(all_humans), "first"
    )
    kind = f"{words.coefficient(next(iter(levels.values()))[0].coefficient)} correlations"
    extremes = " ".join(f"{title}: {_extremes(rows, humans, t)}" for title, t in panels.items())
    return Figure(
        name,
        title,
        alt=f"Heat map of {kind} for {len(rows)} metrics in rows and {len(humans)} human scores in "
        f"columns. {extremes}",
        caption=f"{kind} of each metric’s main part with each human score. "
        "Yellow means that the metric follows people, dark blue that it runs against them (good "
        f"where lower is better); near zero it says nothing about them.{cut}",
        image=_heat_map(rows, humans, panels),
    )


def _cut_note(visible: int, total: int, which: str) -> str:
    """A sentence about rows or columns that did not fit."""
    noun = "metrics" if which == "closest" else "human scores"
    return f" The {which} {visible} of {total} {noun} are shown." if visible < total else ""


def _draw_dimensions(name: str, title: str, records: list[Correlation]) -> Figure:
    names = dict.fromkeys([record.metric for record in records] + [r.human for r in records])
    humans = _correlated_with_first(leading_first(list(names)), records)[:MOST_COLUMNS]
    pairs = {(human, human): 1.0 for human in humans}
    for record in records:
        if record.value is not None:
            pairs[record.metric, record.human] = record.value
            pairs.setdefault((record.human, record.metric), record.value)
    table = [[pairs.get((row, column)) for column in humans] for row in humans]
    off_diagonal = [[None if row == column else pairs.get((row, column)) for column in humans]
             for row in humans]  # fmt: skip
    return Figure(
        name,
        title,
        alt=f"Heat map of {_kind(records)} among {len(humans)} human scores. "
        f"{_extremes(humans, humans, off_diagonal)}",
        caption=f"{_kind(records).capitalize()} among human scores. Annotators hardly told pairs "
        "near 1 apart; a column that stays low measures something of its own.",
        image=_heat_map(humans, humans, {"": table}),
    )


def _correlated_with_first(names: list[str], records: list[Correlation]) -> list[str]:
    """The names correlated with the first one; votes, for example, are not with ratings."""
    pairs = {frozenset((record.metric, record.human)) for record in records}
    return [name for name in names if name == names[0] or frozenset((name, names[0])) in pairs]


def _heat_map(rows: Sequence[str], columns: Sequence[str], panels: Mapping[str, Values]) -> Image:
    """Draw panels side by side, all with the same rows and columns."""
    width = min(WIDTH, 2.2 + (0.4 + 0.72 * len(columns)) * len(panels))
    with canvas(width, rows_high(len(rows), row_height=0.27, margin=1.5)) as drawing:
        all_axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (title, values) in zip(all_axes, panels.items(), strict=True):
            _draw_panel(axes, values)
            _name_columns(axes, columns)
            axes.set_xlabel(title, fontweight="bold")
        axes = all_axes[0]
        axes.set_yticks(np.arange(len(rows)) + 0.5, [shorten(row) for row in rows])
        axes.set_ylim(len(rows), 0)
        return render(drawing, rows)


def _draw_panel(axes: Axes, values: Values) -> None:
    grid = np.array([[np.nan if cell is None else cell for cell in line] for line in values])
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(grid), cmap="cividis", vmin=-1, vmax=1, linewidth=1.5,
        edgecolor=PAPER,
    )  # fmt: skip
    for (row, column), value in np.ndenumerate(grid):
        _print_value(axes, row, column, float(value), mesh)


def _name_columns(axes: Axes, columns: Sequence[str]) -> None:
    style: dict[str, Any] = {"rotation": 35, "ha": "left", "rotation_mode": "anchor"}
    names = [shorten(column, 28) for column in columns]
    axes.set_xticks(np.arange(len(columns)) + 0.5, names, **style)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _print_value(axes: Axes, row: int, column: int, value: float, mesh: QuadMesh) -> None:
    """The value in its cell, in black or white, whichever is easier to read on its colour."""
    if np.isnan(value):
        label, ink = "—", INK
    else:
        label = show_number(value).replace("-", "−")
        ink = readable_ink(mesh.to_rgba(np.array([value]))[0])
    text = axes.text(
        column + 0.5, row + 0.5, label, ha="center", va="center", fontsize=8, color=ink
    )  # fmt: skip
    text.set_in_layout(False)


def _kind(records: list[Correlation]) -> str:
    first = records[0]
    coefficient = words.coefficient(first.coefficient)
    return f"{coefficient} correlations ({first.level} level)"


def _extremes(rows: Sequence[str], columns: Sequence[str], table: Values) -> str:
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
