"""Figures of the ranking of systems with intervals and letters, and of their other ranks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gistmark.analysis.findings import words
from gistmark.analysis.findings.words import show_estimate
from gistmark.analysis.ranking.letters import is_line_between, show_letters
from gistmark.analysis.ranking.ranking import PEOPLE
from gistmark.analysis.studies.records import Rank
from gistmark.report.figures.drawing import (
    CROWDED,
    MOST_PANELS,
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
from gistmark.report.figures.palette import COLOURS, PAPER, RULE, SOFT
from gistmark.report.tables.ranking import LETTERS, LINES, ranking_title
from gistmark.report.views import View, leading, leading_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SIDES = {"ratings": "Ratings", "comparisons": "Pairwise choices"}

_MAX_NAMES = 8


def forest_figure(view: View) -> Figure | Absent:
    """The leading ranking: a dot with its 95 % interval per system, its letters at the right."""
    name, title = "systems", "Systems, best first"
    if not view.rankings:
        return Absent(name, title, "Neither people nor a metric rank these systems.")
    records = [r for r in view.ranks(*view.rankings[0]) if r.value is not None]
    if not records:
        return Absent(name, title, "No system has a value.")
    systems = [record.system for record in records]
    with canvas(WIDTH, rows_high(len(records), row_height=0.22)) as drawing:
        axes = drawing.subplots()
        _draw_dots(axes, records, systems)
        _draw_letters(axes, records)
        lines = _draw_lines(axes, records)
        axes.set_xlabel(shorten(f"{records[0].dimension}: {records[0].method}", 70))
        image = render(drawing, systems)
    first = ", ".join(
        f"{r.system} {show_estimate(r.value, r.low, r.high)}" for r in records[:_MAX_NAMES]
    )
    lettered = any(record.letters for record in records)
    return Figure(
        name,
        title,
        alt=f"Forest plot of {len(records)} systems. {ranking_title(*_kind(records))}. First: "
        f"{first}.",
        caption=f"{ranking_title(*_kind(records))}; bars are 95 % intervals."
        + (f" {LETTERS}" if lettered else "")
        + (f" {LINES}" if lines else ""),
        image=image,
    )


def evidence_figure(view: View) -> Figure | Absent:
    """What ratings and pairwise choices say about the same dimension, with intervals."""
    name, title = "ratings_and_comparisons", "Ratings against pairwise choices"
    rated = view.ranked_dimensions("ratings")
    both = [dimension for dimension in view.ranked_dimensions("comparisons") if dimension in rated]
    dimension = leading(both)
    if dimension is None:
        return Absent(name, title, "No dimension has both ratings and pairwise choices.")
    sides = {by: view.ranks(by, dimension, _common_method(view, dimension)) for by in _SIDES}
    ranked_systems = {record.system for records in sides.values() for record in records}
    systems = [system for system in view.systems if system in ranked_systems]
    with canvas(WIDTH, rows_high(len(systems))) as drawing:
        for axes, (by, records) in zip(
            drawing.subplots(1, 2, sharey=True), sides.items(), strict=True
        ):
            _draw_dots(axes, records, systems)
            axes.set_xlabel(shorten(records[0].method, 40))
            name_panel(axes, _SIDES[by])
        image = render(drawing, systems)
    orders = [
        f"{_SIDES[by]}: {', '.join(r.system for r in sides[by][:_MAX_NAMES])}" for by in _SIDES
    ]
    return Figure(
        name,
        title,
        alt=f"Two dot plots of {len(systems)} systems on {dimension}, best first. "
        f"{'. '.join(orders)}.",
        caption=f"{dimension}: the same systems by ratings (left) and by pairwise choices (right), "
        "with 95 % intervals. Where the order differs, the two ways of asking disagree.",
        image=image,
    )


def _kind(records: Sequence[Rank]) -> tuple[str, str, str]:
    return records[0].by, records[0].dimension, records[0].method


def _common_method(view: View, dimension: str) -> str | None:
    """The leading method of comparisons, if ratings have it too: then both share a unit."""
    rated, compared = (view.methods(by, dimension) for by in _SIDES)
    return next((method for method in rated if method in compared[:1]), None)


def _draw_dots(axes: Axes, records: Sequence[Rank], systems: Sequence[str]) -> None:
    rows = {system: row for row, system in enumerate(systems)}
    dots = [(rows[r.system], r.value) for r in records if r.value is not None]
    bars = [
        (rows[r.system], r.low, r.high) for r in records if r.low is not None and r.high is not None
    ]
    if bars:
        axes.hlines(*zip(*bars, strict=True), color=COLOURS[0], linewidth=1.8)
    size = 6 if len(systems) <= CROWDED else 4
    axes.plot([value for _, value in dots], [row for row, _ in dots], "o", color=COLOURS[0],
              markersize=size)  # fmt: skip
    name_rows(axes, systems)
    axes.spines["left"].set_color(RULE)
    grid(axes)


def _draw_letters(axes: Axes, records: Sequence[Rank]) -> None:
    size = 9 if len(records) <= CROWDED else 7
    for row, record in enumerate(records):
        text = shorten(show_letters(record.letters)) if record.letters else ""
        axes.text(1.02, row, text, transform=axes.get_yaxis_transform(), va="center",
                  fontsize=size)  # fmt: skip


def _draw_lines(axes: Axes, records: Sequence[Rank]) -> bool:
    """Draw a thin line wherever a cluster ends; return whether there is any."""
    clusters = [record.cluster for record in records]
    ends = [
        row
        for row, (cluster, next_cluster) in enumerate(pairwise(clusters))
        if is_line_between(cluster, next_cluster)
    ]
    for row in ends:
        axes.axhline(row + 0.5, color=SOFT, linewidth=0.8)
    return bool(ends)


Kind = tuple[str, str]

Ranks = dict[str, float]


def rank_figure(view: View) -> Figure | Absent:
    """A panel per other ranking: each system's rank by it, joined to its rank by the leading."""
    name, title = "ranks", "Where other rankings put the systems"
    if not view.rankings:
        return Absent(name, title, "Neither people nor a metric rank these systems.")
    first = view.rankings[0]
    ranks = _ranks(view, first)
    people, metrics = _kinds_by_people(view, first), _kinds_by_metrics(view, first)
    if len(ranks) < 2 or not (people or metrics):
        return Absent(name, title, "There is only one ranking of two or more systems.")
    half = max(MOST_PANELS // 2, MOST_PANELS - len(metrics))
    panel_kinds = [*people[:half], *metrics][:MOST_PANELS]
    systems = list(ranks)
    with canvas(WIDTH, rows_high(len(systems), row_height=0.2)) as drawing:
        panels = drawing.subplots(1, len(panel_kinds), sharey=True, squeeze=False)[0]
        for axes, kind in zip(panels, panel_kinds, strict=True):
            _draw_panel(axes, ranks, _ranks(view, kind))
            name_panel(axes, _title(kind), width=90 // (2 * len(panel_kinds)) + 6)
        name_rows(panels[0], systems)
        drawing.supxlabel("Rank", fontsize=9)
        image = render(drawing, systems)
    return Figure(
        name,
        title,
        alt=f"Ranks of {len(systems)} systems beside those by {_title(first)}. First by "
        f"{'; '.join(f'{_title(kind)}: {_best(view, kind)}' for kind in panel_kinds)}.",
        caption=f"Rings: ranks by {_title(first)}, which orders the rows. Dots: ranks by what each "
        "panel names. The longer the line between ring and dot, the further apart the two rankings "
        "put a system." + _left_out(len(people) + len(metrics) - len(panel_kinds)),
        image=image,
    )


def _left_out(rankings: int) -> str:
    counted = words.counted(rankings, "further ranking")
    return f" {counted} {'is' if rankings == 1 else 'are'} in the tables." if rankings else ""


def _kinds_by_people(view: View, first: Kind) -> list[Kind]:
    """The other rankings by people."""
    kinds = [
        (by, dimension) for by in PEOPLE for dimension in leading_first(view.ranked_dimensions(by))
    ]
    return [kind for kind in kinds if kind != first]


def _kinds_by_metrics(view: View, first: Kind) -> list[Kind]:
    """The other rankings by metrics, those that follow people most closely in front."""
    close = view.strongest(view.primary, view.headline.levels[0]) if view.primary else []
    order = [view.label(record.metric, record.part) for record in close]
    ranked = view.ranked_dimensions("scores")
    correlated = sorted((m for m in ranked if m in order), key=order.index)
    kinds = [("scores", metric) for metric in (*correlated, *(m for m in ranked if m not in order))]
    return [kind for kind in kinds if kind != first]


def _ranks(view: View, kind: Kind) -> Ranks:
    """The rank of each system that has one, the best first."""
    return {r.system: r.rank for r in view.ranks(*kind) if r.rank is not None}


def _best(view: View, kind: Kind) -> str:
    """The system, or the systems, with the first rank."""
    ranks = _ranks(view, kind)
    return " and ".join(system for system in ranks if ranks[system] == min(ranks.values()))


def _title(kind: Kind) -> str:
    by, dimension = kind
    return f"{dimension} (pairwise)" if by == "comparisons" else dimension


def _draw_panel(axes: Axes, leading_ranks: Ranks, other_ranks: Ranks) -> None:
    size = 5 if len(leading_ranks) <= CROWDED else 3
    shared = [
        (row, other_ranks[system])
        for row, system in enumerate(leading_ranks)
        if system in other_ranks
    ]
    starts = [rank for system, rank in leading_ranks.items() if system in other_ranks]
    axes.hlines([row for row, _ in shared], starts, [rank for _, rank in shared], color=COLOURS[0],
                linewidth=1.2)  # fmt: skip
    axes.plot(list(leading_ranks.values()), range(len(leading_ranks)), "o", color=SOFT,
              markerfacecolor=PAPER, markersize=size)  # fmt: skip
    axes.plot([rank for _, rank in shared], [row for row, _ in shared], "o", color=COLOURS[0],
              markersize=size)  # fmt: skip
    axes.set_xlim(0, len(leading_ranks) + 1)
    axes.locator_params(axis="x", nbins=4, integer=True)
    grid(axes)
