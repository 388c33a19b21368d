"""The votes between every two systems, where there are ties or strengths among them."""

from __future__ import annotations

from gistmark.report.table import Cell, Column, Table
from gistmark.report.views import View

_COLUMNS = (
    Column("left", "System"),
    Column("right", "Other"),
    Column("dimension", "Dimension"),
    Column("left_wins", "Wins", "count"),
    Column("right_wins", "Losses", "count"),
    Column("ties", "Ties", "count"),
    Column("n", "Votes", "count"),
    Column("strength", "Mean strength", "number"),
)


def preferences_tables(view: View) -> list[Table]:
    """A row per pair of systems and dimension; none where all votes are plain choices."""
    records = view.study.preferences
    if not records:
        return []
    weighed = any(record.strength is not None for record in records)
    columns = _COLUMNS if weighed else _COLUMNS[:-1]
    rows: list[list[Cell]] = [
        [getattr(record, column.key) for column in columns] for record in records
    ]
    note = "Of two systems, the one that won more often stands first."
    if weighed:
        note += (
            " The mean strength is that of preferences for the first, negated where the other was "
            "preferred; a tie counts 0."
        )
    return [Table("preferences", "Votes between two systems", columns, rows, note=note, keys=2)]
