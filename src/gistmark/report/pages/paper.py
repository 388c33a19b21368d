"""`write_paper`: a recomputed paper as a folder with page, Markdown, tables, figures and study."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from gistmark.analysis.studies.results import Study
from gistmark.papers import Cell, Paper, Release, Source, summary_line
from gistmark.papers.paper import DifferencePlot, Plot
from gistmark.report.figures import Absent, Figure, all_figures
from gistmark.report.figures.pairs import human_differences_figure
from gistmark.report.figures.ratings import shares_figure
from gistmark.report.folder import report_counts, write_report
from gistmark.report.outline import Folded, Paragraph, Section
from gistmark.report.page import html_page, write_file
from gistmark.report.table import Cell as Shown
from gistmark.report.table import Column, Table
from gistmark.report.views import View
from gistmark.report.writers import csv_table, latex_table
from gistmark.report.writers.markdown import markdown_report
from gistmark.scoring import Scores

RECOMPUTED = (
    "The paper shows these values in a figure. The numbers under “Another program” are not the "
    "paper's: they were computed from the same data by another program."
)

_ROW, _COLUMN = Column("row", "Row"), Column("column", "Column")

_COMPARED: Mapping[Source, Column] = {
    "print": Column("published", "Published", "number"),
    "recomputed": Column("another_program", "Another program", "number"),
}

_OURS, _VERDICT = Column("value", "Ours", "number"), Column("verdict", "Verdict")

_WHY = Column("why", "Why")

_SOURCE = Column("source", "Source")


def write_paper(
    paper: Paper, cells: Sequence[Cell], release: Release, study: Study, scores: Scores,
    folder: Path,
) -> Path:  # fmt: skip
    """Write the folder and return the path of its page, `paper.html`.

    Beside it stand `paper.md`, `paper.json` with all cells, `tables/*.csv`, `tables/*.tex`,
    `figures/*.svg`, and in `study` the whole report of the paper's corpus. The same data give the
    same bytes.
    """
    corpus = release.corpus
    view = View(study, corpus, scores, paper.baseline)
    plots = [_figure(plot) for plot in paper.plots(release)]
    every_figure = [*plots, *all_figures(view).values()]
    figures = [figure for figure in every_figure if isinstance(figure, Figure)]
    absent = [figure for figure in plots if isinstance(figure, Absent)]
    sections = list(_sections(paper, cells, figures, absent))
    title = f"{paper.citation}, recomputed"
    write_file(folder / "paper.json", cells_json(cells))
    for name, group in cells_by_table(cells).items():
        write_file(folder / "tables" / f"{slug(name)}.csv", csv_table(_full_table(name, group)))
        write_file(folder / "tables" / f"{slug(name)}.tex", latex_table(paper_table(name, group)))
    for figure in figures:
        figure.write(folder / "figures")
    write_file(folder / "paper.md", markdown_report(title, report_counts(view), sections))
    name = f"A study of the data of {paper.name}"
    write_report(study, corpus, scores, folder / "study", title=name, baseline=paper.baseline)
    return write_file(folder / "paper.html", html_page(title, report_counts(view), sections, None))


def cells_json(cells: Sequence[Cell]) -> str:
    """All cells as a JSON list of flat records."""
    records = [asdict(cell) for cell in cells]
    return json.dumps(records, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def cells_by_table(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each table or figure, in order of first appearance."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.table, []).append(cell)
    return groups


def paper_table(name: str, cells: Sequence[Cell]) -> Table:
    """The cells of one table with as many digits as the paper has.

    A reason that all of them share is the table's note; else there is a column of reasons.
    """
    reasons = {cell.why for cell in cells}
    varied = len(reasons) > 1
    notes = [] if varied else list(reasons)
    sources = compared_sources(cells)
    if "recomputed" in sources:
        notes.append(RECOMPUTED)
    rows: list[list[Shown]] = [
        [
            cell.row,
            cell.column,
            *(show_value(value, cell.decimals) for value in compared_values(cell, sources)),
            show_value(cell.value, cell.decimals),
            cell.verdict,
            *([cell.why] if varied else []),
        ]
        for cell in cells
    ]
    columns = (*_columns(sources), *([_WHY] if varied else []))
    return Table(slug(name), name, columns, rows, note=" ".join(filter(None, notes)), whole=True)


def compared_sources(cells: Sequence[Cell]) -> tuple[Source, ...]:
    """The sources of the numbers that ours are compared with; each source has a column."""
    sources = {cell.source for cell in cells if cell.published is not None}
    return tuple(source for source in _COMPARED if source in sources) or ("print",)


def compared_title(source: Source) -> str:
    """The title of the column of a source."""
    return _COMPARED[source].title


def compared_values(cell: Cell, sources: Sequence[Source]) -> list[float | None]:
    """The number that ours is compared with, in the column of its source."""
    return [cell.published if source == cell.source else None for source in sources]


def show_value(value: float | None, decimals: int) -> str | None:
    """A value with the digits of the print."""
    return None if value is None else f"{value:,.{decimals}f}"


def slug(name: str) -> str:
    """The name of a table as the name of a file."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _columns(sources: Sequence[Source]) -> tuple[Column, ...]:
    return (_ROW, _COLUMN, *(_COMPARED[source] for source in sources), _OURS, _VERDICT)


def _full_table(name: str, cells: Sequence[Cell]) -> Table:
    """A table for programs, with full precision, every reason and the source of each number."""
    sources = compared_sources(cells)
    rows: list[list[Shown]] = [
        [cell.row, cell.column, *compared_values(cell, sources), cell.value, cell.verdict, cell.why,
         cell.source]
        for cell in cells
    ]  # fmt: skip
    return Table(slug(name), name, (*_columns(sources), _WHY, _SOURCE), rows)


def _figure(plot: Plot) -> Figure | Absent:
    name, title = slug(plot.figure), f"{plot.figure}: {plot.title}"
    if isinstance(plot, DifferencePlot):
        return human_differences_figure(name, title, plot.differences)
    return shares_figure(name, title, plot.shares)


def _sections(
    paper: Paper,
    cells: Sequence[Cell],
    figures: Sequence[Figure],
    missing: Sequence[Absent],
) -> Iterator[Section]:
    yield Section("summary", "Summary", [
        Paragraph(summary_line(cells)),
        Paragraph(f"The data are the public copy at {paper.home}. The whole study of them, with "
                  "intervals and significance, is in the folder study (study/report.html)."),
    ])  # fmt: skip
    groups = [paper_table(name, group) for name, group in cells_by_table(cells).items()]
    empty = [name for name, group in cells_by_table(cells).items() if not any_value(group)]
    yield Section("tables", "Recomputed", [t for t in groups if t.title not in empty])
    absent = [Folded(table) for table in groups if table.title in empty]
    if absent:
        yield Section("absent", "Not checked", absent)
    if missing:
        lines = [f"{figure.title}. {figure.reason}" for figure in missing]
        yield Section("missing", "Figures that were not drawn", [Paragraph(x) for x in lines])
    if figures:
        yield Section("figures", "Figures", figures)


def any_value(cells: Sequence[Cell]) -> bool:
    """Whether at least one of the cells was computed."""
    return any(cell.value is not None for cell in cells)
