"""The table that SummaryAnnotatorTool's bulk_entry takes: idx, title, gold, summary.

A row is one summary with its reference; the articles are not there. The protocol `quality`
shows the same things as that tool, so a campaign of it asks the same of its annotators.
"""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus import Corpus
from gistmark.corpus.draft import Draft
from gistmark.corpus.fields import NAME, TEXT, Field
from gistmark.corpus.formats.emfos import SYSTEM
from gistmark.corpus.schemas import Schema, parse
from gistmark.corpus.tables import read_table
from gistmark.errors import Diagnostics

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
    diagnostics = Diagnostics()
    draft = Draft(diagnostics)
    rows = parse(_ROWS, read_table(path, diagnostics, form=".csv"), diagnostics)
    for (idx, title, gold, summary), location in zip(rows.records, rows.locations, strict=True):
        draft.summary(location, idx, SYSTEM, summary, title=title)
        draft.reference(location, idx, 1, gold, title=title)
    return draft.finish(partial=rows.partial)
