"""The corpus folder: one file per kind of record, which a person can read and write by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Literal

from gistmark.corpus.checks import assemble, check
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.duplicates import OnDuplicate
from gistmark.corpus.files import replacing
from gistmark.corpus.findings import Findings
from gistmark.corpus.schemas import SCHEMAS, Schema
from gistmark.corpus.tables import Table, csv, jsonl, parquet
from gistmark.corpus.tables.reading import read_table
from gistmark.errors import UsageError

TableFormat = Literal["csv", "jsonl", "parquet"]
TABLE_FORMATS: tuple[TableFormat, ...] = ("csv", "jsonl", "parquet")
_UNREAD = (".csv", ".json", ".jsonl", ".ods", ".parquet", ".tsv", ".txt", ".xls", ".xlsx")
_ESSENTIAL = ("documents.jsonl", "summaries.jsonl")

SIGNATURES = "summaries.signatures.json"
"""System to signature, of the summaries that Gistmark wrote; a companion, not a table."""


def load_folder(folder: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
    """Read a corpus folder and check it; problems in all its files are raised together."""
    findings = Findings()
    tables: dict[str, Table] = {}
    for schema in SCHEMAS:
        files = _files_of(schema, folder, findings)
        if len(files) > 1:
            names = " and ".join(file.name for file in files)
            findings.problem(f"There are {names}; keep one of them.", (str(folder), None))
        for file in files[:1]:
            tables[schema.name] = read_table(file, findings)
    if not findings.problems and not {"documents", "summaries"} & tables.keys():
        findings.problem(
            "The folder has neither documents.jsonl nor summaries.jsonl.", (str(folder), None)
        )
        findings.stop_if_bad()
    return assemble(tables, findings, on_duplicate=on_duplicate)


def save(corpus: Corpus, folder: str | Path, *, tables: TableFormat = "csv") -> None:
    """Write a corpus folder in place of the one that is there, if any.

    Each file is replaced whole or not at all, and only after all of them could be written.
    A folder that holds other things is left alone: the error says so. `tables` is the form of
    the ratings, comparisons and highlights.
    """
    if tables not in TABLE_FORMATS:
        raise UsageError(f"tables must be one of {', '.join(TABLE_FORMATS)}, not {tables!r}.")
    folder = Path(folder)
    refuse_other_folder(folder)
    corpus = check(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    written: set[Path] = set()
    with ExitStack() as drafts:
        for schema in SCHEMAS:
            records = getattr(corpus, schema.name)
            if records:
                suffix = tables if schema.tabular else "jsonl"
                path = folder / f"{schema.name}.{suffix}"
                stream = drafts.enter_context(replacing(path))
                _write(schema, records, suffix, stream)
                written.add(path)
    for stale in _known_paths(folder):
        if stale not in written:
            stale.unlink(missing_ok=True)


def is_corpus_folder(folder: Path) -> bool:
    """Whether a folder holds a corpus, judging by its file names."""
    return any((folder / name).is_file() for name in _ESSENTIAL)


def refuse_other_folder(folder: Path) -> None:
    """Raise a `UsageError` where a corpus folder would bury something else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not is_corpus_folder(folder):
        raise UsageError(f"{folder} is not empty and is no corpus folder; choose another one.")


def _files_of(schema: Schema[Any], folder: Path, findings: Findings) -> list[Path]:
    """The files of one table; its data in a form that is not read would be lost: a problem."""
    allowed = [path.name for path in _paths_of(schema, folder)]
    found = [path for path in sorted(folder.glob(f"{schema.name}.*")) if path.is_file()]
    for path in found:
        place = (str(path), None)
        if path.stem == schema.name and path.suffix.lower() in _UNREAD and path.name not in allowed:
            findings.problem(f"The file must be {' or '.join(allowed)}.", place)
        elif path.name not in (*allowed, SIGNATURES):
            findings.note("The file is not part of the corpus and was left out.", place)
    return [path for path in found if path.name in allowed]


def _paths_of(schema: Schema[Any], folder: Path) -> Iterator[Path]:
    for suffix in TABLE_FORMATS if schema.tabular else ("jsonl",):
        yield folder / f"{schema.name}.{suffix}"


def _known_paths(folder: Path) -> Iterator[Path]:
    for schema in SCHEMAS:
        yield from _paths_of(schema, folder)


def _write(schema: Schema[Any], records: Any, suffix: str, stream: IO[bytes]) -> None:
    table = schema.table(records)
    if suffix == "parquet":
        parquet.dump_table(table, stream)
        return
    if suffix == "csv":
        lines = csv.dump_table(table)
    else:
        lines = jsonl.dump_lines(_object(schema, record) for record in records)
    stream.writelines(line.encode("utf-8") for line in lines)


def _object(schema: Schema[Any], record: Any) -> dict[str, object]:
    """A record as a JSON object, without the fields that have their default."""
    pairs = zip(schema.fields, schema.row(record), strict=True)
    there = ((f.name, value) for f, value in pairs if f.required or value != f.default)
    return {name: jsonl.plain(v) if isinstance(v, float) else v for name, v in there}
