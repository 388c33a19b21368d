"""Rankings for reading: systems side by side on a scale, and pairs of systems.

Every number comes from the study; what is added here is where it is drawn, and how much is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmark.errors import unknown_name
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.web.results.statistics.study import StudyResults

FEW_SYSTEMS = 6
"""Tables with more systems are folded, but for those that the findings speak of."""
MOST_PAIRS = 45
"""With more pairs than those of ten systems, one system's are shown at a time."""


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's value with its interval; `left`, `right` and `centre` are percents of the scale.

    Without an interval or a value there is nothing to draw: they are None. Below one that
    `ends_cluster` stands a line: everyone above it differs from everyone below.
    """

    system: str
    rank: float | None
    value: float | None
    low: float | None
    high: float | None
    letters: str
    ends_cluster: bool
    n: int
    reason: str | None
    left: float | None
    right: float | None
    centre: float | None


@dataclass(frozen=True, slots=True)
class RankingTable:
    """The systems by one ranking, best first; `low` and `high` are the ends of the scale.

    A table that `is_long` takes the whole width, and one that `is_open` is seen without unfolding
    it. `remark` is why nobody has letters; `pairs` are those of the ranking, where there are few.
    """

    name: str
    dimension: str
    method: str
    low: float
    high: float
    is_long: bool
    is_open: bool
    remark: str | None
    systems: tuple[RankedSystem, ...]
    pairs: tuple[dict[str, Any], ...]

    @property
    def has_letters(self) -> bool:
        return self.ranked > 1 and any(each.letters for each in self.systems)

    @property
    def has_lines(self) -> bool:
        return any(each.ends_cluster for each in self.systems)

    @property
    def ranked(self) -> int:
        """How many systems have a rank, and so take part in pairs."""
        return sum(each.rank is not None for each in self.systems)


def ranking_tables(results: StudyResults, protocol: Protocol) -> list[RankingTable]:
    """A table per ranking, those that the findings speak of first."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for record in results.ranking:
        if record["method"] in _shown_methods(record["by"]):
            groups.setdefault(ranking_name(record), []).append(record)
    spoken_of = {each["dimension"] for each in results.findings if each["kind"] == "systems"}
    pairs = _few_pairs(results.pairs, groups)
    tables = [
        _table(
            name, records, protocol,
            pairs=pairs.get(name, ()), leads=records[0]["dimension"] in spoken_of,
        )
        for name, records in groups.items()
    ]  # fmt: skip
    return sorted(tables, key=lambda table: table.dimension not in spoken_of)


def _few_pairs(
    pairs: Iterable[dict[str, Any]], groups: Mapping[str, Sequence[object]]
) -> dict[str, list[dict[str, Any]]]:
    """The pairs of each ranking that has few systems."""
    few: dict[str, list[dict[str, Any]]] = {
        name: [] for name, records in groups.items() if len(records) <= FEW_SYSTEMS
    }
    for pair in pairs if few else ():
        if (name := ranking_name(pair)) in few:
            few[name].append(pair)
    return few


def _shown_methods(by: str) -> tuple[str, ...]:
    """Means, and strengths where there are any; comparisons have no means, but mean ranks."""
    from gistmark.analysis.ranking.bradley_terry import METHOD
    from gistmark.analysis.ranking.ranking import MEAN_RANK, MEANS

    return (MEAN_RANK, METHOD) if by == "comparisons" else (*MEANS, METHOD)


def _table(
    name: str,
    records: list[dict[str, Any]],
    protocol: Protocol,
    *,
    pairs: Iterable[dict[str, Any]],
    leads: bool,
) -> RankingTable:
    dimension = records[0]["dimension"]
    low, high = _ends(dimension, records, protocol)
    remark = _shared_reason(records)
    following = (*records[1:], None)
    return RankingTable(
        name=name,
        dimension=dimension,
        method=records[0]["method"],
        low=low,
        high=high,
        is_long=len(records) > FEW_SYSTEMS,
        is_open=leads or len(records) <= FEW_SYSTEMS,
        remark=remark,
        systems=tuple(
            _ranked_system(record, below, (low, high), remark)
            for record, below in zip(records, following, strict=True)
        ),
        pairs=tuple(pairs),
    )


