"""The leaderboards, systems by people and by every metric, and tables that only list records."""

from __future__ import annotations

from gistmark.analysis.ranking.length_control import METHOD as CONTROLLED
from gistmark.analysis.ranking.ranking import PEOPLE
from gistmark.analysis.studies.records import SystemMean
from gistmark.report.table import (
    Cell,
    Column,
    Label,
    Table,
    best_per_column,
    cell_value,
    estimate_cell,
)
from gistmark.report.views import View, leading_first
from gistmark.scoring.leaderboard import ARROWS

Part = tuple[str, str]

Groups = dict[Part, dict[str, SystemMean]]

_MAX_SYSTEM_COLUMNS = 6
"""With more systems than this, systems are rows and not columns."""

_EVIDENCE = {
    "ratings": "Ratings",
    "comparisons": "Pairwise choices",
    "units": "Content units",
    "spans": "Errors",
    "rankings": "Rankings",
    "best-worst": "Best and worst",
}


def leaderboard_table(view: View) -> Table:
    """A row per system; a column per dimension that people rated or compared it on."""
    kinds = [(by, dimension) for by in PEOPLE
             for dimension in leading_first(view.ranked_dimensions(by))]  # fmt: skip
    columns = [Column("system", "System")]
    columns += [
        Column(f"{by}: {dimension}", _title(by, dimension), "estimate") for by, dimension in kinds
    ]
    cells = [_values(view, *kind) for kind in kinds]
    for effect in view.study.length_effects:
        if effect.value is not None:
            title = f"{effect.dimension} (pairwise, length-controlled)"
            columns.append(Column(f"length-controlled: {effect.dimension}", title, "estimate"))
            cells.append(_values(view, "comparisons", effect.dimension, CONTROLLED))
    rows = [[system, *(values.get(system) for values in cells)] for system in view.systems]
    return Table(
        "leaderboard",
        "Systems by people",
        columns,
        rows if kinds else [],
        note=_note(view) if kinds else "",
        empty="Nobody rated or compared these systems, so there is no leaderboard by people.",
        best=best_per_column(rows, range(1, len(columns))),
    )


def systems_by_metric_table(view: View) -> Table:
    """The mean and 95 % interval of every system by every part of every metric.

    A few systems are columns; from seven on they are rows, the main parts of metrics first.
    """
    means = view.study.system_means
    scored = {record.system for record in means}
    systems = [system for system in view.systems if system in scored]
    systems += sorted(scored - set(systems))
    groups: Groups = {}
    for record in means:
        groups.setdefault((record.metric, record.part), {})[record.system] = record
    if len(systems) <= _MAX_SYSTEM_COLUMNS:
        return _by_metric(view, groups, systems)
    return _by_system(view, groups, systems)


def _by_metric(view: View, groups: Groups, systems: list[str]) -> Table:
    rows: list[list[Cell]] = [
        [_metric_label(view, group), *(_mean(group.get(system)) for system in systems)]
        for group in groups.values()
    ]
    best = frozenset(
        (row, 1 + index)
        for row, group in enumerate(groups.values())
        for index in _best(group, systems)
    )
    columns = [Column("metric", "Metric"), *(Column(s, s, "estimate") for s in systems)]
    return _means_table(columns, rows, best)


def _by_system(view: View, groups: Groups, systems: list[str]) -> Table:
    parts: dict[str, set[str]] = {}
    for metric, part in groups:
        parts.setdefault(metric, set()).add(part)
    main = {metric: view.main_part(metric, result) for metric, result in parts.items()}
    ordered = sorted(groups.items(), key=lambda item: item[0][1] != main[item[0][0]])
    rows: list[list[Cell]] = [
        [system, *(_mean(group.get(system)) for _, group in ordered)] for system in systems
    ]
    best = frozenset(
        (row, 1 + index)
        for index, (_, group) in enumerate(ordered)
        for row in _best(group, systems)
    )
    columns = [Column("system", "System")]
    columns += [
        Column(view.label(*kind), _metric_label(view, group).words, "estimate")
        for kind, group in ordered
    ]
    return _means_table(columns, rows, best)


