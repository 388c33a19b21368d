"""The leaderboard: each system's mean for each metric, with a 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from gistmark.errors import unknown_name
from gistmark.metrics.metric import Better, Float64
from gistmark.signature import labelled

if TYPE_CHECKING:
    import pandas

    from gistmark.scoring.scores import Scores

CONFIDENCE = 0.95
ARROWS: Mapping[Better, str] = {"higher": "↑", "lower": "↓", "neither": ""}
"""The arrow beside a metric's name: in which direction it is better."""


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One system's mean of one metric's part.

    `low` and `high` bound the mean by Student's t over the summaries; with fewer than two values
    they are None. `missing` counts the summaries that could not be scored.
    """

    system: str
    metric: str
    part: str
    mean: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    better: Better


@dataclass(frozen=True)
class Leaderboard:
    """All entries, and the systems from best to worst by the first metric that ranks them.

    `labels` are the metrics' names with the models behind them.
    """

    systems: tuple[str, ...]
    entries: tuple[LeaderboardEntry, ...]
    labels: Mapping[str, str] = field(default_factory=dict)

    def of(self, system: str, metric: str, part: str | None = None) -> LeaderboardEntry:
        """The entry of a system and a metric; without a part, of the metric's main part."""
        for entry in self.entries:
            if (entry.system, entry.metric) == (system, metric) and part in (None, entry.part):
                return entry
        for noun, name, choices in (
            ("system", system, self.systems),
            ("metric", metric, self.metrics),
        ):
            if name not in choices:
                raise unknown_name(noun, name, choices)
        parts = tuple(
            entry.part for entry in self.entries if (entry.system, entry.metric) == (system, metric)
        )
        raise unknown_name(f"part of {metric} named", str(part), parts)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.metric for entry in self.entries))

    def rows(self) -> list[list[str]]:
        """A table of text: a header, then a row per system; F is shown where there is one."""
        header = ["system", *map(self._header, self.metrics)]
        return [
            header,
            *(
                [system, *(_cell(self.of(system, metric)) for metric in self.metrics)]
                for system in self.systems
            ),
        ]

    def to_pandas(self) -> pandas.DataFrame:
        """A row per entry, under the names that `gistmark score --json` has for them."""
        import pandas

        names = [column.name for column in fields(LeaderboardEntry)]
        return pandas.DataFrame([asdict(entry) for entry in self.entries], columns=names)

    def to_markdown(self) -> str:
        head, *body = self.rows()
        lines = [head, ["---"] + ["---:"] * (len(head) - 1), *body]
        return "\n".join(
            "| " + " | ".join(_escape_markdown(cell) for cell in line) + " |" for line in lines
        )

    def _header(self, metric: str) -> str:
        better = next(entry.better for entry in self.entries if entry.metric == metric)
        return f"{self.labels.get(metric, metric)} {ARROWS[better]}".rstrip()

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if column == 0 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        )

    def _repr_html_(self) -> str:
        head, *body = self.rows()
        header_cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body_rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body
        )
        return f"<table><thead><tr>{header_cells}</tr></thead><tbody>{body_rows}</tbody></table>"


def leaderboard(scores: Scores) -> Leaderboard:
    """The entries of all systems, main parts first."""
    names, inverse = np.unique(np.array(scores.systems, dtype=object), return_inverse=True)
    systems = dict.fromkeys(scores.systems)
    rows = {str(name): np.flatnonzero(inverse == number) for number, name in enumerate(names)}
    entries = tuple(
        _entry(system, metric, part, column.part(part)[rows[system]], column.better)
        for metric, column in scores.columns.items()
        for part in sorted(column.judging, key=lambda part: part != column.main_part)
        for system in systems
    )
    labels = {name: labelled(name, column.signature) for name, column in scores.columns.items()}
    return Leaderboard(_order(list(systems), entries), entries, labels)


def _entry(
    system: str, metric: str, part: str, values: Float64, better: Better
) -> LeaderboardEntry:
    present = values[~np.isnan(values)]
    missing = len(values) - len(present)
    if not len(present):
        return LeaderboardEntry(system, metric, part, None, None, None, 0, missing, better)
    mean = float(present.mean())
    low, high = _interval(present, mean)
    return LeaderboardEntry(system, metric, part, mean, low, high, len(present), missing, better)


def _interval(values: Float64, mean: float) -> tuple[float | None, float | None]:
    """mean ± t(n - 1) s / sqrt(n); none for one value, nor for values that are all equal."""
    count = len(values)
    if count < 2 or np.ptp(values) == 0:
        return None, None
    from scipy.special import stdtrit

    margin = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2) * values.std(ddof=1)) / math.sqrt(count)
    return mean - margin, mean + margin


def _order(systems: list[str], entries: Sequence[LeaderboardEntry]) -> tuple[str, ...]:
    """Order the systems from best to worst by the first column that ranks them."""
    for entry in entries:
        if entry.better == "neither":
            continue
        means = {
            candidate.system: candidate.mean
            for candidate in entries
            if (candidate.metric, candidate.part) == (entry.metric, entry.part)
        }
        if any(mean is not None for mean in means.values()):
            sign = 1 if entry.better == "lower" else -1
            return tuple(sorted(systems, key=lambda name: _sort_key(means[name], sign)))
    return tuple(systems)


def _sort_key(mean: float | None, sign: int) -> tuple[bool, float]:
    return (mean is None, sign * mean if mean is not None else 0.0)


def _cell(entry: LeaderboardEntry) -> str:
    if entry.mean is None:
        return "missing"
    text = f"{entry.mean:.4g}" if abs(entry.mean) >= 10 else f"{entry.mean:.3f}"
    if entry.high is not None:
        text += (
            f" ±{entry.high - entry.mean:.3g}"
            if abs(entry.mean) >= 10
            else f" ±{entry.high - entry.mean:.3f}"
        )
    return text + (f" ({entry.n})" if entry.missing else "")


def _escape_markdown(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
