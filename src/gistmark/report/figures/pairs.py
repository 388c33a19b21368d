"""Figures of differences between systems, and between metrics' correlations with people.

There are matrices of all pairs, and dots for differences from a baseline (EMFoS, chapter 7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmark.analysis.correlation.differences import turned
from gistmark.analysis.findings import words
from gistmark.analysis.findings.words import show_number
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.studies.records import Difference
from gistmark.report.figures.drawing import (
    CROWDED,
    MOST_METRICS,
    WIDTH,
    Absent,
    Figure,
    Image,
    canvas,
    grid,
    name_panel,
    name_rows,
    readable_ink,
    render,
    rows_high,
    shorten,
)
from gistmark.report.figures.palette import BLACK, COLOURS, INK, PAPER, RULE, SOFT, WHITE
from gistmark.report.tables.correlation import headline_pairs
from gistmark.report.tables.ranking import ranking_title
from gistmark.report.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable


_PALE = 0.3

_LABEL = 20

_STEPS = 41
"""Matplotlib draws a scale of 50 and more colours as pixels."""


@dataclass(frozen=True)
class Cell:
    """The difference of two systems or metrics, and whether it is significant."""

    value: float
    significant: bool


Cells = Mapping[tuple[str, str], Cell]


def system_pairs_figure(view: View) -> Figure | Absent:
    """The pairs of systems of the leading ranking: effect sizes, and which are significant."""
    name, title = "pairs", "Every pair of systems"
    result = view.pairs(*view.rankings[0]) if view.rankings else []
    cells = {
        (pair.left, pair.right): Cell(pair.effect, _significant(pair.p_corrected))
        for pair in result
        if pair.effect is not None
    }
    if not cells:
        return Absent(name, title, "No effect size of a pair of systems is defined.")
    systems = [r.system for r in view.ranks(*view.rankings[0]) if r.rank is not None]
    image = _draw_matrix(systems, {"": cells}, "Effect size")
    sure = sum(cell.significant for cell in cells.values())
    ranked_by = ranking_title(result[0].by, result[0].dimension, result[0].method)
    return Figure(
        name,
        title,
        alt=f"Matrix of {len(cells):,} pairs of {len(systems)} systems, {sure:,} of them "
        f"significantly different. {ranked_by}.",
        caption=f"{ranked_by}. A cell compares the system of its row with that of its column, "
        "which ranks below it. Colour is the effect size: the mean difference in standard "
        f"deviations of the documents’ differences. {_marking_sentence(systems)} {sure:,} of "
        f"{len(cells):,} pairs are significant ({result[0].test}, Holm’s correction, 5 %).",
        image=image,
    )


def metric_pairs_figure(view: View) -> Figure | Absent:
    """The pairs of metrics for the leading human score, a matrix per level of the headline."""
    name, title = "metric_pairs", "Every pair of metrics"
    panels = _metric_cells(view)
    if not panels:
        return Absent(name, title, "No two metrics were compared with the leading human score.")
    metric_names = dict.fromkeys(
        name for cells in panels.values() for pair in cells for name in pair
    )
    metrics = _strongest_first(view, list(metric_names))
    visible = metrics[:MOST_METRICS]
    image = _draw_matrix(
        visible, {f"{words.sentence(k)} level": c for k, c in panels.items()}, "Difference"
    )
    kind = words.coefficient(view.headline.coefficient)
    counts = [
        f"{sum(cell.significant for cell in cells.values()):,} of {len(cells):,} pairs at {level} "
        "level"
        for level, cells in panels.items()
    ]
    cut = (
        f" The first {len(visible)} of {len(metrics)} are shown." if metrics[len(visible) :] else ""
    )
    return Figure(
        name,
        title,
        alt=f"Matrix of the pairs of {len(visible)} metrics and parts. Significant: "
        f"{words.listed(counts)}.",
        caption=f"The {kind} correlation with {view.primary} of the metric in the row minus that "
        "of the metric in the column; metrics for which lower is better are negated. "
        f"{_marking_sentence(visible)} Significant after correction: {words.listed(counts)}.{cut}"
        f"{_untested(view)}",
        image=image,
    )


def _metric_cells(view: View) -> dict[str, dict[tuple[str, str], Cell]]:
    """level -> pair of metrics -> difference."""
    panels: dict[str, dict[tuple[str, str], Cell]] = {}
    for line in headline_pairs(view):
        for level in view.headline.levels:
            record = line.get(level)
            if record is None or record.value is None:
                continue
            p = record.p if record.p_corrected is None else record.p_corrected
            cell = Cell(record.value, _significant(p))
            panels.setdefault(level, {})[record.metric, record.other] = cell
    return panels


def _untested(view: View) -> str:
    """A sentence, after a space, on why no pair was tested; empty if any was."""
    records = [record for line in headline_pairs(view) for record in line.values()]
    reasons = {record.reason for record in records if record.value is not None}
    if any(record.p is not None for record in records) or len(reasons) != 1:
        return ""
    scopes = words.listed(list(dict.fromkeys(r.over for r in records if r.low is not None)))
    over = f"; intervals are over {scopes}" if scopes else ""
    return f" No pair was tested ({reasons.pop()}){over}."


def _strongest_first(view: View, metrics: list[str]) -> list[str]:
    """Sort by the correlation with the leading human score at the headline's first level."""
    strength = {view.label(*measure): value for measure, value in view.strengths.items()}
    return sorted(metrics, key=lambda metric: -strength.get(metric, -2.0))


