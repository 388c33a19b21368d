"""The validation experiments of BLANC as figures: written against bad summaries, and decay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmark.analysis.words import show_number
from gistmark.papers.blanc_validation import Duel, Validation
from gistmark.report.figures.drawing import (
    COLOURS,
    INK,
    SOFT,
    WIDTH,
    Absent,
    Figure,
    canvas,
    grid,
    name_panel,
    render,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABELS = ("as written", "1 sentence replaced", "2 replaced", "all 3 replaced")


def duel_figure(found: Validation) -> Figure:
    """A panel per experiment: each summary's value against that of its bad counterpart."""
    duels = (found.words, found.sentences)
    with canvas(WIDTH, 3.6) as drawing:
        places = drawing.subplots(1, len(duels))
        for axes, duel in zip(places, duels, strict=True):
            _draw_duel(axes, duel)
        places[0].set_ylabel("Value of the bad summary")
        image = render(drawing)
    told = "; ".join(f"{_share(duel)} against {duel.name}" for duel in duels)
    return Figure(
        "validation_duels",
        "Written summaries against random words and random sentences",
        alt=f"Two scatter plots. The written summary has the higher value in {told}.",
        caption="A point below the line is a summary that the metric puts above random words, or "
        f"above random sentences, of its document: {told}.",
        image=image,
    )


def spoiled_figure(found: Validation) -> Figure | Absent:
    """Summaries of three sentences, sorted by their value, and what is left as they are spoiled."""
    name, title = "validation_spoiled", "Summaries of three sentences, spoiled one by one"
    if not len(found.spoiled):
        return Absent(name, title, "No summary of the sample has exactly three sentences.")
    rows = found.spoiled[np.argsort(found.spoiled[:, 0])]
    with canvas(WIDTH, 3.2) as drawing:
        axes = drawing.subplots()
        for place, label in enumerate(_LABELS):
            axes.plot(rows[:, place], marker=".", linewidth=1, color=COLOURS[place], label=label)
        axes.set_xlabel("Summaries, sorted by their value")
        axes.set_ylabel("Value")
        axes.set_xticks([])
        grid(axes, "y")
        drawing.legend(loc="outside lower center", ncols=len(_LABELS))
        image = render(drawing)
    means = ", ".join(
        f"{show_number(float(mean))} {label}"
        for mean, label in zip(rows.mean(0), _LABELS, strict=True)
    )
    return Figure(
        name,
        title,
        alt=f"Four lines over {len(rows)} summaries. Means: {means}.",
        caption=f"The mean value falls as sentences become random words: {means}.",
        image=image,
    )


def _draw_duel(axes: Axes, duel: Duel) -> None:
    both = np.concatenate([duel.written, duel.bad, [0.0]])
    low, high = float(both.min()) - 0.01, float(both.max()) + 0.01
    axes.plot([low, high], [low, high], color=SOFT, linewidth=0.8)
    axes.scatter(duel.written, duel.bad, s=14, color=COLOURS[0], edgecolors=INK, linewidths=0.3)
    axes.set_xlabel("Value of the written summary")
    name_panel(axes, f"{duel.name}: wins {_share(duel)}")
    grid(axes, "x")


def _share(duel: Duel) -> str:
    wins = int((duel.written > duel.bad).sum())
    return f"{wins} of {len(duel.written)}"
