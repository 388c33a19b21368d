"""`write_validation`: the validation experiments of BLANC as a page, a table and figures."""

from __future__ import annotations

import json
from pathlib import Path

from gistmark.papers.blanc_validation import Float64, Validation
from gistmark.report.figures.drawing import Figure
from gistmark.report.figures.validation import duel_figure, spoiled_figure
from gistmark.report.markdown_report import markdown_report
from gistmark.report.outline import Paragraph, Section
from gistmark.report.page import html_page
from gistmark.report.table import Cell, Column, Table

TITLE = "The validation experiments of BLANC"
_COLUMNS = (
    Column("experiment", "Experiment"),
    Column("n", "Summaries", "count"),
    Column("written", "Mean, written", "number"),
    Column("bad", "Mean, bad", "number"),
    Column("wins", "Share in which the written one is higher", "number"),
)


def write_validation(found: Validation, folder: Path) -> Path:
    """Write `validation.html`, `.md`, `.json` and the figures; return the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = [duel_figure(found), spoiled_figure(found)]
    sections = [
        Section("table", "In numbers", [
            Paragraph(f"The metric is {found.metric}: {found.signature}"), validation_table(found)
        ]),
        Section("figures", "Figures", figures),
    ]  # fmt: skip
    counts = {"summaries": len(found.words.written), "of three sentences": len(found.spoiled)}
    for figure in figures:
        if isinstance(figure, Figure):
            figure.write(folder / "figures")
    (folder / "validation.json").write_text(validation_json(found), encoding="utf-8")
    (folder / "validation.md").write_text(
        markdown_report(TITLE, counts, sections), encoding="utf-8"
    )
    page = folder / "validation.html"
    page.write_text(html_page(TITLE, counts, sections, None), encoding="utf-8")
    return page


def validation_table(found: Validation) -> Table:
    """A row per experiment; the third has one for each number of replaced sentences."""
    rows: list[list[Cell]] = [
        [duel.name, len(duel.written), _mean(duel.written), _mean(duel.bad), duel.wins]
        for duel in (found.words, found.sentences)
    ]
    written = found.spoiled[:, 0]
    for count in range(1, found.spoiled.shape[1]):
        bad = found.spoiled[:, count]
        wins = float((written > bad).mean()) if len(bad) else None
        name = f"{count} of 3 sentences replaced"
        rows.append([name, len(bad), _mean(written), _mean(bad), wins])
    return Table("validation", "Written summaries against bad ones", _COLUMNS, rows)


def validation_json(found: Validation) -> str:
    """Every value as JSON."""
    told = {
        "metric": found.metric,
        "signature": found.signature,
        "duels": [
            {"name": duel.name, "written": duel.written.tolist(), "bad": duel.bad.tolist()}
            for duel in (found.words, found.sentences)
        ],
        "spoiled": found.spoiled.tolist(),
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _mean(values: Float64) -> float | None:
    return float(values.mean()) if len(values) else None
