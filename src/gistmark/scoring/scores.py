"""The result of a run: values per summary, metric and part, with signatures and reasons.

As Arrow tables they are long (a row per value) or wide (a row per summary).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.errors import MissingExtraError, unknown_name
from gistmark.metrics.metric import Better, Float64, Metric, Values
from gistmark.records import DETAILS, Part, Score
from gistmark.scoring.leaderboard import Leaderboard, leaderboard
from gistmark.signature import Signature, joined

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

REASONS_SHOWN = 4


@dataclass(frozen=True)
class Column:
    """One metric's values: a row per summary, a column per part; each NaN has a reason."""

    signature: str
    parts: tuple[Part, ...]
    main_part: Part
    better: Better
    values: Float64
    reasons: Mapping[int, str]

    @property
    def judging(self) -> tuple[Part, ...]:
        """The parts that judge a summary, without the details behind them."""
        return tuple(part for part in self.parts if part not in DETAILS)

    @property
    def why(self) -> str:
        """Why values are missing, in one phrase: every reason, or the commonest where many are."""
        counts = Counter(self.reasons.values())
        if len(counts) <= REASONS_SHOWN:
            return "; ".join(sorted(counts))
        commonest = [reason for reason, _ in counts.most_common(REASONS_SHOWN)]
        return "; ".join([*commonest, f"and {len(counts) - REASONS_SHOWN:,} more reasons"])

    def part(self, name: str) -> Float64:
        """The values of one part."""
        if name not in self.parts:
            raise unknown_name("part", name, self.parts)
        return self.values[:, self.parts.index(name)]


@dataclass(frozen=True, repr=False)
class Scores:
    """Scores of summaries: who wrote each about which document, and a column per metric.

    It has as many items as the long table has rows: a `Score` for each summary, metric and part.
    `scores["rouge1"]` is the column of a metric.
    """

    documents: Sequence[str]
    systems: Sequence[str]
    columns: Mapping[str, Column]

    @property
    def summary_count(self) -> int:
        return len(self.documents)

    def __len__(self) -> int:
        return self.summary_count * sum(len(column.parts) for column in self.columns.values())

    def __iter__(self) -> Iterator[Score]:
        """Every value as a record, summary by summary."""
        for index, (document, system) in enumerate(zip(self.documents, self.systems, strict=True)):
            for name, column in self.columns.items():
                for index_of_part, part in enumerate(column.parts):
                    value = float(column.values[index, index_of_part])
                    if np.isnan(value):
                        reason = column.reasons.get(index)
                        yield Score(document, system, name, part, None, reason)
                    else:
                        yield Score(document, system, name, part, value)

    def __getitem__(self, metric: str) -> Column:
        """The column of a metric, by its name as requested."""
        if metric not in self.columns:
            raise unknown_name("metric", str(metric), tuple(self.columns))
        return self.columns[metric]

    @property
    def signatures(self) -> dict[str, str]:
        """Metric, as requested, to signature."""
        return {name: column.signature for name, column in self.columns.items()}

    def leaderboard(self) -> Leaderboard:
        """Mean and 95 % interval per system and metric."""
        return leaderboard(self)

    def to_pandas(self, *, wide: bool = False) -> pandas.DataFrame:
        """The long table: document, system, metric, part, value, reason.

        With `wide`, a row per summary with columns such as `rouge1.f`, as `write` has it.
        """
        frame: pandas.DataFrame = table_of(self, wide=wide).to_pandas()
        return frame

    def to_polars(self, *, wide: bool = False) -> polars.DataFrame:
        """The table of `to_pandas` as a polars frame."""
        try:
            import polars
        except ImportError:
            raise MissingExtraError("polars") from None
        frame = polars.from_arrow(table_of(self, wide=wide))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def write(self, path: str | Path, *, wide: bool = False) -> None:
        """Write as .csv, .jsonl or .parquet, and the signatures beside it as a JSON file."""
        from gistmark.scoring.files import write_scores

        write_scores(self, Path(path), wide=wide)

    def __repr__(self) -> str:
        names = ", ".join(self.columns)
        return f"<Scores of {self.summary_count:,} summaries: {names}>\n{self.leaderboard()}"

    def _repr_html_(self) -> str:
        return self.leaderboard()._repr_html_()


