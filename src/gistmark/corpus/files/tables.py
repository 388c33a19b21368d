"""A table: what CSV, JSONL, Parquet and foreign files have in common before it is checked.

CSV and TSV are UTF-8 with a header, and quotes where a cell needs them. A cell is kept as it is,
with its spaces and line breaks. Line numbers count line feeds, as an editor does, so they are
right after a cell of several lines. Parquet goes through pyarrow, which is imported only when
needed.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from unicodedata import normalize

from gistmark.corpus.files import jsonl
from gistmark.corpus.files.text import read_text
from gistmark.errors import NOWHERE, Diagnostics, Location

if TYPE_CHECKING:
    import pyarrow

_LONGEST_CELL = 2**31 - 1  # the csv module's own limit, 128 KB, is short for a document
_FORMULA = tuple("=+-@\t\r")
_ROWS_AT_ONCE = 10_000
_SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Table:
    """Columns of raw values, and the location that each row comes from.

    A missing value is None. `textual` says that the values are cells of a CSV file, which are text
    whatever they mean, and where an empty cell of an optional column is no value. `header` is the
    location of the column names, if they have one; `partial` says that some rows could not be read.
    """

    columns: Mapping[str, Sequence[object]]
    locations: Sequence[Location] = field(default=())
    textual: bool = False
    header: Location | None = None
    partial: bool = False

    def __post_init__(self) -> None:
        if not self.locations:
            rows = max(map(len, self.columns.values()), default=0)
            object.__setattr__(self, "locations", [NOWHERE] * rows)

    def rows(self) -> Iterator[tuple[Location, dict[str, object]]]:
        """The rows, each with its location and the values that are there."""
        cells = zip(*self.columns.values(), strict=True)
        for location, values in zip(self.locations, cells, strict=True):
            pairs = zip(self.columns, values, strict=True)
            yield location, {name: value for name, value in pairs if value is not None}

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[Mapping[str, object]],
        locations: Sequence[Location] = (),
        *,
        partial: bool = False,
    ) -> Table:
        """A table from objects, which need not all have the same fields."""
        names = dict.fromkeys(chain.from_iterable(rows))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return cls(columns, locations or [NOWHERE] * len(rows), partial=partial)


def read_table(path: Path, diagnostics: Diagnostics, *, form: str | None = None) -> Table:
    """The raw table in a file; what cannot be read becomes a problem and leaves it partial.

    `form` is the extension to go by if it is not the file's own.
    """
    suffix = form or path.suffix.lower()
    if suffix == ".parquet":
        return _read_parquet(path, diagnostics)
    text = read_text(path, diagnostics)
    if text is None:
        return Table({}, partial=True)
    if suffix == ".jsonl":
        return _parse_jsonl(text, str(path), diagnostics)
    separator = "\t" if suffix == ".tsv" else ","
    return _parse_csv(text, str(path), diagnostics, separator)


def dump_csv(table: Table, *, separator: str = ",", guarded: bool = False) -> Iterator[str]:
    """A table as CSV lines, header first; None becomes an empty cell.

    `guarded` is for tables that people look at and no program reads back: texts that a
    spreadsheet would take for a formula become texts there.
    """
    rows = zip(*table.columns.values(), strict=True)
    yield from csv_lines(table.columns, rows, separator=separator, guarded=guarded)


def csv_lines(
    names: Iterable[str],
    rows: Iterable[Sequence[object]],
    *,
    separator: str = ",",
    guarded: bool = False,
) -> Iterator[str]:
    """Rows as CSV lines as they come, below the names of their columns; see `dump_csv`."""
    special = re.compile(f'[{re.escape(separator)}"\r\n]')
    yield _csv_line(names, special, separator)
    for row in rows:
        cells = map(guarded_cell, row) if guarded else row
        yield _csv_line(map(cell_text, cells), special, separator)


def guarded_cell(value: object) -> object:
    """The value, with an apostrophe before a text that a spreadsheet would take for a formula."""
    if not isinstance(value, str):
        return value
    return f"'{value}" if normalize("NFKC", value[:1]) in _FORMULA else value


def cell_text(value: object) -> str:
    """A value as a CSV cell: numbers so that they come back exactly, 4.0 as 4."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0")


def dump_parquet(table: Table, stream: IO[bytes]) -> None:
    """Write a table as Parquet; a column without any value keeps its name and no type."""
    import pyarrow
    import pyarrow.parquet

    columns: dict[str, Any] = {name: list(column) for name, column in table.columns.items()}
    pyarrow.parquet.write_table(pyarrow.table(columns), stream)


