"""The file of a crowd market: the work of a batch, with columns for what is paid and what not.

It is the CSV file that Amazon Mechanical Turk calls the results of a batch, and reads again.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from gistmark.corpus.files import decode
from gistmark.corpus.tables import guarded_cell
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
    names, *rows = _read_rows(data)
    _check_columns(names)
    if not rows:
        raise GistmarkError("The file has no rows below the names of its columns.")
    for number, row in enumerate(rows, start=FIRST_ROW):
        if len(row) > len(names):
            raise GistmarkError(
                f"Row {number} has {len(row)} cells, but the first row names {len(names)} columns."
            )
    columns = (*names, *(name for name in (APPROVE, REJECT) if name not in names))
    return Sheet(columns, tuple((*row, *[""] * (len(columns) - len(row))) for row in rows))


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


def _check_columns(names: list[str]) -> None:
    if CODE not in names:
        known = ", ".join(name[:40] for name in names[:_NAMED]) or "none"
        more = ", …" if len(names) > _NAMED else ""
        raise GistmarkError(f"The file has no column {CODE!r}; its columns are {known}{more}.")
    for name in (CODE, APPROVE, REJECT):
        if names.count(name) > 1:
            raise GistmarkError(f"The column {name!r} comes twice.")
