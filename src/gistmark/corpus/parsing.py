"""From the raw rows of a table to checked records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from gistmark.corpus.fields import NAME, Field, WrongValueError
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.schemas import Schema
from gistmark.corpus.tables import Table

Record = TypeVar("Record")


@dataclass(frozen=True)
class Parsed(Generic[Record]):
    """The good records of one file, where each stands, and whether some could not be read."""

    records: list[Record] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    partial: bool = False


def parse(schema: Schema[Record], table: Table, findings: Findings) -> Parsed[Record]:
    """Turn the rows of a table into records; every wrong value becomes a problem."""
    if table.partial and not table.columns:
        return Parsed(partial=True)
    _note_unknown_columns(schema, table, findings)
    absent = [f.name for f in schema.fields if f.required and f.name not in table.columns]
    if absent and table.header is not None:
        _report_absent_columns(absent, table, table.header, findings)
        return Parsed(partial=True)
    bad: set[int] = set()
    columns = [_parse_column(described, table, bad, findings) for described in schema.fields]
    _note_numeric_names(schema, table, findings)
    if not bad:
        try:
            return Parsed(list(map(schema.build, *columns)), list(table.places), table.partial)
        except WrongValueError:
            pass  # now one by one, to say which
    records: list[Record] = []
    places: list[Place] = []
    for number, values in enumerate(zip(*columns, strict=True)):
        if number in bad:
            continue
        try:
            records.append(schema.build(*values))
        except WrongValueError as error:
            findings.problem(f"{error}.", table.places[number])
            bad.add(number)
            continue
        places.append(table.places[number])
    return Parsed(records, places, partial=bool(bad) or table.partial)


def _parse_column(
    described: Field, table: Table, bad: set[int], findings: Findings
) -> Sequence[Any]:
    column = table.columns.get(described.name)
    if column is None:
        column = [None] * len(table.places)
    if (parsed := _parse_repeated(described, column, table.textual)) is not None:
        return parsed
    parsed = []
    for number, value in enumerate(column):
        try:
            parsed.append(_parse_value(described, value, table.textual))
        except WrongValueError as error:
            word = "column" if table.header is not None else "field"
            findings.problem(f"The {word} {described.name!r} {error}.", table.places[number])
            bad.add(number)
            parsed.append(None)
    return parsed


def _parse_repeated(described: Field, column: Sequence[object], textual: bool) -> list[Any] | None:
    """The quick way for a good column of texts: each distinct one is read once."""
    if not {str, type(None)}.issuperset(map(type, column)):
        return None
    try:
        known = {value: _parse_value(described, value, textual) for value in set(column)}
    except WrongValueError:
        return None
    return list(map(known.__getitem__, column))


def _parse_value(described: Field, value: object, textual: bool) -> Any:
    if value is None or (textual and value == ""):
        if not described.required:
            return described.default
        if value is None:
            raise WrongValueError("is missing")
    kind = described.kind
    return kind.cell(value) if textual and isinstance(value, str) else kind.value(value)


def _note_unknown_columns(schema: Schema[Any], table: Table, findings: Findings) -> None:
    known = {described.name for described in schema.fields}
    for name, column in table.columns.items():
        if name in known:
            continue
        if table.header is not None:
            findings.note(f"The column {name!r} is unknown and was left out.", table.header)
            continue
        rows = [number for number, value in enumerate(column) if value is not None]
        first = table.places[rows[0] if rows else 0]
        count = f" ({len(rows)} times)" if len(rows) > 1 else ""
        findings.note(f"The field {name!r} is unknown and was left out{count}.", first)


def _report_absent_columns(
    absent: list[str], table: Table, header: Place, findings: Findings
) -> None:
    names = ", ".join(map(repr, absent))
    there = ", ".join(map(repr, table.columns)) or "none"
    noun, verb = ("column", "is") if len(absent) == 1 else ("columns", "are")
    findings.problem(f"The {noun} {names} {verb} missing; found: {there}.", header)


def _note_numeric_names(schema: Schema[Any], table: Table, findings: Findings) -> None:
    if table.textual or not table.places:
        return
    numeric = [
        described.name
        for described in schema.fields
        if described.kind is NAME
        and any(type(value) is int for value in table.columns.get(described.name, ()))
    ]
    if numeric:
        names = ", ".join(map(repr, numeric))
        findings.note(f"Numbers in {names} were read as text.", (table.places[0][0], None))