def dump_parquet_rows(
    names: Iterable[str], rows: Iterable[Sequence[object]], stream: IO[bytes]
) -> None:
    """Write rows of single values as Parquet, and convert only some of them at a time."""
    import pyarrow
    import pyarrow.parquet

    names, remaining = list(names), iter(rows)
    parts = [pyarrow.table({name: [] for name in names})]
    while chunk := list(islice(remaining, _ROWS_AT_ONCE)):
        columns = map(list, zip(*chunk, strict=True))
        parts.append(pyarrow.table(dict(zip(names, columns, strict=True))))
    table = pyarrow.concat_tables(parts, promote_options="permissive").combine_chunks()
    pyarrow.parquet.write_table(table, stream)


def from_arrow(data: pyarrow.Table, name: str | None, diagnostics: Diagnostics) -> Table:
    """An Arrow table as a table of Python values; a row's line is its number, counted from 1."""
    duplicates = _report_repeated(data.column_names, (name, None), diagnostics)
    columns = {
        column: data.column(index).to_pylist() for index, column in enumerate(data.column_names)
    }
    locations = [(name, number) for number in range(1, data.num_rows + 1)]
    return Table(columns, locations, header=(name, None), partial=duplicates)


def _parse_jsonl(text: str, file: str, diagnostics: Diagnostics) -> Table:
    """The objects of a JSONL text; a line that is not one becomes a problem."""
    rows: list[dict[str, object]] = []
    locations: list[Location] = []
    partial = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip(" \t\r"):
            continue
        row = jsonl.parse_object(line, (file, number), diagnostics)
        if row is None:
            partial = True
            continue
        rows.append(row)
        locations.append((file, number))
    if not rows and not partial:
        diagnostics.problem("The file is empty.", (file, None))
    return Table.of_rows(rows, locations, partial=partial)


def _parse_csv(text: str, file: str, diagnostics: Diagnostics, separator: str) -> Table:
    """The rows of a CSV text under its header; a ragged or broken row becomes a problem."""
    rows, lines, broken = _csv_rows(text, file, diagnostics, separator)
    if not rows and not broken:
        diagnostics.problem("The file is empty.", (file, None))
    names: list[str] = rows[0] if rows else []
    header = (file, lines[0] if lines else 1)
    if not rows or _has_other_separator(names, separator, header, diagnostics):
        return Table({}, (), textual=True, header=header, partial=True)
    duplicates = _report_repeated(names, header, diagnostics)
    cells = list(zip(*rows[1:], strict=True)) or [()] * len(names)
    columns = dict(zip(names, cells, strict=True))
    locations = [(file, line) for line in lines[1:]]
    return Table(columns, locations, textual=True, header=header, partial=broken or duplicates)


def _csv_rows(
    text: str, file: str, diagnostics: Diagnostics, separator: str
) -> tuple[list[list[str]], list[int], bool]:
    """The rows as wide as the first, the lines they start on, and whether others were dropped."""
    rows: list[list[str]] = []
    lines: list[int] = []
    ragged = False
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(_split_lines(text), delimiter=separator, strict=True)
    start = 1
    try:
        for row in reader:
            if rows and row and len(row) != len(rows[0]):
                cells = f"The row has {len(row)} cells, but the header has {len(rows[0])}."
                diagnostics.problem(cells, (file, start))
                ragged = True
            elif row:
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        diagnostics.problem(f"Broken CSV in the row that starts here: {error}.", (file, start))
        return rows, lines, True
    return rows, lines, ragged


def _split_lines(text: str) -> Iterable[str]:
    if "\n" not in text and "\r" in text:  # the line ends of the first Macintosh
        return io.StringIO(text, newline="")
    return io.StringIO(text, newline="\n")


def _has_other_separator(
    names: Sequence[str], separator: str, location: Location, diagnostics: Diagnostics
) -> bool:
    for candidate in _SEPARATORS:
        if len(names) == 1 and candidate != separator and candidate in names[0]:
            diagnostics.problem(
                f"The columns are separated by {candidate!r}, not {separator!r}.", location
            )
            return True
    return False


def _csv_line(cells: Iterable[str], special: re.Pattern[str], separator: str) -> str:
    quoted = (
        '"' + cell.replace('"', '""') + '"' if special.search(cell) else cell for cell in cells
    )
    return separator.join(quoted) + "\n"


def _read_parquet(path: Path, diagnostics: Diagnostics) -> Table:
    import pyarrow.parquet

    try:
        with path.open("rb") as stream:
            data = pyarrow.parquet.read_table(stream)
    except (OSError, pyarrow.ArrowException) as error:
        diagnostics.problem(f"The file cannot be read as Parquet: {error}.", (str(path), None))
        return Table({}, partial=True, header=(str(path), None))
    return from_arrow(data, str(path), diagnostics)


def _report_repeated(names: Iterable[str], location: Location, diagnostics: Diagnostics) -> bool:
    """Report column names that come twice; return whether there is any."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    for name in repeated:
        diagnostics.problem(f"The column {name!r} comes twice.", location)
    return bool(repeated)
