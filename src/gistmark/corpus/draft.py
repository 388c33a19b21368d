"""A corpus in the making: what the readers of foreign formats put their rows into."""

from __future__ import annotations

from gistmark.corpus.checks import assemble
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.duplicates import OnDuplicate
from gistmark.corpus.fields import NUMBER, WrongValueError
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.names import reference_name
from gistmark.corpus.schemas import SCHEMAS
from gistmark.corpus.tables import Table

Row = dict[str, object]


class Draft:
    """Raw rows by kind of record, each with its place; `finish` checks them all at once.

    The fields of a row are those of the corpus folder's files. Many formats repeat a document
    and its references on every row: equal ones are kept once, and a contradiction is a problem.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._rows: dict[str, list[Row]] = {schema.name: [] for schema in SCHEMAS}
        self._places: dict[str, list[Place]] = {schema.name: [] for schema in SCHEMAS}
        self._first: dict[tuple[str, ...], tuple[Row, Place]] = {}

    def add(self, kind: str, place: Place, **values: object) -> None:
        """Add a row of ratings, summaries, ... as it is."""
        self._rows[kind].append(values)
        self._places[kind].append(place)

    def document(self, place: Place, id: str, **values: object) -> None:
        """Add a document unless it is there; other values than before are a problem."""
        self._add_once("documents", place, (id,), {"id": id, **values}, f"document {id!r}")

    def summary(
        self, place: Place, document: str, system: str, text: object, **values: object
    ) -> None:
        """Add a system's summary."""
        self.add("summaries", place, document=document, system=system, text=text, **values)

    def reference(
        self, place: Place, document: str, name: str | int, text: object, **values: object
    ) -> None:
        """Add a reference unless it is there; a number stands for the name of that reference."""
        system = reference_name(name) if isinstance(name, int) else name
        row: Row = {"document": document, "system": system, "text": text, "reference": True}
        row |= values
        what = f"reference {system!r} of document {document!r}"
        self._add_once("summaries", place, (document, system), row, what)

    def number(self, place: Place, name: str, cell: object) -> float | None:
        """The number in a CSV cell; None after a problem."""
        try:
            return NUMBER.cell(str(cell))
        except WrongValueError as error:
            self.findings.problem(f"The column {name!r} {error}.", place)
            return None

    def finish(self, *, partial: bool = False, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        """The corpus; `partial` says that some rows of the source could not be read."""
        tables = {
            name: Table.of_rows(rows, self._places[name], partial=partial)
            for name, rows in self._rows.items()
        }
        return assemble(tables, self.findings, on_duplicate=on_duplicate)

    def _add_once(self, kind: str, place: Place, key: tuple[str, ...], row: Row, what: str) -> None:
        earlier, where = self._first.setdefault((kind, *key), (row, place))
        if earlier is row:
            self.add(kind, place, **row)
        elif earlier != row:
            name = next(name for name in row if row[name] != earlier.get(name))
            line = f" on line {where[1]}" if where[1] is not None else ""
            self.findings.problem(f"The {name} of {what} differs from the one{line}.", place)
