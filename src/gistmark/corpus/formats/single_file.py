"""The single JSONL file: one line per document with its summaries inside, or one per summary.

    {"id": "a", "text": "…", "references": ["…"], "summaries": {"lead": "…"}, "title": "…"}
    {"document": "a", "system": "lead", "summary": "…", "text": "…", "reference": "…"}

In a line per document, `texts` stands in place of `text` for several texts. References may also
be an object of names and texts. A line without a text gives no document; its title then belongs to
its summaries. `anonymous` is true, or lists the names that are only an order of appearance.

Lines per summary are read like the rows of a CSV file; see `gistmark.corpus.formats.summary_table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gistmark.corpus.corpus import Corpus, reference_name
from gistmark.corpus.fields import NAME, TEXT, TEXTS, Field, Kind, NamedTexts
from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import Table, read_table
from gistmark.corpus.formats.bundles import JUDGEMENTS, Bundle, bundles, left_out, lost
from gistmark.corpus.formats.columns import ALIASES, Given, check_names
from gistmark.corpus.formats.draft import Draft
from gistmark.corpus.formats.summary_table import read_file_table
from gistmark.corpus.schemas.schema import Schema, parse
from gistmark.errors import Diagnostics, UsageError
from gistmark.runtime.files import write_text


class _References(NamedTexts):
    expected = "a list of texts, or an object of names and texts"

    def value(self, value: object) -> dict[str, str]:
        if isinstance(value, list):
            numbered = enumerate(value, start=1)
            value = {reference_name(number): text for number, text in numbered}
        return super().value(value)


class _Anonymous(Kind):
    expected = "true, false or a list of names"

    def value(self, value: object) -> bool | tuple[str, ...]:
        if isinstance(value, bool):
            return value
        if not isinstance(value, list):
            raise self.wrong(value)
        return tuple(map(NAME.value, value))


@dataclass(frozen=True, slots=True)
class _Line:
    id: str
    text: str | None
    texts: tuple[str, ...] | None
    title: str | None
    lang: str | None
    references: Mapping[str, str]
    summaries: Mapping[str, str]
    anonymous: bool | tuple[str, ...]

    def is_anonymous(self, system: str) -> bool:
        if isinstance(self.anonymous, bool):
            return self.anonymous and system in self.summaries
        return system in self.anonymous


_FIELDS = {
    "document": "id",
    "text": "text",
    "title": "title",
    "reference": "references",
    "summary": "summaries",
    "anonymous": "anonymous",
}
"""The field of each role in a line per document."""

_NAMED_INSIDE = "The lines are documents, whose field 'summaries' names the systems"


class SingleFile:
    """JSON lines, one per document or one per summary; the former is written."""

    name = "jsonl"
    description = "JSON lines: one per document with its summaries, or one per summary."

    def read(
        self, source: Path, *, columns: Given | None = None, system_name: str | None = None
    ) -> Corpus:
        return load_single_file(source, columns=columns, system_name=system_name)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        return write_single_file(corpus, target)


def load_single_file(
    path: Path, *, columns: Given | None = None, system_name: str | None = None
) -> Corpus:
    """Read a JSONL file of either shape and check it.

    `columns` gives the field of a role where it has another name. `system_name` is the system of
    lines per summary where no field names it.
    """
    diagnostics = Diagnostics()
    table = read_table(path, diagnostics, form=".jsonl")
    user_columns = columns or {}
    if table.columns:
        check_names(user_columns, table.columns, path)
        if _is_per_summary(table, user_columns, system_name):
            return read_file_table(
                path, table, diagnostics, columns=columns, system_name=system_name
            )
        if not _is_per_document(table, user_columns):
            diagnostics.problem(_unknown_shape(table), (str(path), None))
            diagnostics.stop_if_bad()
    if system_name is not None:
        raise UsageError(f"{path}: {_NAMED_INSIDE}, so system_name= (--system-name) cannot.")
    return _read_documents(table, diagnostics, _document_lines(path, user_columns))


def write_single_file(corpus: Corpus, path: Path) -> tuple[str, ...]:
    """Write a single-file corpus; say what it cannot hold."""
    bundled = list(bundles(corpus))
    write_text(path, "".join(jsonl.dump_lines(map(_row, bundled))))
    titles = sum(bundle.lost_titles for bundle in bundled)
    return (*left_out(corpus, *JUDGEMENTS), *lost(titles, "titles of summaries"))


def _is_per_summary(table: Table, user_columns: Given, system_name: str | None) -> bool:
    """Whether the lines are summaries.

    Where they could be documents, a field only counts if it holds text: a number called
    `prediction` does not turn a document into a summary.
    """
    only_texts = _is_per_document(table, user_columns)

    def has(role: str) -> bool:
        columns = user_columns.get(role, [role, *ALIASES[role]])
        names = [columns] if isinstance(columns, str) else columns
        cells = (value for name in names for value in table.columns.get(name, ()))
        return any(isinstance(value, str) or not only_texts for value in cells)

    if "summaries" in table.columns and not {"system", "summary"} & user_columns.keys():
        return False
    if has("summary") and (has("system") or system_name is not None):
        return True
    if {"summaries", "references", "texts"} & table.columns.keys():
        return False
    return has("summary") or has("reference")


def _is_per_document(table: Table, user_columns: Given) -> bool:
    content = ["texts", *(user_columns.get(role, _FIELDS[role]) for role in ("text", "summary"))]
    references = user_columns.get("reference", "references")
    content += [references] if isinstance(references, str) else references
    has_content = any(name in table.columns for name in content)
    return user_columns.get("document", "id") in table.columns and has_content


def _unknown_shape(table: Table) -> str:
    return (
        "The lines are neither documents (with the fields 'id' and 'text', 'references' or "
        "'summaries') nor summaries (with 'document', 'system' and 'summary'). The fields are: "
        f"{', '.join(table.columns)}. Say which is which with columns= (on the command line "
        "--columns document=NAME,summary=NAME)."
    )


def _document_lines(path: Path, user_columns: Given) -> Schema[_Line]:
    """The fields of a line per document, called as the user says."""
    if "system" in user_columns:
        raise UsageError(f"{path}: {_NAMED_INSIDE}, so no column does.")
    if not isinstance(user_columns.get("reference", ""), str):
        raise UsageError(f"{path}: The lines are documents, which have one field of references.")
    names = _FIELDS | {role: name for role, name in user_columns.items() if isinstance(name, str)}

    def optional(name: str, kind: Kind, default: object = None) -> Field:
        return Field(name, kind, required=False, default=default)

    return Schema(
        "lines",
        "line",
        _Line,
        (
            Field(names["document"], NAME),
            optional(names["text"], TEXT),
            optional("texts", TEXTS),
            optional(names["title"], TEXT),
            optional("lang", TEXT),
            optional(names["reference"], _References(), {}),
            optional(names["summary"], NamedTexts(), {}),
            optional(names["anonymous"], _Anonymous(), False),
        ),
    )


def _read_documents(table: Table, diagnostics: Diagnostics, schema: Schema[_Line]) -> Corpus:
    lines = parse(schema, table, diagnostics)
    draft = Draft(diagnostics)
    for line, location in zip(lines.records, lines.locations, strict=True):
        has_text = line.text is not None or line.texts is not None
        if line.lang is not None and not has_text:
            diagnostics.note("The field 'lang' was left out: there is no text.", location)
        if has_text:
            values = {name: getattr(line, name) for name in ("text", "texts", "title", "lang")}
            draft.add("documents", location, id=line.id, **values)
        title = None if has_text else line.title
        for texts, reference in ((line.references, True), (line.summaries, False)):
            for system, summary in texts.items():
                draft.summary(
                    location, line.id, system, summary,
                    title=title, reference=reference, anonymous=line.is_anonymous(system),
                )  # fmt: skip
        for name in () if isinstance(line.anonymous, bool) else line.anonymous:
            if name not in line.summaries and name not in line.references:
                diagnostics.problem(
                    f"'anonymous' lists {name!r}, but no summary is by it.", location
                )
    return draft.finish(partial=lines.partial)


def _row(bundle: Bundle) -> dict[str, object]:
    row: dict[str, object] = {"id": bundle.id}
    if bundle.title is not None:
        row["title"] = bundle.title
    if bundle.document is not None:
        if bundle.document.lang is not None:
            row["lang"] = bundle.document.lang
        texts = bundle.document.texts
        row |= {"text": texts[0]} if len(texts) == 1 else {"texts": texts}
    references = {reference.system: reference.text for reference in bundle.references}
    numbered = [reference_name(number) for number in range(1, len(references) + 1)]
    if references:
        plain = list(references) == numbered
        row["references"] = list(references.values()) if plain else references
    if bundle.summaries:
        row["summaries"] = {summary.system: summary.text for summary in bundle.summaries}
    anonymous = [s.system for s in (*bundle.references, *bundle.summaries) if s.anonymous]
    if anonymous:
        all_summaries = anonymous == [summary.system for summary in bundle.summaries]
        row["anonymous"] = all_summaries or anonymous
    return row


FORMAT = SingleFile()
