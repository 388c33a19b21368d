"""CSV and TSV in and out: UTF-8, a header, quotes where a cell needs them.

A cell is kept as it is, with its spaces and line breaks. Line numbers count line feeds, as an
editor does, so they are right behind a cell of several lines.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.tables import Table

_LONGEST_CELL = 2**31 - 1  # the csv module's own limit, 128 KB, is short for a document
_OTHER_SEPARATORS = (",", ";", "\t", "|")


def read_table(text: str, file: str, findings: Findings, *, separator: str = ",") -> Table:
    """The rows of a CSV text under its header; a ragged or broken row becomes a problem."""
    rows, lines, broken = _read_rows(text, file, findings, separator)
    if not rows and not broken:
        findings.problem("The file is empty.", (file, None))
    names: list[str] = rows[0] if rows else []
    header = (file, lines[0] if lines else 1)
    if not rows or _has_other_separator(names, separator, header, findings):
        return Table({}, (), textual=True, header=header, partial=True)
    duplicates = [name for name, count in Counter(names).items() if count > 1]
    for name in duplicates:
        findings.problem(f"The column {name!r} comes twice.", header)
    cells = list(zip(*rows[1:], strict=True)) or [()] * len(names)
    columns = dict(zip(names, cells, strict=True))
    places = [(file, line) for line in lines[1:]]
    partial = broken or bool(duplicates)
    return Table(columns, places, textual=True, header=header, partial=partial)


def dump_table(table: Table, *, separator: str = ",") -> Iterator[str]:
    """A table as CSV lines, header first; None becomes an empty cell."""
    special = re.compile(f'[{re.escape(separator)}"\r\n]')
    yield _line(table.columns, special, separator)
    for row in zip(*table.columns.values(), strict=True):
        yield _line(map(cell_text, row), special, separator)


def cell_text(value: object) -> str:
    """A value as a CSV cell: numbers so that they come back exactly, 4.0 as 4."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0")


def _line(cells: Iterable[str], special: re.Pattern[str], separator: str) -> str:
    quoted = (
        '"' + cell.replace('"', '""') + '"' if special.search(cell) else cell for cell in cells
    )
    return separator.join(quoted) + "\n"


def _read_rows(
    text: str, file: str, findings: Findings, separator: str
) -> tuple[list[list[str]], list[int], bool]:
    """The rows as wide as the first, the lines they start on, and whether others were there."""
    rows: list[list[str]] = []
    lines: list[int] = []
    ragged = False
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(_lines(text), delimiter=separator, strict=True)
    start = 1
    try:
        for row in reader:
            if rows and row and len(row) != len(rows[0]):
                cells = f"The row has {len(row)} cells, but the header has {len(rows[0])}."
                findings.problem(cells, (file, start))
                ragged = True
            elif row:
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        findings.problem(f"Broken CSV in the row that starts here: {error}.", (file, start))
        return rows, lines, True
    return rows, lines, ragged


def _lines(text: str) -> Iterable[str]:
    if "\n" not in text and "\r" in text:  # the line ends of the first Macintosh
        return io.StringIO(text, newline="")
    return io.StringIO(text, newline="\n")


def _has_other_separator(
    names: Sequence[str], separator: str, place: Place, findings: Findings
) -> bool:
    for other in _OTHER_SEPARATORS:
        if len(names) == 1 and other != separator and other in names[0]:
            findings.problem(f"The columns are separated by {other!r}, not {separator!r}.", place)
            return True
    return False
