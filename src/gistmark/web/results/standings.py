"""Systems side by side: their values with intervals, placed on a scale for drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gistmark.judgements import Protocol


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's value with its interval; `left`, `right` and `centre` are percents of the scale.

    Without an interval or a value there is nothing to draw: they are None.
    """

    system: str
    value: float | None
    low: float | None
    high: float | None
    cluster: int | None
    n: int
    reason: str | None
    left: float | None
    right: float | None
    centre: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """The systems in one dimension, best first; `low` and `high` are the ends of the scale."""

    dimension: str
    method: str
    low: float
    high: float
    systems: tuple[Standing, ...]


def standings_from(ranking: Iterable[dict[str, Any]], protocol: Protocol) -> list[Standings]:
    """A table per dimension of what `study.ranking` found."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in ranking:
        if record["method"] in _shown_methods(record["by"]):
            groups.setdefault((record["dimension"], record["method"]), []).append(record)
    return [
        _standings(dimension, method, records, protocol)
        for (dimension, method), records in groups.items()
    ]


def _shown_methods(by: str) -> tuple[str, ...]:
    """Means for ratings; everything for comparisons, which have no means."""
    from gistmark.study.bradley_terry import METHOD
    from gistmark.study.ranking import MEAN
    from gistmark.study.ranks import METHOD as MEAN_RANK

    return (MEAN,) if by == "ratings" else (MEAN_RANK, METHOD)


def _standings(
    dimension: str, method: str, records: list[dict[str, Any]], protocol: Protocol
) -> Standings:
    low, high = _ends(dimension, records, protocol)
    width = (high - low) or 1.0

    def percent(value: float | None) -> float | None:
        return None if value is None else round(100 * (value - low) / width, 2)

    systems = tuple(
        Standing(
            system=record["system"],
            value=record["value"],
            low=record["low"],
            high=record["high"],
            cluster=record["cluster"],
            n=record["n"],
            reason=record["reason"],
            left=percent(record["low"]),
            right=percent(record["high"]),
            centre=percent(record["value"]),
        )
        for record in records
    )
    return Standings(dimension, method, low, high, systems)


def _ends(dimension: str, records: list[dict[str, Any]], protocol: Protocol) -> tuple[float, float]:
    """The ends of the dimension's scale, or of the values where it has none of its own."""
    if dimension in {each.name for each in protocol.dimensions} and protocol.kind == "rating":
        scale = protocol.scale_of(dimension)
        return float(scale.low), float(scale.high)
    values = list(_numbers(records))
    return (min(values), max(values)) if values else (0.0, 1.0)


def _numbers(records: list[dict[str, Any]]) -> Iterator[float]:
    for record in records:
        yield from (record[name] for name in ("low", "value", "high") if record[name] is not None)
