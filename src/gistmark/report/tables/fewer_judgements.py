"""Tables on prediction-powered estimates and on the decisions of an adaptive campaign."""

from __future__ import annotations

from gistmark.analysis.prediction_powered import Powered
from gistmark.analysis.ranking.stopping import SequentialPair
from gistmark.judgements.adaptive import promise
from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View

_POPULATIONS = {
    "beyond": "Intervals are for documents beyond these, as are those by people alone.",
    "corpus": "Intervals are for the mean over the documents of this corpus alone "
    "(finite-population correction), so they are narrower than for documents beyond it.",
}


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
        Column("saved", "Saved", "count"),
    )
    note = (
        "Prediction-powered means and differences (PPI++): the helper’s values on documents that "
        "nobody judged, corrected by what it gets wrong on the judged ones. This holds if the "
        "judged documents are a random sample of all. “Worth” is how many judged documents people "
        "alone would need for an interval as narrow, “saved” how many more than were judged. "
        f"{_POPULATIONS[records[0].population]} {_verdict(records)}"
    ).rstrip()
    rows = [_estimate_row(record) for record in records]
    return [Table("powered", "People and metrics together", columns, rows, note=note, keys=3)]


def _estimate_row(record: Powered) -> list[Cell]:
    why = record.reason or record.caution
    return [
        record.human,
        record.left,
        record.right or None,
        cell_value(record.classical, why, low=record.classical_low, high=record.classical_high),
        cell_value(record.value, why, low=record.low, high=record.high),
        record.tuning,
        record.n,
        record.extra,
        record.equivalent,
        record.saved,
    ]


def _verdict(records: tuple[Powered, ...]) -> str:
    """How many of the intervals became narrower, in a sentence."""
    saved = [record.saved for record in records if record.saved is not None]
    if not saved:
        return ""
    narrower = sum(count > 0 for count in saved)
    sentence = f"{narrower:,} of {len(saved):,} intervals are narrower by a document or more."
    if 2 * narrower >= len(saved):
        return sentence
    return f"{sentence} {records[0].helper} hardly helps here: rely on people alone."


def sequential_tables(view: View) -> list[Table]:
    """A row per pair of systems; none if no campaign was adaptive."""
    records = view.study.sequential
    if not records:
        return []
    first = records[0]
    columns = (
        Column("left", "System"),
        Column("right", "Against"),
        Column("difference", f"Difference [{1 - first.level:.0%}, at all times]", "estimate"),
        Column("n", "Documents", "count"),
        Column("decided", "Decided"),
        Column("after", "After judgements", "count"),
    )
    margin = f" or known to differ by at most {first.margin:g}" if first.margin else ""
    note = (
        f"The campaign replayed in the order in which its {first.judgements:,} judgements came in, "
        f"by {first.dimension}. The intervals hold all differences together at every moment with "
        f"{1 - first.level:.0%}, by betting on within-annotator differences with the level shared "
        f"among all pairs. A pair is decided where its interval leaves out 0{margin}, or where it "
        "follows from other pairs and its own judgements say so with the whole level (through "
        f"others). {promise(first.level, through=any(record.through for record in records))}"
    )
    rows = [_sequential_row(record) for record in records]
    return [Table("sequential", "Decisions of the campaign", columns, rows, note=note, keys=2)]


def _sequential_row(record: SequentialPair) -> list[Cell]:
    better = {"left": f"{record.left} is better", "right": f"{record.right} is better"}
    decided = better.get(record.decided, "equal within the margin") if record.decided else None
    if record.through and decided:
        decided += ", through others"
    return [
        record.left,
        record.right,
        cell_value(record.difference, record.reason, low=record.low, high=record.high),
        record.n,
        decided or "not decided",
        record.after,
    ]
