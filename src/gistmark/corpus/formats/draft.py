"""A draft of a corpus, which the readers of foreign formats fill with raw rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from gistmark.corpus.corpus import Corpus, reference_name
from gistmark.corpus.fields import NUMBER, WrongValueError
from gistmark.corpus.files.tables import Table, read_table
from gistmark.corpus.schemas.checks import OnDuplicate, assemble
from gistmark.corpus.schemas.records import SCHEMAS
from gistmark.corpus.schemas.schema import Schema, parse
from gistmark.errors import Diagnostics, Location

Row = dict[str, object]

AGGREGATE = "aggregate"
"""The annotator name of values that a file gives for several people together."""


class Draft:
    """Raw rows by kind of record, each with its location; `finish` checks them all at once.

    The fields of a row are those of the corpus folder's files. Many formats repeat a document
    and its references on every row: equal ones are kept once, and a contradiction is a problem.
    """

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._rows: dict[str, list[Row]] = {schema.name: [] for schema in SCHEMAS}
        self._locations: dict[str, list[Location]] = {schema.name: [] for schema in SCHEMAS}
        self._first: dict[tuple[str, ...], tuple[Row, Location]] = {}

    def add(self, kind: str, location: Location, **values: object) -> None:
        """Add a row of ratings, summaries, ... as it is."""
        self._rows[kind].append(values)
        self._locations[kind].append(location)

    def document(self, location: Location, id: str, **values: object) -> None:
        """Add a document unless it is there; values that differ from earlier ones are a problem."""
        self._add_once("documents", location, (id,), {"id": id, **values}, f"document {id!r}")

    def summary(
        self, location: Location, document: str, system: str, text: object, **values: object
    ) -> None:
        """Add a system's summary."""
        self.add("summaries", location, document=document, system=system, text=text, **values)

    def reference(
        self, location: Location, document: str, name: str | int, text: object, **values: object
    ) -> None:
        """Add a reference unless it is there; a number stands for the name of that reference."""
        system = reference_name(name) if isinstance(name, int) else name
        row: Row = {"document": document, "system": system, "text": text, "reference": True}
        row |= values
        what = f"reference {system!r} of document {document!r}"
        self._add_once("summaries", location, (document, system), row, what)

    def number(self, location: Location, name: str, cell: object) -> float | None:
        """The number in a CSV cell; None after a problem."""
        try:
            return NUMBER.cell(str(cell))
        except WrongValueError as error:
            self.diagnostics.problem(f"The column {name!r} {error}.", location)
            return None

    def finish(self, *, partial: bool = False, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        """The corpus; `partial` says that some rows of the source could not be read."""
        tables = {
            name: Table.of_rows(rows, self._locations[name], partial=partial)
            for name, rows in self._rows.items()
        }
        return assemble(tables, self.diagnostics, on_duplicate=on_duplicate)

    def _add_once(
        self, kind: str, location: Location, key: tuple[str, ...], row: Row, what: str
    ) -> None:
        first_row, first_location = self._first.setdefault((kind, *key), (row, location))
        if first_row is row:
            self.add(kind, location, **row)
        elif first_row != row:
            name = next(name for name in row if row[name] != first_row.get(name))
            line = f" on line {first_location[1]}" if first_location[1] is not None else ""
            self.diagnostics.problem(f"The {name} of {what} differs from the one{line}.", location)


Line = TypeVar("Line")


def read_json_lines(
    source: Path,
    schema: Schema[Line],
    read_line: Callable[[Draft, Line, Location], None],
    *,
    on_duplicate: OnDuplicate = "refuse",
) -> Corpus:
    """The corpus of a file whose lines fit `schema`; `read_line` puts each into the draft."""
    diagnostics = Diagnostics()
    draft = Draft(diagnostics)
    lines = parse(schema, read_table(source, diagnostics, form=".jsonl"), diagnostics)
    for line, location in zip(lines.records, lines.locations, strict=True):
        read_line(draft, line, location)
    return draft.finish(partial=lines.partial, on_duplicate=on_duplicate)
