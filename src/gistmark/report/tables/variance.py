"""Where the differences between ratings come from: variance components, reliability, contrasts."""

from __future__ import annotations

from gistmark.analysis.variance.components import VarianceComponent
from gistmark.report.table import Cell, Column, Label, Missing, Table, cell_value
from gistmark.report.views import View, leading_first

SOURCES = {
    "system": "system",
    "annotator": "annotator",
    "document": "document",
    "annotator:document": "annotator × document",
    "document:system": "single summary",
    "annotator:system": "annotator × system",
    "residual": "rest",
}
"""The sources of variance in words, in the order of the figure."""


_HOLDS = {"both": "other documents and annotators", "documents": "other documents"}


def variance_tables(view: View) -> list[Table]:
    """The three tables; none where nobody rated."""
    if not view.study.variance:
        return []
    return [_components(view), _reliability(view), _contrasts(view)]


def _components(view: View) -> Table:
    dimensions = leading_first(tuple(dict.fromkeys(r.dimension for r in view.study.variance)))
    shares = {(r.source, r.dimension): _share(r) for r in view.study.variance}
    sources = [source for source in SOURCES if any((source, d) in shares for d in dimensions)]
    return Table(
        "variance",
        "Where the differences between ratings come from",
        [Column("source", "Share of the variance"), *(Column(d, d, "number") for d in dimensions)],
        [
            [Label(source, SOURCES[source]), *(shares.get((source, d)) for d in dimensions)]
            for source in sources
        ],
        note="Of a crossed mixed-effects model (REML). “Annotator × document” is how an annotator "
        "takes a document, “single summary” what is special to one summary of a system, “annotator "
        "× system” how far annotators favour systems. What the design cannot tell apart is part of "
        "the rest.",
    )


def _share(record: VarianceComponent) -> Cell:
    return Missing(record.reason or "") if record.share is None else record.share


def _reliability(view: View) -> Table:
    records = view.study.reliability
    counts = sorted({record.annotators for record in records})
    dimensions = leading_first(tuple(dict.fromkeys(r.dimension for r in records)))
    known = {(r.dimension, r.annotators): r for r in records}
    rows: list[list[Cell]] = []
    for dimension in dimensions:
        cells: list[Cell] = [dimension]
        for count in counts:
            record = known.get((dimension, count)) or known[dimension, counts[0]]
            cells.append(Missing(record.reason) if record.reason else record.value)
        rows.append(cells)
    return Table(
        "reliability",
        "Reliability of the mean of k annotators",
        [
            Column("dimension", "Dimension"),
            *(Column(f"k{k}", f"k = {k}", "number") for k in counts),
        ],
        rows,
        note="The share of the variance of a summary’s mean rating that does not come from who the "
        "k annotators were: 1 is perfect.",
    )


def _contrasts(view: View) -> Table:
    rows = [
        [
            r.dimension, r.left, r.right,
            cell_value(r.difference, r.reason, low=r.low, high=r.high),
            r.df, r.p, r.p_corrected, _HOLDS[r.over],
        ]
        for r in view.study.contrasts
    ]  # fmt: skip
    return Table(
        "contrasts",
        "Differences between systems in the mixed model",
        [
            Column("dimension", "Dimension"),
            Column("left", "System"),
            Column("right", "Against"),
            Column("difference", "Difference [95 %]", "estimate"),
            Column("df", "Degrees of freedom", "number"),
            Column("p", "p", "p"),
            Column("p_corrected", "p corrected", "p"),
            Column("over", "Holds for"),
        ],
        rows,
        note="Means of the model, which allows for strict and lenient annotators and for hard and "
        "easy documents also where not everybody rated everything. A difference holds for other "
        "annotators where the ratings tell how far annotators favour systems. Corrected by Holm "
        "within a dimension.",
        empty="There are no two systems to compare.",
        keys=3,
    )
