"""A plan to send to a colleague: the sentence, the chart of power against cost, and every plan."""

from __future__ import annotations

from html import escape
from pathlib import Path

from gistmark.analysis.planning import Planning
from gistmark.analysis.planning.words import rests_on
from gistmark.errors import UsageError
from gistmark.report.figures import Figure
from gistmark.report.figures.planning import plan_figure
from gistmark.report.page import inline_svg, static_page
from gistmark.report.table import Cell, Column, Table
from gistmark.report.writers import html_table
from gistmark.runtime.files import atomic_write, write_text

TITLE = "Plan of a study"


def write_plan(planning: Planning, path: Path) -> None:
    """A page (.html), or the chart alone (.svg, .pdf)."""
    figure = plan_figure(planning)
    kind = path.suffix.lower()
    if kind == ".html":
        write_text(path, plan_page(planning), errors="replace")
    elif kind == ".svg":
        write_text(path, figure.svg, errors="replace")
    elif kind == ".pdf":
        with atomic_write(path) as stream:
            stream.write(figure.image.pdf)
    else:
        raise UsageError(f"{path}: a plan is written as .html, .svg or .pdf.")


def plan_page(planning: Planning) -> str:
    """The whole plan as a page that loads nothing."""
    sentences = [planning.sentence, rests_on(planning.spread), *planning.warnings]
    counts = tuple(dict.fromkeys(each.systems for each in planning.plans))
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
        [e.systems, e.documents, e.annotators, e.judgements, e.power, e.width, e.pairs,
         e.distinguishable, e.hours, e.cost]
        for e in planning.plans
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
        note="Every annotator judges every system on every document. The width is that of a 95 % "
        "interval. Pairs told apart, and groups of systems that can be told from the next, are "
        "what is to be expected with Bonferroni’s correction: of the pilot’s systems, their "
        "differences shrunk by their noise, or of systems that are all one difference apart.",
        keys=3,
    )
