"""The result of a run: values per summary, metric and part, with signatures and reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmark.errors import MissingExtraError, unknown_name
from gistmark.metrics.metric import Float64, Metric, Values
from gistmark.records import DETAILS, Part, Score
from gistmark.scoring.leaderboard import Leaderboard, leaderboard
from gistmark.signature import Signature, joined

if TYPE_CHECKING:
    import pandas
    import polars

REASONS_TOLD = 4


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
        """The parts that judge a summary, without the details behind them."""
        return tuple(part for part in self.parts if part not in DETAILS)

    @property
    def why(self) -> str:
        """Why values are missing, in one phrase: every reason, or the commonest where many are."""
        counts = Counter(self.reasons.values())
        if len(counts) <= REASONS_TOLD:
            return "; ".join(sorted(counts))
        told = [reason for reason, _ in counts.most_common(REASONS_TOLD)]
        return "; ".join([*told, f"and {len(counts) - REASONS_TOLD:,} more reasons"])

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
                for place, part in enumerate(column.parts):
                    value = float(column.values[index, place])
                    if np.isnan(value):
                        reason = column.reasons.get(index)
                        yield Score(document, system, name, part, None, reason)
                    else:
                        yield Score(document, system, name, part, value)

    def __getitem__(self, metric: str) -> Column:
        """The column of a metric, by its name as asked."""
        if metric not in self.columns:
            raise unknown_name("metric", str(metric), tuple(self.columns))
        return self.columns[metric]

    @property
    def signatures(self) -> dict[str, str]:
        """Metric, as asked, to signature."""
        return {name: column.signature for name, column in self.columns.items()}

    def leaderboard(self) -> Leaderboard:
        """Mean and 95 % interval per system and metric."""
        return leaderboard(self)

    def to_pandas(self, *, wide: bool = False) -> pandas.DataFrame:
        """The long table: document, system, metric, part, value, reason.

        With `wide`, a row per summary with columns such as `rouge1.f`, as `write` has it.
        """
        from gistmark.scoring.tables import table_of

        frame: pandas.DataFrame = table_of(self, wide=wide).to_pandas()
        return frame

    def to_polars(self, *, wide: bool = False) -> polars.DataFrame:
        """The same as a polars frame."""
        from gistmark.scoring.tables import table_of

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
        for name, found in values.items():
            self._values[name].append(found.values)
            for index, reason in found.reasons.items():
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
        """One for all languages; that of a plugin may be any text where it is the same for all."""
        signatures = {lang: made[name].signature for lang, made in self._languages.items()}
        first, *others = dict.fromkeys(signatures.values())
        if not others:
            return first
        return str(joined({lang: Signature.parse(each) for lang, each in signatures.items()}))
