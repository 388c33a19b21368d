"""A plan to send to a colleague: the sentence, the chart of power against cost, and every plan."""

from __future__ import annotations

from html import escape
from pathlib import Path

from gistmark.analysis.findings.words import counted
from gistmark.analysis.planning import Plan, Planning
from gistmark.analysis.planning.words import rests_on
from gistmark.errors import UsageError
from gistmark.report.figures.drawing import WIDTH, Figure, canvas, grid, render
from gistmark.report.figures.palette import COLOURS, INK
from gistmark.report.page import inline_svg, static_page
from gistmark.report.table import Cell, Column, Table
from gistmark.report.writers import html_table
from gistmark.runtime.files import atomic_write, write_text

TITLE = "Plan of a study"
KINDS = (".html", ".svg", ".pdf")

_MARKERS = "osD^vPX*"


def check_plan_file(path: Path) -> None:
    """Raise a `UsageError` if a plan cannot be written to this path."""
    if path.suffix.lower() not in KINDS:
        raise UsageError(f"{path}: a plan can be written as .html, .svg or .pdf.")


def write_plan(planning: Planning, path: Path) -> None:
    """A page (.html), or the chart alone (.svg, .pdf)."""
    check_plan_file(path)
    kind = path.suffix.lower()
    if kind == ".html":
        write_text(path, plan_page(planning), errors="replace")
    elif kind == ".svg":
        write_text(path, plan_figure(planning).svg, errors="replace")
    else:
        with atomic_write(path) as stream:
            stream.write(plan_figure(planning).image.pdf)


def plan_page(planning: Planning) -> str:
    """The whole plan as a page that loads nothing."""
    about = (planning.meaning, rests_on(planning.spread))
    sentences = [planning.sentence, *about, *planning.warnings]
    counts = tuple(dict.fromkeys(plan.systems for plan in planning.plans))
    figures = [plan_figure(planning, count) for count in counts]
    sections = (
        ("The plan", "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)),
        (figures[0].title, "".join(map(_figure, figures))),
        ("All plans", html_table(plan_table(planning), titled=False)),
    )
    return static_page(
        TITLE,
        {"plans": len(planning.plans)},
        [f"<section><h2>{escape(title)}</h2>{body}</section>" for title, body in sections],
        label="how many judgements a study needs",
    )


def _figure(figure: Figure) -> str:
    return (
        f'<figure><div class="scroll" role="region" tabindex="0" '
        f'aria-label="{escape(figure.title, quote=True)}">{inline_svg(figure)}</div>'
        f"<figcaption>{escape(figure.caption)}</figcaption></figure>"
    )


def plan_table(planning: Planning) -> Table:
    """Every plan of the grid."""
    width = "Width" if planning.kind == "ratings" else "Width of the share"
    rows: list[list[Cell]] = [
        [plan.systems, plan.documents, plan.annotators, plan.judgements, plan.power, plan.width,
         plan.pairs, plan.distinguishable, plan.hours, plan.cost]
        for plan in planning.plans
    ]  # fmt: skip
    return Table(
        "plans",
        "All plans",
        (
            Column("systems", "Systems", "count"),
            Column("documents", "Documents", "count"),
            Column("annotators", "Annotators", "count"),
            Column("judgements", "Judgements", "count"),
            Column("power", "Power", "number"),
            Column("width", width, "number"),
            Column("pairs", "Pairs told apart", "number"),
            Column("distinguishable", "Groups of systems", "number"),
            Column("hours", "Hours", "number"),
            Column("cost", "Cost", "number"),
        ),
        rows,
        note=f"{planning.meaning} The width is that of a 95 % interval; too few documents give "
        "none. Pairs told apart and groups of systems are expected numbers: for the pilot’s "
        "systems, their differences shrunk by their noise, or for systems that are all one "
        "difference apart.",
        keys=3,
    )


def plan_figure(planning: Planning, systems: int | None = None) -> Figure:
    """The chart for one number of systems, by default that of the best plan."""
    first = planning.best or planning.plans[0]
    count = systems or first.systems
    plans = [plan for plan in planning.plans if plan.systems == count]
    axis = _axis(planning)
    with canvas(WIDTH, 3.4) as drawing:
        axes = drawing.add_subplot()
        for index, annotators in enumerate(sorted({plan.annotators for plan in plans})):
            line = sorted((plan for plan in plans if plan.annotators == annotators), key=_price)
            axes.plot([_price(plan) for plan in line], [100 * plan.power for plan in line],
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
        alt=f"{planning.sentence} {_describe_lines(plans)}",
        caption=f"Each point is a plan with {counted(count, 'system')}; along a line the number of "
        f"documents grows. The dashed line is the wanted power.",
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
    prices = (plan.cost, plan.hours)
    return next((price for price in prices if price), float(plan.judgements))


def _describe_lines(plans: list[Plan]) -> str:
    """The ends of each line in words."""
    parts = []
    for annotators in sorted({plan.annotators for plan in plans}):
        line = sorted(
            (plan for plan in plans if plan.annotators == annotators),
            key=lambda plan: plan.documents,
        )
        ends = dict.fromkeys((line[0], line[-1]))
        powers = ", ".join(
            f"{100 * plan.power:.0f} % with {plan.documents} documents" for plan in ends
        )
        parts.append(f"{counted(annotators, 'annotator')}: {powers}")
    return "; ".join(parts) + "."
