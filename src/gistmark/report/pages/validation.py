"""`write_validation`: the validation experiments of BLANC as a page, a table and figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmark.analysis.findings.words import show_number
from gistmark.papers.blanc_validation import Duel, Float64, Validation
from gistmark.report.figures.drawing import (
    WIDTH,
    Absent,
    Figure,
    canvas,
    grid,
    name_panel,
    render,
)
from gistmark.report.figures.palette import COLOURS, INK, SOFT
from gistmark.report.outline import Paragraph, Section
from gistmark.report.page import html_page, write_file
from gistmark.report.table import Cell, Column, Table
from gistmark.report.writers.markdown import markdown_report

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TITLE = "The validation experiments of BLANC"

_COLUMNS = (
    Column("experiment", "Experiment"),
    Column("n", "Summaries", "count"),
    Column("written", "Mean, written", "number"),
    Column("bad", "Mean, bad", "number"),
    Column("wins", "Share in which the written one is higher", "number"),
)


def write_validation(validation: Validation, folder: Path) -> Path:
    """Write `validation.html`, `.md`, `.json` and the figures; return the path of the page."""
    figures = [duel_figure(validation), spoiled_figure(validation)]
    sections = [
        Section("table", "In numbers", [
            Paragraph(f"The metric is {validation.metric}: {validation.signature}"),
            validation_table(validation),
        ]),
        Section("figures", "Figures", figures),
    ]  # fmt: skip
    counts = {
        "summaries": len(validation.words.written),
        "of three sentences": len(validation.spoiled),
    }
    for figure in figures:
        if isinstance(figure, Figure):
            figure.write(folder / "figures")
    write_file(folder / "validation.json", validation_json(validation))
    write_file(folder / "validation.md", markdown_report(TITLE, counts, sections))
    return write_file(folder / "validation.html", html_page(TITLE, counts, sections, None))


def validation_table(validation: Validation) -> Table:
    """A row per experiment; the third has one for each number of replaced sentences."""
    rows: list[list[Cell]] = [
        [duel.name, len(duel.written), _mean(duel.written), _mean(duel.bad), duel.wins]
        for duel in (validation.words, validation.sentences)
    ]
    written = validation.spoiled[:, 0]
    for count in range(1, validation.spoiled.shape[1]):
        bad = validation.spoiled[:, count]
        wins = float((written > bad).mean()) if len(bad) else None
        name = f"{count} of 3 sentences replaced"
        rows.append([name, len(bad), _mean(written), _mean(bad), wins])
    return Table("validation", "Written summaries against bad ones", _COLUMNS, rows)


def validation_json(validation: Validation) -> str:
    """Every value as JSON."""
    content = {
        "metric": validation.metric,
        "signature": validation.signature,
        "duels": [
            {"name": duel.name, "written": duel.written.tolist(), "bad": duel.bad.tolist()}
            for duel in (validation.words, validation.sentences)
        ],
        "spoiled": validation.spoiled.tolist(),
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _mean(values: Float64) -> float | None:
    return float(values.mean()) if len(values) else None


_LABELS = ("as written", "1 sentence replaced", "2 replaced", "all 3 replaced")


def duel_figure(validation: Validation) -> Figure:
    """A panel per experiment: each summary's value against that of its bad counterpart."""
    duels = (validation.words, validation.sentences)
    with canvas(WIDTH, 3.6) as drawing:
        all_axes = drawing.subplots(1, len(duels))
        for axes, duel in zip(all_axes, duels, strict=True):
            _draw_duel(axes, duel)
        all_axes[0].set_ylabel("Value of the bad summary")
        image = render(drawing)
    wins = "; ".join(f"{_share(duel)} against {duel.name}" for duel in duels)
    return Figure(
        "validation_duels",
        "Written summaries against random words and random sentences",
        alt=f"Two scatter plots. The written summary has the higher value in {wins}.",
        caption="A point below the line is a summary that the metric puts above random words, or "
        f"above random sentences, of its document: {wins}.",
        image=image,
    )


def spoiled_figure(validation: Validation) -> Figure | Absent:
    """Summaries of three sentences, sorted by their value, and what is left as they are spoiled."""
    name, title = "validation_spoiled", "Summaries of three sentences, spoiled one by one"
    if not len(validation.spoiled):
        return Absent(name, title, "No summary of the sample has exactly three sentences.")
    rows = validation.spoiled[np.argsort(validation.spoiled[:, 0])]
    with canvas(WIDTH, 3.2) as drawing:
        axes = drawing.subplots()
        for index, label in enumerate(_LABELS):
            axes.plot(rows[:, index], marker=".", linewidth=1, color=COLOURS[index], label=label)
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
