"""How often each value was given, per dimension and campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmark.analysis.columns import Float64
from gistmark.analysis.words import show_number
from gistmark.records import Rating
from gistmark.report.figures.drawing import (
    COLOURS,
    Absent,
    Figure,
    first_panels,
    grid,
    left_out,
    panels,
    render,
    shorten,
)
from gistmark.report.views import View, leading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_SETS = 4
_MOST_POINTS = 11
_BINS = 20

Sets = dict[str, Float64]


def histogram_figure(view: View) -> Figure | Absent:
    """A panel per dimension; a colour per campaign."""
    name, title = "histograms", "How often each value was given"
    groups = _groups(view.corpus.ratings)
    if not groups:
        return Absent(name, title, "There are no ratings.")
    chosen = first_panels(tuple(groups), leading(tuple(groups)))
    several = any(len(sets) > 1 for sets in groups.values())
    with panels(chosen, height=1.8, share=False) as (drawing, places):
        for axes, dimension in zip(places, chosen, strict=True):
            _draw(axes, groups[dimension])
        if several:
            handles, labels = places[0].get_legend_handles_labels()
            drawing.legend(handles, labels, loc="outside lower center", ncols=_MOST_SETS)
        drawing.supylabel("Share of ratings", fontsize=9)
        image = render(drawing)
    return Figure(
        name,
        title,
        alt=f"Histograms of the ratings of {len(chosen)} dimensions. {_means(groups, chosen)}",
        caption="A pile at one end says that the scale does not tell summaries apart there; two "
        "piles, that annotators or systems fall into two camps." + left_out(tuple(groups)),
        image=image,
    )


def _groups(ratings: tuple[Rating, ...]) -> dict[str, Sets]:
    """dimension -> campaign -> values; the campaigns beyond the first few are one set."""
    values: dict[str, dict[str, list[float]]] = {}
    campaigns = list(dict.fromkeys(rating.campaign or "" for rating in ratings))
    kept = set(campaigns if len(campaigns) <= _MOST_SETS else campaigns[: _MOST_SETS - 1])
    for rating in ratings:
        campaign = rating.campaign or ""
        name = (campaign or "no campaign") if campaign in kept else "other campaigns"
        values.setdefault(rating.dimension, {}).setdefault(name, []).append(rating.value)
    return {
        dimension: {name: np.array(found, dtype=np.float64) for name, found in sets.items()}
        for dimension, sets in values.items()
    }


def _draw(axes: Axes, sets: Sets) -> None:
    every = np.concatenate(list(sets.values()))
    edges = _edges(every)
    for place, (name, values) in enumerate(sets.items()):
        shares = np.histogram(values, edges)[0] / len(values)
        width = np.diff(edges) * 0.86 / len(sets)
        lefts = edges[:-1] + np.diff(edges) * 0.07 + place * width
        axes.bar(lefts, shares, width=width, align="edge", color=COLOURS[place],
                 label=shorten(name))  # fmt: skip
    if len(edges) <= _MOST_POINTS + 2 and edges[1] - edges[0] == 1:
        axes.set_xticks(edges[:-1] + 0.5)
    grid(axes, "y")


def _edges(values: Float64) -> Float64:
    """An interval around each point of a short whole-number scale, else twenty equal ones."""
    low, high = float(values.min()), float(values.max())
    whole = bool(np.all(values == np.round(values)))
    if whole and high - low < _MOST_POINTS:
        points: Float64 = np.arange(low - 0.5, high + 1.0, dtype=np.float64)
        return points
    return np.linspace(low, high if high > low else low + 1.0, _BINS + 1)


def _means(groups: dict[str, Sets], chosen: list[str]) -> str:
    said = []
    for dimension in chosen:
        every = np.concatenate(list(groups[dimension].values()))
        said.append(f"{dimension}: mean {show_number(float(every.mean()))} of {len(every):,}")
    return "; ".join(said) + "."
