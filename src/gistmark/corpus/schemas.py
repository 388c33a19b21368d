"""What each file of a corpus holds: one table of fields per kind of record.

JSONL, CSV and Parquet files, foreign formats and the check before saving all go through these
tables, so a field is described once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gistmark.corpus.fields import (
    FLAG,
    NAME,
    NUMBER,
    TEXT,
    TEXTS,
    Count,
    Field,
    OneOf,
    WrongValueError,
)
from gistmark.corpus.tables import Table
from gistmark.records import (
    Comparison,
    Document,
    Highlight,
    Planted,
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
            if described.required or any(value != described.default for value in column):
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
SCHEMAS: tuple[Schema[Any], ...] = (
    DOCUMENTS,
    SUMMARIES,
    RATINGS,
    COMPARISONS,
    HIGHLIGHTS,
    QUESTIONS,
    PLANTED,
)
