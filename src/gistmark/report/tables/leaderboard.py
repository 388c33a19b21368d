"""The leaderboards: systems by what people said, and systems by every metric."""

from __future__ import annotations

from gistmark.report.table import Cell, Column, Table, best_per_column, cell_value
from gistmark.report.views import View, leading, leading_first
from gistmark.scoring.leaderboard import Standing

_ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}


def leaderboard_table(view: View) -> Table:
    """A row per system; a column per dimension that people rated or compared it on."""
    kinds = [(by, dimension) for by in ("ratings", "comparisons")
             for dimension in leading_first(view.ranked_dimensions(by))]  # fmt: skip
    columns = [Column("system", "System")]
    columns += [
        Column(f"{by}: {dimension}", _title(by, dimension), "estimate") for by, dimension in kinds
    ]
    cells = {kind: _values(view, *kind) for kind in kinds}
    rows = [[system, *(cells[kind].get(system) for kind in kinds)] for system in view.systems]
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
    """A row per metric and part; a column per system with mean and 95 % interval."""
    standings = view.scores.leaderboard().standings if view.scores is not None else ()
    scored = {standing.system for standing in standings}
    systems = [system for system in view.systems if system in scored]
    systems += sorted(scored - set(systems))
    groups: dict[tuple[str, str], dict[str, Standing]] = {}
    for standing in standings:
        groups.setdefault((standing.metric, standing.part), {})[standing.system] = standing
    rows: list[list[Cell]] = [_metric_row(group, systems) for group in groups.values()]
    columns = [Column("metric", "Metric"), Column("part", "Part")]
    columns += [Column(system, system, "estimate") for system in systems]
    return Table(
        "systems_by_metric",
        "Systems by metric: mean and 95 % interval",
        columns,
        rows,
        note="Means over summaries; intervals by Student's t. ↑ higher is better, ↓ lower is "
        "better, no arrow: a description. The best mean of each metric is bold.",
        empty="No metric was computed.",
        best=frozenset(
            (line, place)
            for line, group in enumerate(groups.values())
            for place in _best_places(group, systems)
        ),
    )


def _title(by: str, dimension: str) -> str:
    return dimension if by == "ratings" else f"{dimension} (pairwise)"


def _values(view: View, by: str, dimension: str) -> dict[str, Cell]:
    return {
        record.system: cell_value(record.value, record.reason, low=record.low, high=record.high)
        for record in view.ranks(by, dimension)
    }


def _note(view: View) -> str:
    said = []
    for by, words in (("ratings", "Ratings"), ("comparisons", "Pairwise choices")):
        methods = dict.fromkeys(
            record.method
            for dimension in view.ranked_dimensions(by)
            for record in view.ranks(by, dimension)
        )
        if methods:
            said.append(f"{words}: {', '.join(methods)}.")
    order = leading(view.ranked_dimensions("ratings")) or leading(
        view.ranked_dimensions("comparisons")
    )
    return " ".join((*said, f"With 95 % intervals; ordered by {order}; the best values are bold."))


def _metric_row(group: dict[str, Standing], systems: list[str]) -> list[Cell]:
    first = next(iter(group.values()))
    return [
        first.metric + _ARROWS[first.better],
        first.part,
        *(_mean(group.get(s)) for s in systems),
    ]


def _mean(standing: Standing | None) -> Cell:
    if standing is None:
        return None
    total = standing.n + standing.missing
    lacking = f"{standing.missing} of {total} summaries could not be scored."
    reason = lacking if standing.missing else None
    return cell_value(standing.mean, reason, low=standing.low, high=standing.high)


def _best_places(group: dict[str, Standing], systems: list[str]) -> list[int]:
    means = {s: group[s].mean for s in systems if s in group and group[s].mean is not None}
    better = next(iter(group.values())).better
    if better == "neither" or len(means) < 2:
        return []
    best = (max if better == "higher" else min)(
        value for value in means.values() if value is not None
    )
    return [2 + place for place, system in enumerate(systems) if means.get(system) == best]