def _means_table(
    columns: list[Column], rows: list[list[Cell]], best: frozenset[tuple[int, int]]
) -> Table:
    return Table(
        "systems_by_metric",
        "Systems by metric: mean and 95 % interval",
        columns,
        rows,
        note="Means over summaries; intervals by Student's t. ↑ higher is better, ↓ lower is "
        "better, no arrow: a description. The best mean of each metric is bold.",
        empty="No metric was computed.",
        best=best,
    )


def _title(by: str, dimension: str) -> str:
    return f"{dimension} (pairwise)" if by == "comparisons" else dimension


def _values(view: View, by: str, dimension: str, method: str | None = None) -> dict[str, Cell]:
    return {record.system: estimate_cell(record) for record in view.ranks(by, dimension, method)}


def _note(view: View) -> str:
    sentences = []
    for by, words in _EVIDENCE.items():
        methods = dict.fromkeys(
            record.method
            for dimension in view.ranked_dimensions(by)
            for record in view.ranks(by, dimension)
        )
        if methods:
            sentences.append(f"{words}: {', '.join(methods)}.")
    if any(effect.value is not None for effect in view.study.length_effects):
        sentences.append(f"Length-controlled: {CONTROLLED}.")
    order = next(filter(None, map(view.leading, _EVIDENCE)), None)
    return " ".join(
        (*sentences, f"With 95 % intervals; ordered by {order}; the best values are bold.")
    )


def _metric_label(view: View, group: dict[str, SystemMean]) -> Label:
    """The label of a metric's part; people also see an arrow for the better direction."""
    first = next(iter(group.values()))
    return view.named(first.metric, first.part, f" {ARROWS[first.better]}".rstrip())


def _mean(record: SystemMean | None) -> Cell:
    if record is None:
        return None
    total = record.n + record.missing
    missing_note = f"{record.missing} of {total} summaries could not be scored."
    reason = missing_note if record.missing else None
    return cell_value(record.value, reason, low=record.low, high=record.high)


def _best(group: dict[str, SystemMean], systems: list[str]) -> list[int]:
    """The indices of the systems with the best mean; ties share it."""
    return [index for index, system in enumerate(systems) if system in group and group[system].best]


def human_scores_table(view: View) -> Table:
    """A row per summary, a column per human score."""
    humans = tuple(dict.fromkeys(record.human for record in view.study.human_scores))
    scores_of_summary: dict[tuple[str, str], dict[str, float]] = {}
    for record in view.study.human_scores:
        scores_of_summary.setdefault((record.document, record.system), {})[record.human] = float(
            record.value
        )
    rows: list[list[Cell]] = [
        [*unit, *map(result.get, humans)] for unit, result in scores_of_summary.items()
    ]
    columns = [Column("document", "Document"), Column("system", "System")]
    return Table(
        "human_scores",
        "Human scores of summaries",
        [*columns, *(Column(human, human, "number") for human in humans)],
        rows,
        empty="There are no human scores.",
        keys=2,
    )


def notes_table(view: View) -> Table:
    """What a reader should know about the data."""
    return Table(
        "notes",
        "Data notes",
        (Column("about", "About"), Column("text", "Note")),
        [[note.about, note.text] for note in view.study.notes],
        empty="Nothing unusual was found in the data.",
    )


def signatures_table(view: View) -> Table:
    """The signature of every metric, enough to compute its values again."""
    signatures = {record.metric: record.signature for record in view.study.signatures}
    if view.scores is not None:
        signatures = {**view.scores.signatures, **signatures}
    return Table(
        "signatures",
        "Signatures of the metrics",
        (Column("metric", "Metric"), Column("signature", "Signature", "code")),
        [[metric, signature] for metric, signature in signatures.items()],
        empty="No metric was computed, so there are no signatures.",
    )
