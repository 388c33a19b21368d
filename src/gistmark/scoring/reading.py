"""Scores from a file that `gistmark score` or anybody else wrote, long or wide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmark.errors import CorpusError, GistmarkError, Problem
from gistmark.metrics.catalogue import metric_from
from gistmark.records import PARTS, Part
from gistmark.scoring.files import KINDS, signature_file
from gistmark.scoring.scores import Column, Scores
from gistmark.scoring.tables import LONG_COLUMNS

if TYPE_CHECKING:
    import pandas

UNKNOWN_SIGNATURE = "unknown"

_LONG = LONG_COLUMNS[:-1]


def read_scores(path: str | Path) -> Scores:
    """The scores of a .csv, .jsonl or .parquet file; signatures are read from beside it."""
    path = Path(path)
    table = _read(path)
    if "metric" not in table.columns:
        table = _from_wide(table, path)
    _check(table, path)
    summaries = table[["document", "system"]].drop_duplicates()
    rows = {key: row for row, key in enumerate(summaries.itertuples(index=False, name=None))}
    places = np.array([rows[key] for key in zip(table["document"], table["system"], strict=True)])
    signatures = _signatures(path)
    columns = {
        str(metric): _column(str(metric), group, places[group.index], len(rows), signatures)
        for metric, group in table.groupby("metric", sort=False)
    }
    return Scores([document for document, _ in rows], [system for _, system in rows], columns)


def _read(path: Path) -> pandas.DataFrame:
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


def _from_wide(table: pandas.DataFrame, path: Path) -> pandas.DataFrame:
    """One row per value from one row per summary with columns such as `rouge1.f`."""
    import pandas as pd

    named = [
        column
        for column in map(str, table.columns)
        if column.rpartition(".")[2] in PARTS and column.rpartition(".")[0]
    ]
    if not named or not {"document", "system"} <= set(table.columns):
        wanted = "document, system, metric, part, value (or document, system, rouge1.f, ...)"
        raise CorpusError([Problem(f"A scores file has the columns {wanted}.", str(path))])
    long = table.melt(["document", "system"], named, "column", "value")
    pieces = long["column"].str.rpartition(".")
    long["metric"], long["part"] = pieces[0], pieces[2]
    long["value"] = pd.to_numeric(long["value"], errors="coerce")
    return long.reset_index(drop=True)


def _check(table: pandas.DataFrame, path: Path) -> None:
    missing = [name for name in _LONG if name not in table.columns]
    if missing:
        raise CorpusError(
            [Problem(f"The column {name!r} is missing.", str(path)) for name in missing]
        )
    problems = []
    if len(table) and not np.issubdtype(table["value"].to_numpy().dtype, np.number):
        problems.append(Problem("The column 'value' holds something that is no number.", str(path)))
    odd = sorted(set(table["part"]) - set(PARTS))
    if odd:
        allowed = ", ".join(PARTS)
        problems.append(Problem(f"The part {odd[0]!r} is not one of {allowed}.", str(path)))
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
    places: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    size: int,
    signatures: dict[str, str],
) -> Column:
    there = set(group["part"].unique())
    parts = tuple(part for part in PARTS if part in there)
    values = np.full((size, len(parts)), np.nan)
    number = {part: index for index, part in enumerate(parts)}
    which = group["part"].map(number).to_numpy(dtype=np.int64)
    values[places, which] = group["value"].to_numpy(dtype=np.float64, na_value=np.nan)
    reasons = {}
    if "reason" in group.columns:
        reasons = {
            int(place): str(reason)
            for place, reason in zip(places, group["reason"], strict=True)
            if isinstance(reason, str) and reason
        }
    signature = signatures.get(metric, UNKNOWN_SIGNATURE)
    main: Part = "f" if "f" in parts else parts[0]
    return Column(signature, parts, main, _better(metric), values, reasons)


def _better(metric: str) -> Literal["higher", "lower", "neither"]:
    """As Gistmark's own metric of this name; for a foreign one, higher."""
    try:
        return metric_from(metric).better
    except GistmarkError:
        return "higher"


def _signatures(path: Path) -> dict[str, str]:
    file = signature_file(path)
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CorpusError([Problem(f"Broken JSON: {error}", str(file))]) from None
    if not isinstance(found, dict):
        raise CorpusError([Problem("The file must map metrics to signatures.", str(file))])
    return {str(metric): str(signature) for metric, signature in found.items()}
