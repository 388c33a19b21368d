"""The power of plans against what they cost, a line for each number of annotators."""

from __future__ import annotations

from gistmark.analysis.findings.words import counted
from gistmark.analysis.planning import Plan, Planning
from gistmark.report.figures.drawing import WIDTH, Figure, canvas, grid, render
from gistmark.report.figures.palette import COLOURS, INK

_MARKERS = "osD^vPX*"


def plan_figure(planning: Planning, systems: int | None = None) -> Figure:
    """One number of systems: the best plan's, unless it is named."""
    first = planning.best or planning.plans[0]
    count = systems or first.systems
    plans = [each for each in planning.plans if each.systems == count]
    axis = _axis(planning)
    with canvas(WIDTH, 3.4) as drawing:
        axes = drawing.add_subplot()
        for index, annotators in enumerate(sorted({each.annotators for each in plans})):
            line = sorted((e for e in plans if e.annotators == annotators), key=_price)
            axes.plot([_price(e) for e in line], [100 * e.power for e in line],
                      marker=_MARKERS[index % len(_MARKERS)], markersize=4, linewidth=1.4,
                      color=COLOURS[index % len(COLOURS)],
                      label=counted(annotators, "annotator"))  # fmt: skip
        axes.axhline(100 * planning.target, color=INK, linewidth=0.9, linestyle="--")
        if planning.best is not None and planning.best.systems == count:
            axes.plot([_price(planning.best)], [100 * planning.best.power], marker="o",
                      markersize=11, markerfacecolor="none", markeredgecolor=INK, linestyle="none",
                      label="the plan")  # fmt: skip
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(
            lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"
        )
        axes.xaxis.set_minor_formatter(lambda *_: "")
        axes.set_ylim(0, 103)
        axes.set_xlabel(axis, fontsize=8)
        axes.set_ylabel("Power (%)", fontsize=8)
        grid(axes, "y")
        drawing.legend(loc="outside lower center", ncols=4)
        image = render(drawing)
    return Figure(
        f"plan_{count}",
        f"Power against {axis.lower()}",
        alt=f"{planning.sentence} {_described(plans)}",
        caption=f"Each point is a plan with {counted(count, 'system')}; along a line the number of "
        f"documents grows. The dashed line is the power that is wanted.",
        image=image,
    )


def _axis(planning: Planning) -> str:
    first = planning.plans[0]
    if first.cost is not None:
        return f"Cost ({planning.currency})" if planning.currency else "Cost"
    noun = "ratings" if planning.kind == "ratings" else "choices"
    return "Hours of work" if first.hours is not None else f"Number of {noun}"


def _price(plan: Plan) -> float:
    """What a plan costs, in money, else in hours, else in judgements."""
    known = (plan.cost, plan.hours)
    return next((each for each in known if each), float(plan.judgements))


def _described(plans: list[Plan]) -> str:
    """The ends of each line in words."""
    parts = []
    for annotators in sorted({each.annotators for each in plans}):
        line = sorted((e for e in plans if e.annotators == annotators), key=lambda e: e.documents)
        ends = dict.fromkeys((line[0], line[-1]))
        powers = ", ".join(f"{100 * e.power:.0f} % with {e.documents} documents" for e in ends)
        parts.append(f"{counted(annotators, 'annotator')}: {powers}")
    return "; ".join(parts) + "."
