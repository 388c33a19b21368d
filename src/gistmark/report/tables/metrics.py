"""Tables on pairs that metrics and people order alike, and on what makes up learnt metrics."""

from __future__ import annotations

from collections.abc import Sequence

from gistmark.analysis.correlation.accuracy import ACC_EQ, CROSS_VALIDATED, SPA
from gistmark.analysis.correlation.system_pairs import BANDS, POINTS, GapAgreement
from gistmark.analysis.findings import words
from gistmark.analysis.learning.contributions import Contribution
from gistmark.analysis.resampling.jackknife import BOTH, DOCUMENTS
from gistmark.analysis.studies.records import Accuracy, AccuracyDifference
from gistmark.records import CONTRIBUTIONS
from gistmark.report.table import Cell, Column, Missing, Table, cell_value, estimate_cell
from gistmark.report.views import View

_COLUMNS = (
    Column(ACC_EQ, "acc_eq [95 %]", "estimate"),
    Column("chance", "By chance", "number"),
    Column("threshold", "Threshold", "number"),
    Column(CROSS_VALIDATED, "acc_eq cross-validated [95 %]", "estimate"),
    Column("chance_cross_validated", "By chance", "number"),
    Column(SPA, "SPA [95 %]", "estimate"),
    Column("chance_spa", "By chance", "number"),
    Column("n", "Documents", "count"),
    Column("over", "Holds for"),
)
_NOTE = (
    "acc_eq is the share of pairs of summaries of a document that metric and people order alike, "
    "ties included; differences of the metric up to the threshold are ties. The threshold was "
    "chosen on these very documents, which flatters the metric; cross-validated, each document "
    "has one chosen on others. SPA compares how sure metric and people are about each pair of "
    "systems: 1 is as sure as people of every pair. By chance is what a metric would have that is "
    "unrelated to people: the same values dealt out anew within each document, with a threshold "
    "fitted to them, or among the systems for SPA. Intervals are by Student’s t and the jackknife, "
    "and hold for what the last column says: with fewer than six systems for other documents of "
    "these systems only."
)

_SCOPES = {DOCUMENTS: "documents of these systems", BOTH: BOTH}

_CONTRIBUTION_NUMBERS = ("value", "sd", *CONTRIBUTIONS)
_CONTRIBUTION_TITLES = {
    "value": "Value", "sd": "Standard deviation", "content": "Content", "support": "Support",
    "repetition": "Repetition", "order": "Order", "copying": "Copying",
    "style": "Style",
}  # fmt: skip
_CONTRIBUTION_NOTE = (
    "A learnt metric’s value is the sum of what groups of features contribute, each against an "
    "average summary of the data that the metric learnt from: content (does the summary say what "
    "its document or reference says), support (does it say nothing else), repetition, order of "
    "sentences, copying of the document’s beginning, and style (does it report rather than talk). "
    "All are in standard deviations of people’s scores."
)


def accuracy_tables(view: View) -> list[Table]:
    """Accuracy tables for the leading and for all human scores; none without a metric."""
    groups: dict[tuple[str, str, str], dict[str, Accuracy]] = {}
    for record in view.study.accuracy:
        key = (record.metric, record.part, record.human)
        groups.setdefault(key, {})[record.statistic] = record
    if not groups:
        return []
    ordered = sorted(groups.items(), key=lambda group: _sort_key(group[1]))
    rows = [(human, view.named(metric, part), cells) for (metric, part, human), cells in ordered]
    scope = _for_these_systems(view, view.study.accuracy)
    leading = [[name, *_cells(cells)] for human, name, cells in rows if human == view.primary]
    all_rows: list[list[Cell]] = [[human, name, *_cells(cells)] for human, name, cells in rows]
    measure = Column("metric", "Measure")
    return [
        Table(
            "accuracy_headline",
            f"Pairs that metrics and people order alike: {view.primary}{scope}",
            (measure, *_COLUMNS),
            leading,
            note=_NOTE,
            empty="There is no human score to compare with.",
        ),
        Table(
            "accuracy",
            f"Pairs that metrics and people order alike: all human scores{scope}",
            (Column("human", "Human score"), measure, *_COLUMNS),
            sorted(all_rows, key=lambda row: str(row[0])),
            note=_NOTE,
            keys=2,
        ),
    ]


_DIFFERENCES = (
    Column("metric", "Metric"),
    Column("other", "Other"),
    Column("statistic", "Statistic"),
    Column("value", "Difference [95 %]", "estimate"),
    Column("p", "p", "p"),
    Column("p_corrected", "p corrected", "p"),
    Column("n", "Documents", "count"),
    Column("test", "Test"),
    Column("family", "Family"),
    Column("over", "Holds for"),
)


