"""Ranks of systems by other dimensions and by metrics, against their ranks by the leading one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmark.analysis import words
from gistmark.report.figures.drawing import (
    COLOURS,
    CROWDED,
    MOST_PANELS,
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
)
from gistmark.report.views import View, leading_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = tuple[str, str]
Ranks = dict[str, float]


def rank_figure(view: View) -> Figure | Absent:
    """A panel per other ranking: each system's rank by it, joined to its rank by the leading."""
    name, title = "ranks", "Where other rankings put the systems"
    if not view.rankings:
        return Absent(name, title, "Neither people nor a metric rank these systems.")
    first = view.rankings[0]
    ranks = _ranks(view, first)
    people, metrics = _people(view, first), _metrics(view, first)
    if len(ranks) < 2 or not (people or metrics):
        return Absent(name, title, "There is only one ranking of two or more systems.")
    half = max(MOST_PANELS // 2, MOST_PANELS - len(metrics))
    chosen = [*people[:half], *metrics][:MOST_PANELS]
    systems = list(ranks)
    with canvas(WIDTH, rows_high(len(systems), each=0.2)) as drawing:
        panels = drawing.subplots(1, len(chosen), sharey=True, squeeze=False)[0]
        for axes, kind in zip(panels, chosen, strict=True):
            _draw_panel(axes, ranks, _ranks(view, kind))
            name_panel(axes, _title(kind), width=90 // (2 * len(chosen)) + 6)
        name_rows(panels[0], systems)
        drawing.supxlabel("Rank", fontsize=9)
        image = render(drawing, systems)
    return Figure(
        name,
        title,
        alt=f"Ranks of {len(systems)} systems beside those by {_title(first)}. First by "
        f"{'; '.join(f'{_title(kind)}: {_best(view, kind)}' for kind in chosen)}.",
        caption=f"Rings: ranks by {_title(first)}, which orders the rows. Dots: ranks by what each "
        "panel names. The longer the line between ring and dot, the further apart the two rankings "
        "put a system." + _left_out(len(people) + len(metrics) - len(chosen)),
        image=image,
    )


def _left_out(rankings: int) -> str:
    counted = words.counted(rankings, "further ranking")
    return f" {counted} {'is' if rankings == 1 else 'are'} in the tables." if rankings else ""


def _people(view: View, first: Kind) -> list[Kind]:
    """The other rankings by people."""
    kinds = [
        (by, dimension)
        for by in ("ratings", "comparisons")
        for dimension in leading_first(view.ranked_dimensions(by))
    ]
    return [kind for kind in kinds if kind != first]


def _metrics(view: View, first: Kind) -> list[Kind]:
    """The other rankings by metrics, those that follow people most closely in front."""
    close = view.strongest(view.primary, view.headline.levels[0]) if view.primary else []
    order = [view.label(record.metric, record.part) for record in close]
    ranked = view.ranked_dimensions("scores")
    known = sorted((m for m in ranked if m in order), key=order.index)
    kinds = [("scores", metric) for metric in (*known, *(m for m in ranked if m not in order))]
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


def _draw_panel(axes: Axes, first: Ranks, other: Ranks) -> None:
    size = 5 if len(first) <= CROWDED else 3
    shared = [(row, other[system]) for row, system in enumerate(first) if system in other]
    starts = [rank for system, rank in first.items() if system in other]
    axes.hlines([row for row, _ in shared], starts, [rank for _, rank in shared], color=COLOURS[0],
                linewidth=1.2)  # fmt: skip
    axes.plot(list(first.values()), range(len(first)), "o", color=SOFT, markerfacecolor=PAPER,
              markersize=size)  # fmt: skip
    axes.plot([rank for _, rank in shared], [row for row, _ in shared], "o", color=COLOURS[0],
              markersize=size)  # fmt: skip
    axes.set_xlim(0, len(first) + 1)
    axes.locator_params(axis="x", nbins=4, integer=True)
    grid(axes)
