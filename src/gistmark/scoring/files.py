"""Scores on disk: CSV, JSONL or Parquet, with the signatures in `FILE.signatures.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from gistmark.errors import UsageError
from gistmark.files import atomic_write, write_text
from gistmark.scoring.tables import table_of

if TYPE_CHECKING:
    import pyarrow
    from pyarrow import csv

    from gistmark.scoring.scores import Scores

KINDS = (".csv", ".jsonl", ".parquet")
_ROWS = 50_000


def check_target(path: Path) -> None:
    """Whether scores can be written there at all; to be asked before a long run."""
    if path.suffix not in KINDS:
        raise UsageError(f"{path}: scores are written as {', '.join(KINDS)}, not {path.suffix!r}.")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder, not a file.")


def load_writer() -> None:
    """Load what writes scores before a long run, so that an interrupted one need not wait for it.

    It would be loaded at the end of the run anyway. Arrow looks for pandas with its first array.
    """
    import pyarrow

    pyarrow.array([])


def write_scores(scores: Scores, path: Path, *, wide: bool) -> None:
    """Write the table piece by piece, whole or not at all."""
    check_target(path)
    with atomic_write(path) as stream:
        _WRITERS[path.suffix](stream, _pieces(scores, wide))
    signatures = json.dumps(scores.signatures, indent=2, ensure_ascii=False)
    write_text(signature_file(path), signatures + "\n")


def signature_file(path: Path) -> Path:
    """Where the signatures of a scores file stand."""
    return path.with_name(f"{path.name}.signatures.json")


def _pieces(scores: Scores, wide: bool) -> Iterator[pyarrow.Table]:
    for start in range(0, max(scores.summary_count, 1), _ROWS):
        yield table_of(scores, start, start + _ROWS, wide=wide)


def _write_csv(stream: IO[bytes], pieces: Iterator[pyarrow.Table]) -> None:
    from pyarrow import csv

    for number, piece in enumerate(pieces):
        if number == 0:
            header = ",".join(_quoted(name) for name in piece.column_names)
            stream.write(header.encode() + b"\n")
        csv.write_csv(piece, stream, _csv_options(piece))


def _csv_options(piece: pyarrow.Table) -> csv.WriteOptions:
    """Quotes only where a cell needs them: Arrow quotes all strings or none."""
    from pyarrow import compute, csv, types

    special = any(
        compute.any(compute.match_substring_regex(piece[name], r'[,"\r\n]|^$')).as_py()
        for name, kind in zip(piece.column_names, piece.schema.types, strict=True)
        if types.is_string(kind)
    )
    return csv.WriteOptions(include_header=False, quoting_style="needed" if special else "none")


def _quoted(name: str) -> str:
    special = any(character in name for character in ',"\r\n')
    return '"' + name.replace('"', '""') + '"' if special else name


def _write_jsonl(stream: IO[bytes], pieces: Iterator[pyarrow.Table]) -> None:
    for piece in pieces:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in piece.to_pylist())
        stream.writelines(line.encode("utf-8") for line in lines)


def _write_parquet(stream: IO[bytes], pieces: Iterator[pyarrow.Table]) -> None:
    from pyarrow import parquet

    first = next(pieces)
    with parquet.ParquetWriter(stream, first.schema) as writer:
        writer.write_table(first)
        for piece in pieces:
            writer.write_table(piece)


_WRITERS = {".csv": _write_csv, ".jsonl": _write_jsonl, ".parquet": _write_parquet}
