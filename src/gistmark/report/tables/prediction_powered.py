"""People and a metric together: estimates where only some documents were judged."""

from __future__ import annotations

from gistmark.analysis.prediction_powered import Powered
from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View


def powered_tables(view: View) -> list[Table]:
    """Means and differences side by side with those of people alone; none without a helper."""
    records = view.study.powered
    if not records:
        return []
    helper = records[0].helper
    columns = (
        Column("human", "Human score"),
        Column("left", "System"),
        Column("right", "Against"),
        Column("classical", "People alone [95 %]", "estimate"),
        Column("value", f"With {helper} [95 %]", "estimate"),
        Column("tuning", "λ", "number"),
        Column("n", "Judged", "count"),
        Column("extra", "Scored only", "count"),
        Column("equivalent", "Worth", "number"),
    )
    note = (
        "Prediction-powered means and differences (PPI++): the metric’s values on documents that "
        "nobody judged, corrected by what it gets wrong on the judged ones. This holds if the "
        "judged documents are a random sample of all. “Worth” is how many judged documents people "
        f"alone would need for as narrow an interval. {_verdict(records)}"
    )
    rows = [_row(record) for record in records]
    return [Table("powered", "People and a metric together", columns, rows, note=note, keys=3)]


def _row(record: Powered) -> list[Cell]:
    return [
        record.human,
        record.left,
        record.right or None,
        cell_value(
            record.classical, record.reason, low=record.classical_low, high=record.classical_high
        ),
        cell_value(record.value, record.reason, low=record.low, high=record.high),
        record.tuning,
        record.n,
        record.extra,
        record.equivalent,
    ]


def _verdict(records: tuple[Powered, ...]) -> str:
    """How many of the intervals became narrower, in a sentence."""
    gains = [r.equivalent / r.n for r in records if r.equivalent is not None]
    if not gains:
        return ""
    narrower = sum(gain > 1 for gain in gains)
    sentence = f"{narrower:,} of {len(gains):,} intervals are narrower with the metric."
    return sentence if narrower else f"{sentence} It does not help here."
