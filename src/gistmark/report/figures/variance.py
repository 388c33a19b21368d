"""Where the differences between ratings come from, a bar per dimension."""

from __future__ import annotations

from gistmark.report.figures.drawing import (
    CROWDED,
    WIDTH,
    Absent,
    Figure,
    canvas,
    grid,
    render,
    shorten,
)
from gistmark.report.figures.palette import COLOURS
from gistmark.report.tables.variance import SOURCES
from gistmark.report.views import View, leading_first


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
    described = "; ".join(
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
        alt=f"Shares of the variance of ratings. {described}.",
        caption="A long “system” part says that the dimension tells the systems apart; a long "
        "“annotator” part, that some are stricter than others; a long “rest”, that a single rating "
        "says little.",
        image=image,
    )
