"""Ratings: how often each value was given, and where the differences between them come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gistmark.analysis.findings.words import show_number
from gistmark.analysis.studies.records import RATING, RatingBin
from gistmark.report.figures.drawing import (
    CROWDED,
    WIDTH,
    Absent,
    Figure,
    canvas,
    first_panels,
    grid,
    left_out,
    name_rows,
    panels,
    render,
    rows_high,
    shorten,
)
from gistmark.report.figures.palette import COLOURS
from gistmark.report.tables.agreement import SOURCES
from gistmark.report.views import View, leading, leading_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = 4
"""Campaigns beside each other in the legend."""

_MOST_TICKS = 11

Campaigns = dict[str, list[RatingBin]]


def histogram_figure(view: View) -> Figure | Absent:
    """A panel per dimension; a colour per campaign."""
    name, title = "histograms", "How often each value was given"
    groups = _groups(view)
    if not groups:
        return Absent(name, title, "There are no ratings.")
    dimensions = first_panels(tuple(groups), leading(tuple(groups)))
    several = any(len(campaigns) > 1 for campaigns in groups.values())
    with panels(dimensions, height=1.8, share=False) as (drawing, all_axes):
        for axes, dimension in zip(all_axes, dimensions, strict=True):
            _draw(axes, groups[dimension])
        if several:
            handles, labels = all_axes[0].get_legend_handles_labels()
            drawing.legend(handles, labels, loc="outside lower center", ncols=_COLUMNS)
        drawing.supylabel("Share of ratings", fontsize=9)
        image = render(drawing)
    return Figure(
        name,
        title,
        alt=f"Histograms of the ratings of {len(dimensions)} dimensions. "
        f"{_means(view, dimensions)}",
        caption="A pile at one end means that the scale does not tell summaries apart there; two "
        "piles may mean that annotators or systems fall into two camps." + left_out(tuple(groups)),
        image=image,
    )


def shares_figure(name: str, title: str, shares: Mapping[str, float]) -> Figure | Absent:
    """A bar for each share of a whole, from the largest to the smallest."""
    if not shares:
        return Absent(name, title, "There is nothing to share out.")
    rows = sorted(shares, key=lambda row: -shares[row])
    with canvas(WIDTH, rows_high(len(rows))) as drawing:
        axes = drawing.add_subplot()
        axes.barh(range(len(rows)), [100 * shares[row] for row in rows], color=COLOURS[0])
        name_rows(axes, rows)
        axes.set_xlabel("%", fontsize=8)
        grid(axes, "x")
        image = render(drawing, rows)
    listing = ", ".join(f"{row} {100 * shares[row]:.1f} %" for row in rows)
    return Figure(name, title, alt=f"Bars: {listing}.", caption="Shares in %.", image=image)


def _groups(view: View) -> dict[str, Campaigns]:
    """dimension -> campaign -> bins."""
    groups: dict[str, Campaigns] = {}
    for record in view.study.histograms:
        groups.setdefault(record.dimension, {}).setdefault(record.campaign, []).append(record)
    return groups


def _draw(axes: Axes, campaigns: Campaigns) -> None:
    for index, (name, bins) in enumerate(campaigns.items()):
        lows = np.array([rating_bin.low for rating_bin in bins])
        widths = np.array([rating_bin.high for rating_bin in bins]) - lows
        width = widths * 0.86 / len(campaigns)
        lefts = lows + widths * 0.07 + index * width
        axes.bar(lefts, [rating_bin.share for rating_bin in bins], width=width, align="edge",
                 color=COLOURS[index], label=shorten(name))  # fmt: skip
    if len(bins) <= _MOST_TICKS + 1 and bins[0].high - bins[0].low == 1:
        axes.set_xticks(lows + 0.5)
    grid(axes, "y")


def _means(view: View, dimensions: list[str]) -> str:
    result = ((dimension, view.spread(RATING, dimension)) for dimension in dimensions)
    return (
        "; ".join(
            f"{dimension}: mean {show_number(spread.mean)} of {spread.n:,}"
            for dimension, spread in result
            if spread is not None
        )
        + "."
    )


def variance_figure(view: View) -> Figure | Absent:
    """Stacked bars of the shares of variance."""
    name, title = "variance", "Where the differences between ratings come from"
    shares = {
        (record.dimension, record.source): record.share
        for record in view.study.variance
        if record.share is not None
    }
    if not shares:
        return Absent(name, title, "There are no ratings that a mixed model can be fitted to.")
    dimensions = leading_first(tuple(dict.fromkeys(dimension for dimension, _ in shares)))[:CROWDED]
    rows = list(range(len(dimensions)))
    with canvas(WIDTH, 0.9 + 0.3 * len(dimensions)) as drawing:
        axes = drawing.add_subplot()
        starts = [0.0] * len(dimensions)
        for index, (source, words) in enumerate(SOURCES.items()):
            widths = [shares.get((dimension, source)) or 0.0 for dimension in dimensions]
            if any(widths):
                axes.barh(rows, widths, left=starts, color=COLOURS[index % len(COLOURS)],
                          height=0.7, label=words)  # fmt: skip
            starts = [start + width for start, width in zip(starts, widths, strict=True)]
        axes.set_yticks(rows, [shorten(dimension) for dimension in dimensions])
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.set_xlabel("Share of the variance of a rating", fontsize=8)
        grid(axes, "x")
        drawing.legend(loc="outside lower center", ncols=3)
        image = render(drawing)
    listing = "; ".join(
        f"{dimension}: " + ", ".join(
            f"{words} {100 * (shares.get((dimension, source)) or 0.0):.0f} %"
            for source, words in SOURCES.items()
            if (dimension, source) in shares
        )
        for dimension in dimensions
    )  # fmt: skip
    return Figure(
        name,
        title,
        alt=f"Shares of the variance of ratings. {listing}.",
        caption="A long “system” part means that the dimension tells the systems apart; a long "
        "“annotator” part, that some annotators are stricter than others; a long “rest”, "
        "that a single rating says little.",
        image=image,
    )
