"""What each file of a corpus holds: one table of fields per kind of record, and how it is parsed.

JSONL, CSV and Parquet files, foreign formats and the check before saving all go through these
schemas, so a field is described once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from gistmark.corpus.fields import (
    FLAG,
    NAME,
    NUMBER,
    TEXT,
    TEXTS,
    Count,
    Field,
    Mark,
    OneOf,
    Weight,
    Wording,
    WrongValueError,
)
from gistmark.corpus.tables import Table
from gistmark.errors import Diagnostics, Location
from gistmark.records import (
    Comparison,
    ContentUnit,
    Document,
    ErrorSpan,
    Highlight,
    Planted,
    Presence,
    Question,
    Rating,
    Summary,
)

Record = TypeVar("Record")


@dataclass(frozen=True)
class Schema(Generic[Record]):
    """One file of a corpus: its name, its fields, and which of them tell its records apart."""

    name: str
    noun: str
    build: Callable[..., Record]
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()
    tabular: bool = False
    """Whether it is written as CSV and may be Parquet too; the others are JSONL only."""
    values: Callable[[Record], Sequence[object]] | None = None
    """The values of a record in the order of `fields`, where they are not its attributes."""

    def row(self, record: Record) -> list[object]:
        """The values of a record in the order of the fields."""
        if self.values is not None:
            return list(self.values(record))
        return [getattr(record, f.name) for f in self.fields]

    def table(self, records: Sequence[Record]) -> Table:
        """Records back as a table, with the columns that hold anything but the default."""
        rows = list(map(self.row, records))
        columns: dict[str, list[object]] = {}
        for position, described in enumerate(self.fields):
            column = [row[position] for row in rows]
            always = described.required or described.nullable
            if always or any(value != described.default for value in column):
                columns[described.name] = column
        return Table(columns)


def _document(
    id: str, text: str | None, texts: tuple[str, ...] | None, title: str | None, lang: str | None
) -> Document:
    if text is None and texts is None:
        raise WrongValueError("The field 'text' (or 'texts') is missing")
    if text is not None and texts is not None:
        raise WrongValueError("Only one of the fields 'text' and 'texts' may be there")
    return Document(id, texts if texts is not None else (text or "",), title, lang)


def _document_values(record: Document) -> tuple[object, ...]:
    single = len(record.texts) == 1
    text, texts = (record.texts[0], None) if single else (None, record.texts)
    return record.id, text, texts, record.title, record.lang


def _optional(name: str, kind: Any, default: object = None) -> Field:
    return Field(name, kind, required=False, default=default)


DOCUMENTS = Schema(
    "documents",
    "document",
    _document,
    (
        Field("id", NAME),
        _optional("text", TEXT),
        _optional("texts", TEXTS),
        _optional("title", TEXT),
        _optional("lang", TEXT),
    ),
    key=("id",),
    values=_document_values,
)
SUMMARIES = Schema(
    "summaries",
    "summary",
    Summary,
    (
        Field("document", NAME),
        Field("system", NAME),
        Field("text", TEXT),
        _optional("title", TEXT),
        _optional("reference", FLAG, default=False),
        _optional("anonymous", FLAG, default=False),
    ),
    key=("document", "system"),
)
RATINGS = Schema(
    "ratings",
    "rating",
    Rating,
    (
        Field("document", NAME),
        Field("system", NAME),
        Field("annotator", NAME),
        Field("dimension", NAME),
        Field("value", NUMBER),
        _optional("confidence", NUMBER),
        _optional("weight", NUMBER),
        _optional("seconds", NUMBER),
        _optional("campaign", NAME),
    ),
    key=("document", "system", "annotator", "dimension", "campaign"),
    tabular=True,
)
COMPARISONS = Schema(
    "comparisons",
    "comparison",
    Comparison,
    (
        Field("document", NAME),
        Field("left", NAME),
        Field("right", NAME),
        Field("annotator", NAME),
        Field("dimension", NAME),
        Field("choice", OneOf(("left", "right"))),
    ),
    key=("document", "left", "right", "annotator", "dimension"),
    tabular=True,
)
HIGHLIGHTS = Schema(
    "highlights",
    "highlight",
    Highlight,
    (
        Field("document", NAME),
        Field("annotator", NAME),
        Field("start", Count()),
        Field("end", Count()),
        _optional("budget", Count(least=1)),
    ),
    tabular=True,
)
QUESTIONS = Schema(
    "questions",
    "question",
    Question,
    (
        Field("document", NAME),
        Field("statement", TEXT),
        Field("answer", FLAG),
        _optional("about", OneOf(("document", "reference")), default="document"),
    ),
)
PLANTED = Schema(
    "planted",
    "planted summary",
    Planted,
    (
        Field("good", TEXT),
        Field("mediocre", TEXT),
        Field("bad", TEXT),
        _optional("document", NAME),
    ),
)
UNITS = Schema(
    "units",
    "unit",
    ContentUnit,
    (
        Field("document", NAME),
        Field("id", NAME),
        Field("text", Wording()),
        _optional("weight", Weight(), default=1.0),
        _optional("reference", NAME),
        _optional("annotator", NAME),
    ),
    key=("document", "id"),
)
PRESENCE = Schema(
    "presence",
    "mark",
    Presence,
    (
        Field("document", NAME),
        Field("unit", NAME),
        Field("system", NAME),
        Field("annotator", NAME),
        Field("present", Mark()),
    ),
    key=("document", "unit", "system", "annotator"),
    tabular=True,
)


def _error_span(*values: Any) -> ErrorSpan:
    record = ErrorSpan(*values)
    for first, last in (("start", "end"), ("source_start", "source_end")):
        if (getattr(record, first) is None) != (getattr(record, last) is None):
            raise WrongValueError(f"Only one of the fields {first!r} and {last!r} is there")
    details = (record.start, record.severity, record.source_start)
    if record.category is None and any(value is not None for value in details):
        raise WrongValueError(
            "The field 'category' is missing; only a row without start, end and severity needs "
            "none, and says that the annotator marked no error"
        )
    return record if record.comment else replace(record, comment=None)


SPANS = Schema(
    "spans",
    "span",
    _error_span,
    (
        Field("document", NAME),
        Field("system", NAME),
        Field("annotator", NAME),
        Field("start", Count(), nullable=True),
        Field("end", Count(), nullable=True),
        Field("category", NAME, nullable=True),
        Field("severity", NAME, required=False, nullable=True),
        Field("comment", TEXT, required=False, nullable=True),
        _optional("source_start", Count()),
        _optional("source_end", Count()),
    ),
    key=("document", "system", "annotator", "start", "end", "category"),
    tabular=True,
)
SCHEMAS: tuple[Schema[Any], ...] = (
    DOCUMENTS,
    SUMMARIES,
    RATINGS,
    COMPARISONS,
    HIGHLIGHTS,
    QUESTIONS,
    PLANTED,
    UNITS,
    PRESENCE,
    SPANS,
)


@dataclass(frozen=True)
class Parsed(Generic[Record]):
    """The good records of one file, where each stands, and whether some could not be read."""

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
    columns = [_parse_column(described, table, bad, diagnostics) for described in schema.fields]
    _note_numeric_names(schema, table, diagnostics)
    if not bad:
        try:
            return Parsed(list(map(schema.build, *columns)), list(table.locations), table.partial)
        except WrongValueError:
            pass  # now one by one, to say which
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
    described: Field, table: Table, bad: set[int], diagnostics: Diagnostics
) -> Sequence[Any]:
    column = table.columns.get(described.name)
    if column is None:
        column = [None] * len(table.locations)
    if (parsed := _parse_repeated(described, column, table.textual)) is not None:
        return parsed
    parsed = []
    for number, value in enumerate(column):
        try:
            parsed.append(_parse_value(described, value, table.textual))
        except WrongValueError as error:
            word = "column" if table.header is not None else "field"
            diagnostics.problem(f"The {word} {described.name!r} {error}.", table.locations[number])
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
        if not described.required or described.nullable:
            return described.default
        if value is None:
            raise WrongValueError("is missing")
    kind = described.kind
    return kind.cell(value) if textual and isinstance(value, str) else kind.value(value)


def _note_unknown_columns(schema: Schema[Any], table: Table, diagnostics: Diagnostics) -> None:
    known = {described.name for described in schema.fields}
    for name, column in table.columns.items():
        if name in known:
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
    there = ", ".join(map(repr, table.columns)) or "none"
    noun, verb = ("column", "is") if len(absent) == 1 else ("columns", "are")
    diagnostics.problem(f"The {noun} {names} {verb} missing; found: {there}.", header)


def _note_numeric_names(schema: Schema[Any], table: Table, diagnostics: Diagnostics) -> None:
    if table.textual or not table.locations:
        return
    numeric = [
        described.name
        for described in schema.fields
        if described.kind is NAME
        and any(type(value) is int for value in table.columns.get(described.name, ()))
    ]
    if numeric:
        names = ", ".join(map(repr, numeric))
        diagnostics.note(f"Numbers in {names} were read as text.", (table.locations[0][0], None))
