"""A schema says what a file holds, field by field; it turns rows into records and back.

The schemas of a corpus are in `gistmark.corpus.schemas.records`; foreign formats have their own.

`write_records` writes any number of records with only a part of them in memory. It writes the same
file as `gistmark.corpus.save`. A CSV file has the columns that hold anything but the default, which
is known only after the last record; so rows are first written to a temporary file. For Parquet they
are then collected in Arrow's columns, which are small.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Generic, TypeVar

from gistmark.corpus.fields import NAME, Field, WrongValueError
from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import Table, csv_lines, dump_parquet_rows
from gistmark.errors import Diagnostics, Location
from gistmark.runtime.files import atomic_write

Record = TypeVar("Record")

CHUNK = 5_000
"""How many records are in memory at a time."""


@dataclass(frozen=True)
class Schema(Generic[Record]):
    """One kind of record: its name, its fields, and the `key` fields that identify a record."""

    name: str
    noun: str
    build: Callable[..., Record]
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()
    tabular: bool = False
    """Whether records are written as CSV or Parquet; otherwise they are JSONL only."""
    values: Callable[[Record], Sequence[object]] | None = None
    """The values of a record in the order of `fields`, where they are not its attributes."""
    file: str = ""
    """The file's name without its ending, where it is not `name`, which a `Corpus` uses."""

    @property
    def stem(self) -> str:
        return self.file or self.name

    def row(self, record: Record) -> list[object]:
        """The values of a record in the order of the fields."""
        if self.values is not None:
            return list(self.values(record))
        return [getattr(record, f.name) for f in self.fields]

    def object(self, row: Sequence[object]) -> dict[str, object]:
        """A row as a JSON object, without the fields that have their default."""
        stored_fields = (
            (f.name, value)
            for f, value in zip(self.fields, row, strict=True)
            if value != f.default or (f.required and not f.nullable)
        )
        return {name: jsonl.plain(v) if isinstance(v, float) else v for name, v in stored_fields}

    def table(self, records: Sequence[Record]) -> Table:
        """The records as a table, with the columns that hold anything but the default."""
        rows = list(map(self.row, records))
        columns: dict[str, list[object]] = {}
        for position, schema_field in enumerate(self.fields):
            column = [row[position] for row in rows]
            always = schema_field.required or schema_field.nullable
            if always or any(value != schema_field.default for value in column):
                columns[schema_field.name] = column
        return Table(columns)


@dataclass(frozen=True)
class Parsed(Generic[Record]):
    """The good records of one file, their locations, and whether some could not be read."""

    records: list[Record] = field(default_factory=list)
    locations: list[Location] = field(default_factory=list)
    partial: bool = False


def parse(schema: Schema[Record], table: Table, diagnostics: Diagnostics) -> Parsed[Record]:
    """Turn the rows of a table into records; every wrong value becomes a problem."""
    if table.partial and not table.columns:
        return Parsed(partial=True)
    _note_unknown_columns(schema, table, diagnostics)
    absent = [f.name for f in schema.fields if f.required and f.name not in table.columns]
    if absent and table.header is not None:
        _report_absent_columns(absent, table, table.header, diagnostics)
        return Parsed(partial=True)
    bad: set[int] = set()
    columns = [
        _parse_column(schema_field, table, bad, diagnostics) for schema_field in schema.fields
    ]
    _note_numeric_names(schema, table, diagnostics)
    if not bad:
        try:
            return Parsed(list(map(schema.build, *columns)), list(table.locations), table.partial)
        except WrongValueError:
            pass  # build them one by one below, to report which are wrong
    records: list[Record] = []
    locations: list[Location] = []
    for number, values in enumerate(zip(*columns, strict=True)):
        if number in bad:
            continue
        try:
            records.append(schema.build(*values))
        except WrongValueError as error:
            diagnostics.problem(f"{error}.", table.locations[number])
            bad.add(number)
            continue
        locations.append(table.locations[number])
    return Parsed(records, locations, partial=bool(bad) or table.partial)


def _parse_column(
    schema_field: Field, table: Table, bad: set[int], diagnostics: Diagnostics
) -> Sequence[Any]:
    column = table.columns.get(schema_field.name)
    if column is None:
        column = [None] * len(table.locations)
    if (parsed := _parse_repeated(schema_field, column, table.textual)) is not None:
        return parsed
    parsed = []
    for number, value in enumerate(column):
        try:
            parsed.append(_parse_value(schema_field, value, table.textual))
        except WrongValueError as error:
            word = "column" if table.header is not None else "field"
            diagnostics.problem(
                f"The {word} {schema_field.name!r} {error}.", table.locations[number]
            )
            bad.add(number)
            parsed.append(None)
    return parsed


def _parse_repeated(
    schema_field: Field, column: Sequence[object], textual: bool
) -> list[Any] | None:
    """Parse each distinct text of a column once.

    Return None if the column holds anything but texts, or a wrong one.
    """
    if not {str, type(None)}.issuperset(map(type, column)):
        return None
    try:
        parsed_values = {value: _parse_value(schema_field, value, textual) for value in set(column)}
    except WrongValueError:
        return None
    return list(map(parsed_values.__getitem__, column))


