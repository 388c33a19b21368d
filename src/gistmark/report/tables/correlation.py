"""Correlations of metrics, lengths and dimensions with people, and differences between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from gistmark.analysis.correlation.differences import turned
from gistmark.analysis.findings import words
from gistmark.analysis.studies.records import Correlation, Difference
from gistmark.report.table import (
    Cell,
    Column,
    Label,
    Table,
    cell_value,
    estimate_cell,
)
from gistmark.report.views import View

_COLUMNS = (
    Column("metric", "Metric"),
    Column("part", "Part"),
    Column("human", "Human score"),
    Column("level", "Level"),
    Column("coefficient", "Coefficient"),
    Column("value", "Value [95 %]", "estimate"),
    Column("p", "p", "p"),
    Column("n", "n", "count"),
    Column("over", "Interval over"),
)

_CONDITIONS = (Column("given", "Given"), Column("subset", "Subset"))


def headline_table(view: View) -> Table:
    """The leading human score: a row per measure, the levels of the headline beside each other."""
    levels, coefficient = view.headline.levels, view.headline.coefficient
    lines: dict[Label, dict[str, Correlation]] = {}
    for level in levels:
        for record in view.correlations(level, coefficient):
            if record.human == view.primary:
                name = view.named(record.metric, record.part)
                lines.setdefault(name, {})[level] = record
    ordered = sorted(lines.items(), key=lambda line: view.closeness(line[1].get(levels[0])))
    return Table(
        "correlation_headline",
        f"Metrics and people: {view.headlined}",
        [Column("metric", "Measure"),
         *(Column(level, f"{words.sentence(level)} level [95 %]", "estimate") for level in levels)],
        [[name, *(_cell(cells[level]) if level in cells else None for level in levels)]
         for name, cells in ordered],
        note=f"Ordered by {levels[0]} level; for the order only, measures for which lower is "
             "better are negated, and descriptions, for which neither is better, come last. "
             f"{_sample_sizes(lines.values())}"
             f"{_scope_note(record for line in lines.values() for record in line.values())}",
        empty="There are no scores or no human scores, so nothing was correlated.",
    )  # fmt: skip


def correlation_tables(view: View) -> list[Table]:
    """For each level and coefficient, a row per metric and a column per human score."""
    tables = []
    for level, coefficient in _levels_and_coefficients(view):
        result = view.correlations(level, coefficient)
        if result:
            title = f"Metrics and people: {words.coefficient(coefficient)}, {level} level"
            name = f"correlation_{level}_{coefficient}"
            tables.append(_pivot(view, name, title, result))
    return tables


def dimension_tables(view: View) -> list[Table]:
    """For each level and coefficient, human scores against human scores."""
    tables = []
    for level, coefficient in _levels_and_coefficients(view):
        result = view.dimension_correlations(level, coefficient)
        if result:
            title = f"Human scores and each other: {words.coefficient(coefficient)}, {level} level"
            tables.append(_pivot(view, f"dimensions_{level}_{coefficient}", title, result))
    return tables


def correlation_table(view: View) -> Table:
    """Every plain correlation in a row of its own, closest first within its kind."""
    return Table(
        "correlation",
        "Every correlation with its p-value and n",
        _COLUMNS,
        [_row(record) for record in _sort_records(view, view.plain)],
        note="p is two-sided and not corrected: at system level about systems (exact for up to "
        "nine), elsewhere about what the interval is over. Intervals are at 95 %.",
        empty="There are no scores or no human scores, so nothing was correlated.",
    )


def conditions_table(view: View) -> Table:
    """The correlations in subsets, and those with something held constant."""
    rows = [record for record in view.study.correlation if record.given or record.subset]
    return Table(
        "correlation_conditions",
        "Partial correlations and subsets",
        (*_COLUMNS, *_CONDITIONS),
        [[*_row(record), record.given, record.subset] for record in _sort_records(view, rows)],
        note="Subsets are selections of summaries, in which scores may spread less: that two of "
        "them differ is no test, and says nothing of why."
        if any(record.subset for record in rows)
        else "",
        empty="No partial correlations or subsets were requested.",
    )


def _levels_and_coefficients(view: View) -> list[tuple[str, str]]:
    """The pairs of level and coefficient that occur, those of the headline first."""
    kinds = dict.fromkeys((record.level, record.coefficient) for record in view.plain)
    levels, coefficients = view.levels, view.coefficients
    return sorted(kinds, key=lambda k: (_index(levels, k[0]), _index(coefficients, k[1])))


def _sample_sizes(lines: Iterable[Mapping[str, Correlation]]) -> str:
    """How many systems, documents or summaries the values of each level rest on."""
    counts: dict[str, set[int]] = {}
    for line in lines:
        for level, record in line.items():
            if record.value is not None:
                counts.setdefault(level, set()).add(record.n)
    return " ".join(
        f"{words.sentence(level)} level: n = {_range(result)}." for level, result in counts.items()
    )


def _range(counts: Collection[int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _index(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _pivot(view: View, name: str, title: str, records: list[Correlation]) -> Table:
    human_names = dict.fromkeys(record.human for record in records)
    primary = view.primary
    humans = sorted(human_names, key=lambda human: human != primary)
    lines: dict[Label, dict[str, Correlation]] = {}
    for record in records:
        lines.setdefault(view.named(record.metric, record.part), {})[record.human] = record
    if primary in humans:
        lines = dict(sorted(lines.items(), key=lambda line: view.closeness(line[1].get(primary))))
    rows: list[list[Cell]] = [
        [name, *(_cell(line[human]) if human in line else None for human in humans)]
        for name, line in lines.items()
    ]
    counts = {record.n for record in records if record.value is not None}
    sizes = f"n = {_range(counts)}" if counts else ""
    columns = [Column("metric", "Measure"), *(Column(human, human, "estimate") for human in humans)]
    note = f"With 95 % intervals; {sizes}.{_scope_note(records)}" if sizes else ""
    return Table(name, title, columns, rows, note=note)


def _cell(record: Correlation | Difference) -> Cell:
    """The value with its interval; a reason is kept only if the interval is missing."""
    reason = record.reason if record.low is None else None
    return cell_value(record.value, reason, low=record.low, high=record.high)


def _scope_note(records: Iterable[Correlation | Difference]) -> str:
    """What the intervals are over, with a space in front."""
    scopes = list(dict.fromkeys(record.over for record in records if record.low is not None))
    return f" Intervals are over {words.listed(scopes)}." if any(scopes) else ""


def _sort_records(view: View, records: Iterable[Correlation]) -> list[Correlation]:
    return sorted(
        records,
        key=lambda r: (
            _index(view.levels, r.level), _index(view.coefficients, r.coefficient), r.human,
            view.closeness(r), r.metric, r.part,
        ),
    )  # fmt: skip


def _row(record: Correlation) -> list[Cell]:
    return [
        record.metric, record.part, record.human, record.level, record.coefficient,
        estimate_cell(record), record.p, record.n, record.over,
    ]  # fmt: skip


_DIFFERENCE_COLUMNS = (
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
    Column("over", "Holds for"),
)

_NOTE = (
    "The correlation of the metric minus that of the other; above zero, the metric follows people "
    "more closely. Metrics for which lower is better are negated. Judge by the corrected p."
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
        [_pair_row(line, levels) for line in lines],
        note=f"{_NOTE} {_test_note(lines)}".rstrip(),
        empty="No two metrics were compared.",
        keys=2,
    )


def differences_table(view: View) -> Table:
    """Every tested difference of two correlations, those of the headline first."""
    ordered = sorted(view.study.differences, key=lambda record: _difference_sort_key(view, record))
    return Table(
        "differences",
        "Every tested difference between metrics",
        _DIFFERENCE_COLUMNS,
        [_difference_row(record) for record in ordered],
        note=_NOTE,
        empty="No two metrics were compared.",
        keys=2,
    )


def headline_pairs(view: View) -> list[dict[str, Difference]]:
    """Each pair of metrics with its difference at each level of the headline.

    The metric that is better at the first level comes first; pairs are sorted by p at that level.
    """
    kind = (view.primary, view.headline.coefficient)
    pairs: dict[tuple[str, str], dict[str, Difference]] = {}
    for record in view.study.differences:
        in_headline = record.level in view.headline.levels
        if in_headline and (record.human, record.coefficient) == kind:
            pairs.setdefault((record.metric, record.other), {})[record.level] = record
    lines = [_put_better_first(line, view.headline.levels) for line in pairs.values()]
    return sorted(lines, key=lambda line: _pair_sort_key(line, view.headline.levels))


def _put_better_first(line: dict[str, Difference], levels: Sequence[str]) -> dict[str, Difference]:
    first = next((line[level].value for level in levels if level in line), None)
    is_worse = first is not None and first < 0
    return {level: turned(record) for level, record in line.items()} if is_worse else line


def _pair_sort_key(line: dict[str, Difference], levels: Sequence[str]) -> tuple[float, float]:
    first = next(line[level] for level in levels if level in line)
    return (2.0 if first.p is None else first.p, -(first.value or 0.0))


def _pair_row(line: dict[str, Difference], levels: Sequence[str]) -> list[Cell]:
    first_record = next(iter(line.values()))
    cells: list[Cell] = [first_record.metric, first_record.other]
    for level in levels:
        record = line.get(level)
        cells += [_cell(record), record.p_corrected] if record else [None, None]
    return [*cells, first_record.family]


def _test_note(lines: Sequence[dict[str, Difference]]) -> str:
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
    records = [record for line in lines for record in line.values()]
    if all(record.p is None for record in records):
        reasons = {record.reason for record in records if record.reason}
        why = f": {reasons.pop()}" if len(reasons) == 1 else ""
        return f"Not tested{why}.{_scope_note(records)}"
    return f"Tested by {test}; {correction} among the {family} of each level."


def _difference_sort_key(view: View, record: Difference) -> tuple[bool, int, str, float]:
    level = view.levels.index(record.level) if record.level in view.levels else len(view.levels)
    p = 2.0 if record.p is None else record.p
    return (record.human != view.primary, level, record.human, p)


def _difference_row(record: Difference) -> list[Cell]:
    return [
        record.metric, record.other, record.human, record.level, record.coefficient,
        estimate_cell(record), record.test, record.p, record.p_corrected, record.correction,
        record.family, record.n, record.over,
    ]  # fmt: skip
