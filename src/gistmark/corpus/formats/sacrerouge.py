"""SacreROUGE: JSON lines, one per summary, each with the references of its document.

Deutsch, Roth: SacreROUGE: An Open-Source Library for Using and Developing Summarization
Evaluation Metrics, 2020. A text may be a list of sentences there; they become lines of one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import NAME, TEXT, TEXTS, Field, Kind, OneOf, WrongValueError
from gistmark.corpus.files import jsonl
from gistmark.corpus.formats.bundles import (
    JUDGEMENTS,
    Bundle,
    bundles,
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_titles,
)
from gistmark.corpus.formats.draft import Draft, read_json_lines
from gistmark.corpus.schemas.schema import Schema
from gistmark.errors import Location
from gistmark.records import Summary
from gistmark.runtime.files import write_text


@dataclass(frozen=True, slots=True)
class _Written:
    text: str
    by: str | None


class _WrittenText(Kind):
    """A text, a list of sentences, or an object that holds one of them as `text`."""

    expected = "text, or an object with a text"

    def value(self, value: object) -> _Written:
        by: str | None = None
        if isinstance(value, dict):
            if value.get("summarizer_id") is not None:
                by = NAME.value(value["summarizer_id"])
            value = value.get("text")
        if isinstance(value, list):
            return _Written("\n".join(TEXTS.value(value) if value else ()), by)
        if not isinstance(value, str):
            raise self.wrong(value)
        return _Written(TEXT.value(value), by)


class _WrittenTexts(Kind):
    expected = "a list of texts or of objects with a text"

    def value(self, value: object) -> list[_Written]:
        if not isinstance(value, list):
            raise self.wrong(value)
        return list(map(_WRITTEN.value, value))


_WRITTEN = _WrittenText()


@dataclass(frozen=True, slots=True)
class _Line:
    document: str
    system: str
    kind: str
    summary: _Written
    references: list[_Written]
    texts: list[_Written]


def _build_line(
    instance: str,
    system: str,
    kind: str,
    summary: _Written,
    references: list[_Written],
    document: _Written | None,
    documents: list[_Written],
) -> _Line:
    if document is not None and documents:
        raise WrongValueError("Only one of the fields 'document' and 'documents' may be there")
    return _Line(instance, system, kind, summary, references, [document] if document else documents)


_LINES = Schema(
    "lines",
    "line",
    _build_line,
    (
        Field("instance_id", NAME),
        Field("summarizer_id", NAME),
        Field("summarizer_type", OneOf(("peer", "reference")), required=False, default="peer"),
        Field("summary", _WRITTEN),
        Field("references", _WrittenTexts(), required=False, default=[]),
        Field("document", _WRITTEN, required=False),
        Field("documents", _WrittenTexts(), required=False, default=[]),
    ),
)


class SacreRouge:
    """The input of SacreROUGE's metrics."""

    name = "sacrerouge"
    description = "SacreROUGE JSON lines with peers, references and documents."

    def read(self, source: Path) -> Corpus:
        return read_json_lines(source, _LINES, _read_line)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        bundled = list(bundles(corpus))
        rows = (row for bundle in bundled for row in _rows(bundle))
        write_text(target, "".join(jsonl.dump_lines(rows)))
        without_summary = sum(not bundle.summaries and not bundle.references for bundle in bundled)
        return (
            *left_out(corpus, *JUDGEMENTS),
            *lost(without_summary, "documents without any summary"),
            *lost_document_details(corpus, texts=False),
            *lost_titles(corpus),
            *lost_anonymity(corpus.summaries),
        )


def _read_line(draft: Draft, line: _Line, location: Location) -> None:
    if line.texts:
        draft.document(location, line.document, texts=[written.text for written in line.texts])
    is_reference = line.kind == "reference"
    for number, reference in enumerate(line.references, start=1):
        # A reference that is scored as a peer comes with the other references only, so that
        # their numbers are not those of the document's references.
        if reference.by is not None or not is_reference:
            draft.reference(location, line.document, reference.by or number, reference.text)
    if is_reference:
        draft.reference(location, line.document, line.system, line.summary.text)
    else:
        draft.summary(location, line.document, line.system, line.summary.text)


def _rows(bundle: Bundle) -> Iterator[dict[str, object]]:
    """A line per summary; if there are only references, one with the first as the summary."""
    for summary in bundle.summaries or bundle.references[:1]:
        row: dict[str, object] = {
            "instance_id": bundle.id,
            "summarizer_id": summary.system,
            "summarizer_type": "reference" if summary.reference else "peer",
            "summary": {"text": summary.text},
            "references": [_reference_row(r) for r in bundle.references if r is not summary],
        }
        if bundle.document is not None:
            texts = [{"text": text} for text in bundle.document.texts]
            row |= {"document": texts[0]} if len(texts) == 1 else {"documents": texts}
        yield row


def _reference_row(reference: Summary) -> dict[str, object]:
    by = {"summarizer_id": reference.system, "summarizer_type": "reference"}
    return {"text": reference.text, **by}


FORMAT = SacreRouge()