def _parse_value(schema_field: Field, value: object, textual: bool) -> Any:
    if value is None or (textual and value == ""):
        if not schema_field.required or schema_field.nullable:
            return schema_field.default
        if value is None:
            raise WrongValueError("is missing")
    kind = schema_field.kind
    return kind.cell(value) if textual and isinstance(value, str) else kind.value(value)


def _note_unknown_columns(schema: Schema[Any], table: Table, diagnostics: Diagnostics) -> None:
    field_names = {schema_field.name for schema_field in schema.fields}
    for name, column in table.columns.items():
        if name in field_names:
            continue
        if table.header is not None:
            diagnostics.note(f"The column {name!r} is unknown and was left out.", table.header)
            continue
        rows = [number for number, value in enumerate(column) if value is not None]
        first = table.locations[rows[0] if rows else 0]
        count = f" ({len(rows)} times)" if len(rows) > 1 else ""
        diagnostics.note(f"The field {name!r} is unknown and was left out{count}.", first)


def _report_absent_columns(
    absent: list[str], table: Table, header: Location, diagnostics: Diagnostics
) -> None:
    names = ", ".join(map(repr, absent))
    present = ", ".join(map(repr, table.columns)) or "none"
    noun, verb = ("column", "is") if len(absent) == 1 else ("columns", "are")
    diagnostics.problem(f"The {noun} {names} {verb} missing; found: {present}.", header)


def _note_numeric_names(schema: Schema[Any], table: Table, diagnostics: Diagnostics) -> None:
    if table.textual or not table.locations:
        return
    numeric = [
        schema_field.name
        for schema_field in schema.fields
        if schema_field.kind is NAME
        and any(type(value) is int for value in table.columns.get(schema_field.name, ()))
    ]
    if numeric:
        names = ", ".join(map(repr, numeric))
        diagnostics.note(f"Numbers in {names} were read as text.", (table.locations[0][0], None))


def write_records(
    schema: Schema[Record], records: Iterable[Record], path: Path, *, form: str
) -> int:
    """Write records to a file of the form `csv`, `jsonl` or `parquet`; return their number.

    Values are checked as on reading, and a `CorpusError` says what could not be read back;
    duplicates are not looked for. Without any record no file is written.
    """
    writer = RecordWriter(schema)
    try:
        remaining = iter(records)
        while chunk := list(islice(remaining, CHUNK)):
            writer.add(chunk)
        if writer.count:
            writer.write_to(path, form=form)
    finally:
        writer.close()
    return writer.count


class RecordWriter(Generic[Record]):
    """Collects records in a temporary file, and then writes all of them as one table."""

    def __init__(self, schema: Schema[Record]) -> None:
        self.count = 0
        self._schema = schema
        self._rows: IO[bytes] = TemporaryFile(prefix="gistmark-rows-")  # noqa: SIM115
        self._filled = {f.name for f in schema.fields if f.required or f.nullable}

    def add(self, records: Sequence[Record]) -> None:
        """Check some records, and append them to those added before."""
        diagnostics = Diagnostics()
        parsed_records = parse(self._schema, self._schema.table(records), diagnostics).records
        diagnostics.stop_if_bad()
        for record in parsed_records:
            row = self._schema.row(record)
            for schema_field, value in zip(self._schema.fields, row, strict=True):
                if value != schema_field.default:
                    self._filled.add(schema_field.name)
            self._rows.write(json.dumps(row).encode() + b"\n")
        self.count += len(parsed_records)

    def write_to(self, path: Path, *, form: str) -> None:
        """Write everything that was added; the file is written whole or not at all."""
        with atomic_write(path) as stream:
            if form == "parquet":
                dump_parquet_rows(self._filled_columns(), self._stored_rows(), stream)
                return
            lines: Iterable[str]
            if form == "csv":
                lines = csv_lines(self._filled_columns(), self._stored_rows())
            else:
                all_rows = self._stored_rows(all_columns=True)
                lines = jsonl.dump_lines(self._schema.object(row) for row in all_rows)
            stream.writelines(line.encode() for line in lines)

    def close(self) -> None:
        """Discard the temporary copy of what was added."""
        self._rows.close()

    def _filled_columns(self) -> list[str]:
        return [
            schema_field.name
            for schema_field in self._schema.fields
            if schema_field.name in self._filled
        ]

    def _stored_rows(self, *, all_columns: bool = False) -> Iterator[list[Any]]:
        """The rows that were added, with the columns that are filled or with all of them."""
        positions = [
            number
            for number, schema_field in enumerate(self._schema.fields)
            if all_columns or schema_field.name in self._filled
        ]
        self._rows.seek(0)
        for line in self._rows:
            row = json.loads(line)
            yield [row[number] for number in positions]
