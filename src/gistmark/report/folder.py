"""`write_report`: a folder with the page, the Markdown, the tables, the figures and the records.

Where the page cannot carry all texts, each of the other documents gets a page beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import Summary
from gistmark.report.figures import Figure, all_figures
from gistmark.report.figures.palette import HOTTEST
from gistmark.report.outline import outline
from gistmark.report.page import html_page, page_section, static_page, write_file
from gistmark.report.passages import highlighted_passages
from gistmark.report.scatter import files_beside, judged_summaries, scatter_data, scatter_systems
from gistmark.report.tables import all_tables
from gistmark.report.views import View
from gistmark.report.writers import csv_table, latex_table
from gistmark.report.writers.markdown import markdown_report
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
    texts. `baseline` is the metric that others are compared with. The same input gives the same
    bytes. What machines said is left out where the study reports them apart.
    """
    folder = Path(folder)
    machines = {record.machine for record in study.machines}
    people = corpus.split(machines)[0] if machines else corpus
    view = View(study, people, scores, baseline)
    tables, figures = all_tables(view), all_figures(view)
    sections = outline(view, tables, figures)
    counts = report_counts(view)
    study.write(folder)
    for name, table in tables.items():
        write_file(folder / "tables" / f"{name}.csv", csv_table(table))
        write_file(folder / "tables" / f"{name}.tex", latex_table(table))
    for figure in figures.values():
        if isinstance(figure, Figure):
            figure.write(folder / "figures")
    for path, content in text_pages(view):
        write_file(folder / path, content)
    write_file(folder / "report.md", markdown_report(title, counts, sections))
    page = html_page(title, counts, sections, scatter_data(view))
    return write_file(folder / "report.html", page)


def report_counts(view: View) -> dict[str, int]:
    """The counts of what the report is about."""
    groups = {**view.corpus.counts(), "metrics": len(view.metrics)}
    hidden_nouns = ("questions", "planted")
    return {noun: count for noun, count in groups.items() if count and noun not in hidden_nouns}


def text_pages(view: View) -> Iterator[tuple[str, str]]:
    """The path and the content of each page; none if the report carries all texts."""
    summaries = judged_summaries(view)
    systems = {name: index for index, name in enumerate(scatter_systems(view, summaries))}
    files = files_beside(view, summaries)
    groups: dict[str, list[Summary]] = {id: [] for id in files}
    for summary in summaries:
        if summary.document in groups:
            groups[summary.document].append(summary)
    for id, path in files.items():
        yield path, _page(view, id, sorted(groups[id], key=lambda s: systems[s.system]), systems)


def _page(view: View, id: str, summaries: Sequence[Summary], systems: dict[str, int]) -> str:
    document = view.document(id)
    references = view.corpus.references.get(id, ())
    texts = [(f"system-{systems[s.system]}", s.system, s.text) for s in summaries]
    reference_texts = [
        (f"reference-{index}", r.system, r.text) for index, r in enumerate(references)
    ]
    sections = [
        page_section("summaries", "Summaries", _articles(texts)),
        *(
            [page_section("references", "References", _articles(reference_texts))]
            if reference_texts
            else []
        ),
        page_section(
            "document", "Document", _document(view, id, document.text if document else "")
        ),
    ]
    above = '<p class="above"><a href="../report.html#scatter">The report</a></p>'
    counts = {"summaries": len(summaries), "references": len(reference_texts)}
    title = (document.title if document else None) or id
    nonzero_counts = {noun: count for noun, count in counts.items() if count}
    return static_page(
        title, nonzero_counts, sections, above=above, label="a document of the report"
    )


def _articles(texts: Sequence[tuple[str, str, str]]) -> str:
    return "\n".join(
        f'<article class="system" id="{id}"><h3>{escape(name)}</h3>'
        f'<div class="prose">{escape(text or "(empty)")}</div></article>'
        for id, name, text in texts
    )


def _document(view: View, id: str, text: str) -> str:
    """The text; a passage is the darker the more annotators highlighted it."""
    if not text:
        return "<p>The corpus has no text of this document.</p>"
    highlights = view.corpus.highlights_of(id)
    annotators = len({mark.annotator for mark in highlights})
    parts = [
        f'<mark class="heat-{math.ceil(count / annotators * HOTTEST)}" '
        f'title="highlighted by {count} of {annotators}">{escape(passage)}</mark>'
        if count
        else escape(passage)
        for passage, count in highlighted_passages(text, highlights)
    ]
    return f'<div class="prose">{"".join(parts)}</div>'
