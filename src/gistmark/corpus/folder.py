"""The corpus folder: one file per kind of record, which a person can read and write by hand.

Summaries can be added to a folder; what is in it already is not rewritten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Literal

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import Table, dump_csv, dump_parquet, read_table
from gistmark.corpus.schemas.checks import OnDuplicate, assemble, check
from gistmark.corpus.schemas.records import SCHEMAS
from gistmark.corpus.schemas.schema import Schema
from gistmark.errors import CorpusError, Diagnostics, GistmarkError, Problem, UsageError
from gistmark.records import Summary
from gistmark.runtime.files import atomic_write

TableFormat = Literal["csv", "jsonl", "parquet"]
TABLE_FORMATS: tuple[TableFormat, ...] = ("csv", "jsonl", "parquet")
_TABLE_SUFFIXES = (".csv", ".json", ".jsonl", ".ods", ".parquet", ".tsv", ".txt", ".xls", ".xlsx")
_ESSENTIAL = ("documents.jsonl", "summaries.jsonl")

SIGNATURES = "summaries.signatures.json"
"""System to signature, of the summaries that Gistmark wrote; a companion, not a table."""


def load_folder(folder: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
    """Read a corpus folder and check it; problems in all its files are raised together."""
    diagnostics = Diagnostics()
    tables: dict[str, Table] = {}
    for schema in SCHEMAS:
        files = _files_of(schema, folder, diagnostics)
        if len(files) > 1:
            names = " and ".join(file.name for file in files)
            diagnostics.problem(f"There are {names}; keep one of them.", (str(folder), None))
        for file in files[:1]:
            tables[schema.name] = read_table(file, diagnostics)
    if not diagnostics.problems and not {"documents", "summaries"} & tables.keys():
        diagnostics.problem(
            "The folder has neither documents.jsonl nor summaries.jsonl.", (str(folder), None)
        )
        diagnostics.stop_if_bad()
    return assemble(tables, diagnostics, on_duplicate=on_duplicate)


def save(corpus: Corpus, folder: str | Path, *, tables: TableFormat = "csv") -> None:
    """Write a corpus folder; one that is there already is replaced.

    Each file is replaced whole or not at all, and only after all of them could be written. A folder
    that holds other things is left alone, and an error says so. `tables` is the form of the
    ratings, comparisons, answers, highlights, presence and spans.
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
                path = folder / f"{schema.stem}.{suffix}"
                stream = drafts.enter_context(atomic_write(path))
                _write(schema, records, suffix, stream)
                written.add(path)
    for schema in SCHEMAS:
        for path in _paths_of(schema, folder):
            if path not in written:
                path.unlink(missing_ok=True)


def add_summaries(
    folder: Path, summaries: Sequence[Summary], signatures: Mapping[str, str]
) -> None:
    """Add the summaries of some systems, and remove older summaries of the same systems.

    The folder is read again, because another process may have added to it since. Other lines are
    not touched, so that fields which Gistmark does not know are kept. The file is replaced whole
    or not at all.
    """
    current = load_folder(folder, on_duplicate="first")  # ratings stay as they are, whatever counts
    systems = {summary.system for summary in summaries}
    is_kept = [summary.reference or summary.system not in systems for summary in current.summaries]
    kept_lines = [line for line, keep in zip(_summary_lines(folder), is_kept, strict=True) if keep]
    check(Corpus(current.documents, tuple(summaries)))
    new = jsonl.dump_lines(
        {"document": summary.document, "system": summary.system, "text": summary.text}
        for summary in summaries
    )
    with (
        atomic_write(folder / "summaries.jsonl") as stream,
        atomic_write(folder / SIGNATURES) as signature_stream,
    ):
        stream.writelines(f"{line}\n".encode() for line in kept_lines)
        stream.writelines(line.encode() for line in new)
        signature_stream.write(_merge_signatures(folder, signatures).encode())


def write_signatures(folder: Path, signatures: Mapping[str, str]) -> None:
    """Add signatures to the file beside the summaries."""
    with atomic_write(folder / SIGNATURES) as stream:
        stream.write(_merge_signatures(folder, signatures).encode())


class Folder:
    """Gistmark's own folder, which holds everything."""

    name = "folder"
    description = "Gistmark's own corpus folder."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        if not source.is_dir():
            raise CorpusError([Problem("There is no such folder.", str(source))])
        return load_folder(source, on_duplicate=on_duplicate)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        save(corpus, target)
        return ()


def is_corpus_folder(folder: Path) -> bool:
    """Whether a folder holds a corpus, judging by its file names."""
    return any((folder / name).is_file() for name in _ESSENTIAL)


def refuse_other_folder(folder: Path) -> None:
    """Raise a `UsageError` if this is a file, or a folder of something other than a corpus."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not is_corpus_folder(folder):
        raise UsageError(f"{folder} is not empty and is not a corpus folder; choose another one.")


def _files_of(schema: Schema[Any], folder: Path, diagnostics: Diagnostics) -> list[Path]:
    """The files of one table; a file of its name in a form that cannot be read is a problem."""
    allowed = [path.name for path in _paths_of(schema, folder)]
    paths = [path for path in sorted(folder.glob(f"{schema.stem}.*")) if path.is_file()]
    for path in paths:
        location = (str(path), None)
        if (
            path.stem == schema.stem
            and path.suffix.lower() in _TABLE_SUFFIXES
            and path.name not in allowed
        ):
            diagnostics.problem(f"The file must be {' or '.join(allowed)}.", location)
        elif path.name not in (*allowed, SIGNATURES):
            diagnostics.note("The file is not part of the corpus and was left out.", location)
    return [path for path in paths if path.name in allowed]


def _paths_of(schema: Schema[Any], folder: Path) -> Iterator[Path]:
    for suffix in TABLE_FORMATS if schema.tabular else ("jsonl",):
        yield folder / f"{schema.stem}.{suffix}"


def _write(schema: Schema[Any], records: Any, suffix: str, stream: IO[bytes]) -> None:
    if suffix == "jsonl":
        lines = jsonl.dump_lines(map(schema.object, map(schema.row, records)))
    else:
        table = schema.table(records)
        if suffix == "parquet":
            dump_parquet(table, stream)
            return
        lines = dump_csv(table)
    stream.writelines(line.encode("utf-8") for line in lines)


def _summary_lines(folder: Path) -> list[str]:
    """The lines of summaries.jsonl, one for each summary, without blank lines."""
    file = folder / "summaries.jsonl"
    text = file.read_bytes().decode("utf-8-sig") if file.is_file() else ""
    return [line for line in text.split("\n") if line.strip(" \t\r")]


def _merge_signatures(folder: Path, signatures: Mapping[str, str]) -> str:
    file = folder / SIGNATURES
    try:
        stored_signatures = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise GistmarkError(f"{file}: the signatures cannot be read: {error}") from None
    if not isinstance(stored_signatures, dict):
        raise GistmarkError(f"{file}: the signatures are not a JSON object.")
    return json.dumps({**stored_signatures, **signatures}, indent=2, ensure_ascii=False) + "\n"


FORMAT = Folder()
