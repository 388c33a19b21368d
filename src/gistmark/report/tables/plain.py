"""The tables that need no thought: human scores per summary, data notes, signatures."""

from __future__ import annotations

from gistmark.report.table import Cell, Column, Table
from gistmark.report.views import View


def human_scores_table(view: View) -> Table:
    """A row per summary, a column per human score."""
    humans = tuple(dict.fromkeys(record.human for record in view.study.human_scores))
    lines: dict[tuple[str, str], dict[str, float]] = {}
    for record in view.study.human_scores:
        lines.setdefault((record.document, record.system), {})[record.human] = float(record.value)
    rows: list[list[Cell]] = [[*unit, *map(found.get, humans)] for unit, found in lines.items()]
    columns = [Column("document", "Document"), Column("system", "System")]
    return Table(
        "human_scores",
        "Human scores of summaries",
        [*columns, *(Column(human, human, "number") for human in humans)],
        rows,
        empty="There are no human scores.",
        keys=2,
    )


def notes_table(view: View) -> Table:
    """What a reader should know about the data."""
    return Table(
        "notes",
        "Data notes",
        (Column("about", "About"), Column("text", "Note")),
        [[note.about, note.text] for note in view.study.notes],
        empty="Nothing unusual was found in the data.",
    )


def signatures_table(view: View) -> Table:
    """The signature of every metric, enough to compute its values again."""
    signatures = {record.metric: record.signature for record in view.study.signatures}
    if view.scores is not None:
        signatures = {**view.scores.signatures, **signatures}
    return Table(
        "signatures",
        "Signatures of the metrics",
        (Column("metric", "Metric"), Column("signature", "Signature", "code")),
        [[metric, signature] for metric, signature in signatures.items()],
        empty="No metric was computed, so there are no signatures.",
    )
