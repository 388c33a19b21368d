"""What a difference of a metric between two systems means to people."""

from __future__ import annotations

from gistmark.analysis.correlation.gaps import BANDS, POINTS, GapAgreement
from gistmark.report.table import Cell, Column, Missing, Table, cell_value
from gistmark.report.views import View


def gap_tables(view: View) -> list[Table]:
    """The curve at a few differences, and tau of close systems; none without metrics."""
    if not view.study.gaps:
        return []
    return [_curves(view), _close(view)]


def _curves(view: View) -> Table:
    groups: dict[tuple[str, str], list[GapAgreement]] = {}
    for record in view.study.gaps:
        groups.setdefault((record.metric, record.part), []).append(record)
    rows: list[list[Cell]] = []
    for (metric, part), records in groups.items():
        name = view.named(metric, part)
        for r in records:
            agree = cell_value(r.probability, r.reason, low=r.low, high=r.high)
            rows.append([name, r.difference, agree, r.n])
    share = ", ".join(f"{100 * point:g} %" for point in POINTS)
    return Table(
        "gaps",
        f"What a difference of a metric means: {view.study.gaps[0].human}",
        (
            Column("metric", "Measure"),
            Column("difference", "Two systems differ by", "number"),
            Column("probability", "People agree [95 %]", "estimate"),
            Column("n", "Pairs of systems", "count"),
        ),
        rows,
        note="How often people’s means order two systems as the metric does, by isotonic "
        f"regression over the pairs of systems, at differences that {share} of the pairs stay "
        "below. 0.5 is a coin. Intervals are over documents, for these systems.",
        keys=2,
    )


def _close(view: View) -> Table:
    records = view.study.close_systems
    names = dict.fromkeys((record.metric, record.part) for record in records)
    known = {(r.metric, r.part, r.lower): r for r in records}
    rows: list[list[Cell]] = []
    for metric, part in names:
        cells: list[Cell] = [view.named(metric, part)]
        for lower, _ in BANDS:
            r = known[metric, part, lower]
            cells.append(Missing(r.reason) if r.reason else r.tau)
        rows.append(cells)
    return Table(
        "close_systems",
        "Kendall’s tau over pairs of systems that are close or far apart",
        (
            Column("metric", "Measure"),
            *(Column(f"q{100 * low:g}", f"{100 * low:g} to {100 * high:g} %", "number")
              for low, high in BANDS),
        ),
        rows,
        note="The pairs of systems are cut into four by how far the metric’s means differ, the "
        "closest quarter first (r_SYS-delta). A metric that orders only distant systems as people "
        "do cannot decide between two good ones.",
    )  # fmt: skip
