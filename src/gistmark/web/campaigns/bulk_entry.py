"""The table that SummaryAnnotatorTool's bulk_entry takes: idx, title, gold, summary.

A row is one summary with its reference; the articles are not there. The protocol `quality`
shows the same things as that tool, so a campaign of it asks the same of its annotators.
"""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus import Corpus
from gistmark.corpus.draft import Draft
from gistmark.corpus.fields import NAME, TEXT, Field
from gistmark.corpus.findings import Findings
from gistmark.corpus.parsing import parse
from gistmark.corpus.readers.emfos import SYSTEM
from gistmark.corpus.schemas import Schema
from gistmark.corpus.tables.reading import read_table

_ROWS = Schema(
    "rows",
    "row",
    lambda *cells: cells,
    (
        Field("idx", NAME),
        Field("title", TEXT, required=False),
        Field("gold", TEXT),
        Field("summary", TEXT),
    ),
)


def read_bulk_entry(path: Path) -> Corpus:
    """The corpus in such a table; every problem is told at once, with its line."""
    findings = Findings()
    draft = Draft(findings)
    rows = parse(_ROWS, read_table(path, findings, form=".csv"), findings)
    for (idx, title, gold, summary), place in zip(rows.records, rows.places, strict=True):
        draft.summary(place, idx, SYSTEM, summary, title=title)
        draft.reference(place, idx, 1, gold, title=title)
    return draft.finish(partial=rows.partial)
