"""Whether one metric follows people better than another."""

from __future__ import annotations

from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View
from gistmark.study.records import Difference

_COLUMNS = (
    Column("metric", "Metric"),
    Column("other", "Other"),
    Column("human", "Human score"),
    Column("level", "Level"),
    Column("coefficient", "Coefficient"),
    Column("value", "Difference [95 %]", "estimate"),
    Column("test", "Test"),
    Column("p", "p", "p"),
    Column("p_corrected", "p corrected", "p"),
    Column("correction", "Correction"),
    Column("n", "n", "count"),
)


def differences_table(view: View) -> Table:
    """Every tested difference of two correlations, those with the leading human score first."""
    ordered = sorted(view.study.differences, key=lambda record: _order(record, view.primary))
    return Table(
        "differences",
        "Differences between metrics",
        _COLUMNS,
        [_row(record) for record in ordered],
        note="The correlation of the metric minus that of the other; above zero the metric "
        "follows people more closely. Judge by the corrected p.",
        empty="No two metrics were compared.",
    )


def _order(record: Difference, primary: str | None) -> tuple[bool, str, float]:
    return (record.human != primary, record.human, 2.0 if record.p is None else record.p)


def _row(record: Difference) -> list[Cell]:
    value = cell_value(record.value, record.reason, low=record.low, high=record.high)
    return [
        record.metric, record.other, record.human, record.level, record.coefficient, value,
        record.test, record.p, record.p_corrected, record.correction, record.n,
    ]  # fmt: skip