def _significant(p: float | None) -> bool:
    return p is not None and p < SIGNIFICANT


def _marking_sentence(names: Sequence[str]) -> str:
    """How significant pairs differ from others in the figure."""
    dotted = "Dots mark significant pairs; the others are pale."
    return dotted if len(names) <= CROWDED else "Pairs that are not significant are pale."


def _draw_matrix(names: Sequence[str], panels: Mapping[str, Cells], scale: str) -> Image:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    values = [cell.value for cells in panels.values() for cell in cells.values()]
    limit = max(map(abs, values)) or 1.0
    height = WIDTH * 0.86 if len(names) > 12 else 1.6 + 0.36 * len(names)
    with canvas(WIDTH, height * len(panels)) as drawing:
        steps = colormaps["PuOr"].resampled(_STEPS)
        colours = ScalarMappable(Normalize(-limit, limit), steps)
        all_axes = drawing.subplots(len(panels), 1, squeeze=False)[:, 0]
        for axes, (title, cells) in zip(all_axes, panels.items(), strict=True):
            _draw_cells(axes, _cells_above_diagonal(names, cells), colours)
            _name_cells(axes, names)
            if title:
                name_panel(axes, title)
        bar = drawing.colorbar(colours, ax=list(all_axes), shrink=0.5, aspect=30, label=scale)
        bar.outline.set_visible(False)
        bar.ax.set_ylim(min(0.0, *values), limit)
        return render(drawing, names, limit=_LABEL)


def _cells_above_diagonal(names: Sequence[str], cells: Cells) -> dict[tuple[int, int], Cell]:
    """The cells above the diagonal by row and column; reversed pairs are negated."""
    rows = {name: row for row, name in enumerate(names)}
    groups: dict[tuple[int, int], Cell] = {}
    for (first, second), cell in cells.items():
        if first in rows and second in rows:
            row, column = rows[first], rows[second]
            oriented = cell if row < column else Cell(-cell.value, cell.significant)
            groups[min(row, column), max(row, column)] = oriented
    return groups


def _draw_cells(axes: Axes, grid: Mapping[tuple[int, int], Cell], colours: ScalarMappable) -> None:
    from matplotlib.collections import PolyCollection

    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    squares = [corners + np.array([column, row]) for row, column in grid]
    faces = colours.to_rgba(np.array([cell.value for cell in grid.values()]))
    faces[:, 3] = [1.0 if cell.significant else _PALE for cell in grid.values()]
    axes.add_collection(PolyCollection(squares, facecolors=faces, edgecolors=RULE, linewidths=0.5))
    if 1 + max(column for _, column in grid) <= CROWDED:
        for ink in (BLACK, WHITE):
            dots = [
                index for (index, cell), face in zip(grid.items(), faces, strict=True)
                if cell.significant and readable_ink(face) == ink
            ]  # fmt: skip
            axes.plot([x + 0.5 for _, x in dots], [y + 0.5 for y, _ in dots], ".", color=ink,
                      markersize=2.5)  # fmt: skip


def _name_cells(axes: Axes, names: Sequence[str]) -> None:
    size = 8 if len(names) <= CROWDED else 5
    middle = np.arange(len(names)) + 0.5
    labels = [shorten(name, _LABEL) for name in names]
    axes.set_yticks(middle, labels, fontsize=size)
    axes.set_xticks(middle, labels, fontsize=size, rotation=90)
    axes.xaxis.tick_top()
    axes.set_xlim(0, len(names))
    axes.set_ylim(len(names), 0)
    axes.set_aspect("equal")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


@dataclass(frozen=True, slots=True)
class Step:
    """A metric's correlation minus the baseline's; `sure` if the corrected test is significant."""

    metric: str
    value: float
    low: float | None
    high: float | None
    sure: bool


def difference_figure(view: View) -> Figure | Absent:
    """A panel per level of the headline; a row per part of a metric; zero is the baseline."""
    base = _baseline(view)
    name, title = "differences", f"Differences from {shorten(base or view.baseline)}"
    panels = _panels(view, base) if base else {}
    if panels and base:
        return _draw_steps(view, name, title, base, panels)
    return Absent(name, title, f"No metric was compared with {view.baseline}.")


