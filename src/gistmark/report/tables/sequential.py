"""What an adaptive campaign's own rule decided, and after how many judgements."""

from __future__ import annotations

from gistmark.analysis.stopping import SequentialPair
from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View


def sequential_tables(view: View) -> list[Table]:
    """A row per pair of systems; none where no campaign was adaptive."""
    records = view.study.sequential
    if not records:
        return []
    first = records[0]
    columns = (
        Column("left", "System"),
        Column("right", "Against"),
        Column("difference", f"Difference [{1 - first.level:.0%}, at all times]", "estimate"),
        Column("n", "Documents", "count"),
        Column("decided", "Decided"),
        Column("after", "After judgements", "count"),
    )
    margin = f" or known to differ by at most {first.margin:g}" if first.margin else ""
    note = (
        f"The campaign replayed in the order in which its {first.judgements:,} judgements came in, "
        f"by {first.dimension}. The intervals hold all differences together at every moment with "
        f"{1 - first.level:.0%}, by betting on within-annotator differences with the level shared "
        "among all pairs, if documents came in an order that has nothing to do with the systems "
        f"and annotators judge alike on average. A pair is decided where its interval leaves out 0"
        f"{margin}, or where it follows from other pairs (through others)."
    )
    rows = [_row(record) for record in records]
    return [Table("sequential", "Decisions of the campaign", columns, rows, note=note, keys=2)]


def _row(record: SequentialPair) -> list[Cell]:
    better = {"left": f"{record.left} is better", "right": f"{record.right} is better"}
    decided = better.get(record.decided, "equal within the margin") if record.decided else None
    if record.through and decided:
        decided += ", through others"
    return [
        record.left,
        record.right,
        cell_value(record.difference, record.reason, low=record.low, high=record.high),
        record.n,
        decided or "not decided",
        record.after,
    ]
