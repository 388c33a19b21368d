"""Checks across records: what speaks of something that is not there, and spans that are empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.duplicates import OnDuplicate, check_duplicates, settle_ratings
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.parsing import Parsed, parse
from gistmark.corpus.schemas import SCHEMAS
from gistmark.corpus.tables import Table
from gistmark.records import Comparison, Highlight, Rating

Tables = Mapping[str, Table]
"""The tables of a corpus by the name of their schema; those that are not there are empty."""


def assemble(tables: Tables, findings: Findings, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
    """A checked corpus from raw tables; every problem of every table is raised at once.

    `on_duplicate` says what becomes of ratings that an annotator gave twice.
    """
    parsed = {s.name: parse(s, tables.get(s.name, _NOTHING), findings) for s in SCHEMAS}
    if on_duplicate != "refuse":
        parsed["ratings"] = settle_ratings(parsed["ratings"], on_duplicate, findings)
    for schema in SCHEMAS:
        check_duplicates(schema, parsed[schema.name], findings)
    _check_sides(parsed["comparisons"], findings)
    _check_documents(parsed, findings)
    _check_systems(parsed, findings)
    _check_spans(parsed, findings)
    if not any(parsed[name].records or parsed[name].partial for name in ("documents", "summaries")):
        findings.problem("There are neither documents nor summaries.")
    findings.stop_if_bad()
    records = {name: tuple(found.records) for name, found in parsed.items()}
    return Corpus(**records, notes=tuple(findings.notes))


def check(corpus: Corpus) -> Corpus:
    """The same corpus as reading would give it; a `CorpusError` if it could not be read back."""
    tables = {schema.name: schema.table(getattr(corpus, schema.name)) for schema in SCHEMAS}
    return assemble(tables, Findings())


def _check_sides(comparisons: Parsed[Comparison], findings: Findings) -> None:
    for record, place in zip(comparisons.records, comparisons.places, strict=True):
        if record.left == record.right:
            findings.problem(f"Left and right are the same system, {record.left!r}.", place)


def _check_documents(parsed: Mapping[str, Parsed[Any]], findings: Findings) -> None:
    documents = parsed["documents"]
    if not documents.records or documents.partial:
        return
    known = {document.id for document in documents.records} | {None}
    for schema in SCHEMAS[1:]:
        found = parsed[schema.name]
        for record, place in zip(found.records, found.places, strict=True):
            if record.document not in known:
                findings.problem(f"There is no document {record.document!r}.", place)


def _check_systems(parsed: Mapping[str, Parsed[Any]], findings: Findings) -> None:
    summaries = parsed["summaries"]
    if not summaries.records or summaries.partial:
        return
    written = {(summary.document, summary.system) for summary in summaries.records}
    systems = {system for _, system in written}
    for name in ("ratings", "comparisons"):
        found = parsed[name]
        lacking: dict[tuple[str, str], Place] = {}
        unknown: dict[str, Place] = {}
        for record, place in zip(found.records, found.places, strict=True):
            for system in _judged(record):
                if system not in systems:
                    unknown.setdefault(system, place)
                elif (record.document, system) not in written:
                    lacking.setdefault((record.document, system), place)
        for system, place in unknown.items():
            findings.note(f"No summary is by a system {system!r}, which {name} name.", place)
        _note_lacking(name, lacking, findings)


def _judged(record: Rating | Comparison) -> Iterable[str]:
    return (record.system,) if isinstance(record, Rating) else (record.left, record.right)


def _note_lacking(name: str, lacking: Mapping[tuple[str, str], Place], findings: Findings) -> None:
    if not lacking:
        return
    (document, system), place = next(iter(lacking.items()))
    others = f", and of {len(lacking) - 1} more" if len(lacking) > 1 else ""
    findings.note(
        f"There are {name} of a summary that is not there: "
        f"of document {document!r} by system {system!r}{others}.",
        place,
    )


def _check_spans(parsed: Mapping[str, Parsed[Any]], findings: Findings) -> None:
    highlights: Parsed[Highlight] = parsed["highlights"]
    if not highlights.records:
        return
    lengths = {document.id: len(document.text) for document in parsed["documents"].records}
    if not lengths and not parsed["documents"].partial:
        findings.note("There are highlights, but no documents that they count in.")
    for record, place in zip(highlights.records, highlights.places, strict=True):
        length = lengths.get(record.document)
        if record.start >= record.end:
            findings.problem(
                f"The highlight is empty: start {record.start} is not before end {record.end}.",
                place,
            )
        elif length is not None and record.end > length:
            findings.problem(
                f"The highlight ends at {record.end}, but the text of document "
                f"{record.document!r} has {length} characters.",
                place,
            )


_NOTHING = Table({})