def _baseline(view: View) -> str | None:
    """The baseline as the study names it in comparisons: by its main part."""
    parts = [r.part for r in view.plain if r.metric == view.baseline]
    return view.label(view.baseline, view.main_part(view.baseline, parts)) if parts else None


def _panels(view: View, base: str) -> dict[str, list[Step]]:
    """level -> the other metrics, from the highest difference to the lowest."""
    groups: dict[str, list[Step]] = {}
    for line in headline_pairs(view):
        for level, record in line.items():
            if base in (record.metric, record.other) and record.value is not None:
                step = _step(record if record.other == base else turned(record))
                groups.setdefault(level, []).append(step)
    levels = [level for level in view.headline.levels if level in groups]
    return {level: sorted(groups[level], key=lambda step: -step.value) for level in levels}


def _step(record: Difference) -> Step:
    p = record.p if record.p_corrected is None else record.p_corrected
    sure = p is not None and p < SIGNIFICANT
    return Step(record.metric, record.value or 0.0, record.low, record.high, sure)


def human_differences_figure(
    name: str, title: str, differences: Sequence[Difference]
) -> Figure | Absent:
    """A panel for each human score; a row for each metric; zero is the baseline."""
    panels: dict[str, list[Step]] = {}
    for record in differences:
        if record.value is not None:
            panels.setdefault(record.human, []).append(_step(record))
    if not panels:
        return Absent(name, title, "No metric of this figure has scores.")
    panels = {human: sorted(steps, key=lambda step: -step.value) for human, steps in panels.items()}
    base, kind = differences[0].other, words.coefficient(differences[0].coefficient)
    scope = next((record.over for record in differences if record.low is not None), "")
    image, rows = _steps_image(panels, base, kind)
    best = {human: steps[0] for human, steps in panels.items()}
    highest = "; ".join(
        f"{human}: {step.metric}, {show_number(step.value)}" for human, step in best.items()
    )
    return Figure(
        name,
        title,
        alt=f"Dot plot: {kind} correlation of {len(rows)} metrics with {len(panels)} human scores "
        f"minus that of {base}. Highest: {highest}.",
        caption=f"Right of the line a metric follows people more closely than {base}, left of it "
        "less closely. Filled dots differ significantly from it (corrected among the metrics of "
        "a panel, 5 %), hollow ones do not"
        + (f"; bars are 95 % intervals over {scope}, which are not corrected." if scope else "."),
        image=image,
    )


def _steps_image(
    panels: Mapping[str, Sequence[Step]], base: str, kind: str
) -> tuple[Image, list[str]]:
    """A panel for each name, and the metrics that have a row."""
    rows = [step.metric for step in next(iter(panels.values()))][:MOST_METRICS]
    with canvas(WIDTH, rows_high(len(rows), row_height=0.2)) as drawing:
        all_axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (name, steps) in zip(all_axes, panels.items(), strict=True):
            _draw_panel(axes, name, {step.metric: step for step in steps}, rows)
        name_rows(all_axes[0], rows)
        drawing.supxlabel(f"{kind} minus that of {shorten(base)}", fontsize=9, color=INK)
        return render(drawing, rows), rows


def _draw_steps(
    view: View, name: str, title: str, base: str, panels: dict[str, list[Step]]
) -> Figure:
    level, leading = next(iter(panels.items()))
    best = leading[0]
    kind = words.coefficient(view.headline.coefficient)
    titled = {f"{words.sentence(name)} level": steps for name, steps in panels.items()}
    image, rows = _steps_image(titled, base, kind)
    cut = f" The {len(rows)} highest of {len(leading)} are shown." if leading[len(rows) :] else ""
    return Figure(
        name,
        title,
        alt=f"Dot plot: {kind} correlation with {view.primary} of {len(rows)} metrics minus that "
        f"of {base}. Highest at {level} level: {best.metric}, {show_number(best.value)}.",
        caption=f"{kind} correlation with {view.primary}. Right of the line a metric follows "
        f"people more closely than {base}, left of it less closely; metrics for which lower is "
        "better are negated. Filled dots differ significantly from it (corrected among all pairs "
        "of metrics, 5 %), hollow ones do not; bars are 95 % intervals, which are not corrected."
        f"{cut}{_untested(view)}",
        image=image,
    )


def _draw_panel(axes: Axes, title: str, steps: dict[str, Step], rows: list[str]) -> None:
    axes.axvline(0, color=SOFT, linewidth=1)
    for line, metric in enumerate(rows):
        step = steps.get(metric)
        if step is None:
            continue
        colour = COLOURS[0] if step.value >= 0 else COLOURS[1]
        if step.low is not None and step.high is not None:
            axes.plot([step.low, step.high], [line, line], color=colour, linewidth=1.4)
        face = colour if step.sure else PAPER
        axes.plot(step.value, line, "o", color=colour, markerfacecolor=face, markersize=5)
    grid(axes)
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="x", labelsize=8)
    name_panel(axes, title)
