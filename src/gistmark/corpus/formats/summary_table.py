"""The summary table: one row per summary, as CSV, TSV, Parquet, JSON lines or a data frame.

    document,system,summary,text,title,reference,reference_2,anonymous

The text, title and references of a document stand on one of its rows or on all of them; they are
written on the first. A row without a system holds only these. Where no text is given, there is no
document, and the title belongs to the summaries. Without ids, rows of equal texts share a document,
which has the number of the first of them; where no column names the system either, every row is
a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import FLAG, NAME, TEXT, TEXTS, Field, Kind, WrongValueError
from gistmark.corpus.files.tables import Table, dump_csv, dump_parquet, read_table
from gistmark.corpus.formats.bundles import (
    JUDGEMENTS,
    Bundle,
    bundles,
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_reference_names,
    numbered,
    refuse_confusing_names,
)
from gistmark.corpus.formats.columns import Columns, Given, check_names, find_columns
from gistmark.corpus.formats.datasets.emfos import bulk_entry, is_bulk_entry
from gistmark.corpus.formats.draft import Draft
from gistmark.corpus.schemas.schema import Schema, parse
from gistmark.errors import Diagnostics, Location, UsageError
from gistmark.runtime.files import atomic_write


class _TextOrTexts(Kind):
    expected = "text or a list of texts"

    def value(self, value: object) -> str | tuple[str, ...]:
        if isinstance(value, str):
            return TEXT.value(value)
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        return TEXTS.value(value)


_TEXT_OR_TEXTS = _TextOrTexts()
_LONG_ID = 200
"""A value of this many characters is a text, not an id."""


@dataclass(frozen=True, slots=True)
class _Row:
    document: str
    system: str | None
    summary: str | None
    text: str | tuple[str, ...] | None
    title: str | None
    anonymous: bool
    references: tuple[str | tuple[str, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class SummaryTable:
    """A file with one row per summary; `form` is its format unless its name ends in .tsv."""

    name: str
    description: str
    form: str

    def read(
        self, source: Path, *, columns: Given | None = None, system_name: str | None = None
    ) -> Corpus:
        form = self._form(source)
        return load_summary_table(source, form=form, columns=columns, system_name=system_name)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        refuse_confusing_names(corpus)
        form, bundled = self._form(target), list(bundles(corpus))
        lists = form == ".parquet" and any(len(d.texts) > 1 for d in corpus.documents)
        table = _table(bundled, lists)
        with atomic_write(target) as stream:
            _dump(table, form, stream)
        return (
            *left_out(corpus, *JUDGEMENTS),
            *lost_document_details(corpus, titles=False, texts=not lists),
            *lost(sum(bundle.lost_titles for bundle in bundled), "titles of summaries"),
            *lost_reference_names(numbered(bundle.references) for bundle in bundled),
            *lost_anonymity(s for bundle in bundled for s in bundle.references),
            *lost(
                0 if form == ".parquet" else _count_empty(bundled),
                "empty texts of documents or of "
                "references and empty titles: an empty cell means that there is none",
            ),
        )

    def _form(self, path: Path) -> str:
        return ".tsv" if self.form == ".csv" and path.suffix.lower() == ".tsv" else self.form


def load_summary_table(
    path: Path,
    *,
    form: str | None = None,
    columns: Given | None = None,
    system_name: str | None = None,
) -> Corpus:
    """Read a summary table from a file and check it; `form` is its extension if not its own.

    `columns` and `system_name` are as in `gistmark.corpus.formats.columns.find_columns`.
    """
    diagnostics = Diagnostics()
    table = read_table(path, diagnostics, form=form)
    diagnostics.stop_if_bad()
    check_names(columns or {}, table.columns, path)
    return read_file_table(path, table, diagnostics, columns=columns, system_name=system_name)


def read_file_table(
    path: Path,
    table: Table,
    diagnostics: Diagnostics,
    *,
    columns: Given | None = None,
    system_name: str | None = None,
) -> Corpus:
    """Make a corpus from the table in a file; unclear columns become a problem.

    The table of bulk_entry in EMFoS' tool is recognised by its header.
    """
    if not columns and system_name is None and is_bulk_entry(table.columns):
        return bulk_entry(table, diagnostics)
    try:
        roles = find_columns(list(table.columns), columns, system_name=system_name)
    except UsageError as error:
        diagnostics.problem(str(error), table.header or (str(path), None))
        diagnostics.stop_if_bad()
        raise
    if roles.system is not None and system_name is not None:
        raise UsageError(f"{path}: The column {roles.system!r} names the systems already.")
    return read_summaries(table, roles, diagnostics, system_name=system_name)


def read_summaries(
    table: Table, columns: Columns, diagnostics: Diagnostics, *, system_name: str | None = None
) -> Corpus:
    """A corpus from a table whose columns have their roles."""
    columns = _read_long_ids_as_texts(columns, table, diagnostics)
    parsed = parse(_schema(columns, system_name, table.textual), table, diagnostics)
    rows = parsed.records
    if columns.document is None:
        rows = _number_documents(rows, by_text=columns.system is not None)
    texts = _one_per_document(rows, "text", parsed.locations, diagnostics)
    titles = _one_per_document(rows, "title", parsed.locations, diagnostics)
    draft, numbers = Draft(diagnostics), tuple(columns.references)
    for row, location in zip(rows, parsed.locations, strict=True):
        _add_row(draft, location, row, texts.get(row.document), titles.get(row.document), numbers)
    return draft.finish(partial=parsed.partial)


def _schema(columns: Columns, system_name: str | None, textual: bool) -> Schema[_Row]:
    """The fields of the table under the names of its columns; a role without one stays empty."""

    def build(
        document: str,
        system: str | None,
        summary: str | None,
        text: Any,
        title: str | None,
        anonymous: bool,
        *references: Any,
    ) -> _Row:
        system = system or system_name
        if summary is None and system is not None and textual:
            summary = ""
        if system is None and summary is not None:
            raise WrongValueError("The row has a summary, but no system")
        if system is not None and summary is None:
            raise WrongValueError("The row has a system, but no summary")
        if columns.document is None and columns.system is not None and text is None:
            raise WrongValueError("The row has neither the id nor the text of its document")
        return _Row(document, system, summary, text, title, anonymous, references)

    def optional(name: str | None, role: str, kind: Kind) -> Field:
        return Field(name or f"no {role}", kind, required=False)

    return Schema(
        "table",
        "row",
        build,
        (
            Field(columns.document, NAME) if columns.document else optional(None, "id", NAME),
            optional(columns.system, "system", NAME),
            optional(columns.summary, "summary", TEXT),
            optional(columns.text, "text", _TEXT_OR_TEXTS),
            optional(columns.title, "title", TEXT),
            Field(columns.anonymous or "no anonymous", FLAG, required=False, default=False),
            *(Field(name, _TEXT_OR_TEXTS, required=False) for name in columns.references.values()),
        ),
    )


def _number_documents(rows: Sequence[_Row], *, by_text: bool) -> list[_Row]:
    """Number the documents by their row, or by the first row with the same text."""
    first: dict[object, int] = {}
    renumbered = []
    for number, row in enumerate(rows, start=1):
        first_number = first.setdefault(row.text, number) if by_text else number
        renumbered.append(replace(row, document=str(first_number)))
    return renumbered


def _read_long_ids_as_texts(columns: Columns, table: Table, diagnostics: Diagnostics) -> Columns:
    """Take a column of ids for the texts of documents if its values are too long for ids."""
    name = columns.document
    if name is None or columns.text is not None:
        return columns
    ids = (value for value in table.columns[name] if isinstance(value, str))
    longest = max(map(len, ids), default=0)
    if longest < _LONG_ID:
        return columns
    diagnostics.note(
        f"{name!r} was read as the texts of documents, because its longest value has {longest:,} "
        "characters; documents are numbered.",
        (table.locations[0][0], None),
    )
    return replace(columns, document=None, text=name)


def _one_per_document(
    rows: Sequence[_Row], name: str, locations: Sequence[Location], diagnostics: Diagnostics
) -> dict[str, Any]:
    """The text or title of each document; rows of one document must not contradict each other."""
    first: dict[str, tuple[Any, Location]] = {}
    for row, location in zip(rows, locations, strict=True):
        value = getattr(row, name)
        if value is None:
            continue
        first_value, first_location = first.setdefault(row.document, (value, location))
        if first_value != value:
            diagnostics.problem(
                f"The {name} of document {row.document!r} differs from the one on line "
                f"{first_location[1]}.",
                location,
            )
    return {document: value for document, (value, _) in first.items()}


def _add_row(
    draft: Draft,
    location: Location,
    row: _Row,
    text: Any,
    title: str | None,
    numbers: Sequence[int],
) -> None:
    if text is not None:
        field = "text" if isinstance(text, str) else "texts"
        draft.document(location, row.document, **{field: text, "title": title})
        title = None
    for number, reference in zip(numbers, row.references, strict=True):
        texts = (reference,) if isinstance(reference, str) else reference or ()
        for offset, reference_text in enumerate(texts):
            draft.reference(location, row.document, number + offset, reference_text, title=title)
    if row.system is not None:
        draft.summary(
            location, row.document, row.system, row.summary, title=title, anonymous=row.anonymous
        )


def _table(bundled: Sequence[Bundle], lists: bool) -> Table:
    numbers = sorted({number for bundle in bundled for number in numbered(bundle.references)})
    references = ["reference" if number == 1 else f"reference_{number}" for number in numbers]
    names = ["document", "system", "summary", "anonymous", "text", "title", *references]
    rows = [row for bundle in bundled for row in _rows(bundle, numbers, lists)]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    needed = {"document", "system", "summary"}
    return Table({n: c for n, c in columns.items() if n in needed or set(c) != {None}})


def _rows(bundle: Bundle, numbers: Sequence[int], lists: bool) -> Iterator[tuple[object, ...]]:
    references = numbered(bundle.references)
    texts = [references[n].text if n in references else None for n in numbers]
    document = bundle.document
    text: object = None
    if document is not None:
        text = document.texts if lists else document.text
    document_values: tuple[object, ...] = (text, bundle.title, *texts)
    for summary, row_values in zip_longest(bundle.summaries, [document_values]):
        system, summary_text = (summary.system, summary.text) if summary else (None, None)
        anonymous = True if summary and summary.anonymous else None
        yield (
            bundle.id,
            system,
            summary_text,
            anonymous,
            *(row_values or (None,) * len(document_values)),
        )


def _dump(table: Table, form: str, stream: IO[bytes]) -> None:
    if form == ".parquet":
        dump_parquet(table, stream)
        return
    lines = dump_csv(table, separator="\t" if form == ".tsv" else ",")
    stream.writelines(line.encode("utf-8") for line in lines)


def _count_empty(bundled: Sequence[Bundle]) -> int:
    return sum(
        (bundle.document is not None and bundle.document.text == "")
        + (bundle.title == "")
        + sum(reference.text == "" for reference in bundle.references)
        for bundle in bundled
    )


CSV = SummaryTable("csv", "A CSV or TSV file with one row per summary.", ".csv")
PARQUET = SummaryTable("parquet", "A Parquet file with one row per summary.", ".parquet")
