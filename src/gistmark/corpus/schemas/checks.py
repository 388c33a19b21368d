"""Checks across records: duplicates, references to something that is not there, empty spans.

An annotator rates a dimension of a summary once in a campaign. Released data break that rule now
and then (BLANC's aspects have 157 such ratings); `OnDuplicate` says what becomes of them:

- `refuse`: they are problems, like all other duplicates;
- `first`, `last`: that one counts, and the others are left out;
- `mean`: one rating stands for all of them. Its value is the mean; so are confidence and weight,
  over the ratings that have one; its seconds are the sum, for that is the time it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum
from operator import attrgetter
from statistics import fmean
from typing import Any, Literal, get_args

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files.tables import Table
from gistmark.corpus.schemas.answer_checks import check_answers
from gistmark.corpus.schemas.records import CONDITIONS, MACHINES, RATINGS, SCHEMAS
from gistmark.corpus.schemas.schema import Parsed, Schema, parse
from gistmark.errors import NOWHERE, Diagnostics, Location, UsageError
from gistmark.records import (
    Comparison,
    ContentUnit,
    ErrorSpan,
    Highlight,
    Rating,
    Response,
    Sampled,
    Turn,
)

Tables = Mapping[str, Table]
"""The tables of a corpus by the name of their schema; those that are not there are empty."""
_NOTHING = Table({})
Settling = Literal["first", "last", "mean"]
OnDuplicate = Literal["refuse", Settling]
ON_DUPLICATE: tuple[OnDuplicate, ...] = get_args(OnDuplicate)
_DUPLICATES_HINT = (
    "To read such data, say which rating counts: on_duplicate= (on the command line "
    "--on-duplicate) first, last or mean."
)


def assemble(
    tables: Tables, diagnostics: Diagnostics, *, on_duplicate: OnDuplicate = "refuse"
) -> Corpus:
    """A checked corpus from raw tables; every problem of every table is raised at once.

    `on_duplicate` says what happens to ratings that an annotator gave twice.
    """
    parsed = {s.name: parse(s, tables.get(s.name, _NOTHING), diagnostics) for s in SCHEMAS}
    if on_duplicate != "refuse":
        parsed["ratings"] = settle_ratings(parsed["ratings"], on_duplicate, diagnostics)
    for schema in SCHEMAS:
        check_duplicates(schema, parsed[schema.name], diagnostics)
    _check_sides(parsed["comparisons"], diagnostics)
    _check_documents(parsed, diagnostics)
    _check_systems(parsed, diagnostics)
    _check_highlights(parsed, diagnostics)
    _check_presence(parsed, diagnostics)
    _check_errors(parsed, diagnostics)
    check_answers(parsed["responses"], diagnostics)
    _check_sampling(parsed["sampling"], diagnostics)
    _check_sequence(parsed["sequence"], diagnostics)
    if not any(parsed[name].records or parsed[name].partial for name in ("documents", "summaries")):
        diagnostics.problem("There are neither documents nor summaries.")
    diagnostics.stop_if_bad()
    records = {name: tuple(rows.records) for name, rows in parsed.items()}
    return Corpus(**records, notes=tuple(diagnostics.notes))


def check(corpus: Corpus) -> Corpus:
    """The same corpus as reading would give it; a `CorpusError` if it could not be read back."""
    tables = {schema.name: schema.table(getattr(corpus, schema.name)) for schema in SCHEMAS}
    return assemble(tables, Diagnostics())


def check_on_duplicate(given: str) -> None:
    """Raise a `UsageError` for a word that is not among the choices."""
    if given not in ON_DUPLICATE:
        choices = ", ".join(ON_DUPLICATE)
        raise UsageError(f"on_duplicate must be one of {choices}, not {given!r}.")


def _check_sides(comparisons: Parsed[Comparison], diagnostics: Diagnostics) -> None:
    for record, location in zip(comparisons.records, comparisons.locations, strict=True):
        if record.left == record.right:
            diagnostics.problem(f"Left and right are the same system, {record.left!r}.", location)


def _check_documents(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    documents = parsed["documents"]
    if not documents.records or documents.partial:
        return
    known = {document.id for document in documents.records} | {None}
    about = [each for each in SCHEMAS[1:] if each not in (MACHINES, CONDITIONS)]
    for schema in about:
        rows = parsed[schema.name]
        for record, location in zip(rows.records, rows.locations, strict=True):
            if record.document not in known:
                diagnostics.problem(f"There is no document {record.document!r}.", location)


_MARKS = {"presence": "presence marks", "spans": "error annotations", "responses": "answers"}


def _check_systems(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    summaries = parsed["summaries"]
    if not summaries.records or summaries.partial:
        return
    written = {(summary.document, summary.system) for summary in summaries.records}
    systems = {system for _, system in written}
    for name in ("ratings", "comparisons", "units", "presence", "spans", "responses"):
        rows = parsed[name]
        lacking: dict[tuple[str, str], Location] = {}
        unknown: dict[str, Location] = {}
        for record, location in zip(rows.records, rows.locations, strict=True):
            for system in _judged(record):
                if system not in systems:
                    unknown.setdefault(system, location)
                elif (record.document, system) not in written:
                    lacking.setdefault((record.document, system), location)
        for system, location in unknown.items():
            noun = _MARKS.get(name, name)
            diagnostics.note(f"No summary is by a system {system!r}, which {noun} name.", location)
        _note_lacking(_MARKS.get(name, name), lacking, diagnostics)


def _judged(record: Any) -> Iterable[str]:
    """The systems whose summaries a record speaks of."""
    if isinstance(record, Comparison):
        return record.left, record.right
    if isinstance(record, ContentUnit):
        return (record.reference,) if record.reference is not None else ()
    if isinstance(record, Response):
        return record.systems
    return (record.system,)


def _note_lacking(
    name: str, lacking: Mapping[tuple[str, str], Location], diagnostics: Diagnostics
) -> None:
    if not lacking:
        return
    (document, system), location = next(iter(lacking.items()))
    others = f", and of {len(lacking) - 1} more" if len(lacking) > 1 else ""
    diagnostics.note(
        f"There are {name} of a summary that is not there: "
        f"of document {document!r} by system {system!r}{others}.",
        location,
    )


def _check_highlights(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    highlights: Parsed[Highlight] = parsed["highlights"]
    if not highlights.records:
        return
    lengths = _document_lengths(parsed)
    if not lengths and not parsed["documents"].partial:
        diagnostics.note("There are highlights, but no texts of the documents that they mark.")
    for record, location in zip(highlights.records, highlights.locations, strict=True):
        fault = _span_fault(
            "The highlight", record.start, record.end,
            lengths.get(record.document), f"the text of document {record.document!r}",
        )  # fmt: skip
        if fault is not None:
            diagnostics.problem(fault, location)


def _document_lengths(parsed: Mapping[str, Parsed[Any]]) -> dict[str, int]:
    return {document.id: len(document.text) for document in parsed["documents"].records}


def _span_fault(
    noun: str, start: int | None, end: int | None, length: int | None, text: str
) -> str | None:
    """What is wrong with a span, if there is one, of a text whose length may be known."""
    if start is None or end is None:
        return None
    if start >= end:
        return f"{noun} is empty: start {start} is not before end {end}."
    if length is not None and end > length:
        return f"{noun} ends at {end}, but {text} has {length} characters."
    return None


def _check_presence(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    """A problem for each mark of a unit that is not there."""
    units, marks = parsed["units"], parsed["presence"]
    if units.partial or not marks.records:
        return
    if not units.records:
        text = "There are presence marks, but no units.jsonl that says what the units are."
        diagnostics.problem(text, _common_file(marks.locations))
        return
    known = {(unit.document, unit.id) for unit in units.records}
    for record, location in zip(marks.records, marks.locations, strict=True):
        if (record.document, record.unit) not in known:
            text = f"There is no unit {record.unit!r} of document {record.document!r}."
            diagnostics.problem(text, location)


def _check_errors(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    """A problem for errors outside the texts, and where somebody marked both some and none."""
    spans: Parsed[ErrorSpan] = parsed["spans"]
    lengths = {(s.document, s.system): len(s.text) for s in parsed["summaries"].records}
    documents = _document_lengths(parsed)
    erring: set[tuple[str, str, str, str | None]] = {
        (r.document, r.system, r.annotator, r.campaign)
        for r in spans.records
        if r.category is not None
    }
    for record, location in zip(spans.records, spans.locations, strict=True):
        summary = f"the summary of document {record.document!r} by {record.system!r}"
        faults = [
            _span_fault(
                "The span", record.start, record.end,
                lengths.get((record.document, record.system)), summary,
            ),
            _span_fault(
                "The span of the source", record.source_start, record.source_end,
                documents.get(record.document), f"the text of document {record.document!r}",
            ),
        ]  # fmt: skip
        judged = (record.document, record.system, record.annotator, record.campaign)
        if record.category is None and judged in erring:
            faults.append(
                f"The row says that {record.annotator!r} marked no error in {summary}, but "
                "another row has one."
            )
        for fault in filter(None, faults):
            diagnostics.problem(fault, location)


def _check_sampling(sampling: Parsed[Sampled], diagnostics: Diagnostics) -> None:
    """A problem where some documents were chosen at random and others were not."""
    without = [
        location
        for record, location in zip(sampling.records, sampling.locations, strict=True)
        if record.probability is None
    ]
    if without and len(without) < len(sampling.records):
        text = "The probability is missing, but other documents of the sample have one."
        diagnostics.problem(text, without[0])


def _check_sequence(sequence: Parsed[Turn], diagnostics: Diagnostics) -> None:
    """A problem where judgements of one campaign follow different rules."""
    for record, location in zip(sequence.records, sequence.locations, strict=True):
        if record.rule != sequence.records[0].rule:
            diagnostics.problem("The rule differs from that of the first row.", location)
            return


def check_duplicates(schema: Schema[Any], parsed: Parsed[Any], diagnostics: Diagnostics) -> None:
    """A problem for every record that is there already; the first of ratings says what to do."""
    if not schema.key:
        return
    keys = _keys(schema, parsed)
    if len(set(keys)) == len(keys):
        return
    first: dict[object, int] = {}
    advised = schema is not RATINGS
    for number, value in enumerate(keys):
        earlier = first.setdefault(value, number)
        if earlier != number:
            location = parsed.locations[number]
            message = _duplicate(
                schema, parsed.records[number], parsed.locations[earlier], location
            )
            if not advised and location != NOWHERE:
                message, advised = f"{message} {_DUPLICATES_HINT}", True
            diagnostics.problem(message, location)


def settle_ratings(
    parsed: Parsed[Rating], how: Settling, diagnostics: Diagnostics
) -> Parsed[Rating]:
    """One rating of each cell, where its first one stands; a note counts what was settled."""
    groups: dict[object, list[int]] = {}
    for number, key in enumerate(_keys(RATINGS, parsed)):
        groups.setdefault(key, []).append(number)
    repeated = [numbers for numbers in groups.values() if len(numbers) > 1]
    if not repeated:
        return parsed
    settle = _SETTLE[how]
    records = [settle([parsed.records[n] for n in numbers]) for numbers in groups.values()]
    locations = [parsed.locations[numbers[0]] for numbers in groups.values()]
    given = [parsed.locations[number] for numbers in repeated for number in numbers]
    diagnostics.note(_settled(how, len(given), len(repeated)), _common_file(given))
    return Parsed(records, locations, parsed.partial)


def _keys(schema: Schema[Any], parsed: Parsed[Any]) -> list[object]:
    key: Callable[[Any], object] = attrgetter(*schema.key)
    return list(map(key, parsed.records))


def _mean(ratings: Sequence[Rating]) -> Rating:
    if len(ratings) == 1:
        return ratings[0]
    return replace(
        ratings[0],
        value=fmean(rating.value for rating in ratings),
        confidence=_combined(fmean, (rating.confidence for rating in ratings)),
        weight=_combined(fmean, (rating.weight for rating in ratings)),
        seconds=_combined(fsum, (rating.seconds for rating in ratings)),
    )


def _combined(
    combine: Callable[[list[float]], float], values: Iterable[float | None]
) -> float | None:
    given = [value for value in values if value is not None]
    return combine(given) if given else None


_SETTLE: dict[str, Callable[[Sequence[Rating]], Rating]] = {
    "first": lambda ratings: ratings[0],
    "last": lambda ratings: ratings[-1],
    "mean": _mean,
}


def _settled(how: Settling, given: int, cells: int) -> str:
    """What was done with so many ratings of so many cells, in a sentence."""
    again = "an annotator had rated the same dimension of the same summary more than once"
    if how == "mean":
        means = "one mean" if cells == 1 else f"{cells:,} means"
        return f"{given:,} ratings became {means}, because {again}."
    extra = given - cells
    left = "1 rating was" if extra == 1 else f"{extra:,} ratings were"
    return f"{left} left out, because {again}; the {how} one counts."


def _duplicate(schema: Schema[Any], record: Any, earlier: Location, location: Location) -> str:
    values = ((name, getattr(record, name)) for name in schema.key)
    shown = ", ".join(f"{name} {value!r}" for name, value in values if value is not None)
    where = ""
    if earlier[1] is not None:
        file = f"{earlier[0]}:" if earlier[0] != location[0] else "line "
        where = f"; the first is on {file}{earlier[1]}"
    article = "an" if schema.noun[0] in "aeio" else "a"
    return f"There is already {article} {schema.noun} with {shown}{where}."


def _common_file(locations: Sequence[Location]) -> Location:
    files = {file for file, _ in locations}
    return (files.pop(), None) if len(files) == 1 else NOWHERE
