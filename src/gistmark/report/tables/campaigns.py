"""Tables that compare campaigns: systems by campaign and dimension, and the differences."""

from __future__ import annotations

from gistmark.analysis.findings import words
from gistmark.analysis.human.modes import STATISTICS, TEST, Mode, ModeDifference, Statistic
from gistmark.report.table import Cell, Column, Label, Table, cell_value
from gistmark.report.views import View

_ALL = "all systems"
_TITLES: dict[Statistic, str] = {
    "mean": "Mean ratings by campaign",
    "cv": "Coefficient of variation by campaign",
}
_NOTES: dict[Statistic, str] = {
    "mean": "Means of the summaries that each campaign rated, which may not be the same; "
    "intervals are over documents, for these annotators.",
    "cv": "(1 + 1/(4n)) s / mean of the n ratings of a summary, averaged; intervals are over "
    "documents, for these annotators, and other annotators may differ more or less.",
}


def campaign_tables(view: View) -> list[Table]:
    """Means, coefficients of variation and differences; none if there is one campaign."""
    if not view.study.modes:
        return []
    return [*(_systems(view, statistic) for statistic in STATISTICS), _differences(view)]


def _systems(view: View, statistic: Statistic) -> Table:
    """A row per system, a column per campaign and dimension."""
    records = {(r.campaign, r.dimension, r.system): r for r in view.study.modes}
    kinds = dict.fromkeys((campaign, dimension) for campaign, dimension, _ in records)
    rated = dict.fromkeys(system for *_, system in records if system)
    systems = [
        *(s for s in view.systems if s in rated),
        *(s for s in rated if s not in view.systems),
    ]
    columns = [Column("system", "System")]
    columns += [
        Column(f"{campaign}: {dimension}", f"{campaign}: {dimension} [95 %]", "estimate")
        for campaign, dimension in kinds
    ]
    lines = (*systems, "") if len(systems) > 1 else tuple(systems) or ("",)
    rows: list[list[Cell]] = [
        [
            system or Label("", _ALL),
            *(_cell(records.get((*kind, system)), statistic) for kind in kinds),
        ]
        for system in lines
    ]
    display_of_campaign = {
        record.campaign: record.shows for record in view.study.modes if record.shows
    }
    displays = "; ".join(f"{campaign}: {shows}" for campaign, shows in display_of_campaign.items())
    note = (
        f"{_NOTES[statistic]} Beside the summary, annotators saw: {displays}."
        if displays
        else (_NOTES[statistic])
    )
    return Table(
        f"modes_{statistic}", _TITLES[statistic], columns, rows, note=note,
        rules=frozenset({len(systems)} if len(systems) > 1 else ()),
    )  # fmt: skip


def _cell(record: Mode | None, statistic: Statistic) -> Cell:
    if record is None:
        return None
    if statistic == "mean":
        return cell_value(record.mean, record.reason, low=record.low, high=record.high)
    return cell_value(record.cv, record.cv_reason, low=record.cv_low, high=record.cv_high)


def _differences(view: View) -> Table:
    columns = (
        Column("dimension", "Dimension"),
        Column("statistic", "Statistic"),
        Column("left", "Campaign"),
        Column("right", "Against"),
        Column("system", "System"),
        Column("value", "Difference [95 %]", "estimate"),
        Column("p", "p", "p"),
        Column("p_corrected", "p corrected", "p"),
        Column("compared", "Compared", "count"),
        Column("documents", "Documents", "count"),
        Column("annotators_left", "Annotators", "count"),
        Column("annotators_right", "Annotators against", "count"),
        Column("shared", "In both", "count"),
    )
    note = (
        f"The campaign's value minus that of the other, on the summaries that both rated. {TEST}, "
        "corrected by Holm among the differences of a statistic, for all systems together and for "
        "single systems apart. Where no annotator judged in both, a difference may be one between "
        "the people that the campaigns found."
    )
    if any(record.normalised for record in view.study.mode_differences):
        note += " Where scales differ, means are shares of the scale."
    rows = [_row(record) for record in view.study.mode_differences]
    empty = "No two campaigns judged the same dimension."
    title = "Differences between campaigns"
    return Table("mode_differences", title, columns, rows, note=note, empty=empty, keys=5)


def _row(record: ModeDifference) -> list[Cell]:
    return [
        record.dimension,
        Label(record.statistic, words.statistic("cv") if record.statistic == "cv" else "mean"),
        record.left,
        record.right,
        record.system or Label("", _ALL),
        cell_value(record.difference, record.reason, low=record.low, high=record.high),
        record.p,
        record.p_corrected,
        record.compared,
        record.documents,
        record.annotators_left,
        record.annotators_right,
        record.shared,
    ]
