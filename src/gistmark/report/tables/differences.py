"""Whether one metric follows people better than another."""

from __future__ import annotations

from collections.abc import Sequence

from gistmark.analysis import words
from gistmark.analysis.correlation.differences import turned
from gistmark.analysis.records import Difference
from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View

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
    Column("family", "Family"),
    Column("n", "n", "count"),
)
_NOTE = (
    "The correlation of the metric minus that of the other; above zero the metric follows people "
    "more closely. A metric of which less is better counts negated. Judge by the corrected p."
)


def headline_differences_table(view: View) -> Table:
    """Every pair of metrics once, for the leading human score: levels beside each other."""
    levels = view.headline.levels
    lines = headline_pairs(view)
    columns = [Column("metric", "Metric"), Column("other", "Other")]
    for level in levels:
        title = words.sentence(level)
        columns += [
            Column(level, f"{title} level [95 %]", "estimate"),
            Column(f"{level}_p_corrected", f"{title} level, p corrected", "p"),
        ]
    columns.append(Column("family", "Family"))
    return Table(
        "differences_headline",
        f"Differences between metrics: {view.headlined}",
        columns,
        [_line(line, levels) for line in lines],
        note=f"{_NOTE} {_tested(lines)}".rstrip(),
        empty="No two metrics were compared.",
        keys=2,
    )


def differences_table(view: View) -> Table:
    """Every tested difference of two correlations, those of the headline first."""
    ordered = sorted(view.study.differences, key=lambda record: _order(view, record))
    return Table(
        "differences",
        "Every tested difference between metrics",
        _COLUMNS,
        [_row(record) for record in ordered],
        note=_NOTE,
        empty="No two metrics were compared.",
        keys=2,
    )


def headline_pairs(view: View) -> list[dict[str, Difference]]:
    """Each pair of metrics with its difference at each level of the headline.

    Pairs are turned so that the first level speaks for the first metric, and sorted by its p.
    """
    kind = (view.primary, view.headline.coefficient)
    pairs: dict[tuple[str, str], dict[str, Difference]] = {}
    for record in view.study.differences:
        wanted = record.level in view.headline.levels
        if wanted and (record.human, record.coefficient) == kind:
            pairs.setdefault((record.metric, record.other), {})[record.level] = record
    lines = [_turned(line, view.headline.levels) for line in pairs.values()]
    return sorted(lines, key=lambda line: _surety(line, view.headline.levels))


def _turned(line: dict[str, Difference], levels: Sequence[str]) -> dict[str, Difference]:
    first = next((line[level].value for level in levels if level in line), None)
    behind = first is not None and first < 0
    return {level: turned(record) for level, record in line.items()} if behind else line


def _surety(line: dict[str, Difference], levels: Sequence[str]) -> tuple[float, float]:
    first = next(line[level] for level in levels if level in line)
    return (2.0 if first.p is None else first.p, -(first.value or 0.0))


def _line(line: dict[str, Difference], levels: Sequence[str]) -> list[Cell]:
    any_ = next(iter(line.values()))
    cells: list[Cell] = [any_.metric, any_.other]
    for level in levels:
        record = line.get(level)
        cells += [_value(record), record.p_corrected] if record else [None, None]
    return [*cells, any_.family]


def _tested(lines: Sequence[dict[str, Difference]]) -> str:
    """How p was computed and corrected, among how many pairs."""
    tested = {
        (record.test, words.correction(record.correction))
        for line in lines
        for record in line.values()
    }
    if len(tested) != 1:
        return ""
    test, correction = tested.pop()
    family = words.counted(len(lines), "pair")
    return f"Tested by {test}; {correction} among the {family} of each level."


def _order(view: View, record: Difference) -> tuple[bool, int, str, float]:
    level = view.levels.index(record.level) if record.level in view.levels else len(view.levels)
    p = 2.0 if record.p is None else record.p
    return (record.human != view.primary, level, record.human, p)


def _value(record: Difference) -> Cell:
    return cell_value(record.value, record.reason, low=record.low, high=record.high)


def _row(record: Difference) -> list[Cell]:
    return [
        record.metric, record.other, record.human, record.level, record.coefficient,
        _value(record), record.test, record.p, record.p_corrected, record.correction,
        record.family, record.n,
    ]  # fmt: skip
