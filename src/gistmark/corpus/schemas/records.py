"""What each file of a corpus holds: one schema per kind of record.

JSONL, CSV and Parquet files, foreign formats and the check before saving all go through these
schemas, so a field is described once.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from gistmark.corpus.fields import (
    FLAG,
    NAME,
    NUMBER,
    TEXT,
    TEXTS,
    Cost,
    Count,
    Field,
    Mark,
    OneOf,
    Probability,
    Weight,
    Wording,
    WrongValueError,
)
from gistmark.corpus.schemas.schema import Schema
from gistmark.records import (
    CHOICES,
    RESPONSE_TYPES,
    Comparison,
    Condition,
    ContentUnit,
    Document,
    ErrorSpan,
    Highlight,
    Machine,
    Planted,
    Presence,
    Question,
    Rating,
    Response,
    Sampled,
    Summary,
    Turn,
)


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


def _comparison(*values: Any) -> Comparison:
    record = Comparison(*values)
    if record.choice == "tie" and record.strength is not None:
        raise WrongValueError("A tie has no strength")
    return record


COMPARISONS = Schema(
    "comparisons",
    "comparison",
    _comparison,
    (
        Field("document", NAME),
        Field("left", NAME),
        Field("right", NAME),
        Field("annotator", NAME),
        Field("dimension", NAME),
        Field("choice", OneOf(CHOICES)),
        _optional("strength", Count(least=1)),
        _optional("campaign", NAME),
    ),
    key=("document", "left", "right", "annotator", "dimension", "campaign"),
    tabular=True,
)


def _response(*values: Any) -> Response:
    record = Response(*values)
    if fault := _response_fault(record):
        raise WrongValueError(fault)
    return record


def _response_fault(record: Response) -> str | None:
    """What a response says that a question of its type cannot say."""
    allowed = _RESPONSE_VALUES.get(record.type)
    if allowed is not None and record.value not in allowed:
        words = " or ".join(map(repr, allowed))
        return f"The answer to a question of type {record.type!r} must be {words}"
    if record.type == "ranking" and not re.fullmatch("[1-9][0-9]{0,8}", record.value):
        return "The answer of a ranking must be a rank, a whole number from 1"
    if record.type == "choice" and not record.value.strip():
        return "The answer to a question of type 'choice' is empty"
    if record.type in ("ranking", "best-worst") and record.system is None:
        return f"A row of type {record.type!r} must name the system that it is about"
    if record.system is not None and record.system not in record.systems:
        return f"The item {record.item!r} does not have the system {record.system!r}"
    return None


_RESPONSE_VALUES = {"yes-no": ("yes", "no", "unsure"), "best-worst": ("best", "worst", "")}
RESPONSES = Schema(
    "responses",
    "answer",
    _response,
    (
        Field("document", NAME),
        _optional("item", TEXT, default=""),
        Field("system", NAME, nullable=True),
        Field("annotator", NAME),
        Field("question", NAME),
        Field("type", OneOf(RESPONSE_TYPES)),
        Field("value", TEXT),
        _optional("campaign", NAME),
        _optional("seconds", NUMBER),
    ),
    key=("document", "item", "system", "annotator", "question", "option", "campaign"),
    tabular=True,
    file="answers",
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
        _optional("campaign", NAME),
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
        _optional("campaign", NAME),
    ),
    key=("document", "unit", "system", "annotator", "campaign"),
    tabular=True,
)


def _error_span(*values: Any) -> ErrorSpan:
    record = ErrorSpan(*values)
    for first, last in (("start", "end"), ("source_start", "source_end")):
        if (getattr(record, first) is None) != (getattr(record, last) is None):
            raise WrongValueError(f"Only one of the fields {first!r} and {last!r} is there")
    details = (record.start, record.severity, record.source_start, record.weight)
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
        _optional("weight", Cost()),
        _optional("campaign", NAME),
    ),
    key=("document", "system", "annotator", "start", "end", "category", "campaign"),
    tabular=True,
)
SAMPLING = Schema(
    "sampling",
    "sampled document",
    Sampled,
    (
        Field("document", NAME),
        Field("method", NAME),
        Field("probability", Probability(), nullable=True),
        _optional("seed", Count()),
    ),
    key=("document",),
    tabular=True,
)
SEQUENCE = Schema(
    "sequence",
    "turn",
    Turn,
    (
        Field("number", Count(least=1)),
        Field("document", NAME),
        Field("item", NAME),
        Field("annotator", NAME),
        Field("probability", Probability()),
        Field("among", Count(least=1)),
        Field("rule", NAME),
    ),
    key=("document", "item", "annotator"),
    tabular=True,
)
MACHINES = Schema(
    "machines",
    "machine",
    Machine,
    (Field("annotator", NAME), _optional("model", NAME), _optional("signature", NAME)),
    key=("annotator",),
    tabular=True,
)
CONDITIONS = Schema(
    "conditions",
    "condition",
    Condition,
    (
        Field("campaign", NAME),
        _optional("protocol", NAME),
        _optional("shows", TEXT),
        _optional("judges", Count(least=1)),
        _optional("low", NUMBER),
        _optional("high", NUMBER),
    ),
    key=("campaign",),
    tabular=True,
)
SCHEMAS: tuple[Schema[Any], ...] = (
    DOCUMENTS,
    SUMMARIES,
    RATINGS,
    COMPARISONS,
    RESPONSES,
    HIGHLIGHTS,
    QUESTIONS,
    PLANTED,
    UNITS,
    PRESENCE,
    SPANS,
    SAMPLING,
    SEQUENCE,
    MACHINES,
    CONDITIONS,
)
