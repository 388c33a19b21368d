"""What makes the values of learnt metrics: groups of features, for systems and summaries."""

from __future__ import annotations

from gistmark.analysis.learning.contributions import Contribution
from gistmark.records import CONTRIBUTIONS
from gistmark.report.table import Cell, Column, Table
from gistmark.report.views import View

_NUMBERS = ("value", "sd", *CONTRIBUTIONS)
_TITLES = {
    "value": "Value", "sd": "Standard deviation", "content": "Content", "support": "Support",
    "repetition": "Repetition", "order": "Order", "copying": "Copying",
    "style": "Style",
}  # fmt: skip
_NOTE = (
    "A learnt metric’s value is the sum of what groups of features contribute, each against an "
    "average summary of the data that the metric learnt from: content (does the summary tell what "
    "its document or reference tells), support (does it tell nothing else), repetition, order of "
    "sentences, copying of the document’s beginning, and style (does it report rather than talk). "
    "All are in standard deviations of people’s scores."
)


def contribution_tables(view: View) -> list[Table]:
    """Means by system, and a row for each summary; none without a learnt metric."""
    records = view.study.contributions
    if not records:
        return []
    numbers = [Column(name, _TITLES[name], "number") for name in _NUMBERS]
    systems = [[r.metric, r.system, *_numbers(r)] for r in records if r.document is None]
    summaries = [
        [r.metric, r.document, r.system, *_numbers(r)] for r in records if r.document is not None
    ]
    metric, system = Column("metric", "Metric"), Column("system", "System")
    return [
        Table(
            "contributions_by_system", "What makes the values of learnt metrics: means",
            (metric, system, *numbers), systems, note=_NOTE, keys=2,
        ),
        Table(
            "contributions", "What makes the values of learnt metrics: every summary",
            (metric, Column("document", "Document"), system, *numbers), summaries, note=_NOTE,
            keys=3,
        ),
    ]  # fmt: skip


def _numbers(record: Contribution) -> list[Cell]:
    return [getattr(record, name) for name in _NUMBERS]
