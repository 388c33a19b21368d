"""Where each system stands by each kind of evidence, and which pairs of systems differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gistmark.analysis.ranking.letters import show_letters
from gistmark.analysis.studies.records import Pair, Rank
from gistmark.report.table import Cell, Column, Label, Missing, Table, cell_value
from gistmark.report.views import View

EVIDENCE = {
    "ratings": "people’s ratings of",
    "comparisons": "people’s pairwise choices of",
    "rankings": "people’s rankings by",
    "best-worst": "people’s best-worst choices by",
}
LETTERS = (
    "Systems that share a letter cannot be told apart; those that share none differ significantly "
    "(Holm’s correction among all pairs, 5 %)."
)
ERRORS = (
    "The error score is minus the sum of the errors’ weights: 0 is a summary without errors, and "
    "less is worse."
)
LINES = "A line stands only where every system above differs significantly from every system below."
_FIRST = (
    Column("system", "System"),
    Column("rank", "Rank", "rank"),
    Column("value", "Value [95 %]", "estimate"),
    Column("letters", "Letters"),
    Column("n", "n", "count"),
)
_COLUMNS = (
    Column("system", "System"),
    Column("dimension", "Dimension"),
    Column("value", "Value [95 %]", "estimate"),
    Column("rank", "Rank", "rank"),
    Column("letters", "Letters"),
    Column("n", "n", "count"),
    Column("by", "By"),
    Column("method", "Method"),
)
_PAIR = (
    Column("left", "System"),
    Column("right", "Other"),
    Column("difference", "Difference [95 %]", "estimate"),
    Column("p", "p", "p"),
    Column("p_corrected", "p corrected", "p"),
    Column("effect", "Effect", "number"),
    Column("wins", "Wins", "number"),
    Column("n", "n", "count"),
    Column("dimension", "Dimension"),
    Column("by", "By"),
    Column("method", "Method"),
    Column("test", "Test"),
)


def first_ranking_tables(view: View) -> list[Table]:
    """The rankings that come first, a table each, with lines between the clusters of systems."""
    return [_first_table(view, by, dimension) for by, dimension in view.rankings]


def ranking_table(view: View) -> Table:
    """The ranking by people, dimension by dimension."""
    people = [record for record in view.study.ranking if record.by != "scores"]
    empty = "Nobody rated or compared these systems, so people do not rank them."
    return _full_table(view, "ranking", "Ranking of systems by people", people, empty)


def metric_ranking_table(view: View) -> Table:
    """The ranking by metrics."""
    scores = [record for record in view.study.ranking if record.by == "scores"]
    empty = "No metric ranks these systems."
    return _full_table(view, "ranking_by_metrics", "Ranking of systems by metrics", scores, empty)


def pairs_table(view: View) -> Table:
    """Every pair of systems of every ranking, those of the leading rankings first."""
    order = {kind: index for index, kind in enumerate(_kinds(view))}
    last = len(order)
    ordered = sorted(view.study.pairs, key=lambda p: order.get((p.by, p.dimension, p.method), last))
    return Table(
        "pairs",
        "Every pair of systems",
        _PAIR,
        [_pair(record) for record in ordered],
        note="The value of the system minus that of the other. p is corrected by Holm among all "
        "pairs of a ranking. The effect is the mean difference in standard deviations of the "
        "documents’ differences; wins is the share of documents (with Bradley-Terry: of votes) "
        "in which the system is better, a tie counting one half.",
        empty="No two systems were compared.",
        keys=2,
    )


def ranking_title(by: str, dimension: str, method: str) -> str:
    """What systems are ranked by, in words."""
    if by == "scores":
        return f"Systems by the metric {dimension}: {method}"
    if by in ("units", "spans"):
        return f"Systems by {dimension}: {method}"
    return f"Systems by {EVIDENCE[by]} {dimension}: {method}"


def _first_table(view: View, by: str, dimension: str) -> Table:
    records = view.ranks(by, dimension)
    rows: list[list[Cell]] = [
        [r.system, _rank(r), _value(r), _letters(r), r.n] for r in records
    ]  # fmt: skip
    rules = _lines(records)
    return Table(
        f"ranking_{by.replace('-', '_')}",
        ranking_title(by, dimension, records[0].method),
        _FIRST,
        rows,
        note=_note(records, lines=bool(rules)),
        rules=rules,
    )


def _full_table(view: View, name: str, title: str, records: Sequence[Rank], empty: str) -> Table:
    groups: dict[tuple[str, str, str], list[Rank]] = {
        kind: [] for kind in _kinds(view)
    }  # fmt: skip
    for record in records:
        groups.setdefault((record.by, record.dimension, record.method), []).append(record)
    ordered = [
        record
        for group in groups.values()
        for record in sorted(group, key=lambda r: (r.rank is None, r.rank or 0.0, r.system))
    ]
    rows = [_row(record) for record in ordered]
    return Table(
        name, title, _COLUMNS, rows, note=_note(ordered), empty=empty, rules=_lines(ordered)
    )


def _note(records: Sequence[Rank], *, lines: bool = False) -> str:
    """What error scores, letters and lines mean, where there are any."""
    lettered = any(record.letters for record in records)
    errors = any(record.by == "spans" for record in records)
    sentences = (ERRORS if errors else "", LETTERS if lettered else "", LINES if lines else "")
    return " ".join(filter(None, sentences))


def _kinds(view: View) -> Iterable[tuple[str, str, str]]:
    """The leading rankings, each with its first method."""
    return [(*kind, next(iter(view.methods(*kind)), "")) for kind in view.rankings]


def _lines(records: Sequence[Rank]) -> frozenset[int]:
    """The rows that begin a cluster, or another ranking."""
    marks = [(r.by, r.dimension, r.method, r.cluster) for r in records]
    return frozenset(row for row, (one, next_) in enumerate(pairwise(marks), 1) if one != next_)


def _row(record: Rank) -> list[Cell]:
    return [
        record.system, record.dimension, _value(record), _rank(record), _letters(record), record.n,
        record.by, record.method,
    ]  # fmt: skip


def _value(record: Rank) -> Cell:
    reason = record.reason if record.value is None else None
    return cell_value(record.value, reason, low=record.low, high=record.high)


def _rank(record: Rank) -> Cell:
    """A whole number, or half of one where systems tie."""
    rank = record.rank
    return int(rank) if rank is not None and rank == int(rank) else rank


def _letters(record: Rank) -> Cell:
    """Letters that pages cut short and files keep whole; or why there are none."""
    if record.letters is not None:
        return Label(record.letters, show_letters(record.letters))
    return Missing(record.reason) if record.reason and record.value is not None else None


def _pair(record: Pair) -> list[Cell]:
    difference = cell_value(record.difference, record.reason, low=record.low, high=record.high)
    return [
        record.left, record.right, difference, record.p, record.p_corrected, record.effect,
        record.wins, record.n, record.dimension, record.by, record.method, record.test,
    ]  # fmt: skip
