"""Scores on disk: CSV, JSONL or Parquet, with the signatures in `FILE.signatures.json`.

Files of other programs are read too, long or wide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from gistmark.errors import CorpusError, GistmarkError, Problem, UsageError
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.metric import Better
from gistmark.records import PARTS, Part
from gistmark.runtime.files import atomic_write, write_text
from gistmark.scoring.scores import LONG_COLUMNS, Column, Scores, table_of

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from pyarrow import csv

KINDS = (".csv", ".jsonl", ".parquet")
_ROWS = 50_000


def check_target(path: Path) -> None:
    """Raise a UsageError if scores cannot be written to this path; call it before a long run."""
    if path.suffix not in KINDS:
        raise UsageError(f"{path}: scores are written as {', '.join(KINDS)}, not {path.suffix!r}.")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder, not a file.")


def load_writer() -> None:
    """Load the writer of scores before a long run, so that an interrupted one need not wait for it.

    It would be loaded at the end of the run anyway. Arrow looks for pandas with its first array.
    """
    import pyarrow

    pyarrow.array([])


def write_scores(scores: Scores, path: Path, *, wide: bool) -> None:
    """Write the table piece by piece, whole or not at all."""
    check_target(path)
    with atomic_write(path) as stream:
        _WRITERS[path.suffix](stream, _split_into_tables(scores, wide))
    signatures = json.dumps(scores.signatures, indent=2, ensure_ascii=False)
    write_text(signature_file(path), signatures + "\n")


def signature_file(path: Path) -> Path:
    """The path of the signatures of a scores file."""
    return path.with_name(f"{path.name}.signatures.json")


def _split_into_tables(scores: Scores, wide: bool) -> Iterator[pyarrow.Table]:
    for start in range(0, max(scores.summary_count, 1), _ROWS):
        yield table_of(scores, start, start + _ROWS, wide=wide)


def _write_csv(stream: IO[bytes], pieces: Iterator[pyarrow.Table]) -> None:
    from pyarrow import csv

    for number, piece in enumerate(pieces):
        if number == 0:
            header = ",".join(_quote(name) for name in piece.column_names)
            stream.write(header.encode() + b"\n")
        csv.write_csv(piece, stream, _csv_options(piece))


def _csv_options(piece: pyarrow.Table) -> csv.WriteOptions:
    """Quote strings only if a cell of this table needs it: Arrow quotes all strings or none."""
    from pyarrow import compute, csv, types

    special = any(
        compute.any(compute.match_substring_regex(piece[name], r'[,"\r\n]|^$')).as_py()
        for name, kind in zip(piece.column_names, piece.schema.types, strict=True)
        if types.is_string(kind)
    )
    return csv.WriteOptions(include_header=False, quoting_style="needed" if special else "none")


def _quote(name: str) -> str:
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


UNKNOWN_SIGNATURE = "unknown"

_REQUIRED_COLUMNS = LONG_COLUMNS[:-1]


def read_scores(path: str | Path) -> Scores:
    """Read scores from a .csv, .jsonl or .parquet file, and signatures from the file beside it."""
    path = Path(path)
    table = _read_table(path)
    if "metric" not in table.columns:
        table = _long_from_wide(table, path)
    _check_table(table, path)
    summaries = table[["document", "system"]].drop_duplicates()
    rows = {key: row for row, key in enumerate(summaries.itertuples(index=False, name=None))}
    row_numbers = np.array(
        [rows[key] for key in zip(table["document"], table["system"], strict=True)]
    )
    signatures = _read_signatures(path)
    columns = {
        str(metric): _column(str(metric), group, row_numbers[group.index], len(rows), signatures)
        for metric, group in table.groupby("metric", sort=False)
    }
    return Scores([document for document, _ in rows], [system for _, system in rows], columns)


def _read_table(path: Path) -> pandas.DataFrame:
    import pandas as pd

    if not path.is_file():
        raise CorpusError([Problem("There is no such file.", str(path))])
    text = {"document": str, "system": str, "metric": str, "part": str, "reason": str}
    try:
        if path.suffix == ".csv":
            return pd.read_csv(path, dtype=text, keep_default_na=False, na_values={"value": [""]})
        if path.suffix == ".jsonl":
            with path.open(encoding="utf-8") as stream:
                return pd.DataFrame([json.loads(line) for line in stream if line.strip()])
        if path.suffix == ".parquet":
            return pd.read_parquet(path)
    except (ValueError, OSError) as error:
        problem = Problem(f"The scores cannot be read: {error}", str(path))
        raise CorpusError([problem]) from None
    kinds = ", ".join(KINDS)
    raise CorpusError([Problem(f"Scores are read from {kinds}, not {path.suffix!r}.", str(path))])


def _long_from_wide(table: pandas.DataFrame, path: Path) -> pandas.DataFrame:
    """Turn a table with a row per summary and columns such as `rouge1.f` into a row per value."""
    import pandas as pd

    value_columns = [
        column
        for column in map(str, table.columns)
        if column.rpartition(".")[2] in PARTS and column.rpartition(".")[0]
    ]
    if not value_columns or not {"document", "system"} <= set(table.columns):
        expected = "document, system, metric, part, value (or document, system, rouge1.f, ...)"
        raise CorpusError([Problem(f"A scores file has the columns {expected}.", str(path))])
    long = table.melt(["document", "system"], value_columns, "column", "value")
    pieces = long["column"].str.rpartition(".")
    long["metric"], long["part"] = pieces[0], pieces[2]
    long["value"] = pd.to_numeric(long["value"], errors="coerce")
    return long.reset_index(drop=True)


def _check_table(table: pandas.DataFrame, path: Path) -> None:
    missing = [name for name in _REQUIRED_COLUMNS if name not in table.columns]
    if missing:
        raise CorpusError(
            [Problem(f"The column {name!r} is missing.", str(path)) for name in missing]
        )
    problems = []
    if len(table) and not np.issubdtype(table["value"].to_numpy().dtype, np.number):
        problems.append(
            Problem("The column 'value' holds something that is not a number.", str(path))
        )
    unknown_parts = sorted(set(table["part"]) - set(PARTS))
    if unknown_parts:
        allowed = ", ".join(PARTS)
        problems.append(
            Problem(f"The part {unknown_parts[0]!r} is not one of {allowed}.", str(path))
        )
    repeated = table.duplicated(["document", "system", "metric", "part"])
    if repeated.any():
        first = table[repeated].iloc[0]
        problems.append(
            Problem(
                f"{first['metric']} {first['part']} of {first['document']!r} by "
                f"{first['system']!r} is there more than once.",
                str(path),
            )
        )
    if problems:
        raise CorpusError(problems)


def _column(
    metric: str,
    group: pandas.DataFrame,
    row_numbers: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    size: int,
    signatures: dict[str, str],
) -> Column:
    present_parts = set(group["part"].unique())
    parts = tuple(part for part in PARTS if part in present_parts)
    values = np.full((size, len(parts)), np.nan)
    part_indexes = {part: index for index, part in enumerate(parts)}
    column_indexes = group["part"].map(part_indexes).to_numpy(dtype=np.int64)
    values[row_numbers, column_indexes] = group["value"].to_numpy(dtype=np.float64, na_value=np.nan)
    reasons = {}
    if "reason" in group.columns:
        reasons = {
            int(row): str(reason)
            for row, reason in zip(row_numbers, group["reason"], strict=True)
            if isinstance(reason, str) and reason
        }
    signature = signatures.get(metric, UNKNOWN_SIGNATURE)
    main: Part = "f" if "f" in parts else parts[0]
    return Column(signature, parts, main, _better_direction(metric), values, reasons)


def _better_direction(metric: str) -> Better:
    """The direction of Gistmark's metric of this name; "higher" if it has no such metric."""
    try:
        return metric_from(metric).better
    except GistmarkError:
        return "higher"


def _read_signatures(path: Path) -> dict[str, str]:
    file = signature_file(path)
    if not file.is_file():
        return {}
    try:
        signatures = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CorpusError([Problem(f"Broken JSON: {error}", str(file))]) from None
    if not isinstance(signatures, dict):
        raise CorpusError([Problem("The file must map metrics to signatures.", str(file))])
    return {str(metric): str(signature) for metric, signature in signatures.items()}
