"""Tables as CSV in full precision; an estimate takes three columns, a reason one of its own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from gistmark.report.table import Cell, Column, Estimate, Label, Missing, Table, remark


def csv_table(table: Table) -> str:
    """The table with a header line of column keys, for programs."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    reasons = ["reason"] if table.reasons else []
    writer.writerow([key for column in table.columns for key in _keys(column)] + reasons)
    for row in table.rows:
        cells = [text for index, cell in zip(table.columns, row, strict=True)
                 for text in _cells(cell, index)]  # fmt: skip
        writer.writerow(cells + ([_reasons(row)] if reasons else []))
    return stream.getvalue()


def _keys(column: Column) -> Iterator[str]:
    yield column.key
    if column.kind == "estimate":
        yield f"{column.key}_low"
        yield f"{column.key}_high"


def _cells(cell: Cell, column: Column) -> Iterator[str]:
    if column.kind != "estimate":
        yield _text(cell)
        return
    estimate = cell if isinstance(cell, Estimate) else None
    for value in (estimate.value, estimate.low, estimate.high) if estimate else (None,) * 3:
        yield "" if value is None else repr(float(value))


def _text(cell: Cell) -> str:
    if cell is None or isinstance(cell, Missing):
        return ""
    if isinstance(cell, Label):
        return cell.code
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def _reasons(row: Sequence[Cell]) -> str:
    return "; ".join(dict.fromkeys(reason for cell in row if (reason := remark(cell))))
