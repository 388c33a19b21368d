"""How much better or worse than a baseline metric the others follow people (EMFoS, chapter 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmark.analysis import words
from gistmark.analysis.correlation.differences import turned
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.records import Difference
from gistmark.analysis.words import show_number
from gistmark.report.figures.drawing import (
    COLOURS,
    INK,
    MOST_METRICS,
    PAPER,
    SOFT,
    WIDTH,
    Absent,
    Figure,
    canvas,
    grid,
    name_panel,
    name_rows,
    render,
    rows_high,
    shorten,
)
from gistmark.report.tables.differences import headline_pairs
from gistmark.report.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PANELS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """A metric's correlation minus the baseline's; whether the corrected test finds it real."""

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
        return _draw(view, name, title, base, panels)
    return Absent(name, title, f"No metric was compared with {view.baseline}.")


def _baseline(view: View) -> str | None:
    """The baseline as the study names it in comparisons: by its main part."""
    parts = [r.part for r in view.plain if r.metric == view.baseline]
    return view.label(view.baseline, view.main_part(view.baseline, parts)) if parts else None


def _panels(view: View, base: str) -> dict[str, list[Step]]:
    """level -> the other metrics, from the highest difference to the lowest."""
    found: dict[str, list[Step]] = {}
    for line in headline_pairs(view):
        for level, record in line.items():
            if base in (record.metric, record.other) and record.value is not None:
                step = _step(record if record.other == base else turned(record))
                found.setdefault(level, []).append(step)
    levels = [level for level in view.headline.levels if level in found]
    return {level: sorted(found[level], key=lambda step: -step.value) for level in levels}


def _step(record: Difference) -> Step:
    p = record.p if record.p_corrected is None else record.p_corrected
    sure = p is not None and p < SIGNIFICANT
    return Step(record.metric, record.value or 0.0, record.low, record.high, sure)


def _draw(view: View, name: str, title: str, base: str, panels: dict[str, list[Step]]) -> Figure:
    level, leading = next(iter(panels.items()))
    rows = [step.metric for step in leading][:MOST_METRICS]
    best = leading[0]
    shown = f" The {len(rows)} highest of {len(leading)} are shown." if leading[len(rows) :] else ""
    kind = words.coefficient(view.headline.coefficient)
    with canvas(WIDTH, rows_high(len(rows), each=0.2)) as drawing:
        places = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (name_, steps) in zip(places, panels.items(), strict=True):
            _draw_panel(axes, name_, {step.metric: step for step in steps}, rows)
        name_rows(places[0], rows)
        drawing.supxlabel(f"{kind} minus that of {shorten(base)}", fontsize=9, color=INK)
        image = render(drawing, rows)
    return Figure(
        name,
        title,
        alt=f"Dot plot: {kind} correlation with {view.primary} of {len(rows)} metrics minus that "
        f"of {base}. Highest at {level} level: {best.metric}, {show_number(best.value)}.",
        caption=f"{kind} correlation with {view.primary}. Right of the line a metric follows "
        f"people more closely than {base}, left of it less; a metric of which less is better "
        "counts negated. Filled dots differ significantly from it (corrected among all pairs of "
        "metrics, 5 %), hollow ones do not; bars are 95 % intervals, which are not corrected."
        + shown,
        image=image,
    )


def _draw_panel(axes: Axes, level: str, steps: dict[str, Step], rows: list[str]) -> None:
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
    name_panel(axes, f"{words.sentence(level)} level")
