"""Any JSONL, CSV, TSV or Parquet file as a table, by its extension."""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus.files import read_text
from gistmark.corpus.findings import Findings
from gistmark.corpus.tables import Table, csv, jsonl, parquet


def read_table(path: Path, findings: Findings, *, form: str | None = None) -> Table:
    """The raw table in a file; what cannot be read becomes a problem and leaves it partial.

    `form` is the extension to go by if it is not the file's own.
    """
    suffix = form or path.suffix.lower()
    if suffix == ".parquet":
        return parquet.read_table(path, findings)
    text = read_text(path, findings)
    if text is None:
        return Table({}, partial=True)
    if suffix == ".jsonl":
        return jsonl.read_table(text, str(path), findings)
    separator = "\t" if suffix == ".tsv" else ","
    return csv.read_table(text, str(path), findings, separator=separator)
