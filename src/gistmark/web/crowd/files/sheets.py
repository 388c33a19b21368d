"""The CSV file of a crowd market: rows of people or work, with columns for what is paid.

`read_sheet` reads what Amazon Mechanical Turk calls the results of a batch, and reads again;
`read_table` reads the file of any market.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from gistmark.corpus.files.tables import guarded_cell
from gistmark.corpus.files.text import decode
from gistmark.errors import Diagnostics, GistmarkError

CODE = "Answer.surveycode"
APPROVE = "Approve"
REJECT = "Reject"
FIRST_ROW = 2
"""The number of the first row below the columns' names, as a spreadsheet counts."""
_NAMED = 12


@dataclass(frozen=True, slots=True)
class Sheet:
    """The names of the columns, and rows that all have as many cells."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_sheet(data: bytes) -> Sheet:
    """The rows of a file with `Approve` and `Reject`, which are added where they are missing.

    One sentence says what is wrong with the file. Rows that end early are filled up: a
    market leaves out the cells that it wants to be filled.
    """
    sheet = read_table(data)
    _check_columns(sheet.columns)
    return with_columns(sheet, APPROVE, REJECT)


def read_table(data: bytes) -> Sheet:
    """The rows of a file, filled up where they end early, or one sentence about what is wrong."""
    names, *rows = _read_rows(data)
    if not rows:
        raise GistmarkError("The file has no rows below the names of its columns.")
    for number, row in enumerate(rows, start=FIRST_ROW):
        if len(row) > len(names):
            raise GistmarkError(
                f"Row {number} has {len(row)} cells, but the first row names {len(names)} columns."
            )
    width = len(names)
    return Sheet(tuple(names), tuple((*row, *[""] * (width - len(row))) for row in rows))


def with_columns(sheet: Sheet, *names: str) -> Sheet:
    """The sheet with these columns at its end, empty, where it has none of that name."""
    new = tuple(name for name in names if name not in sheet.columns)
    blank = ("",) * len(new)
    return Sheet((*sheet.columns, *new), tuple((*row, *blank) for row in sheet.rows))


def write_sheet(sheet: Sheet) -> str:
    """The sheet as CSV, every cell in quotes, as the market itself writes it."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([sheet.columns, *sheet.rows])
    return written.getvalue()


def harmless(text: str) -> str:
    """A text in one line that no spreadsheet takes for a formula."""
    return str(guarded_cell(" ".join(text.split())))


def _read_rows(data: bytes) -> list[list[str]]:
    diagnostics = Diagnostics()
    text = decode(data, "", diagnostics)
    if text is None:
        raise GistmarkError(diagnostics.problems[0].message)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise GistmarkError(f"The file is broken CSV in line {reader.line_num}: {error}.") from None
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise GistmarkError("The file is empty.")
    return rows


def named(columns: Sequence[str]) -> str:
    """The names of columns as a sentence lists them."""
    known = ", ".join(name[:40] for name in columns[:_NAMED]) or "none"
    return f"{known}, …" if len(columns) > _NAMED else known


def _check_columns(names: Sequence[str]) -> None:
    if CODE not in names:
        raise GistmarkError(f"The file has no column {CODE!r}; its columns are {named(names)}.")
    for name in (CODE, APPROVE, REJECT):
        if names.count(name) > 1:
            raise GistmarkError(f"The column {name!r} comes twice.")
