"""Writing records to a table as they come, however many: only a part of them is in memory.

What is written is what `gistmark.corpus.save` writes of the same records. A CSV file has the
columns that hold anything but the default, which is known only after the last record; so rows wait
in a temporary file. For Parquet they wait in Arrow's columns, which are small.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Generic

from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import csv_lines, dump_parquet_rows
from gistmark.corpus.schemas.schema import Record, Schema, parse
from gistmark.errors import Diagnostics
from gistmark.runtime.files import atomic_write

CHUNK = 5_000
"""So many records are in memory at a time."""


def write_records(
    schema: Schema[Record], records: Iterable[Record], path: Path, *, form: str
) -> int:
    """Write records to a file of the form `csv`, `jsonl` or `parquet`; how many they were.

    Values are checked as on reading, and a `CorpusError` says what could not be read back; whether
    a record is there twice is not looked up. Without any record no file is written.
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
    """Takes records in any number of parts, and then writes all of them as one table."""

    def __init__(self, schema: Schema[Record]) -> None:
        self.count = 0
        self._schema = schema
        self._rows: IO[bytes] = TemporaryFile(prefix="gistmark-rows-")  # noqa: SIM115
        self._filled = {f.name for f in schema.fields if f.required or f.nullable}

    def add(self, records: Sequence[Record]) -> None:
        """Check some records, and put them after those that came before."""
        diagnostics = Diagnostics()
        read = parse(self._schema, self._schema.table(records), diagnostics).records
        diagnostics.stop_if_bad()
        for record in read:
            row = self._schema.row(record)
            for field, value in zip(self._schema.fields, row, strict=True):
                if value != field.default:
                    self._filled.add(field.name)
            self._rows.write(json.dumps(row).encode() + b"\n")
        self.count += len(read)

    def write_to(self, path: Path, *, form: str) -> None:
        """Write everything that was added; the file is there whole or not at all."""
        with atomic_write(path) as stream:
            if form == "parquet":
                dump_parquet_rows(self._columns(), self._read(), stream)
                return
            lines: Iterable[str]
            if form == "csv":
                lines = csv_lines(self._columns(), self._read())
            else:
                whole = self._read(whole=True)
                lines = jsonl.dump_lines(self._schema.object(row) for row in whole)
            stream.writelines(line.encode() for line in lines)

    def close(self) -> None:
        """Let go of what was added."""
        self._rows.close()

    def _columns(self) -> list[str]:
        return [field.name for field in self._schema.fields if field.name in self._filled]

    def _read(self, *, whole: bool = False) -> Iterator[list[Any]]:
        """The rows that were added, with the columns that are filled or with all of them."""
        kept = [
            number
            for number, field in enumerate(self._schema.fields)
            if whole or field.name in self._filled
        ]
        self._rows.seek(0)
        for line in self._rows:
            row = json.loads(line)
            yield [row[number] for number in kept]
