"""Parquet in and out, through pyarrow, which is imported only here and only when needed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gistmark.corpus.findings import Findings
from gistmark.corpus.tables import Table

if TYPE_CHECKING:
    import pyarrow


def read_table(path: Path, findings: Findings) -> Table:
    """The rows of a Parquet file; a row's line is its number, counted from 1."""
    import pyarrow.parquet

    try:
        with path.open("rb") as stream:
            data = pyarrow.parquet.read_table(stream)
    except (OSError, pyarrow.ArrowException) as error:
        findings.problem(f"The file cannot be read as Parquet: {error}.", (str(path), None))
        return Table({}, partial=True, header=(str(path), None))
    return from_arrow(data, str(path), findings)


def from_arrow(data: pyarrow.Table, name: str | None, findings: Findings) -> Table:
    """An Arrow table as a table of Python values."""
    duplicates = [name for name, count in Counter(data.column_names).items() if count > 1]
    for duplicate in duplicates:
        findings.problem(f"The column {duplicate!r} comes twice.", (name, None))
    columns = {
        column: data.column(position).to_pylist()
        for position, column in enumerate(data.column_names)
    }
    places = [(name, number) for number in range(1, data.num_rows + 1)]
    return Table(columns, places, header=(name, None), partial=bool(duplicates))


def dump_table(table: Table, stream: IO[bytes]) -> None:
    """Write a table as Parquet; a column without any value keeps its name and no type."""
    import pyarrow
    import pyarrow.parquet

    columns: dict[str, Any] = {name: list(column) for name, column in table.columns.items()}
    pyarrow.parquet.write_table(pyarrow.table(columns), stream)
