"""The ranking of systems by each kind of evidence, and which pairs of systems differ.

For comparisons also the votes between every two systems, and the effect of length on choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gistmark.analysis.ranking import bradley_terry, length_control
from gistmark.analysis.ranking.letters import show_letters
from gistmark.analysis.studies.records import LengthEffect, Pair, Rank
from gistmark.report.table import Cell, Column, Label, Missing, Table, cell_value, estimate_cell
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
_FIRST_COLUMNS = (
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
_PAIR_COLUMNS = (
    Column("left", "System"),
    Column("right", "Other"),
    Column("difference", "Difference [95 %]", "estimate"),
    Column("p", "p", "p"),
    Column("p_corrected", "p corrected", "p"),
    Column("p_all", "p over all rankings", "p"),
    Column("effect", "Effect", "number"),
    Column("wins", "Wins", "number"),
    Column("n", "n", "count"),
    Column("dimension", "Dimension"),
    Column("by", "By"),
    Column("method", "Method"),
    Column("test", "Test"),
)

_VOTE_COLUMNS = (
    Column("left", "System"),
    Column("right", "Other"),
    Column("dimension", "Dimension"),
    Column("left_wins", "Wins", "count"),
    Column("right_wins", "Losses", "count"),
    Column("ties", "Ties", "count"),
    Column("n", "Votes", "count"),
    Column("strength", "Mean strength", "number"),
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
    order = {kind: index for index, kind in enumerate(_leading_kinds(view))}
    last = len(order)
    ordered = sorted(view.study.pairs, key=lambda p: order.get((p.by, p.dimension, p.method), last))
    return Table(
        "pairs",
        "Every pair of systems",
        _PAIR_COLUMNS,
        [_pair_row(record) for record in ordered],
        note="The value of the system minus that of the other. p is corrected by Holm among all "
        "pairs of a ranking, and over all rankings by the same evidence and method: judge by the "
        "latter if any dimension would do. The effect is the mean difference in standard "
        "deviations of the documents’ differences; wins is the share of documents (with "
        "Bradley-Terry: of votes) in which the system is better, a tie counting one half.",
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
    rules = _cluster_starts(records)
    return Table(
        f"ranking_{by.replace('-', '_')}",
        ranking_title(by, dimension, records[0].method),
        _FIRST_COLUMNS,
        rows,
        note=_note(records, lines=bool(rules)),
        rules=rules,
    )


def _full_table(view: View, name: str, title: str, records: Sequence[Rank], empty: str) -> Table:
    groups: dict[tuple[str, str, str], list[Rank]] = {
        kind: [] for kind in _leading_kinds(view)
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
        name,
        title,
        _COLUMNS,
        rows,
        note=_note(ordered),
        empty=empty,
        rules=_cluster_starts(ordered),
    )


def _note(records: Sequence[Rank], *, lines: bool = False) -> str:
    """What error scores, letters and lines mean, where there are any."""
    lettered = any(record.letters for record in records)
    errors = any(record.by == "spans" for record in records)
    sentences = (ERRORS if errors else "", LETTERS if lettered else "", LINES if lines else "")
    return " ".join(filter(None, sentences))


def _leading_kinds(view: View) -> Iterable[tuple[str, str, str]]:
    """The leading rankings, each with its first method."""
    return [(*kind, next(iter(view.methods(*kind)), "")) for kind in view.rankings]


def _cluster_starts(records: Sequence[Rank]) -> frozenset[int]:
    """The rows that begin a cluster, or another ranking."""
    marks = [(r.by, r.dimension, r.method, r.cluster) for r in records]
    return frozenset(
        row for row, (mark, next_mark) in enumerate(pairwise(marks), 1) if mark != next_mark
    )


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
    """The letters, shortened on pages and in full in files; or why there are none."""
    if record.letters is not None:
        return Label(record.letters, show_letters(record.letters))
    return Missing(record.reason) if record.reason and record.value is not None else None


def _pair_row(record: Pair) -> list[Cell]:
    difference = cell_value(record.difference, record.reason, low=record.low, high=record.high)
    untested = Missing(record.reason) if record.reason and record.difference is not None else None
    return [
        record.left, record.right, difference,
        untested if record.p is None else record.p,
        untested if record.p_corrected is None else record.p_corrected, record.p_all,
        record.effect, record.wins, record.n, record.dimension, record.by, record.method,
        record.test,
    ]  # fmt: skip


def preferences_tables(view: View) -> list[Table]:
    """A row per pair of systems and dimension; none if all votes are plain choices."""
    records = view.study.preferences
    if not records:
        return []
    has_strengths = any(record.strength is not None for record in records)
    columns = _VOTE_COLUMNS if has_strengths else _VOTE_COLUMNS[:-1]
    rows: list[list[Cell]] = [
        [getattr(record, column.key) for column in columns] for record in records
    ]
    note = "Of two systems, the one that won more often stands first."
    if has_strengths:
        note += (
            " The mean strength is that of preferences for the first, negated where the other was "
            "preferred; a tie counts 0."
        )
    return [Table("preferences", "Votes between two systems", columns, rows, note=note, keys=2)]


def fit_tables(view: View) -> list[Table]:
    """How often systems were compared, and whether choices fit Bradley-Terry strengths."""
    records = view.study.fits
    if not records:
        return []
    columns = (
        Column("dimension", "Dimension"),
        Column("by", "By"),
        Column("n", "Choices", "count"),
        Column("fewest", "Rarest pair", "count"),
        Column("most", "Most frequent", "count"),
        Column("g2", "G²", "number"),
        Column("df", "Degrees of freedom", "count"),
        Column("p", "p", "p"),
    )
    rows: list[list[Cell]] = [
        [
            record.dimension, record.by, record.n, record.fewest, record.most,
            Missing(record.reason) if record.reason else record.g2, record.df, record.p,
        ]
        for record in records
    ]  # fmt: skip
    note = (
        "How many choices there are between two systems, and whether all choices fit "
        "Bradley-Terry strengths: where p (by a bootstrap by document) is below 0.05 they do not, "
        "and pairs by strengths are tested by the votes between the two alone. Strengths lead the "
        "ranking where pairs did not meet about equally often."
    )
    return [Table("fits", "Do choices fit a line of strengths?", columns, rows, note=note)]


def length_tables(view: View) -> list[Table]:
    """The effect of length on choices by dimension, then strengths with and without it."""
    effects = view.study.length_effects
    if not effects:
        return []
    tables = [_effect_table(effects)]
    rows = [
        row
        for effect in effects
        if effect.value is not None
        for row in _strength_rows(view, effect)
    ]
    return [*tables, _strength_table(rows)] if rows else tables


def _effect_table(effects: tuple[LengthEffect, ...]) -> Table:
    rows: list[list[Cell]] = [[e.dimension, estimate_cell(e), e.p, e.spread, e.n] for e in effects]
    return Table(
        "length_effects",
        "What length does to pairwise choices",
        (
            Column("dimension", "Dimension"),
            Column("value", "Coefficient of length [95 %]", "estimate"),
            Column("p", "p", "p"),
            Column("spread", "Length difference", "number"),
            Column("n", "Choices", "count"),
        ),
        rows,
        note="The coefficient is what a longer summary gains in log odds, whichever system wrote "
        "it, when its length exceeds the other’s by the length difference: the standard deviation "
        "over all choices of (length - other) / (length + other), in characters. Above zero people "
        "choose the longer one more often. Intervals are over documents.",
    )


def _strength_table(rows: list[list[Cell]]) -> Table:
    return Table(
        "length_controlled",
        "Systems by pairwise choices, as they are and of equally long summaries",
        (
            Column("dimension", "Dimension"),
            Column("system", "System"),
            Column("plain", "Strength [95 %]", "estimate"),
            Column("plain_rank", "Rank", "rank"),
            Column("controlled", "Length-controlled [95 %]", "estimate"),
            Column("controlled_rank", "Rank", "rank"),
        ),
        rows,
        note="Bradley-Terry strengths; length-controlled ones are those that two equally long "
        "summaries would show, if length alone were what the coefficient measures: a system that "
        "is better because it says more is held back too.",
        keys=2,
    )


def _strength_rows(view: View, effect: LengthEffect) -> list[list[Cell]]:
    plain, controlled = (
        {rank.system: rank for rank in view.ranks("comparisons", effect.dimension, method)}
        for method in (bradley_terry.METHOD, length_control.METHOD)
    )
    return [
        [effect.dimension, system, *_strength_cells(plain.get(system)), *_strength_cells(rank)]
        for system, rank in controlled.items()
    ]


def _strength_cells(record: Rank | None) -> list[Cell]:
    if record is None:
        return [None, None]
    return [cell_value(record.value, low=record.low, high=record.high), record.rank]
