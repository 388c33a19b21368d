"""How far metrics, lengths and dimensions go with what people said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gistmark.report import words
from gistmark.report.table import Cell, Column, Table, cell_value, number
from gistmark.report.views import COEFFICIENTS, LEVELS, View, label
from gistmark.study.records import Correlation

_COLUMNS = (
    Column("metric", "Metric"),
    Column("part", "Part"),
    Column("human", "Human score"),
    Column("level", "Level"),
    Column("coefficient", "Coefficient"),
    Column("value", "Value [95 %]", "estimate"),
    Column("p", "p", "p"),
    Column("n", "n", "count"),
)
_CONDITIONS = (Column("given", "Given"), Column("subset", "Subset"))


def correlation_tables(view: View) -> list[Table]:
    """For each level and coefficient, a row per metric and a column per human score."""
    tables = []
    for level, coefficient in _kinds(view):
        found = view.correlations(level, coefficient)
        if found:
            title = f"Metrics and people: {words.coefficient(coefficient)}, {level} level"
            name = f"correlation_{level}_{coefficient}"
            tables.append(_pivot(name, title, found, view.primary))
    return tables


def dimension_tables(view: View) -> list[Table]:
    """For each level and coefficient, human scores against human scores."""
    tables = []
    for level, coefficient in _kinds(view):
        found = view.dimension_correlations(level, coefficient)
        if found:
            title = f"Human scores and each other: {words.coefficient(coefficient)}, {level} level"
            tables.append(_pivot(f"dimensions_{level}_{coefficient}", title, found, None))
    return tables


def correlation_table(view: View) -> Table:
    """Every plain correlation in a row of its own, strongest first within its kind."""
    return Table(
        "correlation",
        "Every correlation with its p-value and n",
        _COLUMNS,
        [_row(record) for record in _ordered(view.plain)],
        note="p is two-sided and not corrected; intervals are at 95 %.",
        empty="There are no scores or no human scores, so nothing was correlated.",
    )


def conditions_table(view: View) -> Table:
    """The correlations in subsets, and those with something held constant."""
    found = [record for record in view.study.correlation if record.given or record.subset]
    return Table(
        "correlation_conditions",
        "Partial correlations and subsets",
        (*_COLUMNS, *_CONDITIONS),
        [[*_row(record), record.given, record.subset] for record in _ordered(found)],
        empty="No partial correlations or subsets were asked for.",
    )


def _kinds(view: View) -> list[tuple[str, str]]:
    """Levels and coefficients that occur, the usual ones first."""
    seen = dict.fromkeys((record.level, record.coefficient) for record in view.plain)
    order = view.coefficients
    return sorted(seen, key=lambda kind: (_place(LEVELS, kind[0]), _place(order, kind[1])))


def _place(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _pivot(name: str, title: str, records: list[Correlation], primary: str | None) -> Table:
    known = dict.fromkeys(record.human for record in records)
    humans = sorted(known, key=lambda human: human != primary)
    lines: dict[str, dict[str, Cell]] = {}
    for record in records:
        lines.setdefault(label(record.metric, record.part), {})[record.human] = _value(record)
    rows: list[list[Cell]] = [[line, *map(cells.get, humans)] for line, cells in lines.items()]
    if primary in humans:
        place = 1 + humans.index(primary)
        rows.sort(key=lambda row: -abs(number(row[place]) or 0.0))
    counts = sorted({record.n for record in records if record.value is not None})
    sizes = f"n = {counts[0]:,}" + (f" to {counts[-1]:,}" if counts[1:] else "") if counts else ""
    columns = [Column("metric", "Measure"), *(Column(human, human, "estimate") for human in humans)]
    return Table(name, title, columns, rows, note=f"With 95 % intervals; {sizes}." if sizes else "")


def _ordered(records: Iterable[Correlation]) -> list[Correlation]:
    return sorted(
        records,
        key=lambda r: (
            _place(LEVELS, r.level), _place(COEFFICIENTS, r.coefficient), r.human,
            -abs(r.value or 0.0), r.metric, r.part,
        ),
    )  # fmt: skip


def _value(record: Correlation) -> Cell:
    return cell_value(record.value, record.reason, low=record.low, high=record.high)


def _row(record: Correlation) -> list[Cell]:
    return [
        record.metric, record.part, record.human, record.level, record.coefficient,
        _value(record), record.p, record.n,
    ]  # fmt: skip
