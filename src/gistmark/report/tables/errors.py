"""The errors that people marked in summaries: how many of which kind, system by system."""

from __future__ import annotations

from gistmark.analysis.records import ErrorCount
from gistmark.report.table import Cell, Column, Table
from gistmark.report.views import View

_ALL = "all"


def error_tables(view: View) -> list[Table]:
    """A row per system and category, a column per severity; none where nobody marked errors."""
    records = view.study.errors
    if not records:
        return []
    severities = tuple(dict.fromkeys(record.severity for record in records))
    systems = dict.fromkeys((*view.systems, *(record.system for record in records)))
    columns = (
        Column("system", "System"),
        Column("category", "Category"),
        *(Column(f"severity: {s}", s or "no severity", "count") for s in severities),
        Column("count", "All", "count"),
        Column("judgements", "Judgements", "count"),
        Column("rate", "Per judgement", "number"),
    )
    groups = ([r for r in records if r.system == system] for system in systems)
    rows = [row for group in groups if group for row in _rows(group, severities)]
    note = (
        "How many errors annotators marked. A judgement is one annotator’s look at one summary, "
        "with errors or without; who did not judge a summary does not count."
    )
    title = "Errors by system, category and severity"
    return [Table("errors", title, columns, rows, note=note, keys=2, rules=_rules(rows))]


def _rows(group: list[ErrorCount], severities: tuple[str, ...]) -> list[list[Cell]]:
    categories = dict.fromkeys(record.category for record in group)
    every = {category: [r for r in group if r.category == category] for category in categories}
    lines = [(_ALL, group)] if len(every) > 1 else []
    return [_row(category, records, severities) for category, records in (*lines, *every.items())]


def _row(category: str, records: list[ErrorCount], severities: tuple[str, ...]) -> list[Cell]:
    counts = [sum(r.count for r in records if r.severity == severity) for severity in severities]
    total, judgements = sum(counts), records[0].judgements
    return [records[0].system, category, *counts, total, judgements, total / judgements]


def _rules(rows: list[list[Cell]]) -> frozenset[int]:
    """A line above each system but the first."""
    return frozenset(k for k in range(1, len(rows)) if rows[k][0] != rows[k - 1][0])