def _ranked_system(
    record: dict[str, Any],
    below: dict[str, Any] | None,
    ends: tuple[float, float],
    remark: str | None,
) -> RankedSystem:
    from gistmark.analysis.ranking.letters import is_line_between, show_letters

    low, width = ends[0], (ends[1] - ends[0]) or 1.0

    def percent(value: float | None) -> float | None:
        # An interval may reach beyond the scale.
        return None if value is None else round(min(max(100 * (value - low) / width, 0), 100), 2)

    return RankedSystem(
        system=record["system"],
        rank=record["rank"],
        value=record["value"],
        low=record["low"],
        high=record["high"],
        letters=show_letters(record["letters"]),
        ends_cluster=is_line_between(record["cluster"], below["cluster"] if below else None),
        n=record["n"],
        reason=record["reason"] if record["reason"] != remark else None,
        left=percent(record["low"]),
        right=percent(record["high"]),
        centre=percent(record["value"]),
    )


def _shared_reason(records: Sequence[dict[str, Any]]) -> str | None:
    """What every record of a ranking says, such as that there are too many groups for letters."""
    reasons = {record["reason"] for record in records}
    return reasons.pop() if len(reasons) == 1 else None


def _ends(dimension: str, records: list[dict[str, Any]], protocol: Protocol) -> tuple[float, float]:
    """The ends of the dimension's scale, or of the values where it has none of its own."""
    if dimension in {each.name for each in protocol.dimensions} and protocol.scaled:
        scale = protocol.scale_of(dimension)
        return float(scale.low), float(scale.high)
    if records[0]["by"] == "units":
        return 0.0, 1.0
    values = list(_numbers(records))
    return (min(values), max(values)) if values else (0.0, 1.0)


def _numbers(records: list[dict[str, Any]]) -> Iterator[float]:
    for record in records:
        yield from (record[name] for name in ("low", "value", "high") if record[name] is not None)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Some pairs of one ranking, and what else could be chosen.

    `ranking` and `system` are what was chosen, `rankings` and `systems` what there is to choose
    from, in the order of the study; `system` is empty where the pairs of all are shown, and
    `may_show_all` says whether they can be. `total` counts the pairs of the ranking.
    """

    rankings: tuple[str, ...]
    ranking: str
    systems: tuple[str, ...]
    system: str
    may_show_all: bool
    total: int
    records: tuple[dict[str, Any], ...]

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record["test"] for record in self.records))


def ranking_name(record: dict[str, Any]) -> str:
    """What people call the ranking that a record belongs to; a campaign has one kind of work."""
    return f"{record['dimension']} ({record['method']})"


def choose_pairs(
    records: Sequence[dict[str, Any]], ranking: str = "", system: str = ""
) -> Pairs | None:
    """The pairs of a ranking, by default of the first; None if there are no pairs at all.

    Where there are too many to read at once, they are those of one system, by default the best.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(ranking_name(record), []).append(record)
    if not groups:
        return None
    chosen = ranking or next(iter(groups))
    if chosen not in groups:
        raise unknown_name("ranking", chosen, list(groups))
    own = groups[chosen]
    systems = tuple(dict.fromkeys([own[0]["left"], *(record["right"] for record in own)]))
    may_show_all = len(own) <= MOST_PAIRS
    if system and system not in systems:
        raise unknown_name("system", system, systems)
    about = system or ("" if may_show_all else systems[0])
    shown = [r for r in own if about in ("", r["left"], r["right"])]
    return Pairs(tuple(groups), chosen, systems, about, may_show_all, len(own), tuple(shown))
