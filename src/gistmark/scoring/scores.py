"""The result of a run: values per summary, metric and part, with signatures and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmark.metrics.metric import Float64, Metric, Values
from gistmark.records import COUNTS, Part, Score
from gistmark.scoring.leaderboard import Leaderboard, leaderboard

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True)
class Column:
    """One metric's values: a row per summary, a column per part; NaN has a reason."""

    signature: str
    parts: tuple[Part, ...]
    main_part: Part
    better: Literal["higher", "lower", "neither"]
    values: Float64
    reasons: Mapping[int, str]

    @property
    def judging(self) -> tuple[Part, ...]:
        """The parts that judge a summary, without the counts behind them."""
        return tuple(part for part in self.parts if part not in COUNTS)

    def part(self, name: str) -> Float64:
        """The values of one part."""
        return self.values[:, self.parts.index(name)]


@dataclass(frozen=True, repr=False)
class Scores:
    """Scores of summaries: who wrote each about which document, and a column per metric."""

    documents: Sequence[str]
    systems: Sequence[str]
    columns: Mapping[str, Column]

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Score]:
        """Every value as a record, summary by summary."""
        for index, (document, system) in enumerate(zip(self.documents, self.systems, strict=True)):
            for name, column in self.columns.items():
                for place, part in enumerate(column.parts):
                    value = float(column.values[index, place])
                    reason = column.reasons.get(index)
                    shown = None if np.isnan(value) else value
                    yield Score(document, system, name, part, shown, reason)

    @property
    def signatures(self) -> dict[str, str]:
        """Metric, as asked, to signature."""
        return {name: column.signature for name, column in self.columns.items()}

    def leaderboard(self) -> Leaderboard:
        """Mean and 95 % interval per system and metric."""
        return leaderboard(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The long table: document, system, metric, part, value, reason."""
        from gistmark.scoring.tables import long_table

        frame: pandas.DataFrame = long_table(self).to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The long table as a polars frame."""
        from gistmark.errors import MissingExtraError
        from gistmark.scoring.tables import long_table

        try:
            import polars
        except ImportError:
            raise MissingExtraError("polars") from None
        frame = polars.from_arrow(long_table(self))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def write(self, path: str | Path, *, wide: bool = False) -> None:
        """Write as .csv, .jsonl or .parquet, and the signatures beside it as a JSON file."""
        from gistmark.scoring.files import write_scores

        write_scores(self, Path(path), wide=wide)

    def __repr__(self) -> str:
        names = ", ".join(self.columns)
        return f"<Scores of {len(self):,} summaries: {names}>\n{self.leaderboard()}"

    def _repr_html_(self) -> str:
        return self.leaderboard()._repr_html_()


class ScoreBuilder:
    """Puts the blocks of a run together."""

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self._metrics = metrics
        self._documents: list[str] = []
        self._systems: list[str] = []
        self._values: dict[str, list[Float64]] = {name: [] for name in metrics}
        self._reasons: dict[str, dict[int, str]] = {name: {} for name in metrics}

    @property
    def size(self) -> int:
        return len(self._documents)

    def add(
        self, documents: Sequence[str], systems: Sequence[str], values: Mapping[str, Values]
    ) -> None:
        start = self.size
        self._documents.extend(documents)
        self._systems.extend(systems)
        for name, found in values.items():
            self._values[name].append(found.values)
            for index, reason in found.reasons.items():
                self._reasons[name][start + index] = reason

    def build(self) -> Scores:
        columns = {}
        for name, metric in self._metrics.items():
            empty = np.empty((0, len(metric.parts)))
            columns[name] = Column(
                signature=metric.signature,
                parts=metric.parts,
                main_part=metric.main_part,
                better=metric.better,
                values=np.concatenate([empty, *self._values[name]]),
                reasons=self._reasons[name],
            )
        return Scores(self._documents, self._systems, columns)
