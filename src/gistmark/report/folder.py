"""`write_report`: a folder with the page, the Markdown, the tables, the figures and the records."""

from __future__ import annotations

from pathlib import Path

from gistmark.analysis.results import Study
from gistmark.corpus import Corpus
from gistmark.report.figures import Figure, all_figures
from gistmark.report.markdown_report import markdown_report
from gistmark.report.outline import outline
from gistmark.report.page import html_page
from gistmark.report.scatter import scatter_data
from gistmark.report.tables import all_tables
from gistmark.report.texts import text_pages
from gistmark.report.views import View
from gistmark.report.writers import csv_table, latex_table
from gistmark.scoring import Scores

TITLE = "How good are these summaries?"


def write_report(
    study: Study,
    corpus: Corpus,
    scores: Scores | None,
    folder: str | Path,
    *,
    title: str = TITLE,
    baseline: str = "rouge1",
) -> Path:
    """Write the report and return the path of its page, `report.html`.

    Beside it stand `report.md`, `study.json`, `tables/*.csv`, `tables/*.tex`, `figures/*.svg` and
    `figures/*.pdf`, all with the same numbers, and `texts/*.html` where the page cannot carry all
    texts. `baseline` is the metric that others are held against. The same input gives the same
    bytes.
    """
    folder = Path(folder)
    view = View(study, corpus, scores, baseline)
    tables, figures = all_tables(view), all_figures(view)
    sections = outline(view, tables, figures)
    counts = report_counts(view)
    study.write(folder)
    for name, table in tables.items():
        _write(folder / "tables" / f"{name}.csv", csv_table(table))
        _write(folder / "tables" / f"{name}.tex", latex_table(table))
    for figure in figures.values():
        if isinstance(figure, Figure):
            figure.write(folder / "figures")
    for path, content in text_pages(view):
        _write(folder / path, content)
    _write(folder / "report.md", markdown_report(title, counts, sections))
    page = html_page(title, counts, sections, scatter_data(view))
    return _write(folder / "report.html", page)


def report_counts(view: View) -> dict[str, int]:
    """How much there is of what the report is about."""
    found = {**view.corpus.counts(), "metrics": len(view.metrics)}
    left = ("questions", "planted")
    return {noun: count for noun, count in found.items() if count and noun not in left}


def _write(path: Path, text: str) -> Path:
    """Write a file; what no encoding can hold (half a surrogate pair) becomes a question mark."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", errors="replace"))
    return path
