"""Comparisons: the votes between every two systems, and what length does to pairwise choices."""

from __future__ import annotations

from gistmark.analysis.ranking import bradley_terry, length_control
from gistmark.analysis.studies.records import LengthEffect, Rank
from gistmark.report.table import Cell, Column, Table, cell_value
from gistmark.report.views import View

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


def preferences_tables(view: View) -> list[Table]:
    """A row per pair of systems and dimension; none where all votes are plain choices."""
    records = view.study.preferences
    if not records:
        return []
    weighed = any(record.strength is not None for record in records)
    columns = _VOTE_COLUMNS if weighed else _VOTE_COLUMNS[:-1]
    rows: list[list[Cell]] = [
        [getattr(record, column.key) for column in columns] for record in records
    ]
    note = "Of two systems, the one that won more often stands first."
    if weighed:
        note += (
            " The mean strength is that of preferences for the first, negated where the other was "
            "preferred; a tie counts 0."
        )
    return [Table("preferences", "Votes between two systems", columns, rows, note=note, keys=2)]


def length_tables(view: View) -> list[Table]:
    """The coefficient of length in every dimension that was compared, then both strengths."""
    effects = view.study.length_effects
    if not effects:
        return []
    tables = [_effects(effects)]
    rows = [row for effect in effects if effect.value is not None for row in _rows(view, effect)]
    return [*tables, _strengths(rows)] if rows else tables


def _effects(effects: tuple[LengthEffect, ...]) -> Table:
    rows: list[list[Cell]] = [
        [e.dimension, cell_value(e.value, e.reason, low=e.low, high=e.high), e.p, e.spread, e.n]
        for e in effects
    ]
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


def _strengths(rows: list[list[Cell]]) -> Table:
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


def _rows(view: View, effect: LengthEffect) -> list[list[Cell]]:
    plain, controlled = (
        {rank.system: rank for rank in view.ranks("comparisons", effect.dimension, method)}
        for method in (bradley_terry.METHOD, length_control.METHOD)
    )
    return [
        [effect.dimension, system, *_cells(plain.get(system)), *_cells(rank)]
        for system, rank in controlled.items()
    ]


def _cells(record: Rank | None) -> list[Cell]:
    if record is None:
        return [None, None]
    return [cell_value(record.value, low=record.low, high=record.high), record.rank]