def accuracy_difference_tables(view: View) -> list[Table]:
    """Every pair of metrics by acc_eq and SPA, the surest first; none if no two were scored."""
    records = view.study.accuracy_differences
    if not records:
        return []
    order = {ACC_EQ: 0, CROSS_VALIDATED: 1, SPA: 2}
    ordered = sorted(records, key=lambda r: (order[r.statistic], 2.0 if r.p is None else r.p))
    rows = [_difference_row(record) for record in ordered]
    return [
        Table(
            "accuracy_differences",
            f"Differences between metrics in acc_eq and SPA: {records[0].human}"
            f"{_for_these_systems(view, records)}",
            _DIFFERENCES,
            rows,
            note="Above zero, the metric orders pairs as people do more often than the other. "
            "From six systems on, interval and p hold for other documents and systems (Student’s t "
            "and the jackknife). With fewer they hold for other documents of these systems, and "
            "two metrics that have nothing to do with people may well differ: for acc_eq by sign "
            "flips of the documents’ differences, for SPA by exchanging the two metrics’ "
            "standardised scores of documents, which gives p alone. Judge by the corrected p "
            f"({words.correction(records[0].correction)} among all pairs of a statistic).",
            keys=2,
        )
    ]


def _difference_row(record: AccuracyDifference) -> list[Cell]:
    value = estimate_cell(record)
    return [
        record.metric, record.other, record.statistic, value, record.p, record.p_corrected,
        record.n, record.test, record.family, _SCOPES.get(record.over),
    ]  # fmt: skip


def _for_these_systems(view: View, records: Sequence[Accuracy | AccuracyDifference]) -> str:
    """The end of a table's title if nothing in the table holds for other systems."""
    if any(record.over == BOTH for record in records):
        return ""
    judged = {record.system for record in view.study.human_scores}
    return f", for these {words.counted(len(judged), 'system')}"


def _sort_key(cells: dict[str, Accuracy]) -> float:
    best = cells.get(CROSS_VALIDATED) or cells.get(ACC_EQ)
    return -(best.value or 0.0) if best else 0.0


def _cells(cells: dict[str, Accuracy]) -> list[Cell]:
    tied, validated, soft = (cells.get(name) for name in (ACC_EQ, CROSS_VALIDATED, SPA))
    assert tied is not None, "every measure has acc_eq, or a reason for having none"
    return [
        _value(tied), tied.chance, tied.threshold, _value(validated),
        validated.chance if validated else None, _value(soft), soft.chance if soft else None,
        tied.n, _SCOPES.get(tied.over),
    ]  # fmt: skip


def _value(record: Accuracy | None) -> Cell:
    return None if record is None else estimate_cell(record)


def gap_tables(view: View) -> list[Table]:
    """How often people agree at a few differences, and tau of close systems."""
    if not view.study.gaps:
        return []
    return [_curve_table(view), _close_systems_table(view)]


def _curve_table(view: View) -> Table:
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
        "below. 0.5 is a coin flip. Intervals are over documents, for these systems.",
        keys=2,
    )


def _close_systems_table(view: View) -> Table:
    records = view.study.close_systems
    names = dict.fromkeys((record.metric, record.part) for record in records)
    record_of = {(r.metric, r.part, r.lower): r for r in records}
    rows: list[list[Cell]] = []
    for metric, part in names:
        cells: list[Cell] = [view.named(metric, part)]
        for lower, _ in BANDS:
            r = record_of[metric, part, lower]
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


def contribution_tables(view: View) -> list[Table]:
    """Means by system, and a row for each summary; none without a learnt metric."""
    records = view.study.contributions
    if not records:
        return []
    numbers = [Column(name, _CONTRIBUTION_TITLES[name], "number") for name in _CONTRIBUTION_NUMBERS]
    systems = [[r.metric, r.system, *_numbers(r)] for r in records if r.document is None]
    summaries = [
        [r.metric, r.document, r.system, *_numbers(r)] for r in records if r.document is not None
    ]
    metric, system = Column("metric", "Metric"), Column("system", "System")
    return [
        Table(
            "contributions_by_system", "What makes the values of learnt metrics: means",
            (metric, system, *numbers), systems, note=_CONTRIBUTION_NOTE, keys=2,
        ),
        Table(
            "contributions", "What makes the values of learnt metrics: every summary",
            (metric, Column("document", "Document"), system, *numbers), summaries,
            note=_CONTRIBUTION_NOTE,
            keys=3,
        ),
    ]  # fmt: skip


def _numbers(record: Contribution) -> list[Cell]:
    return [getattr(record, name) for name in _CONTRIBUTION_NUMBERS]
