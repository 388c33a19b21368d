"""How much better or worse than a baseline metric the others follow people (EMFoS, chapter 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmark.report import words
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
    rows_high,
    shorten,
    to_svg,
)
from gistmark.report.numbers import show_number
from gistmark.report.views import View, label
from gistmark.study.records import Correlation

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
    """A panel per human score; a row per metric; zero is the baseline."""
    name, title = "differences", f"Differences from {shorten(view.baseline)}"
    for coefficient in view.coefficients:
        panels = _panels(view, coefficient)
        if panels:
            return _draw(view, name, title, coefficient, panels)
    reason = f"There is no correlation of {view.baseline} and another metric with a human score."
    return Absent(name, title, reason)


def _panels(view: View, coefficient: str) -> dict[str, list[Step]]:
    records = [
        record
        for record in view.main_correlations("global", coefficient)
        if record.value is not None and record.metric in view.metrics
    ]
    found: dict[str, list[Step]] = {}
    for base in (record for record in records if record.metric == view.baseline):
        others = [r for r in records if r.human == base.human and r.metric != base.metric]
        steps = [_step(view, record, base) for record in others]
        if steps:
            found[base.human] = sorted(steps, key=lambda step: -step.value)
    first = view.primary
    ordered = sorted(found, key=lambda human: human != first)[:_PANELS]
    return {human: found[human] for human in ordered}


def _step(view: View, record: Correlation, base: Correlation) -> Step:
    """The tested difference where the study has it, else the bare one."""
    test = view.difference(record, base)
    name = label(record.metric, record.part)
    if test is None or test.value is None:
        return Step(name, view.oriented(record) - view.oriented(base), None, None, False)
    p = test.p if test.p_corrected is None else test.p_corrected
    return Step(name, test.value, test.low, test.high, p is not None and p < 0.05)


def _draw(
    view: View, name: str, title: str, coefficient: str, panels: dict[str, list[Step]]
) -> Figure:
    leading = next(iter(panels.values()))
    rows = [step.metric for step in leading][:MOST_METRICS]
    best = leading[0]
    shown = f" The {len(rows)} highest of {len(leading)} are shown." if leading[len(rows) :] else ""
    kind = words.coefficient(coefficient)
    with canvas(WIDTH, rows_high(len(rows))) as drawing:
        axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for place, (human, steps) in zip(axes, panels.items(), strict=True):
            _draw_panel(place, human, {step.metric: step for step in steps}, rows)
        drawing.supxlabel(f"{kind} minus that of {shorten(view.baseline)}", fontsize=9, color=INK)
        svg = to_svg(drawing)
    return Figure(
        name,
        title,
        alt=f"Dot plot: {kind} correlation of {len(rows)} metrics minus that of {view.baseline}, "
        f"for {', '.join(panels)}. Highest for {next(iter(panels))}: {best.metric}, "
        f"{show_number(best.value)}.",
        caption=f"Right of the line a metric follows people more closely than {view.baseline}, "
        "left of it less; a metric where lower is better counts negated. Filled dots differ from "
        "it beyond chance (corrected p below 0.05); "
        f"hollow ones may not; bars are 95 % intervals where they were computed.{shown}",
        svg=svg,
    )


def _draw_panel(axes: Axes, human: str, steps: dict[str, Step], rows: list[str]) -> None:
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
    axes.set_yticks(range(len(rows)), [shorten(row) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    grid(axes)
    axes.locator_params(axis="x", nbins=3)
    axes.tick_params(axis="x", labelsize=8)
    name_panel(axes, human, width=17)