class ScoreBuilder:
    """Puts the blocks of a run together."""

    def __init__(self, metrics: Mapping[str, Mapping[str, Metric]]) -> None:
        """The metrics by language and name; those of every language have the same names."""
        self._languages = metrics
        self._metrics = next(iter(metrics.values()))
        self._documents: list[str] = []
        self._systems: list[str] = []
        self._values: dict[str, list[Float64]] = {name: [] for name in self._metrics}
        self._reasons: dict[str, dict[int, str]] = {name: {} for name in self._metrics}

    @property
    def size(self) -> int:
        return len(self._documents)

    def add(
        self, documents: Sequence[str], systems: Sequence[str], values: Mapping[str, Values]
    ) -> None:
        start = self.size
        self._documents.extend(documents)
        self._systems.extend(systems)
        for name, new_values in values.items():
            self._values[name].append(new_values.values)
            for index, reason in new_values.reasons.items():
                self._reasons[name][start + index] = reason

    def build(self) -> Scores:
        columns = {}
        for name, metric in self._metrics.items():
            empty = np.empty((0, len(metric.parts)))
            columns[name] = Column(
                signature=self._signature(name),
                parts=metric.parts,
                main_part=metric.main_part,
                better=metric.better,
                values=np.concatenate([empty, *self._values[name]]),
                reasons=self._reasons[name],
            )
        return Scores(self._documents, self._systems, columns)

    def _signature(self, name: str) -> str:
        """Join a metric's signatures of all languages.

        If they are equal, they are not parsed: the signature of a plugin may be any text.
        """
        signatures = {lang: metrics[name].signature for lang, metrics in self._languages.items()}
        first, *further_signatures = dict.fromkeys(signatures.values())
        if not further_signatures:
            return first
        return str(joined({lang: Signature.parse(text) for lang, text in signatures.items()}))


LONG_COLUMNS = ("document", "system", "metric", "part", "value", "reason")


def table_of(
    scores: Scores, start: int = 0, stop: int | None = None, *, wide: bool
) -> pyarrow.Table:
    """The long or the wide table of some summaries, by default of all."""
    return (wide_table if wide else long_table)(scores, start, stop)


def long_table(scores: Scores, start: int = 0, stop: int | None = None) -> pyarrow.Table:
    """document, system, metric, part, value, reason: summary by summary."""
    import pyarrow as pa

    stop = scores.summary_count if stop is None else min(stop, scores.summary_count)
    kinds = [(name, part) for name, column in scores.columns.items() for part in column.parts]
    count, width = stop - start, len(kinds)
    values = np.hstack([column.values[start:stop] for column in scores.columns.values()])
    summary = np.repeat(np.arange(count), width)
    kind = np.tile(np.arange(width), count)
    return pa.table(
        {
            "document": pa.array(scores.documents[start:stop], pa.string()).take(summary),
            "system": pa.array(scores.systems[start:stop], pa.string()).take(summary),
            "metric": pa.array([name for name, _ in kinds], pa.string()).take(kind),
            "part": pa.array([part for _, part in kinds], pa.string()).take(kind),
            "value": pa.array(values.reshape(-1), pa.float64(), from_pandas=True),
            "reason": _reason_column(scores, start, stop),
        }
    )


def wide_table(scores: Scores, start: int = 0, stop: int | None = None) -> pyarrow.Table:
    """document, system, a column per value such as `rouge1.f`, and the reasons in words."""
    import pyarrow as pa

    stop = scores.summary_count if stop is None else min(stop, scores.summary_count)
    columns: dict[str, Any] = {
        "document": pa.array(scores.documents[start:stop], pa.string()),
        "system": pa.array(scores.systems[start:stop], pa.string()),
    }
    for name, column in scores.columns.items():
        for index, part in enumerate(column.parts):
            values = column.values[start:stop, index]
            columns[f"{name}.{part}"] = pa.array(values, pa.float64(), from_pandas=True)
    columns["reason"] = pa.array(
        [_join_reasons(scores, index) for index in range(start, stop)], pa.string()
    )
    return pa.table(columns)


def _reason_column(scores: Scores, start: int, stop: int) -> Any:
    import pyarrow as pa

    width = sum(len(column.parts) for column in scores.columns.values())
    if not any(column.reasons for column in scores.columns.values()):
        return pa.nulls((stop - start) * width, pa.string())
    reasons: list[str | None] = [None] * ((stop - start) * width)
    offset = 0
    for column in scores.columns.values():
        for index, reason in column.reasons.items():
            if start <= index < stop:
                at = (index - start) * width + offset
                for index_of_part in np.flatnonzero(np.isnan(column.values[index])):
                    reasons[at + index_of_part] = reason
        offset += len(column.parts)
    return pa.array(reasons, pa.string())


def _join_reasons(scores: Scores, index: int) -> str | None:
    reasons = [
        f"{name}: {column.reasons[index]}"
        for name, column in scores.columns.items()
        if index in column.reasons
    ]
    return "; ".join(reasons) or None
