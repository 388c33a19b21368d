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
"""The tables of a corpus by the name of their schema; a missing table counts as empty."""
_EMPTY_TABLE = Table({})
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
    """Make a checked corpus from raw tables; every problem of every table is raised at once.

    `on_duplicate` says what happens to ratings that an annotator gave twice.
    """
    parsed = {s.name: parse(s, tables.get(s.name, _EMPTY_TABLE), diagnostics) for s in SCHEMAS}
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
    """Check a corpus as if it were read from files; a `CorpusError` lists what is wrong."""
    tables = {schema.name: schema.table(getattr(corpus, schema.name)) for schema in SCHEMAS}
    return assemble(tables, Diagnostics())


def check_on_duplicate(value: str) -> None:
    """Raise a `UsageError` for a word that is not among the choices."""
    if value not in ON_DUPLICATE:
        choices = ", ".join(ON_DUPLICATE)
        raise UsageError(f"on_duplicate must be one of {choices}, not {value!r}.")


def _check_sides(comparisons: Parsed[Comparison], diagnostics: Diagnostics) -> None:
    for record, location in zip(comparisons.records, comparisons.locations, strict=True):
        if record.left == record.right:
            diagnostics.problem(f"Left and right are the same system, {record.left!r}.", location)


def _check_documents(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    documents = parsed["documents"]
    if not documents.records or documents.partial:
        return
    document_ids = {document.id for document in documents.records} | {None}
    schemas = [schema for schema in SCHEMAS[1:] if schema not in (MACHINES, CONDITIONS)]
    for schema in schemas:
        rows = parsed[schema.name]
        for record, location in zip(rows.records, rows.locations, strict=True):
            if record.document not in document_ids:
                diagnostics.problem(f"There is no document {record.document!r}.", location)


_MARKS = {"presence": "presence marks", "spans": "error annotations", "responses": "answers"}


def _check_systems(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    summaries = parsed["summaries"]
    if not summaries.records or summaries.partial:
        return
    summary_keys = {(summary.document, summary.system) for summary in summaries.records}
    systems = {system for _, system in summary_keys}
    for name in ("ratings", "comparisons", "units", "presence", "spans", "responses"):
        rows = parsed[name]
        missing_summaries: dict[tuple[str, str], Location] = {}
        unknown_systems: dict[str, Location] = {}
        for record, location in zip(rows.records, rows.locations, strict=True):
            for system in _systems_of(record):
                if system not in systems:
                    unknown_systems.setdefault(system, location)
                elif (record.document, system) not in summary_keys:
                    missing_summaries.setdefault((record.document, system), location)
        for system, location in unknown_systems.items():
            noun = _MARKS.get(name, name)
            diagnostics.note(f"No summary is by a system {system!r}, which {noun} name.", location)
        _note_missing_summaries(_MARKS.get(name, name), missing_summaries, diagnostics)


def _systems_of(record: Any) -> Iterable[str]:
    """The systems whose summaries a record is about."""
    if isinstance(record, Comparison):
        return record.left, record.right
    if isinstance(record, ContentUnit):
        return (record.reference,) if record.reference is not None else ()
    if isinstance(record, Response):
        return record.systems
    return (record.system,)


def _note_missing_summaries(
    name: str, missing_summaries: Mapping[tuple[str, str], Location], diagnostics: Diagnostics
) -> None:
    if not missing_summaries:
        return
    (document, system), location = next(iter(missing_summaries.items()))
    count_note = f", and of {len(missing_summaries) - 1} more" if len(missing_summaries) > 1 else ""
    diagnostics.note(
        f"There are {name} of a summary that is not there: "
        f"of document {document!r} by system {system!r}{count_note}.",
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
        fault = _fault_of_span(
            "The highlight", record.start, record.end,
            lengths.get(record.document), f"the text of document {record.document!r}",
        )  # fmt: skip
        if fault is not None:
            diagnostics.problem(fault, location)


def _document_lengths(parsed: Mapping[str, Parsed[Any]]) -> dict[str, int]:
    return {document.id: len(document.text) for document in parsed["documents"].records}


def _fault_of_span(
    noun: str, start: int | None, end: int | None, length: int | None, text: str
) -> str | None:
    """What is wrong with a span; None if nothing is, or if there is no span.

    Without the `length` of the text, the end of the span is not checked.
    """
    if start is None or end is None:
        return None
    if start >= end:
        return f"{noun} is empty: start {start} is not before end {end}."
    if length is not None and end > length:
        return f"{noun} ends at {end}, but {text} has {length} characters."
    return None


def _check_presence(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    """Report each presence mark of a unit that does not exist."""
    units, marks = parsed["units"], parsed["presence"]
    if units.partial or not marks.records:
        return
    if not units.records:
        text = "There are presence marks, but no units.jsonl that says what the units are."
        diagnostics.problem(text, _common_file(marks.locations))
        return
    unit_keys = {(unit.document, unit.id) for unit in units.records}
    for record, location in zip(marks.records, marks.locations, strict=True):
        if (record.document, record.unit) not in unit_keys:
            text = f"There is no unit {record.unit!r} of document {record.document!r}."
            diagnostics.problem(text, location)


def _check_errors(parsed: Mapping[str, Parsed[Any]], diagnostics: Diagnostics) -> None:
    """Report spans outside the texts, and annotators who marked both errors and no error."""
    spans: Parsed[ErrorSpan] = parsed["spans"]
    lengths = {(s.document, s.system): len(s.text) for s in parsed["summaries"].records}
    documents = _document_lengths(parsed)
    error_keys: set[tuple[str, str, str, str | None]] = {
        (r.document, r.system, r.annotator, r.campaign)
        for r in spans.records
        if r.category is not None
    }
    for record, location in zip(spans.records, spans.locations, strict=True):
        summary = f"the summary of document {record.document!r} by {record.system!r}"
        faults = [
            _fault_of_span(
                "The span", record.start, record.end,
                lengths.get((record.document, record.system)), summary,
            ),
            _fault_of_span(
                "The span of the source", record.source_start, record.source_end,
                documents.get(record.document), f"the text of document {record.document!r}",
            ),
        ]  # fmt: skip
        key = (record.document, record.system, record.annotator, record.campaign)
        if record.category is None and key in error_keys:
            faults.append(
                f"The row says that {record.annotator!r} marked no error in {summary}, but "
                "another row has one."
            )
        for fault in filter(None, faults):
            diagnostics.problem(fault, location)


def _check_sampling(sampling: Parsed[Sampled], diagnostics: Diagnostics) -> None:
    """Report a sample in which only some documents have a probability."""
    unweighted = [
        location
        for record, location in zip(sampling.records, sampling.locations, strict=True)
        if record.probability is None
    ]
    if unweighted and len(unweighted) < len(sampling.records):
        text = "The probability is missing, but other documents of the sample have one."
        diagnostics.problem(text, unweighted[0])


def _check_sequence(sequence: Parsed[Turn], diagnostics: Diagnostics) -> None:
    """Report a campaign whose judgements follow different rules."""
    for record, location in zip(sequence.records, sequence.locations, strict=True):
        if record.rule != sequence.records[0].rule:
            diagnostics.problem("The rule differs from that of the first row.", location)
            return


def check_duplicates(schema: Schema[Any], parsed: Parsed[Any], diagnostics: Diagnostics) -> None:
    """Report every repeated record; the first repeated rating also says what a user can do."""
    if not schema.key:
        return
    keys = _keys(schema, parsed)
    if len(set(keys)) == len(keys):
        return
    first_rows: dict[object, int] = {}
    has_hint = schema is not RATINGS
    for number, value in enumerate(keys):
        earlier = first_rows.setdefault(value, number)
        if earlier != number:
            location = parsed.locations[number]
            message = _duplicate_message(
                schema, parsed.records[number], parsed.locations[earlier], location
            )
            if not has_hint and location != NOWHERE:
                message, has_hint = f"{message} {_DUPLICATES_HINT}", True
            diagnostics.problem(message, location)


def settle_ratings(
    parsed: Parsed[Rating], how: Settling, diagnostics: Diagnostics
) -> Parsed[Rating]:
    """Make one rating of each group of duplicates, at the location of the first; add a note."""
    groups: dict[object, list[int]] = {}
    for number, key in enumerate(_keys(RATINGS, parsed)):
        groups.setdefault(key, []).append(number)
    repeated = [numbers for numbers in groups.values() if len(numbers) > 1]
    if not repeated:
        return parsed
    settle = _SETTLE[how]
    records = [settle([parsed.records[n] for n in numbers]) for numbers in groups.values()]
    locations = [parsed.locations[numbers[0]] for numbers in groups.values()]
    repeated_locations = [parsed.locations[number] for numbers in repeated for number in numbers]
    diagnostics.note(
        _settlement_note(how, len(repeated_locations), len(repeated)),
        _common_file(repeated_locations),
    )
    return Parsed(records, locations, parsed.partial)


def _keys(schema: Schema[Any], parsed: Parsed[Any]) -> list[object]:
    key: Callable[[Any], object] = attrgetter(*schema.key)
    return list(map(key, parsed.records))


def _mean_rating(ratings: Sequence[Rating]) -> Rating:
    if len(ratings) == 1:
        return ratings[0]
    return replace(
        ratings[0],
        value=fmean(rating.value for rating in ratings),
        confidence=_combine_values(fmean, (rating.confidence for rating in ratings)),
        weight=_combine_values(fmean, (rating.weight for rating in ratings)),
        seconds=_combine_values(fsum, (rating.seconds for rating in ratings)),
    )


def _combine_values(
    combine: Callable[[list[float]], float], values: Iterable[float | None]
) -> float | None:
    present = [value for value in values if value is not None]
    return combine(present) if present else None


_SETTLE: dict[str, Callable[[Sequence[Rating]], Rating]] = {
    "first": lambda ratings: ratings[0],
    "last": lambda ratings: ratings[-1],
    "mean": _mean_rating,
}


def _settlement_note(how: Settling, rating_count: int, cell_count: int) -> str:
    """Say in a sentence how these ratings became one rating per cell."""
    reason = "an annotator had rated the same dimension of the same summary more than once"
    if how == "mean":
        means = "one mean" if cell_count == 1 else f"{cell_count:,} means"
        return f"{rating_count:,} ratings became {means}, because {reason}."
    removed_count = rating_count - cell_count
    removed = "1 rating was" if removed_count == 1 else f"{removed_count:,} ratings were"
    return f"{removed} left out, because {reason}; the {how} one counts."


def _duplicate_message(
    schema: Schema[Any], record: Any, earlier: Location, location: Location
) -> str:
    values = ((name, getattr(record, name)) for name in schema.key)
    key_values = ", ".join(f"{name} {value!r}" for name, value in values if value is not None)
    first_location = ""
    if earlier[1] is not None:
        file = f"{earlier[0]}:" if earlier[0] != location[0] else "line "
        first_location = f"; the first is on {file}{earlier[1]}"
    article = "an" if schema.noun[0] in "aeio" else "a"
    return f"There is already {article} {schema.noun} with {key_values}{first_location}."


def _common_file(locations: Sequence[Location]) -> Location:
    files = {file for file, _ in locations}
    return (files.pop(), None) if len(files) == 1 else NOWHERE
