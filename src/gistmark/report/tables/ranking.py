"""Where each system stands by each kind of evidence."""

from __future__ import annotations

from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View
from gistmark.study.records import Rank

_COLUMNS = (
    Column("system", "System"),
    Column("dimension", "Dimension"),
    Column("value", "Value [95 %]", "estimate"),
    Column("rank", "Rank", "number"),
    Column("cluster", "Cluster", "count"),
    Column("n", "n", "count"),
    Column("by", "By"),
    Column("method", "Method"),
)
_NOTE = "Systems of one cluster cannot be told apart; cluster 1 is the best."


def ranking_table(view: View) -> Table:
    """The ranking by people, dimension by dimension."""
    people = [record for record in view.study.ranking if record.by != "scores"]
    return Table(
        "ranking",
        "Ranking of systems by people",
        _COLUMNS,
        _rows(people),
        note=_NOTE,
        empty="Nobody rated or compared these systems, so people do not rank them.",
    )


def metric_ranking_table(view: View) -> Table:
    """The ranking by metrics."""
    scores = [record for record in view.study.ranking if record.by == "scores"]
    return Table(
        "ranking_by_metrics",
        "Ranking of systems by metrics",
        _COLUMNS,
        _rows(scores),
        note=_NOTE,
        empty="No metric ranks these systems.",
    )


def _rows(records: list[Rank]) -> list[list[Cell]]:
    groups: dict[tuple[str, str, str], list[Rank]] = {}
    for record in records:
        groups.setdefault((record.by, record.dimension, record.method), []).append(record)
    return [
        _row(record)
        for group in groups.values()
        for record in sorted(group, key=lambda r: (r.rank is None, r.rank or 0.0, r.system))
    ]


def _row(record: Rank) -> list[Cell]:
    value = cell_value(record.value, record.reason, low=record.low, high=record.high)
    rank = record.rank
    place: Cell = int(rank) if rank is not None and rank == int(rank) else rank
    return [
        record.system, record.dimension, value, place, record.cluster, record.n,
        record.by, record.method,
    ]  # fmt: skip
